/* weir mesh: three stages that overlap. One thread reads files. The caller's thread, which owns the
 * device, makes meshes. Another thread refines and writes them. At most QUEUE frames wait between
 * two stages. */
#include "mesh_internal.h"

#include <stdatomic.h>

enum { QUEUE = 2 };
#define WATCH_S 0.5   /* between two looks for new frames */
#define WATCH_TRIES 4 /* to read a frame, which another program may still be writing */

typedef struct job {
    uint32_t frame;
    char *from, *to, *spray;
    mesh_source source; /* as known when the frame was read */
    weir_particles particles;
    weir_mesh *mesh;
    uint32_t particle_count;
    float spacing_m; /* with which it was meshed */
    weir_result result;
} job;

/* ---- queues --------------------------------------------------------------------------------- */

typedef struct queue {
    job *items[QUEUE];
    uint32_t first, count;
    bool closed; /* there will be no more jobs */
    base_mutex *mutex;
    base_condition *changed;
} queue;

static void queue_push(queue *queue, job *job)
{
    base_mutex_lock(queue->mutex);
    while (queue->count == QUEUE)
        base_condition_wait(queue->changed, queue->mutex);
    queue->items[(queue->first + queue->count++) % QUEUE] = job;
    base_condition_signal(queue->changed);
    base_mutex_unlock(queue->mutex);
}

static void queue_close(queue *queue)
{
    base_mutex_lock(queue->mutex);
    queue->closed = true;
    base_condition_signal(queue->changed);
    base_mutex_unlock(queue->mutex);
}

/* NULL when the queue is closed and empty. */
static job *queue_pop(queue *queue)
{
    job *job = NULL;
    base_mutex_lock(queue->mutex);
    while (queue->count == 0 && !queue->closed)
        base_condition_wait(queue->changed, queue->mutex);
    if (queue->count) {
        job = queue->items[queue->first];
        queue->first = (queue->first + 1) % QUEUE;
        queue->count--;
        base_condition_signal(queue->changed);
    }
    base_mutex_unlock(queue->mutex);
    return job;
}

static bool queue_make(queue *queue)
{
    queue->mutex = base_mutex_create();
    queue->changed = base_condition_create();
    return queue->mutex && queue->changed;
}

static void queue_free(queue *queue)
{
    base_condition_destroy(&queue->changed);
    base_mutex_destroy(&queue->mutex);
}

/* ---- messages ------------------------------------------------------------------------------- */

/* The file of the frame that this thread works on, which the device's messages are about. */
static _Thread_local const char *file_in_hand;

static void write_named(void *user, weir_log_level level, const char *text)
{
    const weir_log *to = user;
    char *named = file_in_hand ? base_format("%s: %s", file_in_hand, text) : NULL;
    to->write(to->user, level, named ? named : text);
    base_free(named);
}

weir_log mesh_device_log(mesh_plan *plan)
{
    return (weir_log){.write = write_named, .user = &plan->log, .level = plan->log.level};
}

/* ---- stages --------------------------------------------------------------------------------- */

typedef struct work {
    mesh_plan *plan;
    mesh_tally *tally; /* while threads run, the reader has `skipped` and the writer the rest */
    queue read, meshed;
    app_progress progress;
    float spacing_m;    /* of all frames; 0: not known yet */
    atomic_bool stop;   /* no more frames can be meshed */
    weir_result result; /* the error that ended the reader early */
} work;

static void free_job(job *job)
{
    if (!job) return;
    weir_particles_free(&job->particles);
    weir_mesh_destroy(&job->mesh);
    base_free(job->from);
    base_free(job->to);
    base_free(job->spray);
    base_free(job);
}

static job *make_job(const mesh_plan *plan, const sequence_file *file)
{
    job *made = base_alloc(1, sizeof *made);
    if (!made) return NULL;
    made->frame = file->frame;
    made->source = plan->source;
    made->from = base_strdup(file->path);
    made->to = sequence_name(plan->pattern, file->frame);
    made->spray = sequence_name(plan->spray_pattern, file->frame);
    if (made->from && made->to && made->spray) return made;
    free_job(made);
    return NULL;
}

static weir_result load_frame(const work *work, job *job)
{
    const weir_log silent = {0};
    int tries = work->plan->options->watch ? WATCH_TRIES : 1;
    for (; tries > 1 && !base_interrupted(); tries--) {
        weir_result result = weir_particles_load(&silent, job->from, &job->particles);
        if (result != WEIR_IO) return result;
        base_sleep(WATCH_S);
    }
    return weir_particles_load(&work->plan->log, job->from, &job->particles);
}

static void read_frames(void *user)
{
    work *work = user;
    bool wait = false;
    while (!base_interrupted() && !atomic_load(&work->stop)) {
        const sequence_file *file = mesh_plan_next(work->plan, work->tally, &wait);
        if (!file && !wait) break;
        if (!file) {
            base_sleep(WATCH_S);
            continue;
        }
        job *job = make_job(work->plan, file);
        if (!job) {
            work->result = base_fail(&work->plan->log, WEIR_MEMORY, "no memory for a frame");
            break;
        }
        job->result = load_frame(work, job);
        queue_push(&work->read, job);
    }
    queue_close(&work->read);
}

static void say_empty(const work *work, const job *job, uint32_t triangles)
{
    if (job->particle_count == 0)
        base_log(&work->plan->log, WEIR_LOG_INFO, "%s holds no particles: %s is an empty mesh",
                 job->from, job->to);
    else if (triangles == 0)
        base_log(&work->plan->log, WEIR_LOG_INFO, "%s: no surface; %s is an empty mesh", job->from,
                 job->to);
}

