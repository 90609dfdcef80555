/* weir bench and traces from a user's view. WEIR_PROGRAM is the program, WEIR_PLANTED the same
   with a busy loop in its lambda pass. */
#define _XOPEN_SOURCE 700
#include "cli_support.h"
#include "scene_text.h"

#include <jansson.h>
#include <unistd.h>

static char root[512];

static char *read_file(const char *name)
{
    char path[128];
    base_blob blob = {0};
    snprintf(path, sizeof path, "%s/%s", scratch, name);
    assert_int_equal(base_file_read(NULL, path, 64u << 20, &blob), WEIR_OK);
    char *text = base_realloc(blob.bytes, blob.size + 1, 1);
    assert_non_null(text);
    text[blob.size] = '\0';
    return text;
}

static void assert_not_said(const char *words)
{
    if (strstr(said, words)) fail_msg("\"%s\" was said:\n%s", words, said);
}

static json_t *load_json(const char *name)
{
    json_error_t error;
    char *text = read_file(name);
    json_t *json = json_loads(text, 0, &error);
    if (!json) fail_msg("%s:%d: %s", name, error.line, error.text);
    base_free(text);
    return json;
}

/* Makes one measurement that most tests examine. */
static int open_scratch(void **state)
{
    if (make_scratch("/tmp/weir-bench-XXXXXX") != 0 || !getcwd(root, sizeof root)) return -1;
    settings = "P=" WEIR_PLANTED " && R=" FAKE_RENDERDOC; /* the slowed program, a fake RenderDoc */
    write_scratch("tiny.json", scene_text("bench_tiny"));
    assert_status("$W bench tiny.json --substeps 40 --statistics --csv a.csv --json a.json "
                  "--trace a.trace.json",
                  DONE);
    return 0;
}

/* ---- traces --------------------------------------------------------------------------------- */

typedef struct span {
    const char *name;
    double start_us, end_us;
} span;

#define SPANS 65536
#define DEPTH 8

static span spans[SPANS];

static int compare_spans(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->start_us != y->start_us) return x->start_us < y->start_us ? -1 : 1;
    return (x->end_us < y->end_us) - (x->end_us > y->end_us);
}

/* Reads the track's spans in order of time, enclosing spans first. */
static size_t read_track(const json_t *trace, const char *track)
{
    size_t count = 0, i;
    json_int_t tid = -1;
    json_t *event, *events = json_object_get(trace, "traceEvents");
    assert_true(json_is_array(events));
    json_array_foreach(events, i, event)
    {
        const char *kind = json_string_value(json_object_get(event, "ph"));
        const char *name = json_string_value(json_object_get(event, "name"));
        const json_t *args = json_object_get(event, "args");
        assert_non_null(kind);
        assert_non_null(name);
        if (kind[0] == 'M' && strcmp(json_string_value(json_object_get(args, "name")), track) == 0)
            tid = json_integer_value(json_object_get(event, "tid"));
        if (kind[0] != 'X' || json_integer_value(json_object_get(event, "tid")) != tid) continue;
        assert_true(count < SPANS);
        double start_us = json_number_value(json_object_get(event, "ts"));
        double length_us = json_number_value(json_object_get(event, "dur"));
        spans[count++] = (span){name, start_us, start_us + length_us};
    }
    qsort(spans, count, sizeof spans[0], compare_spans);
    return count;
}

/* Fails if two spans overlap and neither encloses the other. Returns how many passes lie in a
   substep in a frame. */
static size_t assert_nested(size_t count)
{
    const double ns = 1.5e-3; /* the file's resolution is 1 ns */
    const span *open[DEPTH];
    size_t depth = 0, passes = 0;
    for (size_t i = 0; i < count; i++) {
        while (depth && open[depth - 1]->end_us <= spans[i].start_us + ns)
            depth--;
        if (depth && spans[i].end_us > open[depth - 1]->end_us + ns)
            fail_msg("%s from %f to %f us sticks out of %s, which ends at %f", spans[i].name,
                     spans[i].start_us, spans[i].end_us, open[depth - 1]->name,
                     open[depth - 1]->end_us);
        passes += depth == 2 && strcmp(open[0]->name, "frame") == 0 &&
                  strcmp(open[1]->name, "substep") == 0;
        assert_true(depth < DEPTH);
        open[depth++] = &spans[i];
    }
    return passes;
}

