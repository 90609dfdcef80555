/* One run of weir run: simulates a scene and writes its frames. */
#include "run_internal.h"
#include "weir/profile.h"
#include "weir/start.h"

/* Automatic checkpoints, which no option requests. */
#define CHECKPOINT_S 120.0
#define CHECKPOINT_TIME_RATIO 0.02 /* maximum fraction of the run's time */
/* Disk space per particle for a checkpoint and all frames that may be queued. */
#define DISK_BYTES_PER_PARTICLE 512u

typedef struct run_state {
    const run_options *options;
    app_context work;
    run_ranks ranks;
    char *folder;
    base_lock *lock; /* on the folder */
    weir_output_def def;
    weir_sim *sim;
    weir_output *output;
    pictures pictures;    /* for --images or --video */
    uint64_t first, last; /* frames at which the run starts and ends */
    app_progress progress;
    run_times times;
    app_capture capture;
    double checkpoint_at_s; /* base_time_s of the next automatic checkpoint */
    bool disk_is_low;
    uint64_t iterations, substeps, unconverged_substeps; /* totals of the simulated frames */
    uint32_t overcompressed;                             /* weir_stats.overcompressed_frames */
    double worst_mean, worst_max; /* density errors at the end of the iterations */
    uint64_t hash;                /* of the last state */
    uint32_t complaints;          /* of the validation layers about the later ranks' devices */
} run_state;

/* ---- before the first frame ----------------------------------------------------------------- */

/* Returns the run.json that is the scene of a resumed run without a scene. Release with
 * base_free. */
static char *resumed_run_json(const run_options *options)
{
    return options->resume && !options->source.scene ? base_path_join(options->folder, "run.json")
                                                     : NULL;
}

static weir_result apply_mesh_options(const run_options *options, weir_output_def *def)
{
    if (options->mesh != ARGS_NOT_GIVEN) {
        def->mesh = options->mesh < WEIR_MESH_FORMAT_COUNT;
        if (def->mesh) def->mesh_format = (weir_mesh_format)options->mesh;
    }
    return mesh_surface_options_apply(&options->surface, def);
}

/* Rejects fields with a format that holds positions alone. */
static weir_result check_fields(const run_options *options, const weir_output_def *def)
{
    bool bare = def->particles && !weir_particle_format_has_fields(def->particle_format);
    if (!bare || options->fields == ARGS_NOT_GIVEN) return WEIR_OK;
    return base_fail(&def->log, WEIR_ERROR_ARGUMENT,
                     "%s files store only positions, and --fields requests more: omit --fields, "
                     "or choose another format with --particles, such as npy",
                     weir_enum_name(WEIR_ENUM_PARTICLE_FORMAT, def->particle_format));
}

static weir_result check_range(const run_options *options, const run_state *r)
{
    const uint32_t last = r->work.scene_info.frame_count;
    if (options->frames.last == ARGS_NOT_GIVEN || options->frames.first <= last) return WEIR_OK;
    return base_fail(&r->work.log, WEIR_ERROR_ARGUMENT,
                     "--frames starts with frame %u, but the scene ends with frame %u: choose "
                     "earlier frames, or a longer time with --seconds",
                     options->frames.first, last);
}

