/* Replaces Tracy's client: writes the calls that Weir makes into the file that TRACY_LOG names, a
 * line each, with tabs between the words. */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tracy/TracyC.h>

static FILE *file;

__attribute__((constructor)) static void open_log(void)
{
    const char *path = getenv("TRACY_LOG");
    file = path ? fopen(path, "w") : NULL;
    if (!file) file = stderr;
}

static unsigned thread_number(void)
{
    static atomic_uint count;
    static _Thread_local unsigned number;
    if (number == 0) number = atomic_fetch_add(&count, 1) + 1;
    return number;
}

int32_t ___tracy_connected(void)
{
    return 1;
}

/* A location is its name. */
uint64_t ___tracy_alloc_srcloc_name(uint32_t line, const char *source, size_t source_length,
                                    const char *function, size_t function_length, const char *name,
                                    size_t name_length, uint32_t color)
{
    (void)line, (void)source, (void)source_length;
    (void)function, (void)function_length, (void)color;
    char *copy = calloc(1, name_length + 1);
    if (!copy) abort();
    return (uint64_t)(uintptr_t)memcpy(copy, name, name_length);
}

TracyCZoneCtx ___tracy_emit_zone_begin_alloc(uint64_t location, int32_t active)
{
    static atomic_uint count;
    TracyCZoneCtx zone = {.id = atomic_fetch_add(&count, 1) + 1, .active = active};
    char *name = (char *)(uintptr_t)location;
    fprintf(file, "begin\t%u\t%u\t%s\n", thread_number(), zone.id, name);
    free(name);
    return zone;
}

void ___tracy_emit_zone_end(TracyCZoneCtx zone)
{
    fprintf(file, "end\t%u\t%u\n", thread_number(), zone.id);
}

void ___tracy_emit_frame_mark(const char *name)
{
    fprintf(file, "frame\t%s\n", name ? name : "");
}

void ___tracy_emit_plot(const char *name, double value)
{
    fprintf(file, "plot\t%s\t%.9g\n", name, value);
}

void ___tracy_emit_gpu_new_context_serial(const struct ___tracy_gpu_new_context_data data)
{
    fprintf(file, "context\t%u\t%u\t%.9g\t%lld\n", data.context, data.type, (double)data.period,
            (long long)data.gpuTime);
}

void ___tracy_emit_gpu_context_name_serial(const struct ___tracy_gpu_context_name_data data)
{
    fprintf(file, "context name\t%u\t%.*s\n", data.context, (int)data.len, data.name);
}

void ___tracy_emit_gpu_time_sync_serial(const struct ___tracy_gpu_time_sync_data data)
{
    fprintf(file, "sync\t%u\t%lld\n", data.context, (long long)data.gpuTime);
}

void ___tracy_emit_gpu_zone_begin_alloc_serial(const struct ___tracy_gpu_zone_begin_data data)
{
    char *name = (char *)(uintptr_t)data.srcloc;
    fprintf(file, "gpu begin\t%u\t%u\t%s\n", data.context, data.queryId, name);
    free(name);
}

void ___tracy_emit_gpu_zone_end_serial(const struct ___tracy_gpu_zone_end_data data)
{
    fprintf(file, "gpu end\t%u\t%u\n", data.context, data.queryId);
}

void ___tracy_emit_gpu_time_serial(const struct ___tracy_gpu_time_data data)
{
    fprintf(file, "gpu time\t%u\t%u\t%lld\n", data.context, data.queryId, (long long)data.gpuTime);
}
