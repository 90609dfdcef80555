/* Simulations for tests: small scenes, particles placed by hand, single passes of the pass list. A
 * pass is taken from the list of a real simulation with its bindings, so that a test only names the
 * shader and repeats no binding. */
#ifndef WEIR_TESTS_SIM_SUPPORT_H
#define WEIR_TESTS_SIM_SUPPORT_H

#include "gpu_support.h"
#include "sim_coupling.h"
#include "sim_frame.h"
#include "sim_input.h"
#include "sim_readout.h"
#include "sim_solvers.h"
#include "sim_stability.h"
#include "sim_world.h"

/* ---- scenes and simulations ----------------------------------------------------------------- */

/* Parses a scene; `text` is JSON with ' instead of "; overrides up to a NULL are
 * "key.path=value". */
scene_data *make_scene(const char *text, const char *const *overrides);

sim_world *make_sim(gpu_device *device, const scene_data *scene);

/* Creates a simulation with compact lists. */
sim_world *make_sim_compact(gpu_device *device, const scene_data *scene);

/* Creates a simulation with an initial capacity of `particles`. */
sim_world *make_sim_sized(gpu_device *device, const scene_data *scene, uint32_t particles);

/* Creates a simulation of each text on a device of its own, with a capacity of SIMS_ROOM particles;
 * the first one runs with validation. */
#define SIMS_ROOM 3000u
void open_sims(const char *const *texts, gpu_device **devices, scene_data **scenes,
               sim_world **worlds, int count);

/* Fails when validation has reported anything on one of the devices. */
int close_sims(gpu_device **devices, scene_data **scenes, sim_world **worlds, int count);

void assert_at_most(const char *what, double value, double limit);
void assert_between(const char *what, double value, double low, double high);
void upload(const sim_world *world, gpu_buffer *buffer, const void *bytes, size_t size);

/* Downloads the first `count` elements of `size` bytes; release with base_free. */
void *download(const sim_world *world, const gpu_buffer *buffer, size_t count, size_t size);

/* Convert positions in metres, whose w is a number, to fixed-point positions and back. */
ivec4 fixed_from_metres(const sim_world *world, vec4 x);

vec4 metres_of(const sim_world *world, ivec4 position);

/* Downloads positions in metres. */
vec4 *download_metres(const sim_world *world, const gpu_buffer *buffer, size_t count);

/* Particles that replace those of the fill; their number must be equal when v or ids is NULL. */
typedef struct placing {
    uint32_t count;
    const vec4 *x, *v;
    const uint32_t *ids;
} placing;

void place_particles(sim_world *world, placing p);

/* Reads positions and velocities in order of id, [count]; release with base_free. */
vec3 *read_vectors(sim_world *world, weir_field field, uint32_t *count);

float *read_densities(sim_world *world, uint32_t count);
void run_frames(sim_world *world, uint32_t frames);

/* ---- single passes -------------------------------------------------------------------------- */

/* Uploads the inputs of a frame, but runs none of its passes. */
void begin_frame(sim_world *world, double seconds);

void run_begin_pass(const sim_world *world);

/* Returns the index of the first pass with this name in a list; fails without one. */
uint32_t row_of(const gpu_pass *passes, uint32_t count, const char *name);

uint32_t step_pass(const sim_world *world, const char *name);

/* Runs passes [first, last) of a substep as substep 0; iterations run once. */
void run_step_passes(const sim_world *world, uint32_t first, uint32_t last);

/* Runs all passes from the start of the frame to the one before the named pass, or of the whole
 * substep for NULL; returns its index. */
uint32_t run_up_to(sim_world *world, double seconds, const char *name);

gpu_buffer *pass_buffer(const gpu_pass *pass, uint32_t binding);

/* ---- lists ---------------------------------------------------------------------------------- */

/* Neighbours of particle i: items[first[i]] to items[first[i + 1] - 1]. */
typedef struct host_lists {
    uint32_t *first, *items, *headers;
} host_lists;

void free_lists(host_lists *lists);
host_lists download_lists(gpu_device *device, const grid *g, uint32_t count);

#endif