/* Reads the settings of run.json, if the scene is one, then applies those of the command line. */
static weir_result make_output_def(run_state *r, const char *scene)
{
    const run_options *options = r->options;
    r->def = weir_output_def_default();
    r->def.log = r->work.log;
    if (scene) WEIR_RETURN_IF_ERROR(weir_output_def_read(scene, &r->def));
    r->def.resume = options->resume;
    if (r->def.started_from[0] && !options->resume && !options->from)
        base_log(&r->work.log, WEIR_LOG_WARNING,
                 "%s: that run started from %s; this one starts from the scene's fills unless you "
                 "give --from %s",
                 scene, r->def.started_from, r->def.started_from);
    if (!options->resume)
        snprintf(r->def.started_from, sizeof r->def.started_from, "%s",
                 options->from ? options->from : "");
    if (options->frames.last != ARGS_NOT_GIVEN) {
        r->def.first_frame = options->frames.first;
        r->def.last_frame = options->frames.last;
    }
    if (options->start_frame != ARGS_NOT_GIVEN) r->def.start_frame = options->start_frame;
    if (options->particles != ARGS_NOT_GIVEN) {
        r->def.particles = options->particles < WEIR_PARTICLE_FORMAT_COUNT;
        if (r->def.particles) r->def.particle_format = (weir_particle_format)options->particles;
    }
    if (options->fields != ARGS_NOT_GIVEN) r->def.fields = options->fields;
    if (options->up != ARGS_NOT_GIVEN) r->def.y_up = options->up == 0;
    if (options->scale > 0) r->def.scale = options->scale;
    if (options->gauges != ARGS_NOT_GIVEN) r->def.gauges_per_substep = options->gauges == 1;
    WEIR_RETURN_IF_ERROR(check_fields(options, &r->def));
    WEIR_RETURN_IF_ERROR(check_range(options, r));
    return apply_mesh_options(options, &r->def);
}

/* Prepares the output folder. Rejects a folder that another run is writing to, and one that
 * contains a run, unless an option says what to do with that run. */
static weir_result prepare_folder(run_state *r)
{
    const run_options *options = r->options;
    const weir_log *log = &r->work.log;
    r->folder =
        options->folder ? base_strdup(options->folder) : run_folder_choose(r->work.scene_info.name);
    if (!r->folder)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a folder's name");
    r->def.folder = r->folder;
    WEIR_RETURN_IF_ERROR(base_lock_acquire(log, r->folder, &r->lock));
    WEIR_RETURN_IF_ERROR(run_folder_remove_temporaries(log, r->folder));
    if (options->resume || !run_folder_is_used(r->folder)) return WEIR_OK;
    if (options->force) return run_folder_clear(log, r->folder);
    return base_fail(log, WEIR_ERROR_ARGUMENT,
                     "%s already holds a run: continue it with --resume, replace it with --force, "
                     "or name another folder with -o",
                     r->folder);
}

/* Refuses a video that cannot be made, before the folder is. */
static weir_result check_video(const run_state *r)
{
    const pictures_options *pictures = &r->options->pictures;
    if (pictures->video && r->work.scene_info.frame_count == 0)
        return base_fail(&r->work.log, WEIR_ERROR_ARGUMENT,
                         "--video: the scene has no frames after frame 0, for its duration is 0 s: "
                         "choose a longer time with --seconds");
    return pictures_check_video(&r->work.log, pictures);
}

static bool needs_pictures(const run_state *r)
{
    return r->options->images || r->options->pictures.video;
}

/* A run's folder records the scene and the files, but not the pictures. */
static void warn_of_missing_pictures(const run_state *r, const char *folder)
{
    if (r->options->resume && folder && base_path_is_folder(folder))
        base_log(&r->work.log, WEIR_LOG_WARNING,
                 "%s has pictures of earlier frames; the frames from here on get none unless you "
                 "give --images and the options of the pictures again",
                 folder);
}

static weir_result open_pictures(run_state *r)
{
    char *folder = base_path_join(r->folder, "images");
    if (!needs_pictures(r)) {
        warn_of_missing_pictures(r, folder);
        base_free(folder);
        return WEIR_OK;
    }
    if (!folder)
        return base_fail(&r->work.log, WEIR_ERROR_MEMORY, "not enough memory for a folder's name");
    const pictures_def def = {.options = &r->options->pictures,
                              .device = r->work.device,
                              .log = r->work.log,
                              .scene = r->work.scene,
                              .folder = folder,
                              .frame_rate_hz = r->work.scene_info.frame_rate_hz};
    weir_result result = pictures_open(&def, &r->pictures);
    base_free(folder);
    return result;
}

/* Compression at which a fluid still looks incompressible; see weir_stats.recommended_substeps. */
#define TARGET_COMPRESSION 0.01

