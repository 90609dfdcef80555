/* The public API refuses misuse, names the function and the rule, and leaks nothing. */
#define _XOPEN_SOURCE 700
#include "api_support.h"

#include "gpu.h"

/* Reads weir_device's first member, and from it the device's own count of memory. */
static uint64_t memory_used(const weir_device *device)
{
    gpu_device *gpu;
    memcpy(&gpu, device, sizeof gpu);
    return gpu_device_memory_used(gpu);
}

static void every_result_has_its_own_name(void **state)
{
    for (int a = WEIR_OK; a <= WEIR_ERROR_UNSTABLE; ++a) {
        assert_non_null(weir_result_name((weir_result)a));
        for (int b = WEIR_OK; b < a; ++b)
            assert_string_not_equal(weir_result_name((weir_result)a),
                                    weir_result_name((weir_result)b));
    }
    assert_string_equal(weir_result_name((weir_result)99), "unknown result");
}

static void names_outside_the_enums_are_null(void **state)
{
    assert_string_equal(weir_enum_name(WEIR_ENUM_FIELD, WEIR_FIELD_DENSITY), "density");
    assert_string_equal(weir_enum_name(WEIR_ENUM_PARTICLE_FORMAT, WEIR_PARTICLE_FORMAT_BGEO),
                        "bgeo");
    assert_null(weir_enum_name(WEIR_ENUM_FIELD, WEIR_FIELD_COUNT));
    assert_null(weir_enum_name(WEIR_ENUM_PARTICLE_FORMAT, (weir_particle_format)-1));
}

static void the_version_is_the_headers(void **state)
{
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", WEIR_VERSION_MAJOR, WEIR_VERSION_MINOR,
             WEIR_VERSION_PATCH);
    assert_string_equal(weir_version(), version);
}

