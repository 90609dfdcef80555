/* weir whitewater: computes whitewater for stored particles. */
#include "whitewater_command_internal.h"

#define BODIES_IGNORED_TEXT "ignored, and whitewater passes through them"
#define FRAME_WINDOW 3u /* frames in memory: the current one, the previous one and the next */

typedef struct whitewater_job {
    whitewater_plan plan;
    weir_device *device;
    weir_whitewater *whitewater;
    bodies_jsonl bodies; /* of the run */
    app_progress progress;
    size_t done;
    weir_whitewater_counts last;
    uint64_t born;
    potential_histogram survey;
    bool velocities_reported; /* it was reported that velocities come from differences */
} whitewater_job;

/* ---- a frame -------------------------------------------------------------------------------- */

static weir_result step_whitewater(whitewater_job *job, const whitewater_input_frame *frame)
{
    weir_points *points = NULL;
    bodies_jsonl *bodies = &job->bodies;
    WEIR_RETURN_IF_ERROR(bodies_jsonl_read_frame(bodies, &job->plan.written, frame->number));
    WEIR_RETURN_IF_ERROR(
        weir_whitewater_set_body_poses(job->whitewater, bodies->poses, bodies->count));
    weir_points_def def = frame->file.points;
    def.position = frame->position;
    def.velocity = frame->velocity;
    def.spacing_m = job->plan.info.spacing_m;
    def.support_radius_m = job->plan.info.support_radius_m;
    WEIR_RETURN_IF_ERROR(weir_points_create(job->device, &def, &points));
    weir_result result =
        job->plan.options->probe
            ? potential_histogram_add(&job->survey, &job->plan, job->whitewater, points, def.count)
            : weir_whitewater_step(job->whitewater, points, frame->time_s, frame->number);
    weir_points_release(&points);
    return result;
}

/* Returns the path of the frame's whitewater. Release with base_free. */
static char *whitewater_path(const whitewater_plan *plan, const sequence_file *file)
{
    return base_format("%s/whitewater_%04u.%s", plan->folder, file->frame,
                       weir_enum_name(WEIR_ENUM_PARTICLE_FORMAT, plan->written.particle_format));
}

/* Writes the whitewater file of the frame. */
static weir_result save_whitewater(whitewater_job *job, const sequence_file *file)
{
    char rest[128];
    const whitewater_plan *plan = &job->plan;
    if (plan->options->probe) {
        app_progress_show_text(&job->progress, ++job->done, file->path);
        return WEIR_OK;
    }
    char *path = whitewater_path(plan, file);
    if (!path)
        return base_fail(&plan->log, WEIR_ERROR_MEMORY, "not enough memory for a file's name");
    weir_result result = weir_whitewater_save(job->whitewater, path, &plan->written);
    job->last = weir_whitewater_get_counts(job->whitewater);
    job->born += (uint64_t)job->last.emitted_by_trapped_air + job->last.emitted_by_wave_crests +
                 job->last.emitted_by_curl;
    snprintf(rest, sizeof rest, "%s: spray %u, foam %u, bubbles %u, tracers %u",
             base_path_name(path), job->last.spray, job->last.foam, job->last.bubbles,
             job->last.tracers);
    base_free(path);
    if (result == WEIR_OK) app_progress_show_text(&job->progress, ++job->done, rest);
    return result;
}

static void report_derived_velocities(whitewater_job *job, const sequence_file *file)
{
    if (!job->velocities_reported)
        base_log(&job->plan.log, WEIR_LOG_INFO,
                 "%s has no velocities: computing them from the motion of each id between frames",
                 file->path);
    job->velocities_reported = true;
}

/* ---- all frames ----------------------------------------------------------------------------- */

/* Processes one frame. `window`: the previous frame, the current one, and space for the next. */
static weir_result run_frame(whitewater_job *job, size_t i,
                             whitewater_input_frame window[FRAME_WINDOW])
{
    const whitewater_plan *plan = &job->plan;
    const sequence_file *files = plan->files.files.items;
    whitewater_input_frame *frame = &window[1], *next = &window[2];
    if (i == 0) WEIR_RETURN_IF_ERROR(whitewater_input_load(plan, &files[0], frame));
    if (i + 1 < plan->files.files.count)
        WEIR_RETURN_IF_ERROR(whitewater_input_load(plan, &files[i + 1], next));
    if (!frame->velocity) {
        report_derived_velocities(job, &files[i]);
        WEIR_RETURN_IF_ERROR(whitewater_input_velocities(plan, &window[0], next, frame));
    }
    WEIR_RETURN_IF_ERROR(step_whitewater(job, frame));
    WEIR_RETURN_IF_ERROR(save_whitewater(job, &files[i]));
    whitewater_input_free(&window[0]);
    memmove(window, window + 1, (FRAME_WINDOW - 1) * sizeof *window);
    window[FRAME_WINDOW - 1] = (whitewater_input_frame){0};
    return WEIR_OK;
}

