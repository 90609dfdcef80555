/* Scenes of shapes built by hand, for the tests of solids. */
#ifndef WEIR_TEST_SOLID_SHAPES_H
#define WEIR_TEST_SOLID_SHAPES_H

#include "scene.h"

#define TEST_SHAPES 512

typedef struct test_shapes {
    scene_shape shapes[TEST_SHAPES];
    uint32_t children[TEST_SHAPES];
    char source[16];
    scene_data scene; /* points to the arrays above */
} test_shapes;

void test_shapes_init(test_shapes *t);

/* Adds a shape; one without a pose is at the origin. Returns its index. */
uint32_t test_leaf(test_shapes *t, scene_shape shape);

uint32_t test_operator(test_shapes *t, scene_shape shape, const uint32_t *children);
vec3 test_point(uint64_t k, float reach);
scene_pose test_pose(vec3 position, vec3 axis, float radians, float scale);

/* One shape of each analytic kind; all but the plane lie within 2 m of the origin. */
extern const scene_shape test_kinds[7];

#endif
