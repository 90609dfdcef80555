/* The figures of `weir bench` as JSON, schema weir-bench version 1, which --compare reads. */
#include "bench_internal.h"

#include <jansson.h>
#include <stddef.h>

/* A member of `type`, with its name or another text as its key. */
#define FIELD(type, kind, member)                        \
    {                                                    \
#member, APP_JSON_##kind, offsetof(type, member) \
    }
#define FIELD_AS(key, type, kind, member)            \
    {                                                \
        key, APP_JSON_##kind, offsetof(type, member) \
    }
#define PUT(object, fields, of) app_json_fields(object, fields, BASE_COUNT(fields), of)

static json_t *machine_json(const bench_machine *machine)
{
    static const app_json_field fields[] = {
        FIELD(bench_machine, NUMBER, gpu_mhz),
        FIELD_AS("gpu_celsius", bench_machine, NUMBER, gpu_c),
        FIELD_AS("gpu_watt", bench_machine, NUMBER, gpu_w),
        FIELD(bench_machine, NUMBER, cpu_mhz),
        FIELD_AS("cpu_celsius", bench_machine, NUMBER, cpu_c),
    };
    return PUT(json_object(), fields, machine);
}

/* Bytes by room, now or at the peak: `bytes` in weir_room_memory. */
static json_t *rooms_json(const weir_room_memory rooms[WEIR_ROOMS], size_t bytes)
{
    json_t *o = json_object();
    for (uint32_t i = 0; i < WEIR_ROOMS && rooms[i].name; ++i)
        o = app_json_fields(o, &(app_json_field){rooms[i].name, APP_JSON_U64, bytes}, 1, &rooms[i]);
    return o;
}

static json_t *device_json(const bench_report *report)
{
    static const app_json_field fields[] = {
        FIELD(weir_device_info, TEXT, name),         FIELD(weir_device_info, TEXT, driver),
        FIELD(weir_device_info, U32, driver_id),     FIELD(weir_device_info, U32, driver_version),
        FIELD(weir_device_info, U32, vendor_id),     FIELD(weir_device_info, U32, device_id),
        FIELD(weir_device_info, TEXT, api_version),  FIELD(weir_device_info, U64, memory_bytes),
        FIELD(weir_device_info, U32, subgroup_size), FIELD(weir_device_info, BOOL, timestamps),
    };
    json_t *o = PUT(json_object(), fields, &report->info);
    o = app_json_put(o, "memory_peak_bytes",
                     rooms_json(report->info.rooms, offsetof(weir_room_memory, peak_bytes)));
    o = app_json_put(o, "before", machine_json(&report->before));
    return app_json_put(o, "after", machine_json(&report->after));
}

static json_t *ceilings_json(const bench_report *report)
{
    static const app_json_field fields[] = {
        FIELD(weir_ceilings, NUMBER, copy_gb_s),   FIELD(weir_ceilings, NUMBER, cache_gb_s),
        FIELD(weir_ceilings, NUMBER, atomics_g_s), FIELD(weir_ceilings, NUMBER, fma_gflop_s),
        FIELD(weir_ceilings, NUMBER, dispatch_us),
    };
    return report->measured_ceilings ? PUT(json_object(), fields, &report->ceilings) : json_null();
}

/* Fields of passes and of whole tables. */
static const app_json_field times[] = {
    FIELD(weir_row_time, WORDS, name),       FIELD(weir_row_time, WORDS, group),
    FIELD(weir_row_time, BOOL, whole),       FIELD(weir_row_time, U32, calls),
    FIELD(weir_row_time, NUMBER, median_ms), FIELD(weir_row_time, NUMBER, low_ms),
    FIELD(weir_row_time, NUMBER, high_ms),   FIELD(weir_row_time, NUMBER, total_ms),
};
static const app_json_field work[] = {
    FIELD(weir_row_time, NUMBER, elements),
    FIELD(weir_row_time, NUMBER, bytes),
    FIELD_AS("gathered_bytes", weir_row_time, NUMBER, gathered),
    FIELD(weir_row_time, NUMBER, flops),
    FIELD(weir_row_time, NUMBER, atomics),
};
static const app_json_field pipeline[] = {
    FIELD(weir_row_time, HASH, spirv_hash),        FIELD(weir_row_time, NUMBER, compile_cold_ms),
    FIELD(weir_row_time, NUMBER, compile_warm_ms), FIELD(weir_row_time, KNOWN, registers),
    FIELD(weir_row_time, KNOWN, spill_bytes),      FIELD(weir_row_time, KNOWN, subgroup_size),
};