static void passes_lie_in_substeps_in_frames(void **state)
{
    json_t *trace = load_json("a.trace.json");
    assert_true(assert_nested(read_track(trace, "GPU")) > 40 * 15);
    assert_true(read_track(trace, "CPU") > 20);
    assert_nested(read_track(trace, "CPU"));
    json_decref(trace);
    char *text = read_file("a.trace.json");
    assert_non_null(strstr(text, "\"ph\": \"C\""));
    base_free(text);
}

static void a_run_traces_its_writer_too(void **state)
{
    assert_status("$W run tiny.json -o traced --trace run.trace.json --quiet", DONE);
    json_t *trace = load_json("run.trace.json");
    assert_int_equal(read_track(trace, "writer"), 7);
    assert_true(assert_nested(read_track(trace, "GPU")) > 0);
    json_decref(trace);
}

/* ---- names ---------------------------------------------------------------------------------- */

static bool is_shader(const char *pass)
{
    char command[1024];
    snprintf(command, sizeof command, "find '%s/shaders' -name '%s.comp' | grep -q .", root, pass);
    return system(command) == 0;
}

static bool is_traced(size_t count, const char *pass)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(spans[i].name, pass) == 0) return true;
    return false;
}

static void a_pass_has_one_name_in_csv_json_trace_and_shader_file(void **state)
{
    json_t *trace = load_json("a.trace.json"), *figures = load_json("a.json"), *pass;
    size_t traced = read_track(trace, "GPU"), i, passes = 0;
    char *csv = read_file("a.csv"), *row = strchr(csv, '\n') + 1;
    json_t *result = json_array_get(json_object_get(figures, "results"), 0);
    json_array_foreach(json_object_get(result, "passes"), i, pass)
    {
        const char *name = json_string_value(json_object_get(pass, "name"));
        if (json_is_true(json_object_get(pass, "is_total"))) continue;
        size_t length = strlen(name);
        assert_int_equal(strncmp(row, name, length), 0);
        assert_int_equal(row[length], ',');
        row = strchr(row, '\n') + 1;
        if (!is_shader(name)) fail_msg("no shader file is called %s", name);
        if (!is_traced(traced, name)) fail_msg("%s is not in the trace", name);
        passes++;
    }
    assert_int_equal(*row, '\0');
    assert_true(passes > 20);
    base_free(csv);
    json_decref(trace);
    json_decref(figures);
}

/* Every pass of a substep belongs to a stage, and cells count as memory. */
static void a_grid_method_has_stages_of_its_own(void **state)
{
    static const char *const stages[] = {"particles to grid", "pressure", "density drift",
                                         "grid to particles"};
    bool seen[BASE_COUNT(stages)] = {false};
    assert_status(
        "$W bench tiny.json --set solver.method=flip --set solver.vorticity_confinement=0 "
        "--substeps 4 --json flip.json",
        DONE);
    assert_said("particles to grid ");
    assert_said("longest submission ");
    json_t *report = load_json("flip.json");
    json_t *result = json_array_get(json_object_get(report, "results"), 0);
    json_t *passes = json_object_get(result, "passes"), *pass;
    double longest = json_number_value(json_object_get(result, "longest_submission_ms"));
    bool begun = false, ended = false;
    size_t i;
    json_array_foreach(passes, i, pass)
    {
        const char *name = json_string_value(json_object_get(pass, "name"));
        const char *stage = json_string_value(json_object_get(pass, "stage"));
        if (!json_is_true(json_object_get(pass, "is_total")))
            assert_true(longest >= json_number_value(json_object_get(pass, "upper_quartile_ms")));
        begun |= strcmp(name, "substep") == 0;
        ended |= strcmp(name, "frame end") == 0;
        if (!begun || ended || !stage) continue;
        if (strcmp(stage, "other") == 0) fail_msg("%s has no stage", name);
        for (size_t s = 0; s < BASE_COUNT(stages); s++)
            seen[s] |= strcmp(stage, stages[s]) == 0;
    }
    for (size_t s = 0; s < BASE_COUNT(stages); s++)
        assert_true(seen[s]);
    double each = json_number_value(json_object_get(result, "memory_bytes_per_particle"));
    double count = json_number_value(json_object_get(result, "particles"));
    assert_true(each * count > 80.0 * 512 * 8); /* at least 8 blocks */
    json_decref(report);
}