static weir_result report_compression(run_state *r)
{
    weir_stats stats;
    WEIR_RETURN_IF_ERROR(weir_sim_get_stats(r->sim, &stats));
    /* for WCSPH, more substeps do not help */
    if (stats.predicted_compression > TARGET_COMPRESSION &&
        stats.recommended_substeps > r->work.scene_info.substeps)
        base_log(&r->work.log, WEIR_LOG_INFO,
                 "the weight of the fluid will compress it by %.2g %% at the floor; "
                 "solver.substeps %u instead of %u would keep that below %g %%",
                 100 * stats.predicted_compression, stats.recommended_substeps,
                 r->work.scene_info.substeps, 100 * TARGET_COMPRESSION);
    return WEIR_OK;
}

/* Returns the last frame that the run computes. */
static uint32_t last_frame(const run_state *r)
{
    const uint32_t last = r->work.scene_info.frame_count;
    return r->def.last_frame < last ? r->def.last_frame : last;
}

static weir_result report_needs(run_state *r)
{
    weir_stats stats;
    WEIR_RETURN_IF_ERROR(weir_sim_get_stats(r->sim, &stats));
    run_needs_report(&r->def, &r->work.info, &stats, last_frame(r));
    return WEIR_OK;
}

/* Creates the simulation: of the scene, of a checkpoint, or of a stored frame of another run. */
static weir_result create_sim(run_state *r)
{
    const run_options *options = r->options;
    const char *from = options->from;
    run_start start;
    if (!from || base_path_is_file(from)) {
        WEIR_RETURN_IF_ERROR(
            options->comm
                ? weir_sim_create_on_comm(r->work.device, r->work.scene, options->comm, &r->sim)
                : weir_sim_create_on_ranks(r->ranks.devices, r->ranks.count, r->work.scene,
                                           &r->sim));
        return from ? weir_sim_restore(r->sim, from) : WEIR_OK;
    }
    weir_result result = run_start_load(&r->work.log, from, r->work.scene, &start);
    start.def.remove_inside = r->options->remove_inside;
    if (result == WEIR_OK)
        result = weir_sim_create_from(r->work.device, r->work.scene, &start.def, &r->sim);
    if (result == WEIR_OK && r->options->start_frame == ARGS_NOT_GIVEN)
        r->def.start_frame = start.written.start_frame;
    if (result == WEIR_OK)
        base_log(&r->work.log, WEIR_LOG_INFO, "starting from %s, at %.4g s", start.name,
                 start.def.time_s);
    run_start_free(&start);
    return result;
}

weir_result run_open_context(const run_options *options, const weir_log *log, app_context *work)
{
    app_scene_options source = options->source;
    char seconds[64], *resumed = resumed_run_json(options);
    if (resumed) source.scene = resumed;
    if (log) source.log = log;
    if (options->seconds > 0) {
        char number[32];
        base_print_float(number, (float)options->seconds);
        snprintf(seconds, sizeof seconds, "duration=%s", number);
        source.set.items[source.set.count++] = seconds;
    }
    if (options->residuals) source.set.items[source.set.count++] = "solver.residuals=true";
    weir_result result = app_context_open(&source, work);
    if (result == WEIR_OK) result = run_ranks_take_turn(options, work);
    base_free(resumed);
    return result;
}

