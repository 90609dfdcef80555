/* Public API of profiling: weir/profile.h. */
#include "sim_whitewater.h"

/* ---- pass times ----------------------------------------------------------------------------- */

weir_result weir_sim_get_pass_times(weir_sim *sim, weir_pass_time *times, uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), count);
    uint32_t capacity = times ? *count : 0;
    *count = capacity;
    WEIR_RETURN_IF_ERROR(sim_pass_times(sim->world, times, count));
    return api_whitewater_pass_times(sim, times, capacity, count);
}

void weir_sim_reset_pass_times(weir_sim *sim)
{
    if (!sim) return;
    sim_pass_times_reset(sim->world);
    api_whitewater_reset_times(sim);
}

weir_result weir_sim_repeat_pass(weir_sim *sim, const char *name, uint32_t repeat,
                                 weir_pass_time *time)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE(api_sim_log(sim), name && name[0], "`name` must name a pass");
    WEIR_REQUIRE(api_sim_log(sim), repeat > 0 && repeat <= 100000, "`repeat` must be 1 to 100,000");
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), time);
    return sim_time_repeated_pass(sim->world, name, repeat, time);
}

void weir_device_set_pass_timing(weir_device *device, bool on)
{
    if (device) gpu_device_time_passes(device->gpu, on);
}

double weir_device_longest_submission_ms(weir_device *device)
{
    return device ? gpu_device_longest_submission(device->gpu) : 0.0;
}

/* ---- device peaks and traces ---------------------------------------------------------------- */

weir_result weir_device_measure_peaks(weir_device *device, weir_device_peaks *peaks)
{
    WEIR_REQUIRE_NOT_NULL(NULL, device);
    WEIR_REQUIRE_NOT_NULL(api_log(device), peaks);
    return gpu_device_peaks_measure(device->gpu, peaks);
}

weir_result weir_trace_start(weir_device *device, const char *path)
{
    WEIR_REQUIRE_NOT_NULL(NULL, device);
    const weir_log *log = api_log(device);
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE(log, !device->trace, "another trace is being written: finish it first");
    WEIR_RETURN_IF_ERROR(base_trace_open(log, path, &device->trace));
    weir_result result = gpu_device_set_trace(device->gpu, device->trace);
    if (result != WEIR_OK) weir_trace_finish(device);
    return result;
}

weir_result weir_trace_finish(weir_device *device)
{
    WEIR_REQUIRE_NOT_NULL(NULL, device);
    if (!device->trace) return WEIR_OK;
    weir_result result = gpu_device_set_trace(device->gpu, NULL);
    weir_result closed = base_trace_close(&device->trace);
    return closed != WEIR_OK ? closed : result;
}

/* ---- inside a substep ----------------------------------------------------------------------- */

weir_result weir_sim_explain(weir_sim *sim, weir_explain_format format,
                             void (*write)(void *user, const char *line), void *user)
{
    weir_result result;
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE(api_sim_log(sim), (uint32_t)format < WEIR_EXPLAIN_FORMAT_COUNT,
                 "`format` must be a weir_explain_format");
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), write);
    gpu_explainer e = {.format = format, .write = write, .user = user};
    sim_explain_passes(sim->world, &e);
    result = api_whitewater_explain(sim, &e);
    sim_explain_totals(sim->world, &e);
    weir_result ended = gpu_explain_end(&e, api_sim_log(sim));
    return result != WEIR_OK ? result : ended;
}

weir_result weir_sim_get_residuals(weir_sim *sim, uint32_t substep, weir_residual *residuals,
                                   uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), count);
    WEIR_REQUIRE(api_sim_log(sim), substep != WEIR_ENTIRE_FRAME || !residuals,
                 "`substep` must be one of the last frame's");
    return sim_residuals(sim->world, substep, residuals, count);
}

static weir_result make_points(weir_sim *sim, const sim_inspection *seen, weir_points **points)
{
    const scene_data *scene = sim->scene->data;
    float rest = scene->fluid_count ? scene->fluids[0].density : 1.0f;
    float *density = base_alloc(seen->count, sizeof *density);
    if (!density)
        return base_fail(api_sim_log(sim), WEIR_ERROR_MEMORY, "not enough memory for points");
    for (uint32_t i = 0; i < seen->count; i++) {
        float span = seen->high - seen->low;
        density[i] = rest * (1.0f + (span > 0 ? (seen->values[i] - seen->low) / span : 0.0f));
    }
    weir_points_def def = weir_points_def_default();
    def.count = seen->count;
    def.spacing_m = seen->spacing_m;
    def.support_radius_m = seen->spacing_m * scene->solver.support_radius;
    def.position = (const float *)seen->positions;
    def.density = density;
    weir_result result = weir_points_create(sim->device, &def, points);
    base_free(density);
    return result;
}

weir_result weir_sim_inspect_pass(weir_sim *sim, uint32_t pass, weir_pass_inspection *view,
                                  weir_points **points)
{
    WEIR_REQUIRE_OUT(api_sim_log(sim), points);
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), view);
    sim_inspection seen;
    WEIR_RETURN_IF_ERROR(sim_inspect(sim->world, pass, &seen));
    *view = (weir_pass_inspection){.name = seen.pass,
                                   .group = seen.group,
                                   .quantity = seen.shown,
                                   .pass_count = seen.pass_count,
                                   .min_value = seen.low,
                                   .max_value = seen.high};
    weir_result result = make_points(sim, &seen, points);
    sim_inspection_free(&seen);
    return result;
}

weir_result weir_sim_create_slice(weir_sim *sim, weir_slice_quantity of, uint32_t axis,
                                  double position_m, weir_slice **slice)
{
    WEIR_REQUIRE_OUT(api_sim_log(sim), slice);
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE(api_sim_log(sim), of < WEIR_SLICE_COUNT,
                 "`quantity` must be a weir_slice_quantity");
    WEIR_REQUIRE(api_sim_log(sim), axis < 3, "`axis` must be 0, 1 or 2");
    WEIR_REQUIRE(api_sim_log(sim), isfinite(position_m), "`position_m` must be finite");
    return sim_slice(sim->world, of, axis, (float)position_m, slice);
}

void weir_slice_destroy(weir_slice **slice)
{
    if (slice) sim_slice_free(slice);
}
