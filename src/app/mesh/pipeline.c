/* weir mesh: four stages that overlap. One thread reads files. The caller's thread, which owns the
 * device, creates meshes. Another thread refines them, and a fourth writes them, so that refinement
 * does not wait until the previous file is safely on the disk. At most QUEUE_LENGTH frames wait
 * between two stages. */
#include "mesh_internal.h"

#include <stdatomic.h>

enum { QUEUE_LENGTH = 2 };
#define WATCH_INTERVAL_S 0.5 /* between two checks for new frames */
/* attempts to read a frame that another program may still be writing */
#define WATCH_MAX_READS 4
#define SPACINGS_DIFFER 1.25 /* ratio of two estimates that are not the same */

typedef struct frame_job {
    uint32_t frame;
    char *from, *to, *spray;
    mesh_run_info source;    /* as known when the frame was read */
    const weir_scene *scene; /* its solids stop vertices; NULL: none are known */
    weir_particles particles;
    double origin_m[3]; /* of the positions */
    weir_mesh *mesh;
    uint32_t particle_count;
    float spacing_m; /* used for meshing */
    weir_result result;
} frame_job;

/* ---- queues --------------------------------------------------------------------------------- */

typedef struct job_queue {
    frame_job *items[QUEUE_LENGTH];
    uint32_t first, count;
    bool finished; /* there will be no more jobs */
    base_mutex *mutex;
    base_condition *changed;
} job_queue;

static void queue_push(job_queue *job_queue, frame_job *frame_job)
{
    base_mutex_lock(job_queue->mutex);
    while (job_queue->count == QUEUE_LENGTH)
        base_condition_wait(job_queue->changed, job_queue->mutex);
    job_queue->items[(job_queue->first + job_queue->count++) % QUEUE_LENGTH] = frame_job;
    base_condition_signal(job_queue->changed);
    base_mutex_unlock(job_queue->mutex);
}

static void queue_close(job_queue *job_queue)
{
    base_mutex_lock(job_queue->mutex);
    job_queue->finished = true;
    base_condition_signal(job_queue->changed);
    base_mutex_unlock(job_queue->mutex);
}

/* Removes and returns the oldest job; NULL once the queue is closed and empty. */
static frame_job *queue_pop(job_queue *job_queue)
{
    frame_job *frame_job = NULL;
    base_mutex_lock(job_queue->mutex);
    while (job_queue->count == 0 && !job_queue->finished)
        base_condition_wait(job_queue->changed, job_queue->mutex);
    if (job_queue->count) {
        frame_job = job_queue->items[job_queue->first];
        job_queue->first = (job_queue->first + 1) % QUEUE_LENGTH;
        job_queue->count--;
        base_condition_signal(job_queue->changed);
    }
    base_mutex_unlock(job_queue->mutex);
    return frame_job;
}

static bool queue_create(job_queue *job_queue)
{
    job_queue->mutex = base_mutex_create();
    job_queue->changed = base_condition_create();
    return job_queue->mutex && job_queue->changed;
}

static void queue_free(job_queue *job_queue)
{
    base_condition_destroy(&job_queue->changed);
    base_mutex_destroy(&job_queue->mutex);
}

/* ---- messages ------------------------------------------------------------------------------- */

/* The file of this thread's current frame, which the device's messages are about. */
static _Thread_local const char *current_file;

static void log_with_file(void *user, weir_log_level level, const char *text)
{
    const weir_log *to = user;
    char *named = current_file ? base_format("%s: %s", current_file, text) : NULL;
    to->write(to->user, level, named ? named : text);
    base_free(named);
}

weir_log mesh_device_log(mesh_plan *plan)
{
    return (weir_log){.write = log_with_file, .user = &plan->log, .level = plan->log.level};
}

/* ---- stages --------------------------------------------------------------------------------- */

typedef struct pipeline_state {
    mesh_plan *plan;
    mesh_counts *tally; /* the reader writes `skipped`, the writer the rest */
    job_queue read, meshed, refined;
    app_progress progress;
    float spacing_m;    /* of all frames; 0: unknown so far */
    bool warned;        /* that frames disagree about the spacing */
    double origin_m[3]; /* of the positions of all frames, once the reader has_origin */
    bool has_origin;
    atomic_bool stop;   /* no more frames can be meshed */
    weir_result result; /* the error that ended the reader early */
} pipeline_state;

