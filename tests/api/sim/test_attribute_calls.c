/* Attributes of particles: read and written by name, saved, and refused where there are none. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir/attributes.h"
#include "weir/output.h"
#include "weir/start.h"

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

#define FILE_SCENE                                                                               \
    "{\"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}, \"spacing\": 0.05, "           \
    "\"attributes\": [{\"name\": \"tint\", \"components\": 3}, {\"name\": \"dye\"}, {\"name\": " \
    "\"heat\", \"initial\": 290}], \"fluids\": [{\"name\": \"water\", \"fill\": {\"file\": "     \
    "\"%s\", "                                                                                   \
    "\"attributes\": {%s}}}]}"

/* Asserts that a simulation's dye is `expected`, in the order of ids, and returns its first heat.
 */
static float check_dye(weir_sim *sim, const float *expected)
{
    uint32_t count;
    float *dye = read_dye(sim, &count), heat[180], tint[3 * 180];
    assert_int_equal(count, 180);
    assert_memory_equal(dye, expected, count * sizeof *dye);
    assert_int_equal(weir_sim_read_attribute(sim, "heat", heat, sizeof heat), WEIR_OK);
    assert_int_equal(weir_sim_read_attribute(sim, "tint", tint, sizeof tint), WEIR_OK);
    assert_true(tint[0] == 0.25f && tint[3 * 179 + 2] == 0.75f);
    free(dye);
    return heat[0];
}

static void stored_frames_give_attributes_back(void **state)
{
    fixture *f = *state;
    weir_output_def def = weir_output_def_default();
    weir_output *output;
    char path[128], text[800];
    uint32_t count;
    weir_sim *sim = simulate_scene(f, SCENE);
    float *dye = read_dye(sim, &count);
    for (uint32_t i = 0; i < count; i++)
        dye[i] = (float)i / 3.0f;
    assert_int_equal(weir_sim_write_attribute(sim, "dye", dye, count * sizeof *dye), WEIR_OK);
    def.folder = f->folder;
    def.log = kept_log();
    assert_int_equal(weir_output_create(&def, sim, &output), WEIR_OK);
    assert_int_equal(weir_output_write_frame(output), WEIR_OK);
    assert_int_equal(weir_output_mark_complete(output), WEIR_OK);
    weir_output_destroy(&output);
    snprintf(path, sizeof path, "%s/particles/particles_0000.ply", f->folder);
    snprintf(text, sizeof text, FILE_SCENE, path, "");
    sim = simulate_scene(f, text);
    assert_logged("particles_0000.ply has no heat: its particles get the initial value");
    assert_true(check_dye(sim, dye) == 290.0f);
    snprintf(text, sizeof text, FILE_SCENE, path, "\"heat\": 300");
    sim = simulate_scene(f, text);
    assert_true(check_dye(sim, dye) == 300.0f); /* the scene comes first */

    const weir_attribute wanted[] = {{"dye", 1}, {"tint", 3}, {"heat", 1}};
    weir_particles particles;
    weir_log log = kept_log();
    weir_sim_start start = weir_sim_start_default();
    assert_int_equal(weir_particles_load_attributes(&log, path, wanted, 3, &particles), WEIR_OK);
    assert_int_equal(particles.points.attribute_count, 2);
    start.particles = particles.points;
    weir_sim_destroy(&f->sim);
    assert_int_equal(weir_sim_create_from(f->device, f->scene, &start, &f->sim), WEIR_OK);
    assert_true(check_dye(f->sim, dye) == 290.0f);
    weir_particles_free(&particles);
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

/* Particles hold eight attributes with 16 components in all. */
static void more_attributes_than_particles_hold_are_refused(void **state)
{
    fixture *f = *state;
    weir_attribute wanted[9];
    weir_attribute_values given[9];
    const float x[3] = {0}, values[5] = {0};
    static const struct {
        uint32_t count, components;
        const char *of_points, *of_file;
    } rows[] = {
        {9, 1, "`attribute_count` must be at most 8", "`count` must be at most 8 attributes"},
        {5, 4, "`attributes` have 20 components in all, expected at most 16",
         "`attributes` have 20 components in all, expected at most 16"},
        {1, 5, "`attributes[].components` must be 1 to 4",
         "`attributes[].components` must be 1 to 4"},
    };
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        weir_points *points = NULL;
        weir_particles particles;
        weir_points_def def = weir_points_def_default();
        weir_log log = kept_log();
        for (uint32_t k = 0; k < rows[i].count; k++) {
            wanted[k] = (weir_attribute){"dye", rows[i].components};
            given[k] = (weir_attribute_values){"dye", rows[i].components, 5, values};
        }
        def.count = 1;
        def.position = x;
        def.spacing_m = 0.1f;
        def.attributes = given;
        def.attribute_count = rows[i].count;
        assert_int_equal(weir_points_create(f->device, &def, &points), WEIR_ERROR_ARGUMENT);
        assert_logged(rows[i].of_points);
        assert_int_equal(weir_particles_load_attributes(&log, "tests/data/none.ply", wanted,
                                                        rows[i].count, &particles),
                         WEIR_ERROR_ARGUMENT);
        assert_logged(rows[i].of_file);
    }
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
        cmocka_unit_test(stored_frames_give_attributes_back),
        cmocka_unit_test(what_is_no_attribute_is_refused),
        cmocka_unit_test(more_attributes_than_particles_hold_are_refused),
        cmocka_unit_test(a_diffusivity_beyond_the_substep_is_reported),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