static json_t *pass_json(const bench_report *report, const bench_result *result,
                         const weir_row_time *pass)
{
    json_t *o = PUT(json_object(), times, pass);
    o = app_json_put(o, "ms_per_substep", app_json_number(bench_per_substep(result, pass)));
    if (pass->whole) return o;
    bench_bound most = bench_find_bound(&report->ceilings, pass);
    double invocations = pass->invocations > 0 ? pass->invocations : (double)NAN;
    o = app_json_put(o, "stage", json_string(pass->stage[0] ? pass->stage : "other"));
    o = PUT(o, work, pass);
    o = app_json_put(o, "invocations", app_json_number(invocations));
    o = app_json_put(o, "bound", json_string(most.name));
    o = app_json_put(o, "bound_ms", app_json_number(most.ms));
    if (report->predicted && result->what.work == BENCH_STEPS) {
        bench_bound there = bench_predict_pass(report->predicted, result, pass);
        o = app_json_put(o, "predicted_ms", app_json_number(there.ms));
        o = app_json_put(o, "predicted_bound", json_string(there.name));
    }
    return PUT(o, pipeline, pass);
}

static json_t *passes_json(const bench_report *report, const bench_result *result)
{
    json_t *passes = json_array();
    for (uint32_t i = 0; i < result->pass_count; ++i)
        passes = app_json_add(passes, pass_json(report, result, &result->passes[i]));
    return passes;
}

static const app_json_field counts[] = {
    FIELD_AS("scene", bench_result, TEXT, scene_name),
    FIELD(bench_result, BOOL, alone),
    FIELD_AS("particles", bench_result, U32, stats.particle_count),
    FIELD(bench_result, U32, iterations),
    FIELD(bench_result, U64, substeps),
    FIELD_AS("substeps_in_frame", bench_result, U32, stats.substeps_in_frame),
    FIELD(bench_result, U64, frames),
};
static const app_json_field meshes[] = {
    FIELD(bench_result, U32, vertices),
    FIELD(bench_result, U32, triangles),
    FIELD(bench_result, NUMBER, write_ms),
};
static const app_json_field pictures[] = {
    FIELD(bench_result, U32, width),
    FIELD(bench_result, U32, height),
};
static const app_json_field measured[] = {
    FIELD(bench_result, NUMBER, wall_ms),
    FIELD(bench_result, NUMBER, record_ms),
    FIELD(bench_result, NUMBER, longest_submission_ms),
    FIELD(bench_result, NUMBER, iterations_each),
    FIELD_AS("neighbours_mean", bench_result, NUMBER, stats.neighbours_mean),
    FIELD_AS("density_error_mean", bench_result, NUMBER, stats.density_error_mean),
    FIELD_AS("density_error_max", bench_result, NUMBER, stats.density_error_max),
    FIELD_AS("memory_bytes", bench_result, U64, stats.memory_bytes),
};
static json_t *result_json(const bench_report *report, const bench_result *result)
{
    const bench_case *what = &result->what;
    json_t *o = json_pack("{s:s, s:s}", "suite", what->suite, "case", what->name);
    if (result->skipped[0]) o = app_json_put(o, "skipped", json_string(result->skipped));
    o = PUT(o, counts, result);
    if (what->work == BENCH_MESHES) o = PUT(o, meshes, result);
    if (what->work == BENCH_PICTURES) o = PUT(o, pictures, result);
    o = PUT(o, measured, result);
    o = app_json_put(o, "memory_by_room",
                     rooms_json(result->rooms, offsetof(weir_room_memory, bytes)));
    o = app_json_put(o, "memory_bytes_per_particle",
                     app_json_number(result->stats.memory_bytes_per_particle));
    if (what->paper_ms > 0) o = app_json_put(o, "paper_ms", app_json_number(what->paper_ms));
    return app_json_put(o, "passes", passes_json(report, result));
}

weir_result bench_write_json(const bench_report *report, const char *path)
{
    json_t *results = json_array();
    for (size_t i = 0; i < report->results.count; ++i)
        results = app_json_add(results, result_json(report, &report->results.items[i]));
    json_t *json =
        json_pack("{s:s, s:i, s:s, s:s, s:o, s:o, s:i, s:i, s:b, s:o}", "schema", BENCH_SCHEMA,
                  "schema_version", BENCH_SCHEMA_VERSION, "weir", weir_version(), "date",
                  report->date, "device", device_json(report), "ceilings", ceilings_json(report),
                  "workgroup", (int)report->sizes.workgroup, "subgroup",
                  (int)report->sizes.subgroup, "serialize", report->serialize, "results", results);
    return app_json_write(&report->log, path, json);
}