static void free_frame_job(frame_job *frame_job)
{
    if (!frame_job) return;
    weir_particles_free(&frame_job->particles);
    weir_mesh_destroy(&frame_job->mesh);
    base_free(frame_job->from);
    base_free(frame_job->to);
    base_free(frame_job->spray);
    base_free(frame_job);
}

static frame_job *create_frame_job(const mesh_plan *plan, const sequence_file *file)
{
    frame_job *made = base_alloc(1, sizeof *made);
    if (!made) return NULL;
    made->frame = file->frame;
    made->source = plan->source;
    made->scene = plan->scene;
    made->from = base_strdup(file->path);
    made->to = sequence_name(plan->pattern, file->frame);
    made->spray = sequence_name(plan->spray_pattern, file->frame);
    if (made->from && made->to && made->spray) return made;
    free_frame_job(made);
    return NULL;
}

static weir_result load_frame(const pipeline_state *pipeline_state, frame_job *frame_job)
{
    const weir_log silent = {0};
    const mesh_options *options = pipeline_state->plan->options;
    int tries = options->watch ? WATCH_MAX_READS : 1;
    for (; tries > 1 && !base_interrupted(); tries--) {
        weir_result result =
            app_particles_load(&silent, frame_job->from, &options->particles,
                               &pipeline_state->plan->source.attributes, &frame_job->particles);
        if (result != WEIR_ERROR_IO) return result;
        base_sleep(WATCH_INTERVAL_S);
    }
    return app_particles_load(&pipeline_state->plan->log, frame_job->from, &options->particles,
                              &pipeline_state->plan->source.attributes, &frame_job->particles);
}

/* Moves the positions to the origin that all frames share: that of the first one. A run's frames
 * keep 0, because they are meshed with the solids of its scene. */
static void share_origin(pipeline_state *pipeline_state, frame_job *frame_job)
{
    const size_t size = sizeof pipeline_state->origin_m;
    if (!pipeline_state->has_origin && !frame_job->source.known)
        memcpy(pipeline_state->origin_m, frame_job->particles.origin_m, size);
    pipeline_state->has_origin = true;
    weir_particles_set_origin(&frame_job->particles, pipeline_state->origin_m);
    memcpy(frame_job->origin_m, pipeline_state->origin_m, size);
}

static void read_frames(void *user)
{
    pipeline_state *pipeline_state = user;
    bool wait = false;
    while (!base_interrupted() && !atomic_load(&pipeline_state->stop)) {
        const sequence_file *file =
            mesh_plan_next_file(pipeline_state->plan, pipeline_state->tally, &wait);
        if (!file && !wait) break;
        if (!file) {
            base_sleep(WATCH_INTERVAL_S);
            continue;
        }
        frame_job *frame_job = create_frame_job(pipeline_state->plan, file);
        if (!frame_job) {
            pipeline_state->result = base_fail(&pipeline_state->plan->log, WEIR_ERROR_MEMORY,
                                               "not enough memory for a frame");
            break;
        }
        frame_job->result = load_frame(pipeline_state, frame_job);
        if (frame_job->result == WEIR_OK) share_origin(pipeline_state, frame_job);
        queue_push(&pipeline_state->read, frame_job);
    }
    queue_close(&pipeline_state->read);
}

static void warn_empty(const pipeline_state *pipeline_state, const frame_job *frame_job,
                       uint32_t triangles)
{
    if (frame_job->particle_count == 0)
        base_log(&pipeline_state->plan->log, WEIR_LOG_INFO,
                 "%s contains no particles: %s is an empty mesh", frame_job->from, frame_job->to);
    else if (triangles == 0)
        base_log(&pipeline_state->plan->log, WEIR_LOG_INFO, "%s: no surface; %s is an empty mesh",
                 frame_job->from, frame_job->to);
}

/* Returns the time in the file; otherwise the time from the run's frame rate; otherwise the frame
 * number. */
static double frame_time(const frame_job *frame_job)
{
    const mesh_run_info *source = &frame_job->source;
    if (frame_job->particles.time_s != 0) return frame_job->particles.time_s;
    if (!source->known) return frame_job->frame;
    return ((double)frame_job->frame - (double)source->first_frame) / source->frame_rate_hz;
}

