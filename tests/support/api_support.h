/* Fixture for tests of the public API: a log that is kept, a tiny scene, a scratch folder. */
#ifndef WEIR_TESTS_API_SUPPORT_H
#define WEIR_TESTS_API_SUPPORT_H

#include "base.h"

#include "kept_log.h"

/* 6 x 5 x 6 particles, 2 substeps per frame. */
#define TINY_SCENE                                                                     \
    "{\"name\": \"tiny\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.1, \"spacing\": 0.05,"                       \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"                               \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"              \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"

weir_result parse_scene(const char *text, weir_scene **scene);

typedef struct fixture {
    weir_device *device;
    weir_scene *scene;
    weir_sim *sim;
    char folder[64];
} fixture;

void open_device(fixture *f);
int open_fixture(void **state);
int close_fixture(void **state);

/* Replaces the fixture's scene, without a simulation. */
void use_scene(fixture *f, const char *text);

/* Replaces the fixture's scene and simulates it. */
weir_sim *simulate_scene(fixture *f, const char *text);

void step_frames(weir_sim *sim, int frames);
uint32_t count_of(weir_sim *sim);
/* Reads the positions and velocities of the particles in order of their ids, three floats each, of
 * which there is room for `most`; returns their number, which must be above 0. */
uint32_t read_particles(weir_sim *sim, float *positions, float *velocities, uint32_t most);
uint64_t hash_of(weir_sim *sim);

/* Writes a box as box_NUMBER.obj in the fixture's folder. */
void write_box_mesh(const fixture *f, int number, vec3 low, vec3 high);

#endif
