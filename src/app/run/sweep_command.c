/* weir run --sweep: runs the combinations, one of them, or collects their table. */
#include "run_internal.h"

/* Runs one combination, or leaves it alone if --resume=auto finds it complete. */
static int run_one(const run_options *options, const sweep *s, sweep_run *run)
{
    const weir_log log = app_log(options->source.quiet);
    run_options one = *options;
    one.sweep_run = run;
    one.folder = run->folder;
    for (size_t i = 0; i < s->axis_count; ++i)
        one.source.set.items[one.source.set.count++] = run->settings[i];
    if (run_job_is_wanted(&one)) return run_job(&one);
    if (one.resume_auto && !resume_choose(&one))
        return sweep_read_run(&log, run) == WEIR_OK ? APP_DONE : APP_FAILED;
    int status = run_scene(&one);
    /* The frames before the interruption are in the folder only. */
    if (one.resume && status == APP_DONE && sweep_read_run(&log, run) != WEIR_OK)
        status = APP_FAILED;
    return status;
}

/* Runs the scene once per combination, in DIR/key=value, then prints the table. A run that fails
 * does not stop the others; the status of the first failure is returned. */
static int run_all(const run_options *options, const sweep *s)
{
    int status = APP_DONE;
    const weir_log log = app_log(options->source.quiet);
    for (size_t i = 0; i < s->runs.count && !base_interrupted(); ++i) {
        int own = run_one(options, s, &s->runs.items[i]);
        if (status == APP_DONE) status = own;
    }
    const weir_result written = sweep_finish(&log, s, options->folder);
    if (status == APP_DONE && base_interrupted()) status = APP_STOPPED;
    return written == WEIR_OK ? status : APP_FAILED;
}

#define NAMED_RUNS 8u /* of those that are not complete */

/* Reads all folders and writes the table. */
static int collect(const run_options *options, const sweep *s)
{
    base_text names = {0};
    size_t open = 0;
    const weir_log log = app_log(options->source.quiet);
    weir_result result = WEIR_OK;
    for (size_t i = 0; i < s->runs.count && result == WEIR_OK; ++i) {
        sweep_run *run = &s->runs.items[i];
        result = sweep_read_run(&log, run);
        if (result != WEIR_OK || sweep_run_is_complete(run)) continue;
        if (++open <= NAMED_RUNS)
            base_text_append(&names, "%s--only %zu (%s)", open > 1 ? ", " : "", i, run->outcome);
    }
    if (result == WEIR_OK) result = sweep_finish(&log, s, options->folder);
    if (result == WEIR_OK && open > 0)
        result = base_fail(&log, WEIR_ERROR_IO,
                           "%s: %zu of %zu runs %s not complete: %s%s; run them with these options",
                           options->folder, open, s->runs.count, open == 1 ? "is" : "are",
                           names.items ? names.items : "", open > NAMED_RUNS ? " and more" : "");
    base_free(names.items);
    return app_status(&log, NULL, result);
}

static int run_only(const run_options *options, const sweep *s)
{
    if (options->only < s->runs.count) return run_one(options, s, &s->runs.items[options->only]);
    fprintf(stderr, "weir: --only %u: the sweep has runs 0 to %zu\n", options->only,
            s->runs.count - 1);
    return APP_WRONG_USE;
}

int sweep_main(const run_options *options, int argc, char *const *argv)
{
    sweep s = {0};
    int status = APP_DONE;
    if (options->sweeps.count + options->source.set.count > ARGS_LIST_MAX) {
        fprintf(stderr, "weir: --set and --sweep are given %u times, at most %u are possible\n",
                options->sweeps.count + options->source.set.count, ARGS_LIST_MAX);
        status = APP_WRONG_USE;
    } else if (!sweep_parse(&options->sweeps, options->folder, &s)) {
        status = APP_WRONG_USE;
    } else if (options->list) {
        sweep_list(&s, argc, argv);
    } else if (options->collect) {
        status = collect(options, &s);
    } else if (options->only != ARGS_NOT_GIVEN) {
        status = run_only(options, &s);
    } else if (run_job_is_wanted(options)) {
        status = args_error("--sweep under an MPI launcher needs --only N: start a job for each of "
                            "the runs, which --list prints");
    } else {
        status = run_all(options, &s);
    }
    sweep_free(&s);
    return status;
}