/* Refines a mesh: on the device's thread if there are solids, which need the device; otherwise on
 * a thread of its own. */
static weir_result refine_frame(weir_device *device, const pipeline_state *pipeline_state,
                                frame_job *frame_job)
{
    weir_mesh_refine_def def = pipeline_state->plan->surface.refine;
    if (!pipeline_state->plan->surface.mesh_refine ||
        (device != NULL) != (frame_job->scene != NULL))
        return WEIR_OK;
    def.scene = frame_job->scene;
    def.time_s = frame_time(frame_job);
    return weir_mesh_refine(frame_job->mesh, &def, NULL);
}

static void refine_frames(void *user)
{
    pipeline_state *pipeline_state = user;
    for (frame_job *frame_job; (frame_job = queue_pop(&pipeline_state->meshed)) != NULL;) {
        if (frame_job->result == WEIR_OK)
            frame_job->result = refine_frame(NULL, pipeline_state, frame_job);
        queue_push(&pipeline_state->refined, frame_job);
    }
    queue_close(&pipeline_state->refined);
}

static weir_result write_frame(pipeline_state *pipeline_state, frame_job *frame_job)
{
    weir_mesh_arrays view;
    weir_mesh_get_arrays(frame_job->mesh, &view);
    warn_empty(pipeline_state, frame_job, view.triangle_count);
    weir_mesh_save_def def = mesh_frame_save_def(pipeline_state->plan, &frame_job->source);
    def.time_s = frame_time(frame_job);
    memcpy(def.origin_m, frame_job->origin_m, sizeof def.origin_m);
    WEIR_RETURN_IF_ERROR(weir_mesh_save(frame_job->mesh, frame_job->to, &def));
    if (pipeline_state->plan->surface.mesher.spray_neighbours)
        WEIR_RETURN_IF_ERROR(weir_mesh_save_spray(frame_job->mesh, frame_job->spray, &def));
    pipeline_state->tally->triangles += view.triangle_count;
    pipeline_state->tally->spray += view.spray_count;
    pipeline_state->tally->particles += frame_job->particle_count;
    pipeline_state->tally->empty += view.triangle_count == 0;
    return WEIR_OK;
}

static void write_frames(void *user)
{
    pipeline_state *pipeline_state = user;
    for (frame_job *frame_job; (frame_job = queue_pop(&pipeline_state->refined)) != NULL;
         free_frame_job(frame_job)) {
        char rest[96];
        if (frame_job->result == WEIR_OK)
            frame_job->result = write_frame(pipeline_state, frame_job);
        if (frame_job->result == WEIR_OK)
            pipeline_state->tally->done++;
        else
            pipeline_state->tally->failed++;
        snprintf(rest, sizeof rest, "%s, %u particles", base_path_name(frame_job->to),
                 frame_job->particle_count);
        app_progress_show_text(&pipeline_state->progress,
                               pipeline_state->tally->done + pipeline_state->tally->failed, rest);
    }
}

/* The device's stage: meshes a frame. */
static weir_result mesh_frame(weir_device *device, pipeline_state *pipeline_state,
                              weir_mesher *mesher, frame_job *frame_job)
{
    weir_points *points = NULL;
    weir_points_def *def = &frame_job->particles.points;
    const weir_mesher_def *settings = &pipeline_state->plan->surface.mesher;
    double cell_m = settings->cell_size_m > 0
                        ? (double)settings->cell_size_m
                        : (double)settings->cell_size * (double)frame_job->spacing_m;
    weir_result result = app_particles_limit_extent(&pipeline_state->plan->log, frame_job->from,
                                                    &pipeline_state->plan->options->particles,
                                                    cell_m, &frame_job->particles);
    frame_job->particle_count = def->count;
    def->spacing_m = frame_job->spacing_m;
    current_file = frame_job->from;
    if (result == WEIR_OK) result = weir_points_create(device, def, &points);
    if (result == WEIR_OK) result = weir_mesher_run(mesher, points, &frame_job->mesh);
    weir_points_release(&points);
    double time_s = frame_job->particles.time_s;
    weir_particles_free(&frame_job->particles);
    frame_job->particles.time_s = time_s;
    if (result == WEIR_OK) result = refine_frame(device, pipeline_state, frame_job);
    current_file = NULL;
    return result;
}

/* Warns once if a frame's particles are clearly farther apart, or nearer, than the spacing that was
 * estimated from another frame. */