static weir_result open_run(run_state *r)
{
    const run_options *options = r->options;
    char *resumed = resumed_run_json(options);
    const bool has_ranks = options->ranks > 1 || options->job.size > 1;
    weir_result result = WEIR_OK;
    WEIR_GOTO_IF_ERROR(run_open_context(options, NULL, &r->work));
    WEIR_GOTO_IF_ERROR(run_ranks_open(options, &r->work, &r->ranks));
    WEIR_GOTO_IF_ERROR(make_output_def(r, resumed ? resumed : options->source.scene));
    if (options->trace) WEIR_GOTO_IF_ERROR(weir_trace_start(r->work.device, options->trace));
    WEIR_GOTO_IF_ERROR(check_video(r));
    /* what ranks refuse is refused before anything is written */
    if (has_ranks) WEIR_GOTO_IF_ERROR(create_sim(r));
    WEIR_GOTO_IF_ERROR(prepare_folder(r));
    if (!has_ranks) WEIR_GOTO_IF_ERROR(create_sim(r));
    WEIR_GOTO_IF_ERROR(report_compression(r));
    WEIR_GOTO_IF_ERROR(report_needs(r));
    if (options->resume) WEIR_GOTO_IF_ERROR(checkpoint_restore(&r->work.log, r->folder, r->sim));
    WEIR_GOTO_IF_ERROR(weir_output_create(&r->def, r->sim, &r->output));
    if (options->residuals)
        WEIR_GOTO_IF_ERROR(residuals_open(&r->work.log, options->residuals, options->resume));
    WEIR_GOTO_IF_ERROR(open_pictures(r));
fail:
    base_free(resumed);
    return result;
}

/* ---- the frames ----------------------------------------------------------------------------- */

/* Returns true once, when the disk has little more space than a checkpoint and the queued frames
 * take. */
static bool check_disk_space(run_state *r, const weir_stats *stats)
{
    uint64_t room = (uint64_t)stats->particle_count * DISK_BYTES_PER_PARTICLE;
    bool was_low = r->disk_is_low;
    r->disk_is_low = base_disk_free(r->folder) < room;
    if (!r->disk_is_low || was_low) return false;
    base_log(&r->work.log, WEIR_LOG_WARNING, "%s: the disk is nearly full; saving a checkpoint",
             r->folder);
    return true;
}

static bool checkpoint_is_due(run_state *r, const weir_stats *stats)
{
    uint32_t every = r->options->checkpoint;
    if (check_disk_space(r, stats)) return true;
    if (every == ARGS_NOT_GIVEN) return base_time_s() >= r->checkpoint_at_s;
    return every && stats->frame % every == 0;
}

/* Saves a checkpoint. A failure does not end a run whose frames can be written. */
static weir_result save_automatic_checkpoint(run_state *r)
{
    double start_s = base_time_s();
    WEIR_RETURN_IF_ERROR(weir_output_flush(r->output));
    weir_result result =
        checkpoint_save(&r->work.log, r->folder, r->options->checkpoints_kept, r->sim);
    double end_s = base_time_s();
    r->checkpoint_at_s = end_s + fmax(CHECKPOINT_S, (end_s - start_s) / CHECKPOINT_TIME_RATIO);
    return result == WEIR_ERROR_IO ? WEIR_OK : result;
}

/* Queues a frame. A write error may be temporary (a failed disk may recover, a full one may have
 * space again), so it is retried once. A checkpoint then preserves the state, because the disk may
 * fail for good. */
static weir_result queue_frame(run_state *r)
{
    weir_result result = weir_output_write_frame(r->output);
    if (result != WEIR_ERROR_IO) return result;
    WEIR_RETURN_IF_ERROR(weir_output_flush(r->output));
    WEIR_RETURN_IF_ERROR(weir_output_write_frame(r->output));
    return save_automatic_checkpoint(r);
}

/* Writes the files of a frame and its picture. */
static weir_result write_frame(run_state *r, const weir_stats *stats)
{
    weir_points *points = NULL;
    weir_result result;
    WEIR_GOTO_IF_ERROR(queue_frame(r));
    if (!needs_pictures(r) || stats->frame < r->def.first_frame) return WEIR_OK;
    double start_s = base_time_s();
    WEIR_GOTO_IF_ERROR(weir_sim_acquire_points(r->sim, &points));
    WEIR_GOTO_IF_ERROR(
        pictures_write(&r->pictures, points, stats->time_s, stats->frame + r->def.start_frame));
    r->times.picture_s += base_time_s() - start_s;
fail:
    weir_points_release(&points);
    return result;
}

