/* weir bench: GPU times per pass for a scene or a suite, and comparisons between measurements. */
#include "bench_internal.h"

/* ---- one device ----------------------------------------------------------------------------- */

/* Opens the device. Workgroup and subgroup sizes of 0 are the device's own. */
static weir_result open_device(const bench_options *options, const bench_sizes *sizes,
                               bench_report *report)
{
    weir_device_def def = app_device_def(&options->source, &report->log);
    def.report_pipelines = options->json != NULL || options->isa != NULL;
    def.serialize_passes = options->serialize;
    def.count_invocations = options->statistics;
    def.isa_folder = options->isa;
    def.workgroup_size = sizes->workgroup;
    def.subgroup_size = sizes->subgroup;
    WEIR_RETURN_IF_ERROR(weir_device_create(&def, &report->device));
    weir_device_get_info(report->device, &report->info);
    report->sizes = *sizes;
    if (sizes->workgroup == 0) report->sizes.workgroup = 64;
    report->serialize = options->serialize;
    return WEIR_OK;
}

static void close_report(bench_report *report)
{
    weir_device_destroy(&report->device);
    BASE_ARRAY_FREE(&report->results);
}

/* Measures the scene that was named, or the built-in dam break sized for the device. */
static weir_result measure_scene(bench_report *report, const bench_options *options)
{
    bench_case what = {.suite = "",
                       .name = options->source.scene ? options->source.scene : "dam break",
                       .scene = options->source.scene};
    if (!what.scene) what.particles = app_builtin_particle_count(report->info.kind);
    return bench_measure_case(report, options, &what);
}

static weir_result measure_suite(bench_report *report, const bench_options *options,
                                 const bench_case *cases, size_t count)
{
    weir_result result = WEIR_OK;
    for (size_t i = 0; i < count && result == WEIR_OK && !base_interrupted(); ++i) {
        size_t before = report->results.count;
        result = bench_measure_case(report, options, &cases[i]);
        if (report->results.count > before)
            bench_print_result(report, &report->results.items[before]);
        fflush(stdout);
    }
    return result;
}

static weir_result measure_all(bench_report *report, const bench_options *options)
{
    const char *name = options->source.scene;
    size_t count = 0, suites;
    const char *const *names = bench_suite_names(&suites);
    const bench_case *cases = name ? bench_find_suite(name, &count) : NULL;
    weir_result result = WEIR_OK;
    if (cases) return measure_suite(report, options, cases, count);
    if (name && strcmp(name, "all") == 0) {
        for (size_t i = 0; i < suites && result == WEIR_OK; ++i) {
            cases = bench_find_suite(names[i], &count);
            result = measure_suite(report, options, cases, count);
        }
        return result;
    }
    WEIR_RETURN_IF_ERROR(measure_scene(report, options));
    bench_print_result(report, &report->results.items[0]);
    return WEIR_OK;
}

static weir_result write_files(const bench_report *report, const bench_options *options)
{
    if (options->csv) WEIR_RETURN_IF_ERROR(bench_write_csv(report, options->csv));
    return options->json ? bench_write_json(report, options->json) : WEIR_OK;
}

static weir_result run_bench(bench_report *report, const bench_options *options)
{
    base_time_utc(report->date);
    if (options->trace) WEIR_RETURN_IF_ERROR(weir_trace_start(report->device, options->trace));
    weir_device_set_pass_timing(report->device, true);
    report->before = bench_read_machine_state(report);
    if (report->info.timestamps) {
        WEIR_RETURN_IF_ERROR(weir_device_measure_peaks(report->device, &report->ceilings));
        report->reached = report->ceilings;
        report->measured_ceilings = true;
    }
    bench_print_device(report);
    WEIR_RETURN_IF_ERROR(measure_all(report, options));
    report->after = bench_read_machine_state(report);
    weir_device_get_info(report->device, &report->info);
    WEIR_RETURN_IF_ERROR(weir_trace_finish(report->device));
    return write_files(report, options);
}

static int run_once(const bench_options *options)
{
    bench_report report = {.log = app_log(options->source.quiet)};
    weir_result result = open_device(options, &(bench_sizes){0}, &report);
    if (result == WEIR_OK) result = run_bench(&report, options);
    int status = app_complete_status(&report.log, report.device, result, APP_FAILED);
    close_report(&report);
    return status;
}

/* ---- sweeps --------------------------------------------------------------------------------- */

#define SWEEP_MAX 4

typedef struct sweep {
    bench_sizes sizes[SWEEP_MAX];
    uint32_t values[SWEEP_MAX]; /* the values of the size that varies */
    uint32_t count;
} sweep;

/* Parses "workgroup=64,128,256" or "subgroup=32,64". The device determines the valid subgroup
 * sizes. */