static void compare_spacing(pipeline_state *pipeline_state, const frame_job *frame_job)
{
    const weir_particles *particles = &frame_job->particles;
    double own = (double)particles->points.spacing_m, used = (double)pipeline_state->spacing_m;
    bool known = pipeline_state->plan->spacing_estimated && particles->spacing_estimated &&
                 particles->points.count >= MESH_ENOUGH_PARTICLES && frame_job->result == WEIR_OK;
    if (!known || pipeline_state->warned) return;
    if (own < SPACINGS_DIFFER * used && used < SPACINGS_DIFFER * own) return;
    pipeline_state->warned = true;
    base_log(&pipeline_state->plan->log, WEIR_LOG_WARNING,
             "%s: the spacing of its %u particles is about %.4g, but all frames are meshed with "
             "the estimate of %.4g; --spacing sets another",
             frame_job->from, particles->points.count, own, used);
}

/* Sets the spacing. All frames have the same one, so that their lattices agree. With --watch it may
 * come from the first frame that has one; a frame without particles accepts any spacing. */
static void set_spacing(pipeline_state *pipeline_state, frame_job *frame_job)
{
    if (!(pipeline_state->spacing_m > 0))
        pipeline_state->spacing_m = (float)frame_job->source.spacing_m;
    if (!(pipeline_state->spacing_m > 0) && frame_job->result == WEIR_OK)
        pipeline_state->spacing_m = frame_job->particles.points.spacing_m;
    compare_spacing(pipeline_state, frame_job);
    frame_job->spacing_m = pipeline_state->spacing_m > 0 ? pipeline_state->spacing_m : 1;
}

static weir_result mesh_frames(weir_device *device, pipeline_state *pipeline_state)
{
    weir_mesher *mesher = NULL;
    weir_result result = weir_mesher_create(device, &pipeline_state->plan->surface.mesher, &mesher);
    atomic_store(&pipeline_state->stop, result != WEIR_OK);
    for (frame_job *frame_job; (frame_job = queue_pop(&pipeline_state->read)) != NULL;) {
        set_spacing(pipeline_state, frame_job);
        if (result != WEIR_OK)
            frame_job->result = result; /* no device: the frame is dropped */
        else if (frame_job->result == WEIR_OK)
            frame_job->result = mesh_frame(device, pipeline_state, mesher, frame_job);
        if (frame_job->result == WEIR_ERROR_DEVICE_LOST) {
            result = WEIR_ERROR_DEVICE_LOST;
            atomic_store(&pipeline_state->stop, true);
        }
        queue_push(&pipeline_state->meshed, frame_job);
    }
    queue_close(&pipeline_state->meshed);
    weir_mesher_destroy(&mesher);
    return result;
}

weir_result mesh_run_pipeline(weir_device *device, mesh_plan *plan, mesh_counts *tally)
{
    pipeline_state pipeline_state = {.plan = plan, .tally = tally, .spacing_m = plan->spacing_m};
    base_thread *reader = NULL, *refiner = NULL, *writer = NULL;
    weir_result result = WEIR_OK;
    app_progress_start(&pipeline_state.progress, 0, mesh_plan_frame_count(plan),
                       plan->options->source.quiet);
    bool made = queue_create(&pipeline_state.read) && queue_create(&pipeline_state.meshed) &&
                queue_create(&pipeline_state.refined);
    if (made) writer = base_thread_start(write_frames, &pipeline_state);
    if (writer) refiner = base_thread_start(refine_frames, &pipeline_state);
    if (refiner) reader = base_thread_start(read_frames, &pipeline_state);
    if (reader)
        result = mesh_frames(device, &pipeline_state);
    else
        result = base_fail(&plan->log, WEIR_ERROR_MEMORY, "cannot start threads to read and write");
    if (refiner && !reader) queue_close(&pipeline_state.meshed);
    if (writer && !refiner) queue_close(&pipeline_state.refined);
    base_thread_join(&reader);
    base_thread_join(&refiner);
    base_thread_join(&writer);
    queue_free(&pipeline_state.read);
    queue_free(&pipeline_state.meshed);
    queue_free(&pipeline_state.refined);
    app_progress_end();
    tally->stopped = base_interrupted();
    return result == WEIR_OK ? pipeline_state.result : result;
}