static weir_result run_all_frames(whitewater_job *job)
{
    weir_result result = WEIR_OK;
    whitewater_input_frame window[FRAME_WINDOW] = {{.file = {.time_s = 0}}};
    const whitewater_plan *plan = &job->plan;
    if (!plan->options->probe) WEIR_RETURN_IF_ERROR(base_folder_make(&plan->log, plan->folder));
    for (size_t i = 0; result == WEIR_OK && i < plan->files.files.count && !base_interrupted(); i++)
        result = run_frame(job, i, window);
    for (uint32_t k = 0; k < FRAME_WINDOW; k++)
        whitewater_input_free(&window[k]);
    return result;
}

/* Opens the poses of the scene's bodies. */
static weir_result open_bodies(whitewater_job *job)
{
    const whitewater_plan *plan = &job->plan;
    uint32_t count = weir_scene_body_count(plan->scene);
    if (count == 0) return WEIR_OK;
    if (plan->run)
        WEIR_RETURN_IF_ERROR(
            bodies_jsonl_open(&plan->log, plan->run, BODIES_IGNORED_TEXT, &job->bodies));
    if (job->bodies.file.size == 0)
        base_log(&plan->log, WEIR_LOG_WARNING,
                 "the poses of the scene's %u bodies are unknown: expected them in %s, which a run "
                 "writes next to its frames; the bodies are " BODIES_IGNORED_TEXT,
                 count, plan->run ? job->bodies.path : "a file bodies.jsonl next to a run.json");
    return WEIR_OK;
}

static weir_result open_job(whitewater_job *job)
{
    const weir_device_def def = app_device_def(&job->plan.options->source, &job->plan.log);
    WEIR_RETURN_IF_ERROR(weir_device_create(&def, &job->device));
    WEIR_RETURN_IF_ERROR(open_bodies(job));
    return weir_whitewater_create(job->device, job->plan.scene, &job->whitewater);
}

static void print_summary(const whitewater_job *job, double seconds)
{
    char time[32];
    printf("%s: %zu frame%s in %s, %llu particle%s emitted; at the end %u spray, %u foam, %u "
           "bubble%s\n",
           job->plan.folder, job->done, base_plural(job->done), app_print_seconds(time, seconds),
           (unsigned long long)job->born, base_plural(job->born), job->last.spray, job->last.foam,
           job->last.bubbles, base_plural(job->last.bubbles));
}

/* Returns whether all frames have their files. */
static bool is_done(const whitewater_plan *plan)
{
    bool done = plan->files.files.count > 0;
    for (size_t i = 0; i < plan->files.files.count && done; i++) {
        char *path = whitewater_path(plan, &plan->files.files.items[i]);
        done = path && base_path_is_file(path);
        base_free(path);
    }
    if (done && !plan->options->source.quiet)
        printf("%s: all %zu frames have whitewater\n", plan->folder, plan->files.files.count);
    return done;
}

static int run_whitewater(const whitewater_options *options)
{
    whitewater_job *job = base_alloc(1, sizeof *job);
    if (!job) return APP_FAILED;
    double start_s = base_time_s();
    base_interrupt_install();
    whitewater_plan *plan = &job->plan;
    weir_result result = whitewater_plan_create(options, plan);
    if (result == WEIR_OK && options->skip_done && is_done(plan)) {
        whitewater_plan_free(plan);
        base_free(job);
        return APP_DONE;
    }
    if (result == WEIR_OK) result = open_job(job);
    app_progress_start(&job->progress, 0, plan->files.files.count, options->source.quiet);
    if (result == WEIR_OK) result = run_all_frames(job);
    app_progress_end();
    if (result == WEIR_OK && options->probe)
        potential_histogram_print(&job->survey);
    else if (result == WEIR_OK && !options->source.quiet)
        print_summary(job, base_time_s() - start_s);
    int status = app_complete_status(&plan->log, job->device, result, APP_STOPPED);
    weir_whitewater_destroy(&job->whitewater);
    bodies_jsonl_close(&job->bodies);
    weir_device_destroy(&job->device);
    whitewater_plan_free(plan);
    base_free(job);
    return status;
}