static bool read_sweep(const char *text, sweep *s)
{
    const char *at = strchr(text, '='), *end = text + strlen(text), *next = end;
    bool workgroups = strncmp(text, "workgroup=", 10) == 0;
    int64_t value = 0;
    s->count = 0;
    if (!workgroups && strncmp(text, "subgroup=", 9) != 0) return false;
    for (at++; base_parse_int64(at, end, &value, &next); at = next + 1) {
        bool fits = value == 32 || value == 64 || value == 128 || value == 256;
        if (!workgroups) fits = value > 0 && value <= 128 && (value & (value - 1)) == 0;
        if (!fits || s->count == SWEEP_MAX) return false;
        s->values[s->count] = (uint32_t)value;
        s->sizes[s->count++] = workgroups ? (bench_sizes){.workgroup = (uint32_t)value}
                                          : (bench_sizes){.subgroup = (uint32_t)value};
        if (next == end) return true;
        if (*next != ',') return false;
    }
    return false;
}

/* Prints the time of each pass at each size and marks the shortest. */
static void print_sweep(const bench_report *reports, const sweep *s)
{
    const bench_result *first = &reports[0].results.items[0];
    printf("%-30s", "ms per call");
    for (uint32_t v = 0; v < s->count; ++v)
        printf(" %10u", s->values[v]);
    printf("\n");
    for (uint32_t p = 0; p < first->pass_count; ++p) {
        uint32_t best = 0;
        for (uint32_t v = 1; v < s->count; ++v)
            if (reports[v].results.items[0].passes[p].median_ms <
                reports[best].results.items[0].passes[p].median_ms)
                best = v;
        printf("%-30s", first->passes[p].name);
        for (uint32_t v = 0; v < s->count; ++v)
            printf(" %9.4f%s", reports[v].results.items[0].passes[p].median_ms,
                   v == best ? "*" : " ");
        printf("\n");
    }
}

static int bench_sweep(const bench_options *options, const sweep *s)
{
    bench_report reports[SWEEP_MAX] = {0};
    weir_result result = WEIR_OK;
    int status = APP_DONE;
    for (uint32_t v = 0; v < s->count && status == APP_DONE; ++v) {
        reports[v].log = app_log(options->source.quiet);
        result = open_device(options, &s->sizes[v], &reports[v]);
        if (result == WEIR_OK) result = measure_scene(&reports[v], options);
        status = app_complete_status(&reports[v].log, reports[v].device, result, APP_FAILED);
        weir_device_destroy(&reports[v].device);
    }
    if (status == APP_DONE) print_sweep(reports, s);
    for (uint32_t v = 0; v < s->count; ++v)
        close_report(&reports[v]);
    return status;
}

/* ---- command line --------------------------------------------------------------------------- */

static bool is_suite(const char *name)
{
    size_t count;
    return strcmp(name, "all") == 0 || bench_find_suite(name, &count);
}

static int check_options(const bench_options *options)
{
    const char *name = options->source.scene;
    if (options->from && (!name || is_suite(name)))
        return args_error("--checkpoint needs the scene that the checkpoint was saved from");
    if (options->pass && !options->from) return args_error("--pass needs --checkpoint CHECKPOINT");
    if (options->repeat == 0) return args_error("--repeat needs 1 or more");
    if (options->capture && options->from)
        return args_error("--capture needs frames, and --checkpoint runs none: use one of the two");
    if (options->against && (options->csv || options->trace || options->isa || options->sweep ||
                             options->from || options->capture || (name && is_suite(name))))
        return args_error("--against takes one scene, and of the options for results --json only");
    if (options->rounds < 3 || options->rounds > BENCH_MAX_ROUNDS)
        return args_error("--rounds expects 3 to 100");
    if (options->sweep && name && is_suite(name))
        return args_error("--sweep takes a scene, not a suite");
    if (!name || is_suite(name) || base_path_is_file(name)) return APP_DONE;
    if (strchr(name, '.') || strchr(name, '/'))
        return APP_DONE; /* loading it fails with a message */
    size_t count;
    const char *const *suites = bench_suite_names(&count);
    args_unknown_name("suite", name, suites, count);
    fprintf(stderr, "weir: the suites are ");
    for (size_t i = 0; i < count; ++i)
        fprintf(stderr, "%s, ", suites[i]);
    fprintf(stderr, "all; or name a scene file\n");
    return APP_WRONG_USE;
}

static int run_options(const bench_options *options)
{
    sweep s;
    if (options->compare) return bench_compare(options);
    int status = check_options(options);
    if (status != APP_DONE) return status;
    base_interrupt_install();
    if (options->against) return bench_against(options);
    if (!options->sweep) return run_once(options);
    if (!read_sweep(options->sweep, &s))
        return args_error("--sweep expects workgroup= with up to four of 32, 64, 128 and 256, or "
                          "subgroup= with sizes that the device supports, such as subgroup=32,64");
    return bench_sweep(options, &s);
}

