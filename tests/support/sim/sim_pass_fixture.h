/* A single pass of a substep with all of its inputs, and the data that its reference in tests/ref
 * needs. */
#ifndef WEIR_TESTS_SIM_PASS_FIXTURE_H
#define WEIR_TESTS_SIM_PASS_FIXTURE_H

#include "ref_pbf.h"
#include "sim_support.h"

#define FRAME_S (1.0 / 60.0)

float random_between(uint64_t draw, float low, float high);

/* The state before one pass of a substep, and the data that its reference needs. */
typedef struct stage {
    sim_world *world;
    uint32_t pass, count; /* count: all particles before the sort, live ones after it */
    struct sim_status status;
    struct sim_params params;
    host_lists lists;
    ref_ball balls[4];
    ref_pbf pbf;
} stage;

vec4 *stream(const stage *s, const gpu_buffer *buffer);
ivec4 *fixed(const stage *s, const gpu_buffer *buffer);
void refresh(stage *s);

/* Runs all passes of a substep before the one with this name; NULL: all. */
void enter(stage *s, sim_world *world, uint32_t count, const char *pass);

void run_pass(const stage *s);

/* Runs the passes at the end of a frame that consists of this substep. */
void end_frame_after_substep(const stage *s);

/* Runs the pass `boundary_project`, if there are solids: it completes position_correction,
 * pcisph_position_correction and wcsph_forces. */
void run_collisions(stage *s);

void run_pass_and_collisions(stage *s);
void assert_vec3_near(const char *what, uint32_t i, vec4 got, vec3 expected, float tolerance);
void assert_near(const char *what, double got, double expected, double tolerance);
vec3 xyz(vec4 v);
vec4 metres(const stage *s, ivec4 place);

#endif
