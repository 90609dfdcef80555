/* Writes the results of `weir bench` as JSON, schema weir-bench version 1, which --compare
 * reads. */
#include "bench_internal.h"

#include <jansson.h>
#include <stddef.h>

/* A member of `type`; its key is its name or another text. */
#define JSON_FIELD(type, kind, member)                   \
    {                                                    \
#member, APP_JSON_##kind, offsetof(type, member) \
    }
#define JSON_FIELD_AS(key, type, kind, member)       \
    {                                                \
        key, APP_JSON_##kind, offsetof(type, member) \
    }
#define JSON_FIELDS(object, fields, of) app_json_fields(object, fields, BASE_COUNT(fields), of)

static json_t *machine_json(const bench_machine_state *machine)
{
    static const app_json_field fields[] = {
        JSON_FIELD(bench_machine_state, NUMBER, gpu_mhz),
        JSON_FIELD_AS("gpu_celsius", bench_machine_state, NUMBER, gpu_c),
        JSON_FIELD_AS("gpu_watt", bench_machine_state, NUMBER, gpu_w),
        JSON_FIELD(bench_machine_state, NUMBER, cpu_mhz),
        JSON_FIELD_AS("cpu_celsius", bench_machine_state, NUMBER, cpu_c),
    };
    return JSON_FIELDS(json_object(), fields, machine);
}

/* Returns bytes per module, current or peak: `bytes` is the offset in weir_module_memory. */
static json_t *modules_json(const weir_module_memory modules[WEIR_MODULE_COUNT], size_t bytes)
{
    json_t *o = json_object();
    for (uint32_t i = 0; i < WEIR_MODULE_COUNT && modules[i].name; ++i)
        o = app_json_fields(o, &(app_json_field){modules[i].name, APP_JSON_U64, bytes}, 1,
                            &modules[i]);
    return o;
}

static json_t *device_json(const bench_report *report)
{
    static const app_json_field fields[] = {
        JSON_FIELD(weir_device_info, TEXT, name),
        JSON_FIELD(weir_device_info, TEXT, driver),
        JSON_FIELD(weir_device_info, U32, driver_id),
        JSON_FIELD(weir_device_info, U32, driver_version),
        JSON_FIELD(weir_device_info, U32, vendor_id),
        JSON_FIELD(weir_device_info, U32, device_id),
        JSON_FIELD(weir_device_info, TEXT, api_version),
        JSON_FIELD(weir_device_info, U64, memory_bytes),
        JSON_FIELD(weir_device_info, U32, subgroup_size),
        JSON_FIELD(weir_device_info, BOOL, timestamps),
    };
    json_t *o = JSON_FIELDS(json_object(), fields, &report->info);
    o = app_json_set(o, "memory_peak_bytes",
                     modules_json(report->info.modules, offsetof(weir_module_memory, peak_bytes)));
    o = app_json_set(o, "before", machine_json(&report->before));
    return app_json_set(o, "after", machine_json(&report->after));
}

static json_t *ceilings_json(const bench_report *report, const weir_device_peaks *peaks)
{
    static const app_json_field fields[] = {
        JSON_FIELD(weir_device_peaks, NUMBER, copy_gb_s),
        JSON_FIELD(weir_device_peaks, NUMBER, cache_gb_s),
        JSON_FIELD(weir_device_peaks, NUMBER, atomics_g_s),
        JSON_FIELD(weir_device_peaks, NUMBER, fma_gflop_s),
        JSON_FIELD(weir_device_peaks, NUMBER, dispatch_us),
        JSON_FIELD(weir_device_peaks, NUMBER, indirect_dispatch_us),
        JSON_FIELD(weir_device_peaks, NUMBER, skipped_dispatch_us),
    };
    return report->measured_ceilings ? JSON_FIELDS(json_object(), fields, peaks) : json_null();
}

/* Fields of passes and of whole pass lists. */
static const app_json_field times[] = {
    JSON_FIELD(weir_pass_time, WORDS, name),
    JSON_FIELD(weir_pass_time, WORDS, group),
    JSON_FIELD(weir_pass_time, BOOL, is_total),
    JSON_FIELD(weir_pass_time, U32, calls),
    JSON_FIELD(weir_pass_time, NUMBER, median_ms),
    JSON_FIELD(weir_pass_time, NUMBER, lower_quartile_ms),
    JSON_FIELD(weir_pass_time, NUMBER, upper_quartile_ms),
    JSON_FIELD(weir_pass_time, NUMBER, total_ms),
};
static const app_json_field work[] = {
    JSON_FIELD(weir_pass_time, NUMBER, elements),
    JSON_FIELD(weir_pass_time, NUMBER, bytes),
    JSON_FIELD_AS("gathered_bytes", weir_pass_time, NUMBER, gathered_bytes),
    JSON_FIELD(weir_pass_time, NUMBER, flops),
    JSON_FIELD(weir_pass_time, NUMBER, atomics),
    JSON_FIELD(weir_pass_time, NUMBER, per_invocation),
    JSON_FIELD(weir_pass_time, NUMBER, pair_bytes),
};
static const app_json_field pipeline[] = {
    JSON_FIELD(weir_pass_time, HASH, spirv_hash),
    JSON_FIELD(weir_pass_time, NUMBER, compile_cold_ms),
    JSON_FIELD(weir_pass_time, NUMBER, compile_warm_ms),
    JSON_FIELD(weir_pass_time, KNOWN, registers),
    JSON_FIELD(weir_pass_time, KNOWN, spill_bytes),
    JSON_FIELD(weir_pass_time, KNOWN, subgroup_size),
};

