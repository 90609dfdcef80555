/* weir foam: whitewater over stored particles. */
#include "stored_foam_internal.h"

#define LEFT_OUT "left out, and whitewater goes through them"
#define WINDOW 3u /* frames in memory: one, the one before and the one behind */

typedef struct foam_job {
    foam_plan plan;
    weir_device *device;
    weir_foam *foam;
    stored_bodies bodies; /* those of the run */
    app_progress progress;
    size_t done;
    weir_foam_counts last;
    uint64_t born;
    foam_survey survey;
    bool told; /* that velocities come from differences */
} foam_job;

/* ---- a frame -------------------------------------------------------------------------------- */

static weir_result step(foam_job *job, const foam_stored *frame)
{
    weir_points *points = NULL;
    stored_bodies *bodies = &job->bodies;
    WEIR_NEED(stored_bodies_read(bodies, &job->plan.written, frame->number));
    WEIR_NEED(weir_foam_place_bodies(job->foam, bodies->poses, bodies->count));
    weir_points_def def = frame->file.points;
    def.position = frame->position;
    def.velocity = frame->velocity;
    def.spacing_m = job->plan.info.spacing_m;
    def.radius_m = job->plan.info.support_radius_m;
    WEIR_NEED(weir_points_from_host(job->device, &def, &points));
    weir_result result =
        job->plan.options->probe
            ? foam_survey_add(&job->survey, &job->plan, job->foam, points, def.count)
            : weir_foam_step(job->foam, points, frame->time_s, frame->number);
    weir_points_release(&points);
    return result;
}

/* The whitewater's file of the frame. */
static weir_result save(foam_job *job, const sequence_file *file)
{
    char rest[128];
    const foam_plan *plan = &job->plan;
    if (plan->options->probe) {
        app_progress_say(&job->progress, ++job->done, file->path);
        return WEIR_OK;
    }
    char *path = base_format("%s/foam_%04u.%s", plan->folder, file->frame,
                             weir_name(WEIR_NAMES_FORMAT, plan->written.format));
    if (!path) return base_fail(&plan->log, WEIR_MEMORY, "no memory for a file's name");
    weir_result result = weir_foam_save(job->foam, path, &plan->written);
    job->last = weir_foam_count(job->foam);
    job->born +=
        (uint64_t)job->last.born_of_air + job->last.born_of_crests + job->last.born_of_curl;
    snprintf(rest, sizeof rest, "%s: spray %u, foam %u, bubbles %u", base_path_name(path),
             job->last.spray, job->last.foam, job->last.bubbles);
    base_free(path);
    if (result == WEIR_OK) app_progress_say(&job->progress, ++job->done, rest);
    return result;
}

static void say_differences(foam_job *job, const sequence_file *file)
{
    if (!job->told)
        base_log(&job->plan.log, WEIR_LOG_INFO,
                 "%s has no velocities: they are found from how far each id moves between frames",
                 file->path);
    job->told = true;
}

/* ---- all frames ----------------------------------------------------------------------------- */

/* `window`: the frame of the last turn, that of this one, and room for the next. */
static weir_result run_frame(foam_job *job, size_t i, foam_stored window[WINDOW])
{
    const foam_plan *plan = &job->plan;
    const sequence_file *files = plan->files.files.items;
    foam_stored *frame = &window[1], *next = &window[2];
    if (i == 0) WEIR_NEED(foam_stored_load(plan, &files[0], frame));
    if (i + 1 < plan->files.files.count) WEIR_NEED(foam_stored_load(plan, &files[i + 1], next));
    if (!frame->velocity) {
        say_differences(job, &files[i]);
        WEIR_NEED(foam_stored_differ(plan, &window[0], next, frame));
    }
    WEIR_NEED(step(job, frame));
    WEIR_NEED(save(job, &files[i]));
    foam_stored_free(&window[0]);
    memmove(window, window + 1, (WINDOW - 1) * sizeof *window);
    window[WINDOW - 1] = (foam_stored){0};
    return WEIR_OK;
}

static weir_result run_all(foam_job *job)
{
    weir_result result = WEIR_OK;
    foam_stored window[WINDOW] = {{.file = {.time_s = 0}}};
    const foam_plan *plan = &job->plan;
    if (!plan->options->probe) WEIR_NEED(base_folder_make(&plan->log, plan->folder));
    for (size_t i = 0; result == WEIR_OK && i < plan->files.files.count && !base_interrupted(); i++)
        result = run_frame(job, i, window);
    for (uint32_t k = 0; k < WINDOW; k++)
        foam_stored_free(&window[k]);
    return result;
}

/* Reads where the scene's bodies were. */
static weir_result open_bodies(foam_job *job)
{
    const foam_plan *plan = &job->plan;
    uint32_t count = weir_scene_body_count(plan->scene);
    if (count == 0) return WEIR_OK;
    if (plan->run) WEIR_NEED(stored_bodies_open(&plan->log, plan->run, LEFT_OUT, &job->bodies));
    if (job->bodies.file.size == 0)
        base_log(&plan->log, WEIR_LOG_WARNING,
                 "where the %u bodies of the scene were is not known: expected it in %s, which a "
                 "run writes beside its frames: they are " LEFT_OUT,
                 count, plan->run ? job->bodies.path : "a file bodies.jsonl beside a run.json");
    return WEIR_OK;
}