static void add_iterations(run_state *r, const weir_stats *stats)
{
    r->iterations += stats->iterations_in_frame;
    r->substeps += stats->substeps_in_frame;
    r->unconverged_substeps += stats->unconverged_substeps;
    r->worst_mean = fmax(r->worst_mean, stats->solver_error_mean);
    r->worst_max = fmax(r->worst_max, stats->solver_error_max);
}

/* A run fails if the fluid is overcompressed in more frames than this; a splash exceeds the limit
 * for a frame or two. */
#define OVERCOMPRESSED_FRAMES 5u

static bool is_overcompressed(const run_state *r)
{
    return r->overcompressed > OVERCOMPRESSED_FRAMES && !r->options->any_density;
}

static void update_worst_errors(run_state *r, const weir_stats *stats)
{
    uint32_t before = r->overcompressed;
    r->overcompressed = stats->overcompressed_frames;
    if (r->overcompressed == before || r->overcompressed != OVERCOMPRESSED_FRAMES + 1) return;
    base_log(&r->work.log, WEIR_LOG_WARNING,
             "up to %.3f s the fluid was overcompressed in %u frames: the mean density error is "
             "%.3g %%, above %g %%; use more substeps, or check for a solid or an emitter that "
             "squeezes the fluid",
             stats->time_s, r->overcompressed, 100 * stats->density_error_mean,
             100 * WEIR_OVERCOMPRESSION);
}

/* Simulates one frame, in a capture if --capture names it. */
static weir_result step_frame(run_state *r, uint64_t frame)
{
    const bool captured = frame == r->options->capture;
    if (captured) app_capture_start(&r->capture);
    weir_result result = weir_sim_step(r->sim, 0);
    if (result == WEIR_OK) result = weir_sim_wait(r->sim);
    weir_result ended = captured ? app_capture_end(&r->work.log, &r->capture, frame) : WEIR_OK;
    return result == WEIR_OK ? ended : result;
}

static weir_result open_capture(run_state *r)
{
    const uint32_t frame = r->options->capture;
    if (frame == 0) return WEIR_OK;
    if (frame <= r->first || frame > r->last)
        return base_fail(&r->work.log, WEIR_ERROR_ARGUMENT,
                         "--capture %u: the run simulates frames %llu to %llu; name one of them",
                         frame, (unsigned long long)r->first + 1, (unsigned long long)r->last);
    return app_capture_open(&r->work.log, "--capture", "run", &r->capture);
}

static weir_result simulate_frame(run_state *r, weir_stats *stats)
{
    double start_s = base_time_s(), pictures_s = r->times.picture_s;
    WEIR_RETURN_IF_ERROR(step_frame(r, stats->frame + 1));
    WEIR_RETURN_IF_ERROR(weir_sim_get_stats(r->sim, stats));
    add_iterations(r, stats);
    update_worst_errors(r, stats);
    WEIR_RETURN_IF_ERROR(write_frame(r, stats));
    if (r->options->residuals)
        WEIR_RETURN_IF_ERROR(residuals_append(&r->work.log, r->options->residuals, r->sim));
    if (r->options->sweep_run) sweep_add_frame(r->options->sweep_run, stats);
    app_progress_show(&r->progress, stats);
    pictures_s = r->times.picture_s - pictures_s;
    run_times_add(&r->work.log, &r->times, base_time_s() - start_s - pictures_s,
                  (uint32_t)(r->last - stats->frame));
    return checkpoint_is_due(r, stats) ? save_automatic_checkpoint(r) : WEIR_OK;
}

/* Saves the state of an interrupted run. */
static weir_result save_interrupted_state(run_state *r)
{
    weir_result result = weir_output_flush(r->output);
    if (result == WEIR_OK)
        result = checkpoint_save(&r->work.log, r->folder, r->options->checkpoints_kept, r->sim);
    app_progress_end();
    char every[40] = "";
    if (r->options->checkpoint != ARGS_NOT_GIVEN)
        snprintf(every, sizeof every, " --checkpoint-interval %u", r->options->checkpoint);
    if (result == WEIR_OK) result = weir_output_mark_ended(r->output, WEIR_OK, NULL);
    if (result != WEIR_OK) return result;
    base_log(&r->work.log, WEIR_LOG_WARNING, "stopped; continue with: weir run -o %s --resume%s%s",
             r->folder, every, r->options->images ? " --images" : "");
    base_interrupt_acknowledge();
    return weir_sim_get_state_hash(r->sim, &r->hash);
}

