/* Spans and counters for Tracy, through its C API. Tracy stamps the zones of a thread itself when
 * they begin and end. The zones of a GPU have times that were measured: each begin and each end
 * is a query, whose time follows. Their clock is base_time_s, in ns, because the caller has already
 * converted the GPU's. */
#include "base_tracy.h"
#include "trace_internal.h"

#include <stdatomic.h>
#include <tracy/TracyC.h>

#ifndef TRACY_ENABLE
#error "WEIR_TRACY takes a client of Tracy that is built with TRACY_ENABLE"
#endif

#define ZONES 16u
#define CONTEXT_VULKAN 2u /* tracy::GpuContextType::Vulkan, which the C API does not name */
#define LAST_CONTEXT 254u /* a host that counts its own from 0 meets none of Weir's */
#define SYNC_S 1.0

bool base_tracy_is_live(void)
{
#ifdef TRACY_ON_DEMAND
    return ___tracy_connected() != 0;
#else
    return true;
#endif
}

/* A zone's place in the source is its name alone. */
static uint64_t make_location(const char *name)
{
    static const char file[] = TRACE_PROCESS;
    size_t length = strlen(name);
    return ___tracy_alloc_srcloc_name(0, file, sizeof file - 1, name, length, name, length, 0);
}

/* ---- threads -------------------------------------------------------------------------------- */

/* The zones that a thread has open. Those beyond ZONES are counted alone. */
static _Thread_local struct {
    TracyCZoneCtx zones[ZONES];
    uint32_t depth;
} thread;

void base_tracy_begin(const char *name)
{
    if (thread.depth < ZONES)
        thread.zones[thread.depth] = base_tracy_is_live()
                                         ? ___tracy_emit_zone_begin_alloc(make_location(name), 1)
                                         : (TracyCZoneCtx){0};
    thread.depth++;
}

void base_tracy_end(void)
{
    WEIR_ASSERT(thread.depth > 0);
    thread.depth--;
    if (thread.depth < ZONES && thread.zones[thread.depth].active)
        ___tracy_emit_zone_end(thread.zones[thread.depth]);
}

void base_tracy_frame(void)
{
    ___tracy_emit_frame_mark(NULL);
}

void base_tracy_counter(const char *name, double value)
{
    ___tracy_emit_plot(name, value);
}

/* ---- GPUs ----------------------------------------------------------------------------------- */

static int64_t nanoseconds(double time_s)
{
    return (int64_t)llround(time_s * 1e9);
}

/* Creates the track, unless it exists. Reports whether it does: a program can have some 250. */
static bool make_context(base_tracy_gpu *gpu)
{
    static atomic_uint count;
    if (gpu->has_context) return true;
    if (atomic_load(&count) > LAST_CONTEXT) return false;
    unsigned number = atomic_fetch_add(&count, 1);
    if (number > LAST_CONTEXT) return false;
    gpu->context = (uint8_t)(LAST_CONTEXT - number);
    gpu->has_context = true;
    gpu->synced_s = base_time_s();
    ___tracy_emit_gpu_new_context_serial(
        (struct ___tracy_gpu_new_context_data){.gpuTime = nanoseconds(gpu->synced_s),
                                               .period = 1.0f,
                                               .context = gpu->context,
                                               .type = CONTEXT_VULKAN});
    ___tracy_emit_gpu_context_name_serial((struct ___tracy_gpu_context_name_data){
        .context = gpu->context, .name = gpu->name, .len = (uint16_t)strlen(gpu->name)});
    return true;
}

/* Tracy's clock is a counter of the processor, which drifts against the system's clock. */
static void sync_clocks(base_tracy_gpu *gpu)
{
    double now_s = base_time_s();
    if (now_s - gpu->synced_s < SYNC_S) return;
    gpu->synced_s = now_s;
    ___tracy_emit_gpu_time_sync_serial((struct ___tracy_gpu_time_sync_data){
        .gpuTime = nanoseconds(now_s), .context = gpu->context});
}

static void send_time(const base_tracy_gpu *gpu, uint16_t query, double time_s)
{
    ___tracy_emit_gpu_time_serial((struct ___tracy_gpu_time_data){
        .gpuTime = nanoseconds(time_s), .queryId = query, .context = gpu->context});
}

void base_tracy_gpu_end(base_tracy_gpu *gpu, uint32_t level)
{
    while (gpu->depth > 0 && gpu->open[gpu->depth - 1].level >= level) {
        uint16_t query = gpu->next_query++;
        gpu->depth--;
        ___tracy_emit_gpu_zone_end_serial(
            (struct ___tracy_gpu_zone_end_data){.queryId = query, .context = gpu->context});
        send_time(gpu, query, gpu->open[gpu->depth].end_s);
    }
}

void base_tracy_gpu_begin(base_tracy_gpu *gpu, uint32_t level, const base_span *span)
{
    base_tracy_gpu_end(gpu, level);
    if (!base_tracy_is_live() || !make_context(gpu)) return;
    WEIR_ASSERT(gpu->depth < BASE_TRACY_LEVELS);
    if (gpu->depth == 0) sync_clocks(gpu);
    uint16_t query = gpu->next_query++;
    ___tracy_emit_gpu_zone_begin_alloc_serial((struct ___tracy_gpu_zone_begin_data){
        .srcloc = make_location(span->name), .queryId = query, .context = gpu->context});
    send_time(gpu, query, span->start_s);
    gpu->open[gpu->depth].level = level;
    gpu->open[gpu->depth++].end_s = span->end_s;
}