static json_t *pass_json(const bench_report *report, const bench_result *result,
                         const weir_pass_time *pass)
{
    json_t *o = JSON_FIELDS(json_object(), times, pass);
    o = app_json_set(o, "ms_per_substep", app_json_number(bench_pass_ms_per_substep(result, pass)));
    if (pass->is_total) return o;
    bench_limit most = bench_find_limit(&report->reached, pass);
    double invocations = pass->invocations > 0 ? pass->invocations : (double)NAN;
    o = app_json_set(o, "stage", json_string(pass->stage[0] ? pass->stage : "other"));
    o = JSON_FIELDS(o, work, pass);
    o = app_json_set(o, "invocations", app_json_number(invocations));
    o = app_json_set(o, "bound", json_string(most.name));
    o = app_json_set(o, "bound_ms", app_json_number(most.ms));
    return JSON_FIELDS(o, pipeline, pass);
}

static json_t *passes_json(const bench_report *report, const bench_result *result)
{
    json_t *passes = json_array();
    for (uint32_t i = 0; i < result->pass_count; ++i)
        passes = app_json_append(passes, pass_json(report, result, &result->passes[i]));
    return passes;
}

static const app_json_field counts[] = {
    JSON_FIELD_AS("scene", bench_result, TEXT, scene_name),
    JSON_FIELD(bench_result, BOOL, alone),
    JSON_FIELD_AS("particles", bench_result, U32, stats.particle_count),
    JSON_FIELD(bench_result, U32, iterations),
    JSON_FIELD(bench_result, U64, substeps),
    JSON_FIELD_AS("substeps_in_frame", bench_result, U32, stats.substeps_in_frame),
    JSON_FIELD(bench_result, U64, frames),
};
static const app_json_field meshes[] = {
    JSON_FIELD(bench_result, U32, vertices),
    JSON_FIELD(bench_result, U32, triangles),
    JSON_FIELD(bench_result, NUMBER, write_ms),
};
static const app_json_field pictures[] = {
    JSON_FIELD(bench_result, U32, width),
    JSON_FIELD(bench_result, U32, height),
};
static const app_json_field measured[] = {
    JSON_FIELD(bench_result, NUMBER, wall_ms),
    JSON_FIELD(bench_result, NUMBER, processor_ms),
    JSON_FIELD(bench_result, NUMBER, record_ms),
    JSON_FIELD(bench_result, NUMBER, longest_submission_ms),
    JSON_FIELD(bench_result, NUMBER, iterations_each),
    JSON_FIELD_AS("neighbours_mean", bench_result, NUMBER, stats.neighbours_mean),
    JSON_FIELD_AS("density_error_mean", bench_result, NUMBER, stats.density_error_mean),
    JSON_FIELD_AS("density_error_max", bench_result, NUMBER, stats.density_error_max),
    JSON_FIELD_AS("memory_bytes", bench_result, U64, stats.memory_bytes),
};
static json_t *result_json(const bench_report *report, const bench_result *result)
{
    const bench_case *what = &result->what;
    json_t *o = json_pack("{s:s, s:s}", "suite", what->suite, "case", what->name);
    if (result->skipped[0]) o = app_json_set(o, "skipped", json_string(result->skipped));
    o = JSON_FIELDS(o, counts, result);
    if (what->work == BENCH_MESHES) o = JSON_FIELDS(o, meshes, result);
    if (what->work == BENCH_PICTURES) o = JSON_FIELDS(o, pictures, result);
    o = JSON_FIELDS(o, measured, result);
    o = app_json_set(o, "memory_by_module",
                     modules_json(result->modules, offsetof(weir_module_memory, bytes)));
    o = app_json_set(o, "memory_bytes_per_particle",
                     app_json_number(result->stats.memory_bytes_per_particle));
    if (what->paper_ms > 0) o = app_json_set(o, "paper_ms", app_json_number(what->paper_ms));
    return app_json_set(o, "passes", passes_json(report, result));
}

weir_result bench_write_json(const bench_report *report, const char *path)
{
    json_t *results = json_array();
    for (size_t i = 0; i < report->results.count; ++i)
        results = app_json_append(results, result_json(report, &report->results.items[i]));
    json_t *json = json_pack(
        "{s:s, s:i, s:s, s:s, s:o, s:o, s:o, s:i, s:i, s:b, s:o}", "schema", BENCH_SCHEMA,
        "schema_version", BENCH_SCHEMA_VERSION, "weir", weir_version(), "date", report->date,
        "device", device_json(report), "ceilings", ceilings_json(report, &report->ceilings),
        "ceilings_reached", ceilings_json(report, &report->reached), "workgroup",
        (int)report->sizes.workgroup, "subgroup", (int)report->sizes.subgroup, "serialize",
        report->serialize, "results", results);
    return app_json_write(&report->log, path, json);
}