static weir_result simulate(run_state *r, weir_stats *stats, bool *stopped)
{
    weir_result result;
    WEIR_GOTO_IF_ERROR(weir_sim_get_stats(r->sim, stats));
    r->first = stats->frame;
    r->overcompressed = stats->overcompressed_frames;
    r->last = last_frame(r);
    WEIR_GOTO_IF_ERROR(open_capture(r));
    r->checkpoint_at_s = base_time_s() + CHECKPOINT_S;
    app_progress_start(&r->progress, r->first, r->last, r->options->source.quiet);
    app_progress_show(&r->progress, stats);
    if (!r->options->resume) WEIR_GOTO_IF_ERROR(write_frame(r, stats));
    while (stats->frame < r->last && !base_interrupted())
        WEIR_GOTO_IF_ERROR(simulate_frame(r, stats));
    *stopped = stats->frame < r->last;
    if (*stopped) return save_interrupted_state(r);
    WEIR_GOTO_IF_ERROR(weir_output_flush(r->output));
    if (needs_pictures(r)) WEIR_GOTO_IF_ERROR(pictures_finish(&r->pictures));
    WEIR_GOTO_IF_ERROR(weir_sim_get_state_hash(r->sim, &r->hash));
    WEIR_GOTO_IF_ERROR(weir_output_mark_complete(r->output));
fail:
    app_progress_end();
    if ((result == WEIR_ERROR_IO || result == WEIR_ERROR_MEMORY) && checkpoint_exists(r->folder))
        base_log(&r->work.log, WEIR_LOG_WARNING,
                 "stopped; fix the cause above, then continue with: weir run -o %s --resume",
                 r->folder);
    return result;
}

/* Prints how well the iterations met the tolerance. */
static void print_tolerance(const run_state *r)
{
    const weir_scene_info *info = &r->work.scene_info;
    if (r->substeps == 0 || (info->tolerance_mean <= 0 && info->tolerance_max <= 0)) return;
    printf("%.1f iterations a substep, at most %u; ", (double)r->iterations / (double)r->substeps,
           info->iterations);
    if (r->unconverged_substeps == 0)
        printf("all %llu substep%s met the tolerance\n", (unsigned long long)r->substeps,
               base_plural(r->substeps));
    else
        printf("%llu of %llu substep%s did not meet the tolerance; worst density error %.2f %% "
               "mean, %.2f %% max\n",
               (unsigned long long)r->unconverged_substeps, (unsigned long long)r->substeps,
               base_plural(r->substeps), 100 * r->worst_mean, 100 * r->worst_max);
}

/* A converging solve clamps no corrections; a splash clamps a few. */
#define CORRECTION_CAP_WARNING 1e-3 /* fraction of all corrections */

/* Prints how often the solver's limits clamped speeds or corrections, including earlier parts of a
 * resumed run. */
static void print_caps(const run_state *r, const weir_stats *stats)
{
    uint32_t bodies = weir_scene_body_count(r->work.scene);
    double made = ((double)stats->particle_count + bodies) * (double)stats->iterations,
           cut = (double)stats->clamped_corrections;
    if (stats->clamped_speeds)
        printf("speeds%s were clamped %llu time%s: use more solver.substeps, or a larger "
               "solver.max_speed\n",
               bodies ? " or rotations of bodies" : "", (unsigned long long)stats->clamped_speeds,
               base_plural(stats->clamped_speeds));
    if (cut > CORRECTION_CAP_WARNING * made)
        printf("corrections were clamped to solver.max_correction %llu time%s, %.2g %% of all: use "
               "more solver.substeps\n",
               (unsigned long long)stats->clamped_corrections,
               base_plural(stats->clamped_corrections), 100.0 * cut / fmax(made, cut));
}

