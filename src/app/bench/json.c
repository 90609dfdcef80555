/* The figures of `weir bench` as JSON, schema weir-bench version 1: what --compare reads. */
#include "bench_internal.h"

#include <jansson.h>
#include <stdlib.h>

/* Jansson's setters take the value and answer -1 when memory is short; one mark gathers them all.
 */
typedef struct object {
    json_t *json;
    bool *ok;
} object;

static object make_object(bool *ok)
{
    object made = {json_object(), ok};
    if (!made.json) *ok = false;
    return made;
}

static void put(object to, const char *key, json_t *value)
{
    if (json_object_set_new(to.json, key, value) != 0) *to.ok = false;
}

static void put_number(object to, const char *key, double value)
{
    put(to, key, isfinite(value) ? json_real(value) : json_null());
}

static void put_whole(object to, const char *key, uint64_t value)
{
    put(to, key, json_integer((json_int_t)value));
}

static void put_text(object to, const char *key, const char *value)
{
    put(to, key, json_string(value));
}

static void put_hash(object to, const char *key, uint64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)value);
    put_text(to, key, text);
}

static void put_known(object to, const char *key, uint32_t value)
{
    put(to, key, value == UINT32_MAX ? json_null() : json_integer(value));
}

static json_t *machine_json(const bench_machine *machine, bool *ok)
{
    object o = make_object(ok);
    put_number(o, "gpu_mhz", machine->gpu_mhz);
    put_number(o, "gpu_celsius", machine->gpu_c);
    put_number(o, "gpu_watt", machine->gpu_w);
    put_number(o, "cpu_mhz", machine->cpu_mhz);
    put_number(o, "cpu_celsius", machine->cpu_c);
    return o.json;
}

static json_t *device_json(const bench_report *report, bool *ok)
{
    const weir_device_info *info = &report->info;
    object o = make_object(ok), rooms = make_object(ok);
    put_text(o, "name", info->name);
    put_text(o, "driver", info->driver);
    put_whole(o, "driver_id", info->driver_id);
    put_whole(o, "driver_version", info->driver_version);
    put_whole(o, "vendor_id", info->vendor_id);
    put_whole(o, "device_id", info->device_id);
    put_text(o, "api_version", info->api_version);
    put_whole(o, "memory_bytes", info->memory_bytes);
    put_whole(o, "subgroup_size", info->subgroup_size);
    put(o, "timestamps", json_boolean(info->timestamps));
    for (uint32_t i = 0; i < WEIR_ROOMS && info->rooms[i].name; ++i)
        put_whole(rooms, info->rooms[i].name, info->rooms[i].peak_bytes);
    put(o, "memory_peak_bytes", rooms.json);
    put(o, "before", machine_json(&report->before, ok));
    put(o, "after", machine_json(&report->after, ok));
    return o.json;
}

static json_t *ceilings_json(const bench_report *report, bool *ok)
{
    const weir_ceilings *c = &report->ceilings;
    if (!report->measured_ceilings) return json_null();
    object o = make_object(ok);
    put_number(o, "copy_gb_s", c->copy_gb_s);
    put_number(o, "cache_gb_s", c->cache_gb_s);
    put_number(o, "atomics_g_s", c->atomics_g_s);
    put_number(o, "fma_gflop_s", c->fma_gflop_s);
    put_number(o, "dispatch_us", c->dispatch_us);
    return o.json;
}

static json_t *pass_json(const bench_report *report, const bench_result *result,
                         const weir_row_time *pass, bool *ok)
{
    object o = make_object(ok);
    bench_bound most = bench_find_bound(&report->ceilings, pass);
    put_text(o, "name", pass->name);
    put_text(o, "group", pass->group);
    put(o, "whole", json_boolean(pass->whole));
    put_whole(o, "calls", pass->calls);
    put_number(o, "median_ms", pass->median_ms);
    put_number(o, "low_ms", pass->low_ms);
    put_number(o, "high_ms", pass->high_ms);
    put_number(o, "total_ms", pass->total_ms);
    put_number(o, "ms_per_substep", bench_per_substep(result, pass));
    if (pass->whole) return o.json;
    put_text(o, "stage", bench_stage(pass->name));
    put_number(o, "elements", pass->elements);
    put_number(o, "bytes", pass->bytes);
    put_number(o, "gathered_bytes", pass->gathered);
    put_number(o, "flops", pass->flops);
    put_number(o, "atomics", pass->atomics);
    put_number(o, "invocations", pass->invocations > 0 ? pass->invocations : (double)NAN);
    put_text(o, "bound", most.name);
    put_number(o, "bound_ms", most.ms);
    put_hash(o, "spirv_hash", pass->spirv_hash);
    put_number(o, "compile_cold_ms", pass->compile_cold_ms);
    put_number(o, "compile_warm_ms", pass->compile_warm_ms);
    put_known(o, "registers", pass->registers);
    put_known(o, "spill_bytes", pass->spill_bytes);
    put_known(o, "subgroup_size", pass->subgroup_size);
    return o.json;
}

