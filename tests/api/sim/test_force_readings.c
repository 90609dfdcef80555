/* Forces of the fluid on bodies and solids, through the public API and in bodies.jsonl. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/bodies.h"
#include "weir/sim.h"

#define POOL                                                                                       \
    "{\"spacing\": 0.1, \"frame_rate\": 60, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}," \
    " \"bodies\": [{\"name\": \"cork\", \"density\": 300, \"shape\": {\"box\": {\"size\": [0.4, "  \
    "0.4, 0.4]}, \"position\": [0.5, 0.3, 0.45]}}], \"fluids\": [{\"name\": \"water\", \"fill\": " \
    "{\"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [1, 0.5, 1]}}}}]}"

static weir_force force_on(weir_sim *sim)
{
    weir_force force;
    uint32_t count = 1;
    assert_int_equal(weir_sim_get_body_forces(sim, &force, &count), WEIR_OK);
    assert_int_equal(count, 1);
    assert_string_equal(force.name, "cork");
    return force;
}

static void assert_unknown(const weir_force *force)
{
    assert_true(force->frame == 0);
    for (int k = 0; k < 3; k++)
        assert_true(force->force[k] == 0.0f && force->torque[k] == 0.0f);
}

static void forces_are_those_of_the_last_frame_that_has_finished(void **state)
{
    fixture *f = *state;
    char checkpoint[128];
    uint32_t count = 0;
    weir_sim *sim = simulate_scene(f, POOL);
    assert_int_equal(weir_sim_get_body_forces(NULL, NULL, &count), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_body_forces(sim, NULL, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_body_forces(sim, NULL, &count), WEIR_OK);
    assert_int_equal(count, 1);
    weir_force before = force_on(sim);
    assert_unknown(&before);
    assert_float_equal(before.reference_point[2], 0.45f, 1e-3f);
    for (uint64_t i = 1; i <= 5; i++) {
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
        uint64_t known = force_on(sim).frame; /* two may be in flight */
        assert_true(known <= i && known + 2 >= i);
    }
    assert_int_equal(weir_sim_wait(sim), WEIR_OK);
    weir_force last = force_on(sim);
    assert_true(last.frame == 5 && last.force[1] > 0.0f);
    snprintf(checkpoint, sizeof checkpoint, "%s/state.weir", f->folder);
    assert_int_equal(weir_sim_save(sim, checkpoint), WEIR_OK);
    assert_int_equal(weir_sim_restore(sim, checkpoint), WEIR_OK);
    weir_force restored = force_on(sim);
    assert_unknown(&restored);
    assert_memory_equal(restored.reference_point, last.reference_point,
                        sizeof last.reference_point);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_wait(sim), WEIR_OK);
    assert_true(force_on(sim).frame == 6);
}

/* Checks a line of bodies.jsonl written with z up and lengths ten times as large: the axes are
   the world's x, -z, y. */
static void assert_written(const char *line, const char *key, const float expected[3])
{
    float v[3];
    const char *at = strstr(line, key);
    if (!at) fail_msg("no %s in %s", key, line);
    assert_int_equal(sscanf(at + strlen(key), "%f, %f, %f", &v[0], &v[1], &v[2]), 3);
    assert_true(v[0] == expected[0] && v[1] == -expected[2] && v[2] == expected[1]);
}

static void runs_write_forces_turned_like_the_world(void **state)
{
    fixture *f = *state;
    weir_output *output;
    base_blob blob = {0};
    base_text text = {0};
    char path[128];
    weir_output_def def = weir_output_def_default();
    weir_sim *sim = simulate_scene(f, POOL);
    def.log = kept_log();
    def.folder = f->folder;
    def.particles = false;
    def.y_up = false;
    def.scale = 10.0f;
    assert_int_equal(weir_output_create(&def, sim, &output), WEIR_OK);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    assert_int_equal(weir_output_flush(output), WEIR_OK);
    weir_output_destroy(&output);
    snprintf(path, sizeof path, "%s/bodies.jsonl", f->folder);
    assert_int_equal(base_file_read(NULL, path, 1 << 20, &blob), WEIR_OK);
    assert_true(base_text_append_bytes(&text, blob.bytes, blob.size));
    weir_force force = force_on(sim);
    assert_true(force.frame == 1 && force.force[1] != 0.0f && force.torque[0] != 0.0f);
    assert_written(text.items, "\"force\": [", force.force);
    assert_written(text.items, "\"torque\": [", force.torque);
    base_free(text.items);
    base_blob_free(&blob);
}

