/* The numeric parameters of a scene: what a program displays, and what a running simulation
   accepts. */
#include "scene.h"
#include "scene_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void print_fault(void *user, weir_log_level level, const char *message)
{
    (void)user, (void)level;
    print_error("%s\n", message);
}

static scene_data *parse_text(const char *json, const char *change)
{
    scene_input input = {json, strlen(json), "test", "", &change, change ? 1u : 0u, NULL};
    weir_log log = {.write = print_fault, .level = WEIR_LOG_ERROR};
    scene_data *scene = NULL;
    assert_int_equal(scene_parse(&log, &input, &scene), WEIR_OK);
    return scene;
}

static bool find(const scene_data *scene, const char *key, weir_param *param)
{
    for (uint32_t i = 0; scene_param(scene, i, param); i++)
        if (strcmp(param->key, key) == 0) return true;
    return false;
}

static void every_number_is_listed_with_its_value(void **state)
{
    scene_data *scene = parse_text(scene_text("scene_params"), NULL);
    weir_param p;
    assert_true(find(scene, "gravity", &p) && p.count == 3 && p.value[1] == -1.5 && p.live);
    assert_string_equal(p.unit, "m/s2");
    assert_true(find(scene, "spacing", &p) && p.kind == WEIR_PARAM_NUMBER && !p.live);
    assert_true(find(scene, "solver.iterations", &p) && p.kind == WEIR_PARAM_INTEGER &&
                p.value[0] == 7 && p.min == 1 && p.max == 100 && p.live);
    assert_true(find(scene, "solver.allow_negative_pressure", &p) && p.kind == WEIR_PARAM_BOOL &&
                p.value[0] == 1 && p.max == 1);
    assert_true(find(scene, "solver.substeps", &p) && !p.live);
    assert_true(find(scene, "domain.friction", &p) && p.value[0] == 0.25);
    assert_true(find(scene, "fluids[1].density", &p) && p.value[0] == 700);
    assert_true(find(scene, "emitters[0].speed", &p) && p.value[0] == 2 && !p.live);
    assert_true(find(scene, "emitters[0].radius", &p));
    assert_false(find(scene, "emitters[0].width", &p)); /* a round opening has none */
    assert_false(find(scene, "name", &p));
    scene_destroy(&scene);
}

static void no_key_is_listed_twice_and_each_value_is_in_its_range(void **state)
{
    scene_data *scene = parse_text(scene_text("scene_params"), NULL);
    weir_param p, q;
    uint32_t count = 0;
    for (; scene_param(scene, count, &p); count++) {
        for (uint32_t k = 0; k < count; k++)
            assert_true(scene_param(scene, k, &q) && strcmp(p.key, q.key) != 0);
        for (uint32_t i = 0; i < p.count; i++)
            assert_true(p.value[i] >= p.min && p.value[i] <= p.max);
        assert_true(p.about[0] != '\0');
    }
    assert_true(count > 30);
    assert_false(scene_param(scene, count, &p));
    assert_false(scene_param(scene, UINT32_MAX, &p));
    scene_destroy(&scene);
}

/* The key and the value that a parameter reports form an override that changes nothing. */
static void each_key_is_an_override(void **state)
{
    scene_data *scene = parse_text(scene_text("scene_params"), NULL);
    weir_param p, q;
    for (uint32_t i = 0; scene_param(scene, i, &p); i++) {
        char change[200];
        if (p.count == 3)
            snprintf(change, sizeof change, "%s=[%.9g,%.9g,%.9g]", p.key, p.value[0], p.value[1],
                     p.value[2]);
        else if (p.kind == WEIR_PARAM_BOOL)
            snprintf(change, sizeof change, "%s=%s", p.key, p.value[0] > 0 ? "true" : "false");
        else
            snprintf(change, sizeof change, "%s=%.10g", p.key, p.value[0]);
        scene_data *again = parse_text(scene_text("scene_params"), change);
        assert_true(find(again, p.key, &q));
        for (uint32_t k = 0; k < p.count; k++) /* a direction is normalised again */
            assert_float_equal(q.value[k], p.value[k], 1e-6);
        scene_destroy(&again);
    }
    scene_destroy(&scene);
}

/* Live parameters may differ, all others may not. */
static void scenes_differ_live_exactly_where_params_say(void **state)
{
    static const struct {
        const char *change;
        bool live;
    } cases[] = {
        {"gravity=[0,3,0]", true},
        {"solver.iterations=9", true},
        {"solver.vorticity_confinement=0.3", true},
        {"fluids[0].xsph=0.2", true},
        {"fluids.oil.colour=[1,0,0]", true},
        {"domain.friction=0.5", true},
        {"name=other", true},
        {"look.exposure=2", true},
        {"spacing=0.04", false},
        {"solver.substeps=5", false},
        {"solver.chebyshev_spectral_radius=0.5", false},
        {"domain.max=[2,1,1]", false},
        {"emitters[0].speed=3", false},
        {"fluids[0].name=milk", false},
    };
    scene_data *scene = parse_text(scene_text("scene_params"), NULL);
    assert_true(scene_differs_only_live(scene, scene));
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        scene_data *other = parse_text(scene_text("scene_params"), cases[i].change);
        if (scene_differs_only_live(scene, other) != cases[i].live) fail_msg("%s", cases[i].change);
        scene_destroy(&other);
    }
    scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_listed_with_its_value),
        cmocka_unit_test(no_key_is_listed_twice_and_each_value_is_in_its_range),
        cmocka_unit_test(each_key_is_an_override),
        cmocka_unit_test(scenes_differ_live_exactly_where_params_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
