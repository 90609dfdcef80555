/* The sea of a scene: what it may omit, its waves and zones, and its faults. */
#include "scene_fixture.h"
#include "scene_query.h"

#include <math.h>

#define PI 3.14159265358979323846
#define DOMAIN "'domain': {'min': [0, -2, 0], 'max': [40, 2, 30]}, 'spacing': 0.1"
#define SEA(keys) "{" DOMAIN ", 'sea': {'level': 0" keys "}}"
#define REGULAR "'height': 0.2, 'period': 1.6"

static const scene_sea *read_sea(const char *text)
{
    assert_int_equal(parse(&fixture, text), WEIR_OK);
    return &fixture.scene->sea;
}

/* ---- defaults ---------------------------------------------------------------------------------
 */

static void three_lines_make_a_sea(void **state)
{
    const scene_sea *sea = read_sea(SEA(", 'waves': {" REGULAR "}"));
    const scene_data *scene = fixture.scene;
    assert_true(sea->given && sea->waves.given && sea->waves.developed);
    assert_int_equal(scene->fluid_count, 1);
    assert_string_equal(scene->fluids[0].name, "water");
    assert_int_equal(scene->fluids[0].fill_count, 1);
    assert_true(scene->fluids[0].fills[0].is_sea);
    assert_int_equal(sea->zones[0], SCENE_SEA_GENERATING);
    assert_int_equal(sea->zones[1], SCENE_SEA_ABSORBING);
    assert_int_equal(sea->zones[2], SCENE_SEA_NO_ZONE);
    assert_true(fabs((double)sea->zone_width - scene_sea_wavelength(scene)) < 1e-5);
    assert_true(scene->domain.sides[0] == SCENE_SIDE_CLOSED);
}

static void a_current_makes_sides_periodic(void **state)
{
    const scene_sea *sea = read_sea(SEA(", 'current': [0.5, 0, 0]"));
    assert_true(fixture.scene->domain.sides[0] == SCENE_SIDE_PERIODIC);
    assert_true(fixture.scene->domain.sides[4] == SCENE_SIDE_CLOSED);
    assert_vector(fixture.scene->fluids[0].fills[0].velocity, 0.5, 0, 0);
    assert_int_equal(sea->zones[0], SCENE_SEA_ABSORBING);
    assert_true(fabsf(sea->zone_width - 10.0f) < 1e-5f); /* a third of the narrower axis */
}

static void a_fill_of_the_scene_is_kept(void **state)
{
    read_sea("{" DOMAIN ", 'sea': {'level': 0}, 'fluids': [{'name': 'oil', 'fill': {'shape':"
             " {'sphere': {'radius': 1}, 'position': [5, 0, 5]}}}]}");
    assert_int_equal(fixture.scene->fluids[0].fill_count, 1);
    assert_false(fixture.scene->fluids[0].fills[0].is_sea);
}

static void the_effective_scene_has_the_same_sea(void **state)
{
    const scene_sea first = *read_sea(SEA(
        ", 'waves': {'significant_height': 0.15, 'peak_period': 1.6, 'spread': 20, 'seed': 7}"));
    char *json = base_strdup(fixture.scene->json);
    const scene_sea *again = read_sea(json);
    assert_true(again->zone_width == first.zone_width && again->level == first.level);
    assert_memory_equal(again->zones, first.zones, sizeof first.zones);
    assert_memory_equal(&again->waves, &first.waves, sizeof first.waves);
    assert_int_equal(first.zones[2], SCENE_SEA_GENERATING);
    base_free(json);
}

/* ---- waves ------------------------------------------------------------------------------------
 */

static void waves_obey_the_dispersion_relation(void **state)
{
    static const double along[3] = {0.0, 0.4, -0.3};
    read_sea(SEA(""));
    for (int i = 0; i < 3; i++)
        for (double frequency = 1.0; frequency < 5.0; frequency += 0.5) {
            double k = scene_sea_wave_number(fixture.scene, frequency, along[i]);
            double moving = frequency - along[i] * k;
            assert_true(fabs(moving * moving - 9.81 * k * tanh(2.0 * k)) < 1e-5 * moving * moving);
        }
    assert_true(scene_sea_wave_number(fixture.scene, 4.0, -1.0) == 0.0); /* g / (4 c) < frequency */
}

static void components_have_the_significant_height(void **state)
{
    scene_sea_wave waves[SCENE_MAX_SEA_WAVES];
    read_sea(SEA(", 'waves': {'significant_height': 0.15, 'peak_period': 2, 'spread': 20,"
                 " 'components': 64}"));
    uint32_t count = scene_sea_components(fixture.scene, waves);
    double variance = 0.0, mean = 0.0, turned = 0.0;
    assert_int_equal(count, 64);
    for (uint32_t i = 0; i < count; i++) {
        variance += 0.5 * waves[i].amplitude * waves[i].amplitude;
        mean += waves[i].frequency / count;
        turned += waves[i].kz * waves[i].kz / (waves[i].k * waves[i].k) / count;
        assert_true(2.0 * PI / waves[i].k >= 0.79); /* 8 spacings */
    }
    assert_true(fabs(4.0 * sqrt(variance) - 0.15) < 1e-6);
    /* the mean frequency of JONSWAP with gamma 3.3 is 1.2 times that of the peak */
    assert_true(fabs(mean / PI - 1.2) < 0.05);
    assert_true(turned > 0.04 && turned < 0.25); /* sin^2 20 degrees is 0.12 */
}

