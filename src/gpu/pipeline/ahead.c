/* Compiles pipelines on a thread before a pass needs them. The calling thread makes everything of a
 * pipeline but the driver's object; the thread adds that. Of a pipeline that is still waiting, the
 * caller that needs it compiles it itself. */
#include "gpu_internal.h"

typedef struct gpu_ahead {
    gpu_device *device;
    base_mutex *lock;
    base_condition *changed; /* `current` or `running` */
    BASE_ARRAY(gpu_pipeline *) waiting;
    gpu_pipeline *current; /* being compiled; NULL: none */
    bool running, stops;
    base_thread *thread;
} gpu_ahead;

/* CPU drivers need all cores for the pictures; the others would give a pipeline's statistics, or a
 * host's allocations, to another thread. */
bool gpu_device_compiles_ahead(const gpu_device *device)
{
    if (device->deferred || device->adopted || device->profile || device->watched) return false;
    return device->info.kind != WEIR_DEVICE_CPU || device->ahead_always;
}

void gpu_pipelines_begin_ahead(gpu_device *device)
{
    device->registers_only = gpu_device_compiles_ahead(device);
}

static void compile_waiting(void *user)
{
    gpu_ahead *a = user;
    base_mutex_lock(a->lock);
    while (!a->stops && a->waiting.count > 0) {
        a->current = a->waiting.items[--a->waiting.count];
        base_mutex_unlock(a->lock);
        /* Without success it is compiled again where it is needed, which reports the error. */
        (void)gpu_pipeline_compile(a->device, a->current);
        base_mutex_lock(a->lock);
        a->current = NULL;
        base_condition_signal(a->changed);
    }
    a->running = false;
    base_condition_signal(a->changed);
    base_mutex_unlock(a->lock);
}

static void free_ahead(gpu_ahead *a)
{
    BASE_ARRAY_FREE(&a->waiting);
    base_condition_destroy(&a->changed);
    base_mutex_destroy(&a->lock);
    base_free(a);
}

static gpu_ahead *get_ahead(gpu_device *device)
{
    if (device->ahead) return device->ahead;
    gpu_ahead *a = base_alloc(1, sizeof *a);
    if (!a) return NULL;
    a->device = device;
    a->lock = base_mutex_create();
    a->changed = base_condition_create();
    if (a->lock && a->changed)
        device->ahead = a;
    else
        free_ahead(a);
    return device->ahead;
}

void gpu_pipelines_compile_ahead(gpu_device *device, gpu_pipeline *const *pipelines, uint32_t count)
{
    device->registers_only = false;
    gpu_ahead *a = gpu_device_compiles_ahead(device) ? get_ahead(device) : NULL;
    if (!a) return;
    base_mutex_lock(a->lock);
    for (uint32_t i = count; i-- > 0;) /* the last is compiled first */
        if (pipelines[i] != a->current && !pipelines[i]->handle)
            (void)BASE_ARRAY_PUSH(&a->waiting, pipelines[i]); /* else it is compiled when needed */
    bool starts = !a->running && a->waiting.count > 0;
    a->running |= starts;
    base_mutex_unlock(a->lock);
    if (!starts) return;
    base_thread_join(&a->thread);
    a->thread = base_thread_start(compile_waiting, a);
    if (!a->thread) a->running = false;
}

weir_result gpu_pipeline_finish(gpu_device *device, gpu_pipeline *pipeline)
{
    gpu_ahead *a = device->ahead;
    if (device->deferred || device->registers_only) return WEIR_OK;
    if (a) {
        base_mutex_lock(a->lock);
        while (a->current == pipeline)
            base_condition_wait(a->changed, a->lock);
        for (size_t i = a->waiting.count; i-- > 0;)
            if (a->waiting.items[i] == pipeline)
                a->waiting.items[i] = a->waiting.items[--a->waiting.count];
        base_mutex_unlock(a->lock);
    }
    return gpu_pipeline_compile(device, pipeline);
}

void gpu_pipelines_wait_ahead(gpu_device *device)
{
    gpu_ahead *a = device->ahead;
    if (!a) return;
    base_mutex_lock(a->lock);
    while (a->running)
        base_condition_wait(a->changed, a->lock);
    base_mutex_unlock(a->lock);
}

void gpu_pipelines_stop_ahead(gpu_device *device)
{
    gpu_ahead *a = device->ahead;
    if (!a) return;
    base_mutex_lock(a->lock);
    a->stops = true;
    base_mutex_unlock(a->lock);
    base_thread_join(&a->thread);
    device->ahead = NULL;
    free_ahead(a);
}
