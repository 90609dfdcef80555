/* Bounding boxes of shapes contain the shape, tightly where possible. */
#include "scene_fixture.h"

static void bounds_of(const char *shape, const vec3 *mesh_boxes, vec3 *min, vec3 *max)
{
    char *more = base_format("'sinks': [{'name': 's', 'shape': %s}],", shape);
    if (parse_with(&fixture, more) != WEIR_OK) fail_msg("%s", messages(&fixture));
    base_free(more);
    scene_shape_bounds(fixture.scene, fixture.scene->sinks[0].shape, mesh_boxes, min, max);
}

typedef struct expected {
    const char *shape;
    double min[3], max[3];
} expected;

static const expected boxes[] = {
    {"{'box': {'size': [2, 4, 6]}, 'position': [1, 1, 1]}", {0, -1, -2}, {2, 3, 4}},
    {"{'box': {'size': [2, 4, 6]}, 'rotation': [0, 0, 90]}", {-2, -1, -3}, {2, 1, 3}},
    {"{'box': {'min': [0, 0, 0], 'max': [1, 2, 3]}, 'scale': 2}", {0, 0, 0}, {2, 4, 6}},
    {"{'box': {'min': [0, 0, 0], 'max': [1, 2, 3]}, 'rotation': [0, 90, 0], 'position': [5, 0, 0]}",
     {5, 0, -1},
     {8, 2, 0}},
    {"{'sphere': {'radius': 0.5}, 'scale': 3, 'rotation': [10, 20, 30]}",
     {-1.5, -1.5, -1.5},
     {1.5, 1.5, 1.5}},
    {"{'capsule': {'radius': 1, 'height': 4}, 'rotation': [0, 0, 90]}", {-3, -1, -1}, {3, 1, 1}},
    {"{'cylinder': {'radius': 1, 'height': 4}, 'rotation': [90, 0, 0]}", {-1, -1, -2}, {1, 1, 2}},
    {"{'cylinder': {'radius': 1, 'height': 4}, 'rotation': [0, 0, 45]}",
     {-2.1213203, -2.1213203, -1},
     {2.1213203, 2.1213203, 1}},
    {"{'cone': {'radius': 1, 'height': 4}}", {-1, -2, -1}, {1, 2, 1}},
    {"{'cone': {'radius': 1, 'height': 4}, 'rotation': [0, 0, 90]}", {-2, -1, -1}, {2, 1, 1}},
    {"{'torus': {'radius': 2, 'tube_radius': 0.5}}", {-2.5, -0.5, -2.5}, {2.5, 0.5, 2.5}},
    {"{'torus': {'radius': 2, 'tube_radius': 0.5}, 'rotation': [90, 0, 0]}",
     {-2.5, -2.5, -0.5},
     {2.5, 2.5, 0.5}},
    {"{'plane': {}, 'position': [0, 2, 0]}",
     {-INFINITY, -INFINITY, -INFINITY},
     {INFINITY, 2, INFINITY}},
    {"{'plane': {}, 'rotation': [0, 0, 90], 'position': [3, 0, 0]}",
     {3, -INFINITY, -INFINITY},
     {INFINITY, INFINITY, INFINITY}},
    {"{'plane': {}, 'rotation': [0, 0, 30]}",
     {-INFINITY, -INFINITY, -INFINITY},
     {INFINITY, INFINITY, INFINITY}},
    {"{'union': [{'sphere': {'radius': 1}}, {'sphere': {'radius': 1}, 'position': [3, 0, 0]}],"
     "'position': [0, 1, 0], 'scale': 2}",
     {-2, -1, -2},
     {8, 3, 2}},
    {"{'intersection': [{'plane': {}}, {'sphere': {'radius': 1}}]}", {-1, -1, -1}, {1, 0, 1}},
    {"{'difference': [{'sphere': {'radius': 1}}, {'plane': {}}, {'sphere': {'radius': 9}}]}",
     {-1, -1, -1},
     {1, 1, 1}},
    {"{'union': [{'union': [{'sphere': {'radius': 1}, 'position': [1, 0, 0]}], 'rotation': [0, 0, "
     "90]}], 'position': [0, 0, 4]}",
     {-1, 0, 3},
     {1, 2, 5}},
};

static void assert_component(float found, double wanted, const char *shape)
{
    bool same = isinf(wanted) ? (double)found == wanted : fabs((double)found - wanted) < 2e-5;
    if (!same) fail_msg("%s: a bound is %g, expected %g", shape, (double)found, wanted);
}

static void analytic_shapes_have_tight_boxes(void **state)
{
    for (size_t i = 0; i < BASE_COUNT(boxes); ++i) {
        vec3 min, max;
        bounds_of(boxes[i].shape, NULL, &min, &max);
        for (int axis = 0; axis < 3; ++axis) {
            assert_component((&min.x)[axis], boxes[i].min[axis], boxes[i].shape);
            assert_component((&max.x)[axis], boxes[i].max[axis], boxes[i].shape);
        }
    }
}

static void a_smooth_union_has_room_for_its_blend(void **state)
{
    vec3 min, max;
    bounds_of("{'smooth_union': {'blend': 0.1, 'shapes': [{'sphere': {'radius': 1}}]}}", NULL, &min,
              &max);
    assert_true(min.x <= -1.025f && min.x >= -1.1001f && max.z >= 1.025f && max.z <= 1.1001f);
}

static void spheres_that_do_not_meet_have_nothing_in_common(void **state)
{
    vec3 min, max;
    bounds_of("{'intersection': [{'sphere': {'radius': 1}}, {'sphere': {'radius': 1}, 'position': "
              "[3, 0, 0]}]}",
              NULL, &min, &max);
    assert_true(min.x > max.x);
}

static void a_mesh_takes_the_box_of_its_file(void **state)
{
    const vec3 mesh_boxes[2] = {{0, 0, 0}, {1, 2, 3}};
    vec3 min, max;
    /* This file stands in for a mesh, because the parser only checks that it exists. */
    static const char shape[] = "{'mesh': {'file': 'scenes/scene.schema.json'}, 'scale': 2,"
                                "'rotation': [0, 90, 0], 'position': [1, 0, 0]}";
    bounds_of(shape, mesh_boxes, &min, &max);
    assert_vector(min, 1, 0, -2);
    assert_vector(max, 7, 4, 0);
    bounds_of(shape, NULL, &min, &max);
    assert_true(isinf(min.x) && isinf(max.y));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(analytic_shapes_have_tight_boxes),
        cmocka_unit_test(a_smooth_union_has_room_for_its_blend),
        cmocka_unit_test(spheres_that_do_not_meet_have_nothing_in_common),
        cmocka_unit_test(a_mesh_takes_the_box_of_its_file),
    };
    return cmocka_run_group_tests(tests, NULL, clear_fixture);
}
