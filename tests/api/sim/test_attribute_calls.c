/* Attributes of particles: read and written by name, saved, and refused where there are none. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/attributes.h"

#define SCENE                                                                                      \
    "{\"name\": \"tank\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}, "            \
    "\"spacing\": 0.05, \"attributes\": [{\"name\": \"dye\", \"diffusivity\": 1e-4}, {\"name\": "  \
    "\"tint\", \"components\": 3, \"initial\": [0.25, 0.5, 0.75]}],\n\"fluids\": [{\"name\": "     \
    "\"water\", \"fill\": {\"attributes\": {\"dye\": 0.5}, \"shape\": {\"box\": {\"min\": [0, 0, " \
    "0], \"max\": [0.3, 0.25, 0.3]}}}}]}"

static float *read_dye(weir_sim *sim, uint32_t *count)
{
    *count = count_of(sim);
    float *dye = calloc(*count, sizeof *dye);
    if (weir_sim_read_attribute(sim, "dye", dye, *count * sizeof *dye) != WEIR_OK)
        fail_msg("%s", logged);
    return dye;
}

static void a_scene_lists_its_attributes(void **state)
{
    fixture *f = *state;
    weir_attribute attribute;
    assert_false(weir_scene_get_attribute(f->scene, 0, &attribute));
    use_scene(f, SCENE);
    assert_true(weir_scene_get_attribute(f->scene, 0, &attribute));
    assert_string_equal(attribute.name, "dye");
    assert_int_equal(attribute.components, 1);
    assert_true(weir_scene_get_attribute(f->scene, 1, &attribute));
    assert_string_equal(attribute.name, "tint");
    assert_int_equal(attribute.components, 3);
    assert_false(weir_scene_get_attribute(f->scene, 2, &attribute));
}

static void a_checkpoint_keeps_the_bits_of_attributes(void **state)
{
    fixture *f = *state;
    char path[96];
    uint32_t count;
    weir_sim *sim = simulate_scene(f, SCENE);
    float *dye = read_dye(sim, &count), tint[3 * 180];
    assert_int_equal(count, 180);
    for (uint32_t i = 0; i < count; i++)
        dye[i] += 0.001f * (float)i;
    assert_int_equal(weir_sim_write_attribute(sim, "dye", dye, count * sizeof *dye), WEIR_OK);
    assert_int_equal(weir_sim_read_attribute(sim, "tint", tint, sizeof tint), WEIR_OK);
    assert_true(tint[0] == 0.25f && tint[1] == 0.5f && tint[3 * 179 + 2] == 0.75f);
    step_frames(sim, 2);
    snprintf(path, sizeof path, "%s/saved.weir", f->folder);
    assert_int_equal(weir_sim_save(sim, path), WEIR_OK);
    step_frames(sim, 3);
    const uint64_t hash = hash_of(sim);
    free(dye);
    dye = read_dye(sim, &count);
    assert_true(dye[0] != 0.5f); /* it diffuses */
    dye[7] += 1.0f;
    assert_int_equal(weir_sim_write_attribute(sim, "dye", dye, count * sizeof *dye), WEIR_OK);
    assert_true(hash_of(sim) != hash);
    assert_int_equal(weir_sim_restore(sim, path), WEIR_OK);
    step_frames(sim, 3);
    assert_true(hash_of(sim) == hash);
    free(dye);
}

static void what_is_no_attribute_is_refused(void **state)
{
    fixture *f = *state;
    float values[180] = {0};
    weir_sim *sim = simulate_scene(f, SCENE);
    assert_int_equal(weir_sim_read_attribute(sim, "die", values, sizeof values),
                     WEIR_ERROR_ARGUMENT);
    assert_logged("\"die\" is no attribute of scene; did you mean \"dye\"?");
    assert_int_equal(weir_sim_read_attribute(sim, "temperature", values, sizeof values),
                     WEIR_ERROR_ARGUMENT);
    assert_logged("\"temperature\" is no attribute of scene, which has dye, tint");
    assert_int_equal(weir_sim_read_attribute(sim, "tint", values, sizeof values),
                     WEIR_ERROR_ARGUMENT);
    assert_logged("size is 720 bytes, expected 2160: 180 particles of 12 bytes");
    values[3] = NAN;
    assert_int_equal(weir_sim_write_attribute(sim, "dye", values, sizeof values),
                     WEIR_ERROR_ARGUMENT);
    assert_logged("value 3 is nan, expected a finite number");
    sim = simulate_scene(f, TINY_SCENE);
    assert_int_equal(weir_sim_read_attribute(sim, "dye", values, sizeof values),
                     WEIR_ERROR_ARGUMENT);
    assert_logged("add {\"name\": \"dye\"} to its \"attributes\"");
}

static void a_diffusivity_beyond_the_substep_is_reported(void **state)
{
    simulate_scene(*state, "{\"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}, "
                           "\"spacing\": 0.05, \"attributes\": [{\"name\": \"dye\", "
                           "\"diffusivity\": 1}],\n\"fluids\": [{\"name\": \"water\", \"fill\": "
                           "{\"shape\": {\"box\": {\"min\": [0, 0, 0], \"max\": [0.3, 0.2, "
                           "0.3]}}}}]}");
    assert_logged("attribute dye has a diffusivity of 1 m2/s, but in substeps of 4.17 ms");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_lists_its_attributes),
        cmocka_unit_test(a_checkpoint_keeps_the_bits_of_attributes),
        cmocka_unit_test(what_is_no_attribute_is_refused),
        cmocka_unit_test(a_diffusivity_beyond_the_substep_is_reported),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
