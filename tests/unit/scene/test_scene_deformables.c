/* Cloths and ropes in scene files: what is accepted and what is refused. */
#include "scene_fixture.h"

#define GRID "'grid': {'corner': [1, 2, 1], 'along': [2, 0, 0], 'across': [0, 0, 1]}"
#define POINTS "'points': [[1, 2, 1], [3, 2, 1], [3, 2, 2]]"

static void cloths_and_ropes_are_read_with_their_defaults(void **state)
{
    scene_fixture fixture = {0};
    assert_int_equal(
        parse_with(
            &fixture,
            "'solids': [{'name': 'pole', 'shape': {'plane': {}}}],"
            "'bodies': [{'name': 'buoy', 'density': 500, 'shape': {'sphere': {'radius': 0.4},"
            " 'position': [1, 1, 1]}}],"
            "'cloths': [{'name': 'flag', 'area_density': 0.3, 'bending_stiffness': 0.01, " GRID
            ", 'pins': [{'vertices': [0, -1], 'solid': 'pole'},"
            " {'inside': {'centre': [1, 2, 1], 'radius': 0.5}}]}],"
            "'ropes': [{'name': 'line', 'line_density': 0.1, 'diameter': 0.02,"
            " 'stiffness': 2000, 'spacing': 0.25, " POINTS
            ", 'pins': [{'vertices': [0], 'body': 'buoy'}]}],"),
        WEIR_OK);
    const scene_data *scene = fixture.scene;
    assert_int_equal(scene_deformable_count(scene), 2);
    const scene_deformable *flag = scene_deformable_at(scene, 0),
                           *line = scene_deformable_at(scene, 1);
    assert_int_equal(flag->kind, SCENE_DEFORMABLE_CLOTH);
    assert_string_equal(flag->name, "flag");
    assert_float_equal(flag->thickness, scene->spacing, 0);
    assert_float_equal(flag->spacing_m, 0.75f * scene->spacing, 1e-7f);
    assert_float_equal(flag->stiffness, 0, 0);
    assert_int_equal(flag->pin_count, 2);
    assert_int_equal(flag->pins[0].vertices[1], -1);
    assert_int_equal(flag->pins[0].solid, 0);
    assert_int_equal(flag->pins[1].solid, SCENE_TO_WORLD);
    assert_int_equal(flag->pins[1].inside.reach, SCENE_REACH_SPHERE);
    assert_int_equal(line->kind, SCENE_DEFORMABLE_ROPE);
    assert_int_equal(flag->pins[1].body, SCENE_TO_WORLD);
    assert_int_equal(line->pins[0].body, 0);
    assert_int_equal(line->pins[0].solid, SCENE_TO_WORLD);
    assert_int_equal(line->point_count, 3);
    assert_vector(line->points[2], 3, 2, 2);
    assert_float_equal(line->stiffness, 2000, 0);
    assert_int_equal(scene->solver.deformable_iterations, 2);
    assert_int_equal(scene->solver.deformable_solver, SCENE_DEFORMABLE_GAUSS_SEIDEL);
    scene_clear(&fixture);
}

static void a_cloth_is_a_grid_with_an_area_or_a_mesh(void **state)
{
    refused("'cloths': [{'name': 'a', 'area_density': 1}],",
            "cloths[0]: expected either a grid or a mesh");
    refused("'cloths': [{'name': 'a', 'area_density': 1, 'grid': {'corner': [1, 2, 1],"
            " 'along': [2, 0, 0], 'across': [1, 0, 0]}}],",
            "cloths[0].grid: has no area");
    refused("'cloths': [{'name': 'a', 'area_density': 1, 'grid': {'corner': [1, 2, 1],"
            " 'along': [2, 0, 0], 'across': [0, 1, 0], 'spacing': 0.7}}],",
            "has vertices 0.7 m apart, expected at most half of its shorter edge, 0.5 m");
    refused("'cloths': [{'name': 'a', 'area_density': 1, 'mesh': {'file': 'none.obj'}}],",
            "no file");
    refused("'cloths': [{'name': 'a', " GRID "}],", "cloths[0].area_density: is missing");
    refused("'cloths': [{'name': 'a/b', 'area_density': 1, " GRID "}],",
            "cloths[0].name: is \"a/b\", but it is used in file names: expected only letters, "
            "digits, - and _");
}