static json_t *result_json(const bench_report *report, const bench_result *result, bool *ok)
{
    const weir_stats *stats = &result->stats;
    object o = make_object(ok), rooms = make_object(ok);
    json_t *passes = json_array();
    for (uint32_t i = 0; i < WEIR_ROOMS && result->rooms[i].name; ++i)
        put_whole(rooms, result->rooms[i].name, result->rooms[i].bytes);
    put_text(o, "suite", result->what.suite);
    put_text(o, "case", result->what.name);
    if (result->skipped[0]) put_text(o, "skipped", result->skipped);
    put_text(o, "scene", result->scene_name);
    put(o, "alone", json_boolean(result->alone));
    put_whole(o, "particles", stats->particle_count);
    put_whole(o, "iterations", result->iterations);
    put_whole(o, "substeps", result->substeps);
    put_whole(o, "substeps_in_frame", stats->substeps_in_frame);
    put_whole(o, "frames", result->frames);
    if (result->what.work == BENCH_MESHES) {
        put_whole(o, "vertices", result->vertices);
        put_whole(o, "triangles", result->triangles);
        put_number(o, "write_ms", result->write_ms);
    }
    if (result->what.work == BENCH_PICTURES) {
        put_whole(o, "width", result->width);
        put_whole(o, "height", result->height);
    }
    put_number(o, "wall_ms", result->wall_ms);
    put_number(o, "record_ms", result->record_ms);
    put_number(o, "neighbours_mean", stats->neighbours_mean);
    put_number(o, "density_error_mean", stats->density_error_mean);
    put_number(o, "density_error_max", stats->density_error_max);
    put_whole(o, "memory_bytes", stats->memory_bytes);
    put(o, "memory_by_room", rooms.json);
    put_number(o, "memory_bytes_per_particle", stats->memory_bytes_per_particle);
    if (result->what.paper_ms > 0) put_number(o, "paper_ms", result->what.paper_ms);
    for (uint32_t i = 0; i < result->pass_count; ++i)
        if (json_array_append_new(passes, pass_json(report, result, &result->passes[i], ok)) != 0)
            *ok = false;
    put(o, "passes", passes);
    return o.json;
}

static json_t *report_json(const bench_report *report, bool *ok)
{
    object o = make_object(ok);
    json_t *results = json_array();
    put_text(o, "schema", BENCH_SCHEMA);
    put_whole(o, "schema_version", BENCH_SCHEMA_VERSION);
    put_text(o, "weir", weir_version());
    put_text(o, "date", report->date);
    put(o, "device", device_json(report, ok));
    put(o, "ceilings", ceilings_json(report, ok));
    put_whole(o, "workgroup", report->workgroup);
    put(o, "serialize", json_boolean(report->serialize));
    for (size_t i = 0; i < report->results.count; ++i)
        if (json_array_append_new(results, result_json(report, &report->results.items[i], ok)) != 0)
            *ok = false;
    put(o, "results", results);
    return o.json;
}

weir_result bench_write_json(const bench_report *report, const char *path)
{
    bool ok = true;
    json_t *json = report_json(report, &ok);
    char *text = ok ? json_dumps(json, JSON_INDENT(1)) : NULL;
    weir_result result =
        text ? base_file_write(&report->log, path, text, strlen(text))
             : base_fail(&report->log, WEIR_MEMORY, "%s: no memory for the figures", path);
    free(text);
    json_decref(json);
    return result;
}
