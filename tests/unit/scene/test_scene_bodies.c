/* Bodies in scene files: what is accepted and what is refused. */
#include "scene_fixture.h"

#define BOX "'shape': {'box': {'size': [1, 1, 1]}, 'position': [2, 2, 2]}"

static void a_body_is_read_with_its_defaults(void **state)
{
    scene_fixture fixture = {0};
    assert_int_equal(parse_with(&fixture, "'bodies': [{'name': 'a', 'density': 600, " BOX
                                          ", 'velocity': [1, 2, 3], 'angular_velocity': [0, 4, 0]},"
                                          "{'name': 'b', 'mass': 7, 'friction': 0.5, " BOX "}],"),
                     WEIR_OK);
    const scene_data *scene = fixture.scene;
    assert_int_equal(scene->body_count, 2);
    assert_string_equal(scene->bodies[1].name, "b");
    assert_float_equal(scene->bodies[0].density, 600, 0);
    assert_float_equal(scene->bodies[0].mass, 0, 0);
    assert_float_equal(scene->bodies[0].friction, 0.3f, 0);
    assert_vector(scene->bodies[0].velocity, 1, 2, 3);
    assert_vector(scene->bodies[0].angular_velocity, 0, 4, 0);
    assert_float_equal(scene->bodies[1].mass, 7, 0);
    assert_int_equal(scene->bodies[0].line, 1);
    scene_clear(&fixture);
}

static void a_body_has_either_a_density_or_a_mass(void **state)
{
    refused("'bodies': [{'name': 'a', " BOX "}],",
            "test.json:1:13: bodies[0]: has density 0 kg/m3 and mass 0 kg, expected one of them");
    refused("'bodies': [{'name': 'a', 'mass': 2, 'density': 600, " BOX "}],",
            "has density 600 kg/m3 and mass 2 kg");
}

static void a_body_has_a_shape_that_ends_and_lasts(void **state)
{
    refused("'bodies': [{'name': 'a', 'density': 600, 'shape': {'plane': {}}}],",
            "bodies[0].shape: is infinite");
    refused("'bodies': [{'name': 'a', 'density': 600}],", "bodies[0].shape: is missing");
}

static void what_does_not_go_with_bodies_is_refused(void **state)
{
#define BODY "'bodies': [{'name': 'a', 'density': 600, " BOX "}],"
    static const char *const methods[] = {"pcisph", "wcsph"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        char *more = base_format("'solver': {'method': '%s'}," BODY, methods[i]);
        assert_non_null(more);
        refused(more, "does not support it: remove it, or set solver.method to \"pbf\"");
        base_free(more);
    }
    refused("'solver': {'dimensions': 2}," BODY, "bodies: needs solver.dimensions 3");
    refused("'solver': {'long_range_correction': 'on'}," BODY,
            "bodies: needs solver.long_range_correction");
    refused("'solver': {'preset': 'pbf_paper'}," BODY,
            "bodies: needs solver.boundary_density true");
    scene_fixture fixture = {0};
    assert_int_equal(parse(&fixture,
                           "{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [4, 4, 4],"
                           " 'sides': {'z': 'periodic'}}, " BODY
                           "'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
                           "'min': [0, 0, 0], 'max': [1, 1, 1]}}}}]}"),
                     WEIR_ERROR_SCENE);
    assert_says(&fixture, "bodies: needs a domain without periodic sides");
    assert_says(&fixture, "make z closed or open");
    scene_clear(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_is_read_with_its_defaults),
        cmocka_unit_test(a_body_has_either_a_density_or_a_mass),
        cmocka_unit_test(a_body_has_a_shape_that_ends_and_lasts),
        cmocka_unit_test(what_does_not_go_with_bodies_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