/* ---- zones ------------------------------------------------------------------------------------
 */

static double reflection_at(const char *width)
{
    const char *const overrides[] = {width, NULL};
    assert_int_equal(parse_in(&fixture, SEA(", 'waves': {" REGULAR "}"), "", overrides), WEIR_OK);
    double length = scene_sea_wavelength(fixture.scene);
    return scene_sea_zone_reflection(fixture.scene, SCENE_SEA_ABSORBING, length);
}

/* The waves are 3.9 m long. */
static void wide_zones_reflect_less(void **state)
{
    double half = reflection_at("sea.zone_width=2"), whole = reflection_at("sea.zone_width=4"),
           wide = reflection_at("sea.zone_width=8");
    assert_true(half > 0.1 && half < 0.3);
    assert_true(whole > 0.01 && whole < 0.035);
    assert_true(wide < 0.01);
}

/* ---- faults -----------------------------------------------------------------------------------
 */

/* A key spelt wrong is the only fault, not also the key that is missing. */
static void a_misspelt_key_is_the_only_fault(void **state)
{
    assert_int_equal(parse(&fixture, SEA(", 'waves': {'heigth': 0.2, 'period': 2}")),
                     WEIR_ERROR_SCENE);
    assert_says(&fixture, "sea.waves.heigth: unknown key; did you mean \"height\"?");
    assert_int_equal(line_count(&fixture), 1);
}

static void faults_name_what_is_wrong(void **state)
{
    static const char *const faults[][2] = {
        {"{" DOMAIN ", 'sea': {'level': 3}}", "sea.level: is 3 m, expected a y from -1.6 m"},
        {"{" DOMAIN ", 'sea': {}}", "sea.level: is missing"},
        {"{" DOMAIN ", 'gravity': [0, 0, -9], 'sea': {'level': 0}}", "needs gravity along -y"},
        {"{'domain': {'min': [0, 0, 0], 'max': [9, 2, 9], 'sides': {'x': 'open'}}, 'spacing': 0.1,"
         " 'sea': {'level': 1}}",
         "would run out at the -x side of the domain, which is open: make it"},
        {"{'domain': {'min': [0, 0, 0], 'max': [9, 2, 9], 'sides': {'x': 'closed'}},"
         " 'spacing': 0.1, 'sea': {'level': 1, 'current': [1, 0, 0]}}",
         "sea.current: flows along x, but the sides of the domain there are closed: set"},
        {SEA(", 'current': [0, 1, 0]"), "sea.current: flows up or down"},
        {SEA(", 'zone_width': 25"), "is 25 m, but the domain is 40 m wide on x and has 2 zones"},
        {SEA(", 'zone_width': 0.2"), "2 spacings, expected at least 4 spacings"},
        {SEA(", 'zones': {'x': 'sponge'}"), "is \"sponge\", expected \"generating\""},
        {SEA(", 'waves': {'height': 0.2}"), "expected height and period of regular waves"},
        {SEA(", 'waves': {" REGULAR ", 'seed': 2}"), "applies to irregular waves only"},
        {SEA(", 'waves': {'height': 0.9, 'period': 1.6}"), "break above"},
        {SEA(", 'waves': {'height': 0.05, 'period': 0.5}"), "expected at least 8"},
        {SEA(", 'waves': {" REGULAR ", 'direction': [0, 1, 0]}"), "points up or down"},
        {SEA(", 'current': [-1.2, 0, 0], 'waves': {" REGULAR "}"), "carries waves of this period"},
        {SEA(", 'zones': {'x': 'absorbing'}, 'waves': {" REGULAR ", 'developed': false}"),
         "has no generating side"},
        {"{" DOMAIN "}", "fluids: is missing"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        assert_int_equal(parse(&fixture, faults[i][0]), WEIR_ERROR_SCENE);
        assert_says(&fixture, faults[i][1]);
    }
}

static void what_changes_the_level_is_a_warning(void **state)
{
    read_sea("{" DOMAIN ", 'sea': {'level': 0}, 'sinks': [{'name': 'drain', 'shape':"
             " {'sphere': {'radius': 0.5}, 'position': [5, -1, 5]}}]}");
    assert_says(&fixture, "keeps its amount of water: the sinks of the scene change its level");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(three_lines_make_a_sea, clear_fixture),
        cmocka_unit_test_teardown(a_current_makes_sides_periodic, clear_fixture),
        cmocka_unit_test_teardown(a_fill_of_the_scene_is_kept, clear_fixture),
        cmocka_unit_test_teardown(the_effective_scene_has_the_same_sea, clear_fixture),
        cmocka_unit_test_teardown(waves_obey_the_dispersion_relation, clear_fixture),
        cmocka_unit_test_teardown(components_have_the_significant_height, clear_fixture),
        cmocka_unit_test_teardown(wide_zones_reflect_less, clear_fixture),
        cmocka_unit_test_teardown(a_misspelt_key_is_the_only_fault, clear_fixture),
        cmocka_unit_test_teardown(faults_name_what_is_wrong, clear_fixture),
        cmocka_unit_test_teardown(what_changes_the_level_is_a_warning, clear_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