static void defs_without_the_default_functions_are_refused(void **state)
{
    fixture *f = *state;
    weir_device *device = (weir_device *)f;
    weir_scene *scene = (weir_scene *)f;
    weir_output *output = (weir_output *)f;
    weir_device_def device_def = {.log = kept_log()};
    weir_scene_def scene_def = {.log = kept_log()};
    weir_output_def output_def = {.log = kept_log(), .folder = f->folder, .scale = 1};
    assert_int_equal(weir_device_create(&device_def, &device), WEIR_ERROR_ARGUMENT);
    assert_null(device);
    assert_logged("weir_device_def_default()");
    assert_int_equal(weir_scene_parse("{}", 2, &scene_def, &scene), WEIR_ERROR_ARGUMENT);
    assert_null(scene);
    assert_logged("weir_scene_def_default()");
    assert_int_equal(weir_output_create(&output_def, f->sim, &output), WEIR_ERROR_ARGUMENT);
    assert_null(output);
    assert_logged("weir_output_def_default()");
    assert_int_equal(weir_output_def_read("run.json", &output_def), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_output_def_default()");
}

static void a_def_of_one_kind_is_not_taken_for_another(void **state)
{
    fixture *f = *state;
    weir_scene *scene;
    weir_scene_def def = weir_scene_def_default();
    def.cookie = weir_device_def_default().cookie;
    (void)f;
    assert_int_equal(weir_scene_parse("{}", 2, &def, &scene), WEIR_ERROR_ARGUMENT);
}

static void null_is_refused_by_the_device_functions(void **state)
{
    weir_log log = kept_log();
    weir_device_def def = weir_device_def_default();
    def.log = log;
    assert_int_equal(weir_device_create(&def, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_device_create: `device`");
    assert_int_equal(weir_device_list(&log, NULL, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_device_list: `count`");
    assert_int_equal(weir_device_validation_count(NULL), 0);
    weir_device_info info = {.memory_bytes = 1};
    weir_device_get_info(NULL, &info);
    assert_int_equal(info.memory_bytes, 0);
    weir_device_get_info(NULL, NULL);
}

static void null_is_refused_by_the_scene_functions(void **state)
{
    fixture *f = *state;
    weir_scene *scene = NULL;
    weir_estimate needs;
    weir_scene_def def = weir_scene_def_default();
    def.log = kept_log();
    assert_int_equal(weir_scene_load(NULL, &def, &scene), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_scene_load: `path`");
    assert_int_equal(weir_scene_load("", &def, &scene), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_scene_load("x", &def, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_scene_parse(NULL, 1, &def, &scene), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_scene_parse("{}", 2, &def, NULL), WEIR_ERROR_ARGUMENT);
    def.override_count = 1;
    logged[0] = '\0';
    assert_int_equal(weir_scene_parse("{}", 2, &def, &scene), WEIR_ERROR_ARGUMENT);
    assert_logged("`overrides`");
    const char *none[1] = {NULL};
    def.overrides = none;
    assert_int_equal(weir_scene_parse("{}", 2, &def, &scene), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_scene_estimate(NULL, NULL, &needs), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_scene_estimate(f->scene, f->device, NULL), WEIR_ERROR_ARGUMENT);
    weir_scene_info info;
    weir_scene_get_info(NULL, &info);
    assert_string_equal(info.name, "");
    assert_null(info.json);
    weir_scene_get_info(f->scene, NULL);
}

static void ignore_line(void *user, const char *line)
{
    (void)user;
    (void)line;
}

static void null_is_refused_by_the_simulation_functions(void **state)
{
    fixture *f = *state;
    weir_sim *sim = NULL;
    uint32_t count = 0;
    uint64_t hash;
    weir_stats stats;
    assert_int_equal(weir_sim_create(NULL, f->scene, &sim), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_create(f->device, NULL, &sim), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_create(f->device, f->scene, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_sim_create: `sim`");
    assert_int_equal(weir_sim_step(NULL, 0), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_wait(NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_particle_count(NULL, &count), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_particle_count(f->sim, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_read_field(NULL, WEIR_FIELD_ID, &count, 4), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_ID, NULL, 4), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_stats(NULL, &stats), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_stats(f->sim, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_state_hash(NULL, &hash), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_state_hash(f->sim, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_save(NULL, "x"), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_save(f->sim, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_restore(NULL, "x"), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_restore(f->sim, ""), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_pass_times(NULL, NULL, &count), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_get_pass_times(f->sim, NULL, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_explain(NULL, WEIR_EXPLAIN_TEXT, ignore_line, NULL),
                     WEIR_ERROR_ARGUMENT);
    logged[0] = '\0';
    assert_int_equal(weir_sim_explain(f->sim, WEIR_EXPLAIN_TEXT, NULL, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_sim_explain: `write`");
    assert_int_equal(weir_sim_explain(f->sim, WEIR_EXPLAIN_FORMAT_COUNT, ignore_line, NULL),
                     WEIR_ERROR_ARGUMENT);
    assert_logged("weir_sim_explain: `format`");
    weir_sim_reset_pass_times(NULL);
    weir_device_set_pass_timing(NULL, true);
    assert_true(weir_device_longest_submission_ms(NULL) <= 0.0);
}

static void null_is_refused_by_the_profilers_functions(void **state)
{
    fixture *f = *state;
    weir_device_peaks ceilings;
    weir_pass_time time;
    assert_int_equal(weir_sim_repeat_pass(NULL, "lambda", 1, &time), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_repeat_pass(f->sim, NULL, 1, &time), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_repeat_pass(f->sim, "lambda", 0, &time), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_repeat_pass(f->sim, "lambda", 1, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_device_measure_peaks(NULL, &ceilings), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_device_measure_peaks(f->device, NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_trace_start(NULL, "x"), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_trace_start(f->device, ""), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_trace_start(f->device, "/nowhere/at/all"), WEIR_ERROR_IO);
    assert_int_equal(weir_trace_finish(NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_trace_finish(f->device), WEIR_OK); /* no trace is written */
}

static void null_is_refused_by_the_file_functions(void **state)
{
    fixture *f = *state;
    weir_log log = kept_log();
    weir_output *output;
    weir_particles_info particles;
    weir_mesh_info mesh;
    weir_output_def def = weir_output_def_default();
    def.log = log;
    def.folder = f->folder;
    assert_int_equal(weir_output_create(NULL, f->sim, &output), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_output_create(&def, NULL, &output), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_output_create(&def, f->sim, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_output_create: `output`");
    assert_int_equal(weir_output_write_frame(NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_output_flush(NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_output_def_read(NULL, &def), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_output_def_read("x", NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_particles_inspect(&log, NULL, &particles), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_particles_inspect(&log, "x", NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_mesh_inspect(&log, NULL, &mesh), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_mesh_inspect(&log, "x", NULL), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_file_detect(NULL), WEIR_FILE_UNKNOWN);
}

static void destroying_nothing_is_fine(void **state)
{
    weir_device *device = NULL;
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    weir_output *output = NULL;
    weir_device_destroy(&device);
    weir_scene_destroy(&scene);
    weir_sim_destroy(&sim);
    weir_output_destroy(&output);
    weir_device_destroy(NULL);
    weir_scene_destroy(NULL);
    weir_sim_destroy(NULL);
    weir_output_destroy(NULL);
}

static void settings_of_an_output_have_ranges(void **state)
{
    fixture *f = *state;
    weir_output *output;
    weir_output_def good = weir_output_def_default(), def;
    good.log = kept_log();
    good.folder = f->folder;
    def = good, def.folder = "";
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_ERROR_ARGUMENT);
    assert_logged("`folder`");
    def = good, def.scale = 0;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_ERROR_ARGUMENT);
    def = good, def.scale = (double)NAN;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_ERROR_ARGUMENT);
    assert_logged("`scale`");
    def = good, def.fields = 1u << WEIR_FIELD_COUNT;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_ERROR_ARGUMENT);
    assert_logged("`fields`");
    def = good, def.particle_format = WEIR_PARTICLE_FORMAT_COUNT;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_ERROR_ARGUMENT);
    assert_logged("`particle_format`");
    def = good, def.first_frame = 5, def.last_frame = 4;
    assert_int_equal(weir_output_create(&def, f->sim, &output), WEIR_ERROR_ARGUMENT);
    assert_logged("`first_frame`");
}

static void times_that_are_no_times_are_refused(void **state)
{
    fixture *f = *state;
    assert_int_equal(weir_sim_step(f->sim, -1), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_step(f->sim, (double)NAN), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_step(f->sim, (double)INFINITY), WEIR_ERROR_ARGUMENT);
    assert_logged("weir_sim_step: `seconds`");
}

static void a_read_of_the_wrong_size_is_refused(void **state)
{
    fixture *f = *state;
    uint32_t count, ids[1024];
    assert_int_equal(weir_sim_get_particle_count(f->sim, &count), WEIR_OK);
    assert_int_equal(count, 180);
    assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_ID, ids, 4 * count - 4),
                     WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_ID, ids, 4 * count + 4),
                     WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_read_field(f->sim, (weir_field)77, ids, 4), WEIR_ERROR_ARGUMENT);
    assert_int_equal(weir_sim_read_field(f->sim, WEIR_FIELD_ID, ids, 4 * count), WEIR_OK);
    for (uint32_t i = 1; i < count; ++i)
        assert_true(ids[i] > ids[i - 1]);
}

static void a_refused_scene_is_null_and_every_fault_is_logged(void **state)
{
    weir_scene *scene = (weir_scene *)state;
    assert_int_equal(parse_scene("{\"spacin\": 0.1,\n \"gravity\": 7}", &scene), WEIR_ERROR_SCENE);
    assert_null(scene);
    assert_non_null(strstr(logged, ":1:"));
    assert_non_null(strstr(logged, ":2:"));
    assert_logged("\"spacing\"");
}

static void a_device_that_is_not_there_is_refused(void **state)
{
    weir_device *device;
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    def.device = "no such device";
    assert_int_equal(weir_device_create(&def, &device), WEIR_ERROR_ARGUMENT);
    assert_null(device);
    assert_logged("no such device");
}

static void a_simulation_outlives_the_scene_handle(void **state)
{
    fixture *f = *state;
    weir_scene_destroy(&f->scene);
    assert_null(f->scene);
    assert_int_equal(weir_sim_step(f->sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_wait(f->sim), WEIR_OK);
}

static void a_destroyed_simulation_gives_its_memory_back(void **state)
{
    fixture *f = *state;
    weir_sim *sim;
    uint64_t before = memory_used(f->device);
    for (int i = 0; i < 3; ++i) {
        assert_int_equal(weir_sim_create(f->device, f->scene, &sim), WEIR_OK);
        assert_true(memory_used(f->device) > before);
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
        weir_sim_destroy(&sim);
        assert_null(sim);
        assert_int_equal(memory_used(f->device), before);
    }
}

static void a_simulation_that_cannot_be_made_gives_its_memory_back(void **state)
{
    fixture *f = *state;
    weir_scene *scene;
    weir_sim *sim = (weir_sim *)f;
    uint64_t before = memory_used(f->device);
    char text[1024];
    snprintf(text, sizeof text, "%s", TINY_SCENE);
    memcpy(strstr(text, "\"max\": [0.3, 0.25, 0.3]"), "\"max\": [1e-5,1e-5,1e-5]", 23);
    assert_int_equal(parse_scene(text, &scene), WEIR_OK);
    assert_int_equal(weir_sim_create(f->device, scene, &sim), WEIR_ERROR_SCENE);
    assert_null(sim);
    assert_int_equal(memory_used(f->device), before);
    weir_scene_destroy(&scene);
}

#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, open_fixture, close_fixture)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_result_has_its_own_name),
        cmocka_unit_test(names_outside_the_enums_are_null),
        cmocka_unit_test(the_version_is_the_headers),
        cmocka_unit_test(null_is_refused_by_the_device_functions),
        cmocka_unit_test(destroying_nothing_is_fine),
        cmocka_unit_test(a_refused_scene_is_null_and_every_fault_is_logged),
        cmocka_unit_test(a_device_that_is_not_there_is_refused),
        WITH_FIXTURE(defs_without_the_default_functions_are_refused),
        WITH_FIXTURE(a_def_of_one_kind_is_not_taken_for_another),
        WITH_FIXTURE(null_is_refused_by_the_scene_functions),
        WITH_FIXTURE(null_is_refused_by_the_simulation_functions),
        WITH_FIXTURE(null_is_refused_by_the_profilers_functions),
        WITH_FIXTURE(null_is_refused_by_the_file_functions),
        WITH_FIXTURE(settings_of_an_output_have_ranges),
        WITH_FIXTURE(times_that_are_no_times_are_refused),
        WITH_FIXTURE(a_read_of_the_wrong_size_is_refused),
        WITH_FIXTURE(a_simulation_outlives_the_scene_handle),
        WITH_FIXTURE(a_destroyed_simulation_gives_its_memory_back),
        WITH_FIXTURE(a_simulation_that_cannot_be_made_gives_its_memory_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