/* ---- command line --------------------------------------------------------------------------- */

static const char *const ups[] = {"y", "z"};

static const char about[] =
    "Adds spray, foam and bubbles to stored particles (files, folders, patterns, or the folder of\n"
    "a run), so that whitewater can be tuned without simulating again. Writes whitewater_0001.ply\n"
    "and so on; the first frame has no whitewater.";

static const char details[] =
    "The particles need velocities, or ids from which velocities are computed. The scene, with\n"
    "its solids, gravity and foam, comes from --scene, else from the run's run.json; without one,\n"
    "a tank around all frames is used, closed except at its top. --set overrides its values. With\n"
    "the same settings, frames of Weir give the same whitewater as weir run. See\n"
    "docs/whitewater.md.";

static const char examples[] =
    "weir whitewater out/dam --set whitewater.emission_rate=3 -o out/dam/more_whitewater\n"
    "weir whitewater out/dam --probe\n"
    "weir whitewater 'sim/particles_*.ply' --rate 50 -o whitewater\n"
    "weir whitewater 'sim/ParticleData_Fluid_{}.vtk' --scene tank.json --format vtk -o whitewater";

/* Lists the formats that hold more than positions. */
static uint32_t list_formats(const char **names, uint32_t *ids)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < WEIR_PARTICLE_FORMAT_COUNT; i++) {
        if (!weir_particle_format_has_fields((weir_particle_format)i)) continue;
        names[count] = weir_enum_name(WEIR_ENUM_PARTICLE_FORMAT, i);
        ids[count++] = i;
    }
    return count;
}

int whitewater_main(int argc, char **argv)
{
    const char *formats[WEIR_PARTICLE_FORMAT_COUNT];
    uint32_t ids[WEIR_PARTICLE_FORMAT_COUNT], format_count = list_formats(formats, ids);
    char formats_help[ARGS_JOINED];
    args_join(formats_help, "", formats, format_count, "; default: the run's, or ply");
    whitewater_options o = {
        .format = ARGS_NOT_GIVEN, .up = ARGS_NOT_GIVEN, .frames = {0, UINT32_MAX - 1}};
    const args_option options[] = {
        ARGS_OPTION("output", 'o', TEXT, &o.folder, "DIR",
                    "output folder; default: whitewater in the run's folder"),
        ARGS_OPTION("scene", 0, TEXT, &o.source.scene, "FILE", "domain, solids, gravity and foam"),
        ARGS_OPTION("set", 0, LIST, &o.source.set, "KEY=VALUE",
                    "override a value of the scene; repeatable"),
        ARGS_OPTION("frames", 0, RANGE, &o.frames, "A:B", "only frames A to B; \"B\" is \"0:B\""),
        ARGS_OPTION("skip-existing", 0, FLAG, &o.skip_done, NULL,
                    "do nothing if all frames have whitewater already, for job scripts"),
        ARGS_OPTION("probe", 0, FLAG, &o.probe, NULL,
                    "print statistics of the emission criteria; write nothing"),
        ARGS_OPTION("rate", 0, NUMBER, &o.rate, "HZ",
                    "frames per second; default: the files' times, or the run's"),
        ARGS_OPTION("spacing", 0, NUMBER, &o.spacing, "M",
                    "particle spacing, if no scene gives it; default: estimated"),
        ARGS_CHOICE_OPTION("format", &o.format, "FORMAT", formats_help, formats, format_count),
        ARGS_CHOICE_OPTION("up", &o.up, "y|z", "up axis of the files; default: the run's, or y",
                           ups, 2),
        APP_DEVICE_OPTIONS(o.source),
        APP_QUIET_OPTION(o.source)};
    const args_command command = {.name = "whitewater",
                                  .usage = "PARTICLES... [options]",
                                  .about = about,
                                  .details = details,
                                  .examples = examples,
                                  .options = options,
                                  .option_count = BASE_COUNT(options),
                                  .operands = &o.words,
                                  .operand_needed = true};
    args_result outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome;
    if (o.format != ARGS_NOT_GIVEN) o.format = ids[o.format];
    return run_whitewater(&o);
}
