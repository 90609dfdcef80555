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

static inline void test_shapes_init(test_shapes *t)
{
    memset(t, 0, sizeof *t);
    memcpy(t->source, "test.json", sizeof "test.json");
    t->scene.source = t->source;
    t->scene.shapes = t->shapes;
    t->scene.shape_children = t->children;
}

/* Adds a shape; one without a pose is at the origin. Returns its index. */
static inline uint32_t test_leaf(test_shapes *t, scene_shape shape)
{
    if (shape.pose.scale == 0) shape.pose = (scene_pose){{0, 0, 0}, quat_identity(), 1};
    WEIR_ASSERT(t->scene.shape_count < TEST_SHAPES);
    t->shapes[t->scene.shape_count] = shape;
    return t->scene.shape_count++;
}

static inline uint32_t test_operator(test_shapes *t, scene_shape shape, const uint32_t *children)
{
    shape.first_child = t->scene.shape_child_count;
    for (uint32_t i = 0; i < shape.child_count; ++i)
        t->children[t->scene.shape_child_count++] = children[i];
    return test_leaf(t, shape);
}

/* Returns the k-th pseudo-random number of a sequence in [low, high). */
static inline float test_number(uint64_t k, float low, float high)
{
    return low + (high - low) * base_hash_to_unit(k);
}

static inline vec3 test_point(uint64_t k, float reach)
{
    return vec3_make(test_number(3 * k, -reach, reach), test_number(3 * k + 1, -reach, reach),
                     test_number(3 * k + 2, -reach, reach));
}

static inline scene_pose test_pose(vec3 position, vec3 axis, float radians, float scale)
{
    return (scene_pose){
        position, quat_from_axis_angle(vec3_scale(axis, 1 / vec3_length(axis)), radians), scale};
}

/* One shape of each analytic kind; all but the plane lie within 2 m of the origin. */
static const scene_shape test_kinds[] = {
    {.kind = SCENE_SHAPE_BOX, .size = {1.2f, 0.8f, 2.0f}},
    {.kind = SCENE_SHAPE_SPHERE, .radius = 0.7f},
    {.kind = SCENE_SHAPE_CAPSULE, .radius = 0.4f, .height = 1.2f},
    {.kind = SCENE_SHAPE_CYLINDER, .radius = 0.6f, .height = 1.4f},
    {.kind = SCENE_SHAPE_CONE, .radius = 0.8f, .height = 1.5f},
    {.kind = SCENE_SHAPE_TORUS, .radius = 0.9f, .tube_radius = 0.3f},
    {.kind = SCENE_SHAPE_PLANE},
};

#endif
