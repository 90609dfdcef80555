#include "solid_shapes.h"

void test_shapes_init(test_shapes *t)
{
    memset(t, 0, sizeof *t);
    memcpy(t->source, "test.json", sizeof "test.json");
    t->scene.source = t->source;
    t->scene.shapes = t->shapes;
    t->scene.shape_children = t->children;
}

uint32_t test_leaf(test_shapes *t, scene_shape shape)
{
    if (shape.pose.scale == 0) shape.pose = (scene_pose){{0, 0, 0}, quat_identity(), 1};
    WEIR_ASSERT(t->scene.shape_count < TEST_SHAPES);
    t->shapes[t->scene.shape_count] = shape;
    return t->scene.shape_count++;
}

uint32_t test_operator(test_shapes *t, scene_shape shape, const uint32_t *children)
{
    shape.first_child = t->scene.shape_child_count;
    for (uint32_t i = 0; i < shape.child_count; ++i)
        t->children[t->scene.shape_child_count++] = children[i];
    return test_leaf(t, shape);
}

/* Returns the k-th pseudo-random number of a sequence in [low, high). */
static float test_number(uint64_t k, float low, float high)
{
    return low + (high - low) * base_hash_to_unit(k);
}

vec3 test_point(uint64_t k, float reach)
{
    return vec3_make(test_number(3 * k, -reach, reach), test_number(3 * k + 1, -reach, reach),
                     test_number(3 * k + 2, -reach, reach));
}

scene_pose test_pose(vec3 position, vec3 axis, float radians, float scale)
{
    return (scene_pose){
        position, quat_from_axis_angle(vec3_scale(axis, 1 / vec3_length(axis)), radians), scale};
}

const scene_shape test_kinds[7] = {
    {.kind = SCENE_SHAPE_BOX, .size = {1.2f, 0.8f, 2.0f}},
    {.kind = SCENE_SHAPE_SPHERE, .radius = 0.7f},
    {.kind = SCENE_SHAPE_CAPSULE, .radius = 0.4f, .height = 1.2f},
    {.kind = SCENE_SHAPE_CYLINDER, .radius = 0.6f, .height = 1.4f},
    {.kind = SCENE_SHAPE_CONE, .radius = 0.8f, .height = 1.5f},
    {.kind = SCENE_SHAPE_TORUS, .radius = 0.9f, .tube_radius = 0.3f},
    {.kind = SCENE_SHAPE_PLANE},
};