static void cloths_and_ropes_tear_at_a_strain(void **state)
{
    scene_fixture fixture = {0};
    assert_int_equal(
        parse_with(&fixture,
                   "'cloths': [{'name': 'a', 'area_density': 1, 'tear_strain': 0.2, " GRID
                   "}, {'name': 'b', 'area_density': 1, " GRID "}], 'ropes': [{"
                   "'name': 'c', 'line_density': 1, 'diameter': 0.1, 'tear_strain': 1, " POINTS
                   "}],"),
        WEIR_OK);
    assert_float_equal(scene_deformable_at(fixture.scene, 0)->tear_strain, 0.2f, 0);
    assert_float_equal(scene_deformable_at(fixture.scene, 1)->tear_strain, 0, 0);
    assert_float_equal(scene_deformable_at(fixture.scene, 2)->tear_strain, 1, 0);
    scene_clear(&fixture);
    refused("'cloths': [{'name': 'a', 'area_density': 1, 'tear_strain': 0, " GRID "}],",
            "cloths[0].tear_strain: is 0");
}

static void cloths_let_fluid_through_and_surfaces_rub_it(void **state)
{
    scene_fixture fixture = {0};
    assert_int_equal(
        parse_with(&fixture,
                   "'cloths': [{'name': 'a', 'area_density': 1, 'permeability': 1e-4, " GRID "}],"
                   " 'ropes': [{'name': 'b', 'line_density': 1, 'diameter': 0.1,"
                   " 'skin_friction': 0.1, " POINTS "}],"),
        WEIR_OK);
    assert_float_equal(scene_deformable_at(fixture.scene, 0)->permeability, 1e-4f, 0);
    assert_float_equal(scene_deformable_at(fixture.scene, 0)->skin_friction, 0, 0);
    assert_float_equal(scene_deformable_at(fixture.scene, 1)->skin_friction, 0.1f, 0);
    assert_true(scene_deformables_have_drag(fixture.scene));
    scene_clear(&fixture);
    refused("'cloths': [{'name': 'a', 'area_density': 1, 'permeability': -1, " GRID "}],",
            "cloths[0].permeability: is -1");
    refused("'ropes': [{'name': 'a', 'line_density': 1, 'diameter': 0.1, 'permeability': 1, " POINTS
            "}],",
            "permeability");
}

static void contacts_are_with_all_unless_the_scene_says_otherwise(void **state)
{
    scene_fixture fixture = {0};
    assert_int_equal(
        parse_with(&fixture,
                   "'cloths': [{'name': 'a', 'area_density': 1, " GRID
                   "}, {'name': 'b', 'area_density': 1, 'collides_with': 'others', " GRID "}],"
                   "'ropes': [{'name': 'c', 'line_density': 1, 'diameter': 0.1,"
                   " 'collides_with': 'none', " POINTS "}],"),
        WEIR_OK);
    assert_int_equal(scene_deformable_at(fixture.scene, 0)->collides_with, SCENE_COLLIDES_WITH_ALL);
    assert_int_equal(scene_deformable_at(fixture.scene, 1)->collides_with,
                     SCENE_COLLIDES_WITH_OTHERS);
    assert_int_equal(scene_deformable_at(fixture.scene, 2)->collides_with,
                     SCENE_COLLIDES_WITH_NONE);
    scene_clear(&fixture);
    refused("'cloths': [{'name': 'a', 'area_density': 1, 'collides_with': 'self', " GRID "}],",
            "cloths[0].collides_with: is \"self\", expected one of \"all\", \"others\", \"none\"");
}

#define BALL "'shape': {'sphere': {'radius': 0.5}, 'position': [1, 2, 1]}"

static void soft_bodies_are_read_with_their_defaults(void **state)
{
    scene_fixture fixture = {0};
    assert_int_equal(
        parse_with(&fixture,
                   "'soft_bodies': [{'name': 'jelly', 'density': 900, 'stiffness': 2e4,"
                   " 'pins': [{'vertices': [0]}], " BALL "}],"
                   "'ropes': [{'name': 'c', 'line_density': 1, 'diameter': 0.1, " POINTS "}],"),
        WEIR_OK);
    assert_int_equal(scene_deformable_count(fixture.scene), 2);
    const scene_deformable *s = scene_deformable_at(fixture.scene, 1);
    assert_int_equal(scene_deformable_at(fixture.scene, 0)->kind, SCENE_DEFORMABLE_ROPE);
    assert_int_equal(s->kind, SCENE_DEFORMABLE_SOFT_BODY);
    assert_float_equal(s->spacing_m, 1.5f * fixture.scene->spacing, 1e-7f);
    assert_float_equal(s->thickness, 0.8f * s->spacing_m, 1e-7f);
    assert_float_equal(s->poisson_ratio, 0.4f, 0);
    assert_float_equal(s->density, 900, 0);
    assert_float_equal(s->stiffness, 2e4f, 0);
    assert_int_equal(s->collides_with, SCENE_COLLIDES_WITH_ALL);
    assert_int_equal(s->pin_count, 1);
    scene_clear(&fixture);
}

