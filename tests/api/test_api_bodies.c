/* Bodies through the front door: what is read of them, their file, and starts that are refused. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "weir_body.h"

#define SCENE(bodies)                                                                              \
    "{\"spacing\": 0.1, \"frame_rate\": 60, \"domain\": {\"min\": [0, 0, 0], \"max\": [2, 2, 2]}," \
    " \"solids\": [{\"name\": \"pole\", \"shape\": {\"box\": {\"min\": [1.5, 0, 1.5],"             \
    " \"max\": [1.8, 2, 1.8]}}}],\n\"bodies\": [" bodies "],"                                      \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\": {"                        \
    "\"min\": [0, 0, 0], \"max\": [0.4, 0.4, 0.4]}}}}]}"
#define BOX(name, size, at)                                               \
    "{\"name\": \"" name "\", \"density\": 500, \"velocity\": [0, 0, 1]," \
    " \"shape\": {\"box\": {\"size\": " size "}, \"position\": " at "}}"

static void use_scene(fixture *f, const char *text)
{
    weir_sim_destroy(&f->sim);
    weir_scene_destroy(&f->scene);
    assert_int_equal(parse_scene(text, &f->scene), WEIR_OK);
}

static void refused(fixture *f, const char *text, const char *message)
{
    use_scene(f, text);
    logged[0] = '\0';
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_SCENE);
    assert_null(f->sim);
    if (!strstr(logged, message)) fail_msg("expected \"%s\" in:\n%s", message, logged);
}

static void a_start_that_cannot_be_is_refused_with_its_line(void **state)
{
    fixture *f = *state;
    refused(f, SCENE(BOX("low", "[0.4, 0.4, 0.4]", "[1, 0.15, 1]")),
            ":2:12: body 'low' is 0.05 m deep in the domain's side '-y' at the start");
    refused(f, SCENE(BOX("beside", "[0.4, 0.4, 0.4]", "[1.4, 1, 1.6]")), "deep in solid 'pole'");
    refused(f,
            SCENE(BOX("a", "[0.4, 0.4, 0.4]", "[1, 1, 1]") "," BOX("b", "[0.4, 0.4, 0.4]",
                                                                   "[1.2, 1.2, 1]")),
            "body 'a' is 0.2 m deep in body 'b'");
    refused(f, SCENE(BOX("thin", "[0.4, 0.05, 0.4]", "[1, 1, 1]")),
            "body 'thin' is 0.05 m thick, thinner than a spacing of 0.1 m");
}

static base_text read_text(const fixture *f, const char *name)
{
    char path[256];
    base_blob blob = {0};
    base_text text = {0};
    snprintf(path, sizeof path, "%s/%s", f->folder, name);
    assert_int_equal(base_file_read(NULL, path, 1 << 20, &blob), WEIR_OK);
    assert_true(base_text_bytes(&text, blob.bytes, blob.size));
    base_blob_free(&blob);
    return text;
}

static void write_frames(fixture *f, weir_output_def *def, int frames)
{
    weir_output *output;
    assert_int_equal(weir_output_create(def, f->sim, &output), WEIR_OK);
    for (int i = 0; i < frames; i++) {
        assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
        assert_int_equal(weir_output_frame(output), WEIR_OK);
    }
    assert_int_equal(weir_output_finish(output), WEIR_OK);
    weir_output_destroy(&output);
}

static void poses_are_read_and_written_and_resumed(void **state)
{
    fixture *f = *state;
    weir_body body;
    uint32_t count = 0;
    char checkpoint[128];
    use_scene(f, SCENE(BOX("box", "[0.4, 0.4, 0.4]", "[1, 1, 0.5]")));
    assert_int_equal(weir_sim_create(f->device, f->scene, &f->sim), WEIR_OK);
    assert_int_equal(weir_sim_bodies(f->sim, NULL, &count), WEIR_OK);
    assert_int_equal(count, 1);
    weir_output_def def = weir_output_def_default();
    def.log = kept_log();
    def.folder = f->folder;
    def.particles = false;
    write_frames(f, &def, 2);
    snprintf(checkpoint, sizeof checkpoint, "%s/state.weir", f->folder);
    assert_int_equal(weir_sim_save(f->sim, checkpoint), WEIR_OK);
    def.resume = true;
    write_frames(f, &def, 2);
    assert_int_equal(weir_sim_restore(f->sim, checkpoint), WEIR_OK);
    write_frames(f, &def, 1);
    assert_int_equal(weir_sim_bodies(f->sim, &body, &count), WEIR_OK);
    assert_string_equal(body.name, "box");
    assert_float_equal(body.mass_kg, 32.0f, 0.01f);
    assert_float_equal(body.position[2], 0.55f, 1e-4f);
    assert_true(body.velocity[1] < -0.4f && !body.lost);
    base_text text = read_text(f, "bodies.jsonl");
    assert_null(strstr(text.items, "{\"frame\": 4,"));
    const char *third = strstr(text.items, "{\"frame\": 3, \"time_s\": 0.05,");
    assert_non_null(third);
    assert_non_null(strstr(third, "\"bodies\": [{\"name\": \"box\", \"position\": [1, 0."));
    base_free(text.items);
    text = read_text(f, "stats.csv");
    assert_non_null(strstr(text.items, ",bodies_kinetic_energy_j,bodies_potential_energy_j,"));
    base_free(text.items);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(a_start_that_cannot_be_is_refused_with_its_line),
        WITH_FIXTURE(poses_are_read_and_written_and_resumed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
