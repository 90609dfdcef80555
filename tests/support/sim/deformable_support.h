/* Scenes that consist of cloths, ropes and soft bodies only. */
#ifndef WEIR_TESTS_DEFORMABLE_SUPPORT_H
#define WEIR_TESTS_DEFORMABLE_SUPPORT_H

#include "device_support.h"
#include "sim_support.h"

/* The scene has one drop far away, because a scene needs a fluid. */
#define SCENE(more)                                                          \
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [3, 3, 3]}," more \
    " 'fluids': [{'name': 'drop', 'fill': {'shape': {'box': {"               \
    "'min': [2.9, 0, 2.9], 'max': [3, 0.1, 3]}}}}]}"

typedef struct deformable_world {
    scene_data *scene;
    sim_world *world;
    uint32_t count;
    vec3 *x, *v; /* position and velocity of the vertices at the last read */
} deformable_world;

deformable_world open_deformables(const char *text, const char *const *overrides);
void read_deformables(deformable_world *w);

/* Sums momentum along each axis, kg m/s. Returns the sum of its magnitudes. */
double deformable_momentum(deformable_world *w, double sum[3]);

void close_deformables(deformable_world *w);

/* Returns the initial position of a vertex. */
vec3 start_of(const deformable_world *w, uint32_t i);

#endif
