/* --set key=value. */
#include "scene_fixture.h"

static const char text[] =
    "{'spacing': 0.1, 'domain': {'min': [0, 0, 0], 'max': [4, 4, 4]}, 'solver': {'substeps': 2},"
    "'fluids': [{'name': 'oil', 'fill': [{'shape': {'sphere': {'radius': 1}, 'position': [2, 2, "
    "2]}}]"
    "}, {'name': 'water', 'fill': {'shape': {'box': {'min': [0, 0, 0], 'max': [1, 1, 1]}}}}]}";

static weir_result set(const char *a, const char *b)
{
    const char *const overrides[] = {a, b, NULL};
    return parse_in(&fixture, text, "", overrides);
}

static void keys_in_the_file_and_others_can_be_set(void **state)
{
    assert_int_equal(set("solver.substeps=7", "solver.iterations=9"), WEIR_OK);
    assert_int_equal(fixture.scene->solver.substeps, 7);
    assert_int_equal(fixture.scene->solver.iterations, 9);
    assert_int_equal(set("domain.sides.x=open", "domain.max[0]=8"), WEIR_OK);
    assert_int_equal(fixture.scene->domain.sides[0], SCENE_SIDE_OPEN);
    assert_float_equal(fixture.scene->domain.max.x, 8, 0);
    assert_int_equal(set("gravity=[1, 2, 3]", "name=a calm pool"), WEIR_OK);
    assert_vector(fixture.scene->gravity, 1, 2, 3);
    assert_string_equal(fixture.scene->name, "a calm pool");
}

static void elements_go_by_index_or_name(void **state)
{
    assert_int_equal(set("fluids[0].density=700", "fluids.water.density=1100"), WEIR_OK);
    assert_float_equal(fixture.scene->fluids[0].density, 700, 0);
    assert_float_equal(fixture.scene->fluids[1].density, 1100, 0);
    assert_int_equal(set("fluids.oil.fill[0].shape.sphere.radius=0.5", NULL), WEIR_OK);
    assert_float_equal(fixture.scene->shapes[0].radius, 0.5, 0);
}

static void the_last_of_two_wins(void **state)
{
    assert_int_equal(set("solver.substeps=7", "solver.substeps=8"), WEIR_OK);
    assert_int_equal(fixture.scene->solver.substeps, 8);
    assert_int_equal(set("solver.substeps=0", "solver.substeps=8"), WEIR_OK);
}

static void an_override_shows_in_the_effective_scene(void **state)
{
    assert_int_equal(set("solver.relaxation=0.5", NULL), WEIR_OK);
    assert_non_null(strstr(fixture.scene->json, "\"relaxation\": 0.5"));
}

static void faults_name_the_override(void **state)
{
    static const char *const cases[][2] = {
        {"solver.iterations=0", "--set solver.iterations=0: solver.iterations: is 0, expected an"},
        {"solver={\"iterations\": 0}", "--set solver={\"iterations\": 0}: solver.iterations: is 0"},
        {"solver.iteration=5", "solver.iteration: unknown key; did you mean \"iterations\"?"},
        {"solvr.iterations=5",
         "--set solvr.iterations=5: solvr: unknown key; did you mean \"solver\"?"},
        {"solver.tension=true",
         "--set solver.tension=true: solver.tension: is now called solver.allow_negative_pressure"},
        {"numIterations=3", "--set numIterations=3: numIterations: unknown key; \"numIterations\" "
                            "of FleX is solver.iterations here"},
        {"fluids.oil.density0=900", "--set fluids.oil.density0=900: fluids[0].density0: unknown "
                                    "key; \"density0\" of SPlisHSPlasH is fluids[].density here"},
        {"fluids.milk.density=5",
         "no element is named \"milk\"; give a name from the scene or an [index]"},
        {"fluids[2].density=5", "has no element [2], expected an index below 2"},
        {"spacing.x=5", "cannot contain \"x\" inside 0.1"},
        {"spacing", "expected KEY=VALUE"},
        {"=5", "expected KEY=VALUE"},
        {"solver..substeps=5", "cannot read the key from"},
        {"fluids[x]=5", "cannot read the key from"},
        {"fluids[0=5", "cannot read the key from"},
        {"fluids[-1]=5", "cannot read the key from"},
        {"name=\xff", "not UTF-8"},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); ++i) {
        assert_int_equal(set(cases[i][0], NULL), WEIR_ERROR_SCENE);
        assert_says(&fixture, cases[i][1]);
    }
    assert_int_equal(set("solver.iterations=0", NULL), WEIR_ERROR_SCENE);
    assert_int_equal(line_count(&fixture), 1);
}

static void a_deep_value_is_refused_before_it_is_read(void **state)
{
    char deep[5000] = "name=";
    memset(deep + 5, '[', sizeof deep - 6);
    assert_int_equal(set(deep, NULL), WEIR_ERROR_SCENE);
    assert_says(&fixture, "is nested too deeply");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_in_the_file_and_others_can_be_set),
        cmocka_unit_test(elements_go_by_index_or_name),
        cmocka_unit_test(the_last_of_two_wins),
        cmocka_unit_test(an_override_shows_in_the_effective_scene),
        cmocka_unit_test(faults_name_the_override),
        cmocka_unit_test(a_deep_value_is_refused_before_it_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, clear_fixture);
}