static void a_soft_body_has_a_volume_a_weight_and_moduli(void **state)
{
#define BODY(more) "'soft_bodies': [{'name': 'a', " more "}],"
    refused(BODY("'density': 900, 'stiffness': 1e4"), "soft_bodies[0].shape: is missing");
    refused(BODY("'density': 0, 'stiffness': 1e4, " BALL), "soft_bodies[0].density: is 0");
    refused(BODY("'stiffness': 1e4, " BALL), "soft_bodies[0].density: is missing");
    refused(BODY("'density': 900, " BALL),
            "soft_bodies[0]: has no stiffness: give Young's modulus in Pa");
    refused(BODY("'density': 900, 'stiffness': 1e4, 'poisson_ratio': 0.5, " BALL),
            "soft_bodies[0].poisson_ratio: is 0.5");
    refused(BODY("'density': 900, 'stiffness': 1e4, 'tear_strain': 0.5, " BALL), "tear");
    refused(BODY("'density': 900, 'stiffness': 1e4, 'shape': {'plane': {}}"),
            "soft_bodies[0].shape: is infinite");
    refused("'solver': {'deformable_solver': 'jacobi'}," BODY(
                "'density': 900, 'stiffness': 1e4, " BALL),
            "soft_bodies: needs solver.deformable_solver \"gauss_seidel\"");
    refused("'solver': {'dimensions': 2}," BODY("'density': 900, 'stiffness': 1e4, " BALL),
            "soft_bodies: needs solver.dimensions 3");
    refused("'solver': {'method': 'flip'}," BODY("'density': 900, 'stiffness': 1e4, " BALL),
            "does not support it: remove it, or set solver.method to \"pbf\"");
}

static void the_stiffness_of_position_based_dynamics_stands_alone(void **state)
{
#define SHEET(more) "'cloths': [{'name': 'a', 'area_density': 1, " more ", " GRID "}],"
#define LINE(more) \
    "'ropes': [{'name': 'a', 'line_density': 1, 'diameter': 0.1, " more ", " POINTS "}],"
    scene_fixture fixture = {0};
    assert_int_equal(parse_with(&fixture, SHEET("'pbd_stiffness': 1") LINE("'pbd_stiffness': 0.25")
                                              BODY("'density': 900, 'pbd_stiffness': 0.5, " BALL)),
                     WEIR_OK);
    assert_float_equal(scene_deformable_at(fixture.scene, 0)->pbd_stiffness, 1, 0);
    assert_float_equal(scene_deformable_at(fixture.scene, 1)->pbd_stiffness, 0.25f, 0);
    assert_float_equal(scene_deformable_at(fixture.scene, 2)->pbd_stiffness, 0.5f, 0);
    /* otherwise its own text would be refused */
    assert_null(strstr(fixture.scene->json, "poisson"));
    scene_clear(&fixture);
    refused(SHEET("'pbd_stiffness': 1.5"), "cloths[0].pbd_stiffness: is 1.5, expected");
    refused(LINE("'pbd_stiffness': -0.5"), "ropes[0].pbd_stiffness: is -0.5, expected");
    refused(BODY("'density': 900, 'pbd_stiffness': 0, " BALL),
            "soft_bodies[0].pbd_stiffness: is 0, expected");
    refused(SHEET("'stiffness': 100, 'pbd_stiffness': 0.5"),
            "cloths[0].pbd_stiffness: replaces stiffness, but both are given");
    refused(LINE("'stiffness': 100, 'pbd_stiffness': 0.5"),
            "ropes[0].pbd_stiffness: replaces stiffness");
    refused(BODY("'density': 900, 'stiffness': 100, 'pbd_stiffness': 0.5, " BALL),
            "soft_bodies[0].pbd_stiffness: replaces stiffness");
    refused(BODY("'density': 900, 'poisson_ratio': 0.4, 'pbd_stiffness': 0.5, " BALL),
            "soft_bodies[0].poisson_ratio: needs a material with a Young's modulus");
}

static void clusters_need_a_position_based_stiffness(void **state)
{
    scene_fixture fixture = {0};
    assert_int_equal(
        parse_with(&fixture,
                   "'solver': {'deformable_solver': 'jacobi'}," BODY(
                       "'density': 900, 'pbd_stiffness': 0.5, 'cluster_radius': 0.25, " BALL)),
        WEIR_OK);
    assert_float_equal(scene_deformable_at(fixture.scene, 0)->cluster_radius_m, 0.25f, 0);
    scene_clear(&fixture);
    refused(BODY("'density': 900, 'stiffness': 100, 'cluster_radius': 0.25, " BALL),
            "soft_bodies[0].cluster_radius: selects shape matching, which has no Young's modulus: "
            "give pbd_stiffness");
    refused(BODY("'density': 900, 'pbd_stiffness': 0.5, 'cluster_radius': 0, " BALL),
            "soft_bodies[0].cluster_radius: is 0, expected");
    refused("'solver': {'deformable_solver': 'jacobi'}," BODY(
                "'density': 900, 'pbd_stiffness': 0.5, " BALL),
            "\"jacobi\" does not keep volumes; or give each soft body a cluster");
}