static void print_summary(const run_state *r, const weir_stats *stats)
{
    char time[32];
    double spent = base_time_s() - r->progress.start_s;
    if (r->options->sweep_run) r->options->sweep_run->seconds = spent;
    if (r->options->source.quiet) return;
    printf("%s: frames %llu to %llu in %s, %u particle%s\n", r->folder,
           (unsigned long long)r->first, (unsigned long long)stats->frame,
           app_print_seconds(time, spent), stats->particle_count,
           base_plural(stats->particle_count));
    printf("density error %.2f %% mean, %.2f %% max; top speed %.3g m/s\n",
           100 * stats->density_error_mean, 100 * stats->density_error_max, stats->speed_max_m_s);
    print_tolerance(r);
    print_caps(r, stats);
    if (stats->removed_outside || stats->removed_non_finite)
        printf("%u particle%s left the domain, %u removed as NaN or infinite\n",
               stats->removed_outside, base_plural(stats->removed_outside),
               stats->removed_non_finite);
    if (stats->not_emitted)
        printf("%u particle%s not emitted: the domain is full\n", stats->not_emitted,
               stats->not_emitted == 1 ? " was" : "s were");
    if (stats->torn_edges)
        printf("%u edge%s of cloths and ropes torn\n", stats->torn_edges,
               base_plural(stats->torn_edges));
    if (stats->reseeded)
        printf("particles moved %u time%s from overfull to underfull cells\n", stats->reseeded,
               base_plural(stats->reseeded));
    printf("state %016llx\n", (unsigned long long)r->hash);
}

/* Records in run.json why the run has failed. */
static void record_failure(const run_state *r, weir_result result)
{
    char message[APP_ERROR_TEXT];
    app_last_error(message);
    if (r->output && result != WEIR_OK) weir_output_mark_ended(r->output, result, message);
}

static void close_run(run_state *r)
{
    if (needs_pictures(r)) pictures_close(&r->pictures);
    weir_output_destroy(&r->output);
    weir_sim_destroy(&r->sim);
    r->complaints = run_ranks_close(&r->ranks);
    base_lock_release(&r->lock);
    base_free(r->folder);
}

int run_scene(const run_options *options)
{
    run_state r = {.options = options};
    weir_stats stats;
    bool stopped = false;
    base_interrupt_install();
    weir_result result = open_run(&r);
    if (result == WEIR_OK) result = simulate(&r, &stats, &stopped);
    if (result == WEIR_OK)
        result =
            run_ranks_report(&r.work.log, r.sim, r.substeps, base_time_s() - r.progress.start_s);
    if (result == WEIR_OK) print_summary(&r, &stats);
    record_failure(&r, result);
    close_run(&r);
    if (r.work.device) {
        weir_result traced = weir_trace_finish(r.work.device);
        if (result == WEIR_OK) result = traced;
    }
    if (options->sweep_run)
        snprintf(options->sweep_run->outcome, sizeof options->sweep_run->outcome, "%s",
                 stopped ? "stopped" : weir_result_name(result));
    int status = app_context_status(&r.work, result);
    if (status == APP_DONE && r.complaints) status = APP_FAILED;
    if (status == APP_DONE && is_overcompressed(&r)) {
        base_log(&r.work.log, WEIR_LOG_ERROR,
                 "the fluid was overcompressed: in %u frame%s the mean density error was above %g "
                 "%% (density_error_mean in stats.csv); use more substeps or iterations, or accept "
                 "it with --allow-overcompression",
                 r.overcompressed, base_plural(r.overcompressed), 100 * WEIR_OVERCOMPRESSION);
        status = APP_FAILED;
    }
    app_context_close(&r.work);
    return status == APP_DONE && stopped ? APP_STOPPED : status;
}