static const char bench_about[] =
    "Measures the GPU time of each pass of a scene (default: the built-in dam break) or of a\n"
    "suite: paper, scaling, mesh, render or all.";

static const char bench_details[] =
    "  paper    the scenes of Macklin and Mueller's tables 1 and 2, at their sizes\n"
    "  scaling  the dam break from 10,000 particles to as many as fit in memory\n"
    "  mesh     surface meshes of the dam break, one of them written as OBJ\n"
    "  render   pictures of the dam break, 640 x 360 to 1920 x 1080\n"
    "  all      every suite\n"
    "For each pass it prints the number of calls, the median GPU time of a call with quartiles,\n"
    "its share of the total, the bytes and operations counted from its declaration, and which\n"
    "limit of the device (measured in the same run) bounds it. No data is read back during a\n"
    "measurement.";

static const char bench_examples[] =
    "weir bench\n"
    "weir bench scenes/dam_break.json --substeps 200 --json before.json\n"
    "weir bench --compare before.json after.json --threshold 5\n"
    "weir bench scene.json --against other/bin/weir\n"
    "weir bench scaling --max-particles 1000000 --csv scaling.csv\n"
    "weir bench scene.json --checkpoint out/checkpoint/state_0001.weir --pass lambda --repeat 100\n"
    "weir bench --trace bench.pftrace";

int bench_main(int argc, char **argv)
{
    bench_options o = {
        .substeps = 40, .warm_up = 2, .repeat = 20, .seconds = 60, .threshold = 5, .rounds = 5};
    const args_option options[] = {
        ARGS_OPTION("substeps", 'n', COUNT, &o.substeps, "N",
                    "measure at least N substeps, in whole frames; default 40"),
        ARGS_EXPERT_OPTION("warm-up", 0, COUNT, &o.warm_up, "N",
                           "frames before the measurement; default 2"),
        ARGS_OPTION("seconds", 0, NUMBER, &o.seconds, "S",
                    "measure fewer substeps if a scene would take longer; default 60"),
        ARGS_OPTION("max-particles", 0, COUNT, &o.most, "N",
                    "skip scenes with more than N particles"),
        ARGS_EXPERT_OPTION("serialize", 0, FLAG, &o.serialize, NULL,
                           "prevent passes from overlapping: exact times per pass, longer total"),
        ARGS_EXPERT_OPTION("statistics", 0, FLAG, &o.statistics, NULL, "count shader invocations"),
        ARGS_OPTION("csv", 0, TEXT, &o.csv, "FILE", "write the table of passes to FILE"),
        ARGS_OPTION("json", 0, TEXT, &o.json, "FILE", "write all results to FILE, for --compare"),
        ARGS_OPTION("trace", 0, TEXT, &o.trace, "FILE",
                    "write a trace of passes and calls for ui.perfetto.dev:\n"
                    "FILE.pftrace in Perfetto's format, else JSON"),
        ARGS_EXPERT_OPTION("isa", 0, TEXT, &o.isa, "DIR",
                           "write the driver's machine code of every pipeline to DIR"),
        ARGS_EXPERT_OPTION("checkpoint", 0, TEXT, &o.from, "CHECKPOINT",
                           "time each pass alone, on this saved state of SCENE"),
        ARGS_EXPERT_OPTION("pass", 0, TEXT, &o.pass, "NAME",
                           "time only this pass, with --checkpoint"),
        ARGS_EXPERT_OPTION("repeat", 0, COUNT, &o.repeat, "N",
                           "repetitions of a pass, with --checkpoint; default 20"),
        ARGS_OPTION("sweep", 0, TEXT, &o.sweep, "KEY=N,N",
                    "measure SCENE with several sizes; KEY is workgroup or subgroup"),
        ARGS_EXPERT_OPTION("capture", 0, COUNT, &o.capture, "FRAME",
                           "capture this frame with RenderDoc; frames count from 1"),
        ARGS_OPTION("compare", 0, FLAG, &o.compare, NULL,
                    "compare each JSON file with the first one"),
        ARGS_OPTION("against", 0, TEXT, &o.against, "PROGRAM",
                    "measure this baseline and this program in turn, and compare"),
        ARGS_EXPERT_OPTION("rounds", 0, COUNT, &o.rounds, "N",
                           "rounds of --against, 3 to 100; default 5"),
        ARGS_OPTION("threshold", 0, NUMBER, &o.threshold, "PERCENT",
                    "smallest difference that --compare and --against count; default 5"),
        APP_SCENE_OPTIONS(o.source)};
    const args_command command = {
        .name = "bench",
        .usage = "[SUITE | SCENE] [options]",
        .about = bench_about,
        .details = bench_details,
        .examples = bench_examples,
        .options = options,
        .option_count = BASE_COUNT(options),
        .operand = &o.source.scene,
        .operands = &o.files,
    };
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    if (!o.compare && o.files.count > 1)
        return args_error("only --compare takes more than one file");
    return run_options(&o);
}