static void a_rope_has_two_points_that_differ(void **state)
{
    refused("'ropes': [{'name': 'a', 'line_density': 1, 'diameter': 0.1, 'points': [[1, 1, 1]]}],",
            "ropes[0].points: is an array of 1, expected at least two points");
    refused("'ropes': [{'name': 'a', 'line_density': 1, 'diameter': 0.1,"
            " 'points': [[1, 1, 1], [2, 1, 1], [2, 1, 1]]}],",
            "ropes[0].points[2]: equals the previous point");
    refused("'ropes': [{'name': 'a', 'line_density': 1, 'diameter': 0.1,"
            " 'points': [[1, 1, 1], [2, 1, -3e6]]}],",
            "ropes[0].points[1]: is [2, 1, -3000000], expected three numbers, each from -100000 to "
            "100000 m (a point of it)");
    refused("'ropes': [{'name': 'a', 'line_density': 0, 'diameter': 0.1, " POINTS "}],",
            "ropes[0].line_density: is 0");
}

static void a_pin_holds_something_by_something(void **state)
{
#define PINNED(pin) "'cloths': [{'name': 'a', 'area_density': 1, " GRID ", 'pins': [" pin "]}],"
    refused(PINNED("{}"), "cloths[0].pins[0]: pins no vertex");
    scene_fixture misspelt = {0}; /* reported once */
    assert_int_equal(parse_with(&misspelt, PINNED("{'vertixes': [0]}")), WEIR_ERROR_SCENE);
    assert_says(&misspelt, "did you mean \"vertices\"?");
    assert_null(strstr(misspelt.messages.items,
                       "pins no vertex: give it vertices, or a box or a sphere as inside"));
    scene_clear(&misspelt);
    refused(PINNED("{'vertices': []}"), "cloths[0].pins[0]: pins no vertex: give it vertices, or");
    refused(PINNED("{'vertices': [0.5]}"), "cloths[0].pins[0].vertices[0]: is 0.5");
    refused(PINNED("{'vertices': [0], 'solid': 'wall'}"), "expected the name of a solid");
    refused(PINNED("{'inside': {'min': [1, 1, 1], 'max': [1, 2, 2]}}"), "is empty");
    refused(PINNED("{'vertices': [0], 'body': 'buoy'}"), "expected the name of a body");
    refused(
        "'solids': [{'name': 'pole', 'shape': {'plane': {}}}], 'bodies': [{'name': 'buoy',"
        " 'density': 500, 'shape': {'sphere': {'radius': 0.4}, 'position': [1, 1, 1]}}]," PINNED(
            "{'vertices': [0], 'solid': 'pole', 'body': 'buoy'}"),
        "cloths[0].pins[0]: names both a solid and a body: remove one");
}

static void what_does_not_go_with_cloths_is_refused(void **state)
{
#define CLOTH "'cloths': [{'name': 'a', 'area_density': 1, " GRID "}],"
    static const char *const methods[] = {"pcisph", "flip", "apic", "wcsph"};
    for (size_t i = 0; i < BASE_COUNT(methods); i++) {
        char *more = base_format("'solver': {'method': '%s'}," CLOTH, methods[i]);
        assert_non_null(more);
        refused(more, "does not support it: remove it, or set solver.method to \"pbf\"");
        base_free(more);
    }
    refused("'solver': {'dimensions': 2}," CLOTH, "cloths: needs solver.dimensions 3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cloths_and_ropes_are_read_with_their_defaults),
        cmocka_unit_test(a_cloth_is_a_grid_with_an_area_or_a_mesh),
        cmocka_unit_test(cloths_and_ropes_tear_at_a_strain),
        cmocka_unit_test(cloths_let_fluid_through_and_surfaces_rub_it),
        cmocka_unit_test(contacts_are_with_all_unless_the_scene_says_otherwise),
        cmocka_unit_test(soft_bodies_are_read_with_their_defaults),
        cmocka_unit_test(a_soft_body_has_a_volume_a_weight_and_moduli),
        cmocka_unit_test(the_stiffness_of_position_based_dynamics_stands_alone),
        cmocka_unit_test(clusters_need_a_position_based_stiffness),
        cmocka_unit_test(a_rope_has_two_points_that_differ),
        cmocka_unit_test(a_pin_holds_something_by_something),
        cmocka_unit_test(what_does_not_go_with_cloths_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