/* ---- solids --------------------------------------------------------------------------------- */

/* A host-driven paddle in the fluid, and a sill that does not move. */
#define SOLIDS(solver)                                                                             \
    "{\"spacing\": 0.1, \"frame_rate\": 60, \"domain\": {\"min\": [0, 0, 0], \"max\": [1, 1, 1]}," \
    " \"solver\": {" solver "}, \"solids\": [{\"name\": \"paddle\", \"shape\": {\"box\": {"        \
    "\"size\": [0.2, 0.6, 0.6]}}, \"motion\": {\"host_driven\": true}}, {\"name\": \"sill\","      \
    " \"shape\": {\"box\": {\"min\": [0.8, 0, 0], \"max\": [1, 0.2, 1]}}}], \"fluids\": [{"        \
    "\"name\": \"water\", \"fill\": {\"shape\": {\"box\": {\"min\": [0.4, 0, 0], \"max\": "        \
    "[0.8, 0.5, 1]}}}}]}"

static void solids_of_a_scene_that_asks_for_it_have_forces(void **state)
{
    fixture *f = *state;
    weir_force forces[3] = {{.name = "untouched"}, {.name = "untouched"}, {.name = "untouched"}};
    weir_solid_pose pose = {
        .position = {0.3f, 0.3f, 0.5f}, .rotation = {0, 0, 0, 1}, .teleport = true};
    uint32_t count = 0;
    weir_sim *sim = simulate_scene(f, SOLIDS("\"solid_forces\": true"));
    assert_int_equal(weir_sim_get_solid_forces(NULL, forces, &count), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_solid_forces(sim, NULL, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_solid_forces(sim, NULL, &count), WEIR_OK);
    assert_int_equal(count, 2);
    assert_int_equal(weir_sim_set_solid(sim, "paddle", &pose), WEIR_OK);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    pose = (weir_solid_pose){.position = {0.34f, 0.3f, 0.5f}, .rotation = {0, 0, 0, 1}};
    assert_int_equal(weir_sim_set_solid(sim, "paddle", &pose), WEIR_OK);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_wait(sim), WEIR_OK);
    count = 3;
    assert_int_equal(weir_sim_get_solid_forces(sim, forces, &count), WEIR_OK);
    assert_int_equal(count, 2);
    assert_string_equal(forces[0].name, "paddle");
    assert_string_equal(forces[1].name, "sill");
    assert_string_equal(forces[2].name, "untouched");
    assert_true(forces[0].frame == 2 && forces[1].frame == 2);
    assert_memory_equal(forces[0].reference_point, pose.position, sizeof pose.position);
    assert_true(forces[1].reference_point[0] == 0.0f && forces[1].reference_point[1] == 0.0f);
    assert_true(forces[0].force[0] < -1.0f); /* the water that the paddle pushes pushes back, */
    assert_true(fabsf(forces[0].torque[1]) < 0.02f * fabsf(forces[0].force[0])); /* evenly */
    const float *t = forces[1].torque, *p = forces[1].force;
    assert_true(p[0] > 0.0f); /* the sill's face is at x = 0.8, its middle at z = 0.5 */
    assert_float_equal(t[1] / p[0], 0.5f, 0.05f);
}

static void solids_of_another_scene_have_none(void **state)
{
    fixture *f = *state;
    weir_force force;
    uint32_t count = 7;
    weir_sim *sim = simulate_scene(f, SOLIDS(""));
    assert_int_equal(weir_sim_get_solid_forces(sim, &force, &count), WEIR_ERROR_ARGUMENT);
    assert_int_equal(count, 7);
    assert_non_null(strstr(logged, "set solver.solid_forces to true"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(forces_are_those_of_the_last_frame_that_has_finished,
                                        open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(solids_of_a_scene_that_asks_for_it_have_forces,
                                        open_fixture, close_fixture),
        cmocka_unit_test_setup_teardown(solids_of_another_scene_have_none, open_fixture,
                                        close_fixture),
        cmocka_unit_test_setup_teardown(runs_write_forces_turned_like_the_world, open_fixture,
                                        close_fixture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