static weir_result open_job(const foam_options *options, foam_job *job)
{
    weir_result result = foam_plan_make(options, &job->plan);
    if (result != WEIR_OK) return result;
    const weir_device_def def = app_device_def(&options->source, &job->plan.log);
    WEIR_NEED(weir_device_create(&def, &job->device));
    WEIR_NEED(open_bodies(job));
    return weir_foam_create(job->device, job->plan.scene, &job->foam);
}

static void print_summary(const foam_job *job, double seconds)
{
    char time[32];
    printf("%s: %zu frames in %s, %llu particles born; at the end %u of spray, %u of foam, "
           "%u bubbles\n",
           job->plan.folder, job->done, app_print_seconds(time, seconds),
           (unsigned long long)job->born, job->last.spray, job->last.foam, job->last.bubbles);
}

static int make_whitewater(const foam_options *options)
{
    foam_job *job = base_alloc(1, sizeof *job);
    if (!job) return APP_FAILED;
    double start_s = base_time_s();
    base_interrupt_install();
    weir_result result = open_job(options, job);
    foam_plan *plan = &job->plan;
    app_progress_start(&job->progress, 0, plan->files.files.count, options->source.quiet);
    if (result == WEIR_OK) result = run_all(job);
    app_progress_end();
    if (result == WEIR_OK && options->probe)
        foam_survey_print(&job->survey);
    else if (result == WEIR_OK && !options->source.quiet)
        print_summary(job, base_time_s() - start_s);
    int status = app_whole_status(&plan->log, job->device, result);
    weir_foam_destroy(&job->foam);
    stored_bodies_close(&job->bodies);
    weir_device_destroy(&job->device);
    foam_plan_free(plan);
    base_free(job);
    return status;
}

/* ---- command line --------------------------------------------------------------------------- */

static const char *const ups[] = {"y", "z"};

static const char about[] =
    "Makes spray, foam and bubbles over stored particles, so that whitewater is tuned without\n"
    "simulating again: files, folders, patterns, or the folder of a run. Writes foam_0001.ply and "
    "so\n"
    "on, which the first frame only begins. The particles need velocities, or ids by which\n"
    "velocities are found from frame to frame. The scene, with its solids, gravity and foam, is "
    "the\n"
    "one that --scene names, else that of the run's run.json; without one a tank around all "
    "frames\n"
    "takes its place, closed but for its top. --set changes any of its values. Frames of Weir "
    "with\n"
    "the same settings give the same whitewater as weir run. docs/whitewater.md says more.";

static const char examples[] =
    "weir foam out/dam --set foam.amount=3 -o out/dam/more_foam\n"
    "weir foam out/dam --probe\n"
    "weir foam 'sim/particles_*.ply' --rate 50 -o foam\n"
    "weir foam 'sim/ParticleData_Fluid_{}.vtk' --scene tank.json --format vtk -o foam";

int foam_main(int argc, char **argv)
{
    const char *formats[WEIR_FORMAT_RAW];
    args_names(WEIR_NAMES_FORMAT, formats, WEIR_FORMAT_RAW); /* raw holds positions alone */
    foam_options o = {
        .format = ARGS_NOT_GIVEN, .up = ARGS_NOT_GIVEN, .frames = {0, UINT32_MAX - 1}};
    const args_option options[] = {
        ARGS_OPTION("output", 'o', TEXT, &o.folder, "DIR",
                    "where the whitewater goes; default: foam in the run's folder"),
        ARGS_OPTION("scene", 0, TEXT, &o.source.scene, "FILE", "domain, solids, gravity and foam"),
        ARGS_OPTION(
            "set", 0, LIST, &o.source.set, "KEY=VALUE",
            "change one value of the scene, such as foam.amount=2;\nmay be given many times"),
        ARGS_OPTION("frames", 0, RANGE, &o.frames, "A:B", "only frames A to B; \"B\" is \"0:B\""),
        ARGS_OPTION("probe", 0, FLAG, &o.probe, NULL,
                    "make nothing: print how the potentials are spread that\nbirths depend on"),
        ARGS_OPTION("rate", 0, NUMBER, &o.rate, "HZ",
                    "frames per second; default: the files' times, or the run's"),
        ARGS_OPTION("spacing", 0, NUMBER, &o.spacing, "M",
                    "of the particles, where no scene says it; default: found"),
        ARGS_CHOICE_OPTION("format", &o.format, "FORMAT",
                           "ply, vtk, bgeo, xyz or npy; default: the run's, or ply", formats,
                           BASE_COUNT(formats)),
        ARGS_CHOICE_OPTION("up", &o.up, "y|z",
                           "the axis that is up in the files; default: the run's, or y", ups, 2),
        APP_DEVICE_OPTIONS(o.source),
        APP_QUIET_OPTION(o.source)};
    const args_command command = {.name = "foam",
                                  .usage = "PARTICLES... [options]",
                                  .about = about,
                                  .examples = examples,
                                  .options = options,
                                  .option_count = BASE_COUNT(options),
                                  .operands = &o.words,
                                  .operand_needed = true};
    args_outcome outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    return make_whitewater(&o);
}
