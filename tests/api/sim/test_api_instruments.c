/* Memory needs of a scene, gauges and residuals of a run through the public API; misuse. */
#define _XOPEN_SOURCE 700
#include "api_support.h"
#include "weir/profile.h"

#define GAUGED_SCENE                                                                            \
    "{\"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}, \"spacing\": 0.05,"           \
    " \"solver\": {\"substeps\": 2, \"iterations\": 3, \"residuals\": true},"                   \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                       \
    " {\"min\": [0, 0, 0], \"max\": [0.5, 0.25, 0.3]}}}}],"                                     \
    " \"gauges\": [{\"name\": \"depth\", \"height\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, " \
    "0.3]}},"                                                                                   \
    "{\"name\": \"low\", \"pressure\": {\"position\": [0.25, 0.05, 0.15]}}]}"

static weir_sim *open_gauged(fixture *f, weir_scene **scene)
{
    weir_sim *sim = NULL;
    assert_int_equal(parse_scene(GAUGED_SCENE, scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, *scene, &sim), WEIR_OK);
    return sim;
}

static void test_gauges_read_the_last_frame(void **state)
{
    weir_scene *scene;
    weir_sim *sim = open_gauged(*state, &scene);
    weir_gauge gauges[4], first[4];
    uint32_t count = 0;
    assert_int_equal(weir_sim_get_gauges(sim, WEIR_ENTIRE_FRAME, NULL, &count), WEIR_OK);
    assert_int_equal(count, 2);
    for (int frame = 0; frame < 30; ++frame)
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    count = 4;
    assert_int_equal(weir_sim_get_gauges(sim, WEIR_ENTIRE_FRAME, gauges, &count), WEIR_OK);
    assert_int_equal(count, 2);
    assert_string_equal(gauges[0].name, "depth");
    assert_string_equal(gauges[1].unit, "Pa");
    assert_int_equal(gauges[0].components, 1);
    assert_true(fabs(gauges[0].value[0] - 0.25) < 0.02);
    assert_true(fabs(gauges[1].value[0] - 9.81 * 1000 * 0.2) < 400);
    /* Pressures are averaged over the substeps; levels are those of the last one. */
    count = 4;
    assert_int_equal(weir_sim_get_gauges(sim, 0, first, &count), WEIR_OK);
    double mean = 0.5 * first[1].value[0];
    assert_int_equal(weir_sim_get_gauges(sim, 1, first, &count), WEIR_OK);
    mean += 0.5 * first[1].value[0];
    assert_true(fabs(mean - gauges[1].value[0]) < 1e-6 * mean);
    assert_true(first[0].value[0] == gauges[0].value[0]);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

/* 0.1 s are 12 substeps of 1/120 s; the run is resumed in their middle. The 12 readings of substeps
   that the other gauge gives have the same mean. */
static void an_average_spans_frames_and_survives_a_checkpoint(void **state)
{
    static const char two_gauges[] =
        "\"gauges\": [{\"name\": \"low\", \"pressure\": {\"position\": [0.25, 0.05, 0.15]}},"
        "{\"name\": \"mean\", \"pressure\": {\"position\": [0.25, 0.05, 0.15], \"average\": "
        "0.1}}]}";
    fixture *f = *state;
    weir_scene *scene;
    weir_sim *sim = NULL, *resumed = NULL;
    weir_gauge gauges[2];
    double sum = 0.0;
    char text[1024], path[1024];
    snprintf(path, sizeof path, "%s/gauges.weir", f->folder);
    snprintf(text, sizeof text, "%.*s%s", (int)(strstr(GAUGED_SCENE, "\"gauges\"") - GAUGED_SCENE),
             GAUGED_SCENE, two_gauges);
    assert_int_equal(parse_scene(text, &scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_OK);
    for (int frame = 1; frame <= 8; ++frame) {
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
        for (uint32_t s = 0; s < 2; ++s) {
            uint32_t count = 2;
            assert_int_equal(weir_sim_get_gauges(sim, s, gauges, &count), WEIR_OK);
            if (frame > 2) sum += gauges[0].value[0];
        }
        if (frame == 1) assert_true(fabs(gauges[1].value[0]) > 0.0);
        if (frame == 5) assert_int_equal(weir_sim_save(sim, path), WEIR_OK);
    }
    uint32_t count = 2;
    assert_int_equal(weir_sim_get_gauges(sim, WEIR_ENTIRE_FRAME, gauges, &count), WEIR_OK);
    double mean = gauges[1].value[0];
    assert_true(fabs(mean - sum / 12.0) < 1e-5 * mean);
    assert_true(fabs(mean - gauges[0].value[0]) > 1e-5 * mean);
    assert_int_equal(weir_sim_create(f->device, scene, &resumed), WEIR_OK);
    assert_int_equal(weir_sim_restore(resumed, path), WEIR_OK);
    for (int frame = 6; frame <= 8; ++frame)
        assert_int_equal(weir_sim_step(resumed, 0), WEIR_OK);
    assert_int_equal(weir_sim_get_gauges(resumed, WEIR_ENTIRE_FRAME, gauges, &count), WEIR_OK);
    assert_true(gauges[1].value[0] == mean);
    weir_sim_destroy(&resumed);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

static void test_residuals_fall_over_the_iterations(void **state)
{
    weir_scene *scene;
    weir_sim *sim = open_gauged(*state, &scene);
    weir_residual residuals[8];
    uint32_t count = 8;
    for (int frame = 0; frame < 10; ++frame)
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_get_residuals(sim, 1, residuals, &count), WEIR_OK);
    assert_int_equal(count, 3);
    assert_true(residuals[0].mean > residuals[2].mean);
    assert_true(residuals[0].max >= residuals[0].mean);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

static void test_misuse_is_refused(void **state)
{
    fixture *f = *state;
    weir_gauge gauge;
    weir_residual residual;
    uint32_t count = 1;
    weir_scene *scene;
    assert_int_equal(weir_sim_get_gauges(NULL, 0, &gauge, &count), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_gauges(f->sim, 0, &gauge, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("`count` must not be NULL");
    assert_int_equal(weir_sim_get_residuals(f->sim, 0, &residual, &count), WEIR_ERROR_ARGUMENT);
    assert_logged("solver.residuals");
    weir_sim *sim = open_gauged(f, &scene);
    count = 1;
    assert_int_equal(weir_sim_get_gauges(sim, WEIR_ENTIRE_FRAME, &gauge, &count),
                     WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    count = 1;
    assert_int_equal(weir_sim_get_gauges(sim, 2, &gauge, &count), WEIR_ERROR_ARGUMENT);
    count = 1;
    assert_int_equal(weir_sim_get_residuals(sim, WEIR_ENTIRE_FRAME, &residual, &count),
                     WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_residuals(sim, 0, &residual, &count), WEIR_OK);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

/* A ball fills about half of its bounding box. */
static void the_needs_count_what_the_simulation_starts_with(void **state)
{
    static const char text[] =
        "{\"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}, \"spacing\": 0.05, \"fluids\":"
        " [{\"name\": \"water\", \"fill\": {\"shape\": {\"sphere\": {\"radius\": 0.4},"
        " \"position\": [0.5, 0.5, 0.5]}}}]}";
    const fixture *f = *state;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    weir_estimate counted, bound;
    uint32_t count = 0;
    assert_int_equal(parse_scene(text, &scene), WEIR_OK);
    assert_int_equal(weir_scene_estimate(scene, f->device, &counted), WEIR_OK);
    assert_int_equal(weir_scene_estimate(scene, NULL, &bound), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_OK);
    assert_int_equal(weir_sim_get_particle_count(sim, &count), WEIR_OK);
    assert_true(counted.exact && !bound.exact);
    assert_int_equal(counted.particles, count);
    assert_int_equal(bound.particles, 4096);
    assert_true(counted.device_bytes < bound.device_bytes);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_needs_count_what_the_simulation_starts_with,
                                        open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(test_gauges_read_the_last_frame, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(an_average_spans_frames_and_survives_a_checkpoint,
                                        open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(test_residuals_fall_over_the_iterations, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(test_misuse_is_refused, open_fixture, close_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