/* The file's time, else by the run's frame rate, else the frame number. */
static double time_of(const job *job)
{
    const mesh_source *source = &job->source;
    if (job->particles.time_s != 0) return job->particles.time_s;
    if (!source->known) return job->frame;
    return ((double)job->frame - (double)source->first_frame) / source->frame_rate_hz;
}

/* Refines on the device's thread with solids, which need the device; else on the writer's. */
static weir_result refine_frame(weir_device *device, const work *work, job *job)
{
    weir_mesh_refine_def def = work->plan->refine;
    if (work->plan->options->settings.raw || (device != NULL) != (work->plan->scene != NULL))
        return WEIR_OK;
    def.scene = work->plan->scene;
    def.time_s = time_of(job);
    return weir_mesh_refine(job->mesh, &def, NULL);
}

static weir_result write_frame(work *work, job *job)
{
    weir_mesh_view view;
    WEIR_NEED(refine_frame(NULL, work, job));
    weir_mesh_get(job->mesh, &view);
    say_empty(work, job, view.triangle_count);
    weir_mesh_save_def def = mesh_save_def(work->plan, &job->source);
    def.time_s = time_of(job);
    WEIR_NEED(weir_mesh_save(job->mesh, job->to, &def));
    if (work->plan->mesher.spray) WEIR_NEED(weir_mesh_save_spray(job->mesh, job->spray, &def));
    work->tally->triangles += view.triangle_count;
    work->tally->spray += view.spray_count;
    work->tally->particles += job->particle_count;
    work->tally->empty += view.triangle_count == 0;
    return WEIR_OK;
}

static void write_frames(void *user)
{
    work *work = user;
    for (job *job; (job = queue_pop(&work->meshed)) != NULL; free_job(job)) {
        char rest[96];
        if (job->result == WEIR_OK) job->result = write_frame(work, job);
        if (job->result == WEIR_OK)
            work->tally->done++;
        else
            work->tally->failed++;
        snprintf(rest, sizeof rest, "%s, %u particles", base_path_name(job->to),
                 job->particle_count);
        app_progress_say(&work->progress, work->tally->done + work->tally->failed, rest);
    }
}

/* The device's stage. */
static weir_result mesh_frame(weir_device *device, work *work, weir_mesher *mesher, job *job)
{
    weir_points *points = NULL;
    weir_points_def *def = &job->particles.points;
    job->particle_count = def->count;
    def->spacing_m = job->spacing_m;
    file_in_hand = job->from;
    weir_result result = weir_points_from_host(device, def, &points);
    if (result == WEIR_OK) result = weir_mesher_run(mesher, points, &job->mesh);
    weir_points_release(&points);
    double time_s = job->particles.time_s;
    weir_particles_free(&job->particles);
    job->particles.time_s = time_s;
    if (result == WEIR_OK) result = refine_frame(device, work, job);
    file_in_hand = NULL;
    return result;
}

/* All frames have one spacing, so that their lattice is the same. With --watch it may come from the
 * first frame that has one; a frame without particles takes any spacing. */
static void take_spacing(work *work, job *job)
{
    if (!(work->spacing_m > 0)) work->spacing_m = (float)job->source.spacing_m;
    if (!(work->spacing_m > 0) && job->result == WEIR_OK)
        work->spacing_m = job->particles.points.spacing_m;
    job->spacing_m = work->spacing_m > 0 ? work->spacing_m : 1;
}

static weir_result mesh_frames(weir_device *device, work *work)
{
    weir_mesher *mesher = NULL;
    weir_result result = weir_mesher_create(device, &work->plan->mesher, &mesher);
    atomic_store(&work->stop, result != WEIR_OK);
    for (job *job; (job = queue_pop(&work->read)) != NULL;) {
        take_spacing(work, job);
        if (result != WEIR_OK)
            job->result = result; /* no device: the frame is dropped */
        else if (job->result == WEIR_OK)
            job->result = mesh_frame(device, work, mesher, job);
        if (job->result == WEIR_DEVICE_LOST) {
            result = WEIR_DEVICE_LOST;
            atomic_store(&work->stop, true);
        }
        queue_push(&work->meshed, job);
    }
    queue_close(&work->meshed);
    weir_mesher_destroy(&mesher);
    return result;
}

weir_result mesh_run(weir_device *device, mesh_plan *plan, mesh_tally *tally)
{
    work work = {.plan = plan, .tally = tally, .spacing_m = plan->spacing_m};
    base_thread *reader = NULL, *writer = NULL;
    weir_result result = WEIR_OK;
    app_progress_start(&work.progress, 0, mesh_plan_count(plan), plan->options->source.quiet);
    bool made = queue_make(&work.read) && queue_make(&work.meshed);
    if (made) writer = base_thread_start(write_frames, &work);
    if (writer) reader = base_thread_start(read_frames, &work);
    if (reader)
        result = mesh_frames(device, &work);
    else
        result = base_fail(&plan->log, WEIR_MEMORY, "no threads to read and write with");
    if (writer && !reader) queue_close(&work.meshed);
    base_thread_join(&reader);
    base_thread_join(&writer);
    queue_free(&work.read);
    queue_free(&work.meshed);
    app_progress_end();
    tally->stopped = base_interrupted();
    return result == WEIR_OK ? work.result : result;
}