static void statistics_count_an_invocation_for_each_particle(void **state)
{
    json_t *figures = load_json("a.json"), *pass;
    json_t *result = json_array_get(json_object_get(figures, "results"), 0);
    const char *device =
        json_string_value(json_object_get(json_object_get(figures, "device"), "name"));
    size_t i, found = 0;
    json_array_foreach(json_object_get(result, "passes"), i, pass)
    {
        if (strcmp(json_string_value(json_object_get(pass, "name")), "lambda") != 0) continue;
        json_t *counted = json_object_get(pass, "invocations");
        if (!json_is_number(counted) && !strstr(device, "llvmpipe")) {
            print_message("  skipped: %s counts no invocations\n", device);
            skip();
        }
        double invocations = json_number_value(counted);
        double particles = json_number_value(json_object_get(result, "particles"));
        assert_true(invocations >= particles && invocations < particles + 64);
        found++;
    }
    assert_int_equal(found, 1);
    json_decref(figures);
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static void a_planted_loop_is_found_and_named(void **state)
{
    assert_status("$P bench tiny.json --substeps 40 --statistics --json planted.json", DONE);
    assert_status("$W bench --compare a.json planted.json --threshold 30", FAILED);
    const char *lambda = strstr(said, "  lambda ");
    assert_non_null(lambda);
    const char *end = strchr(lambda, '\n'), *slower = strstr(lambda, "SLOWER");
    assert_true(slower && slower < end);
    assert_non_null(strstr(lambda, "its shader changed"));
    assert_not_said("DIFFERENT WORK");
}

static void a_measurement_is_no_slower_than_itself(void **state)
{
    assert_status("$W bench --compare a.json a.json", DONE);
    assert_said("0 slower");
    assert_status("sed 's/\"driver\": \"/\"driver\": \"other /' a.json > driver.json && "
                  "$W bench --compare a.json a.json driver.json",
                  DONE);
    assert_said("different drivers");
    assert_not_said("shader changed");
}

static void unequal_work_is_not_compared(void **state)
{
    assert_status("sed 's/\"particles\": 180/\"particles\": 181/' a.json > more.json && "
                  "$W bench --compare a.json more.json",
                  UNEQUAL);
    assert_said("DIFFERENT WORK");
    assert_said("particles: 180 and 181");
}

/* ---- two programs in turn ------------------------------------------------------------------- */

static void a_program_that_does_other_work_is_not_compared(void **state)
{
    write_scratch("other", "#!/bin/sh\nexec \"$W\" \"$@\" --set solver.iterations=7\n");
    assert_status("chmod +x other && export W && $W bench tiny.json --substeps 4 --against ./other",
                  UNEQUAL);
    assert_said("DIFFERENT WORK, times are not compared: iterations: ");
    assert_status("$W bench tiny.json --against ./nosuch", FAILED);
    assert_said("nosuch");
    assert_status("$W bench tiny.json --against false", FAILED);
    assert_said("false bench ended with status 1");
}

static void another_schema_is_refused(void **state)
{
    assert_status("sed 's/\"schema_version\": 1/\"schema_version\": 7/' a.json > seven.json && "
                  "$W bench --compare a.json seven.json",
                  FAILED);
    assert_said("seven.json: its schema is weir-bench version 7, this weir reads version 1");
    assert_status("$W bench --compare tiny.json a.json", FAILED);
    assert_said("has no \"schema\": \"weir-bench\"");
    write_scratch("broken.json", "{\"schema\": ");
    assert_status("$W bench --compare a.json broken.json", FAILED);
    assert_said("broken.json:1:");
    assert_status("$W bench --compare a.json", WRONG_USE);
    assert_said("at least two files");
}

/* ---- single passes, sweeps, captures -------------------------------------------------------- */

static void a_pass_is_timed_alone_on_a_checkpoint(void **state)
{
    assert_status("$W run tiny.json -o kept --checkpoint-interval 6 --quiet", DONE);
    assert_status("$W bench tiny.json --checkpoint kept/checkpoint/checkpoint_0006.weir "
                  "--pass lambda "
                  "--repeat 5 --csv alone.csv",
                  DONE);
    assert_said("lambda                              5");
    assert_status("test $(wc -l < alone.csv) = 2", DONE);
    assert_status("$W bench tiny.json --checkpoint kept/checkpoint/checkpoint_0006.weir --repeat 2",
                  DONE);
    assert_said("finalize_velocity                   2");
    assert_status("$W bench tiny.json --checkpoint kept/checkpoint/checkpoint_0006.weir "
                  "--pass lambada",
                  WRONG_USE);
    assert_said("unknown pass \"lambada\"; did you mean \"lambda\"?");
}

static void a_sweep_shows_every_pass_at_every_size(void **state)
{
    assert_status("$W bench tiny.json --substeps 4 --sweep workgroup=32,128", DONE);
    assert_said("ms per call                            32        128");
    assert_status("$W bench tiny.json --sweep workgroup=48", WRONG_USE);
    assert_said("--sweep expects workgroup=");
    assert_status("$W bench tiny.json --sweep subgroup=48", WRONG_USE);
    assert_said("or subgroup= with sizes that the device supports");
}

static void a_capture_is_asked_of_renderdoc(void **state)
{
    assert_status("$W bench tiny.json --substeps 4 --capture 3", FAILED);
    assert_said("RenderDoc is not loaded");
    assert_status("LD_PRELOAD=$R $W bench tiny.json --substeps 4 --capture 3", DONE);
    const char *starts = strstr(said, "capture starts");
    assert_non_null(starts);
    assert_non_null(strstr(starts, "capture ends"));
    assert_null(strstr(starts + 1, "capture starts"));
}

static void a_run_captures_the_frame_that_is_named(void **state)
{
    assert_status("$W run tiny.json -o captured --force --frames 3 --capture 2", FAILED);
    assert_said("--capture: RenderDoc is not loaded: start weir from RenderDoc (Launch "
                "Application), or by renderdoccmd capture weir run ...");
    assert_status("$W run tiny.json -o captured --force --frames 3 --capture 4", WRONG_USE);
    assert_said("--capture 4: the run simulates frames 1 to 3; name one of them");
    assert_status("LD_PRELOAD=$R $W run tiny.json -o captured --force --frames 3 --capture 2",
                  DONE);
    const char *starts = strstr(said, "capture starts");
    assert_non_null(starts);
    assert_non_null(strstr(starts, "capture ends"));
    assert_null(strstr(starts + 1, "capture starts"));
    assert_status("CAPTURE_FAILS=1 LD_PRELOAD=$R $W run tiny.json -o captured --force --frames 3 "
                  "--capture 2",
                  FAILED);
    assert_said("RenderDoc did not capture frame 2: see its own log, and whether the disk has "
                "space");
}

/* ---- bad input ------------------------------------------------------------------------------ */

static void wrong_words_are_named(void **state)
{
    assert_status("$W bench papr", WRONG_USE);
    assert_said("unknown suite \"papr\"; did you mean \"paper\"?");
    assert_status("$W bench missing.json", FAILED);
    assert_said("missing.json");
    assert_status("$W bench tiny.json --pass lambda", WRONG_USE);
    assert_said("--checkpoint");
    assert_status("$W bench tiny.json a.json", WRONG_USE);
    assert_status("$W bench tiny.json --trace nowhere/a.json", FAILED);
    assert_said("nowhere/a.json");
    assert_status("$W run tiny.json -o unwritten --trace nowhere/a.json", FAILED);
    assert_said("nowhere/a.json");
}

static void a_scene_too_large_is_skipped_and_the_reason_said(void **state)
{
    assert_status("$W bench scaling --max-particles 100 --json none.json", DONE);
    assert_said("skipped: it has ");
    assert_said("more than --max-particles 100");
    assert_status("grep -q '\"skipped\": \"it has ' none.json", DONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_lie_in_substeps_in_frames),
        cmocka_unit_test(a_run_traces_its_writer_too),
        cmocka_unit_test(a_pass_has_one_name_in_csv_json_trace_and_shader_file),
        cmocka_unit_test(a_grid_method_has_stages_of_its_own),
        cmocka_unit_test(statistics_count_an_invocation_for_each_particle),
        cmocka_unit_test(a_planted_loop_is_found_and_named),
        cmocka_unit_test(a_measurement_is_no_slower_than_itself),
        cmocka_unit_test(unequal_work_is_not_compared),
        cmocka_unit_test(a_program_that_does_other_work_is_not_compared),
        cmocka_unit_test(another_schema_is_refused),
        cmocka_unit_test(a_pass_is_timed_alone_on_a_checkpoint),
        cmocka_unit_test(a_sweep_shows_every_pass_at_every_size),
        cmocka_unit_test(a_capture_is_asked_of_renderdoc),
        cmocka_unit_test(a_run_captures_the_frame_that_is_named),
        cmocka_unit_test(wrong_words_are_named),
        cmocka_unit_test(a_scene_too_large_is_skipped_and_the_reason_said),
    };
    return cmocka_run_group_tests(tests, open_scratch, close_scratch);
}
