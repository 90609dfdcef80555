/* The side door for measuring: simulations, devices and traces. */
#include "whitewater.h"

/* ---- times of passes ------------------------------------------------------------------------ */

weir_result weir_sim_row_times(weir_sim *sim, weir_row_time *times, uint32_t *count)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), count);
    uint32_t room = times ? *count : 0;
    *count = room;
    WEIR_NEED(sim_row_times(sim->world, times, count));
    return api_whitewater_times(sim, times, room, count);
}

void weir_sim_row_times_reset(weir_sim *sim)
{
    if (!sim) return;
    sim_row_times_reset(sim->world);
    api_whitewater_times_reset(sim);
}

weir_result weir_sim_row_repeat(weir_sim *sim, const char *name, uint32_t repeat,
                                weir_row_time *time)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE(api_sim_log(sim), name && name[0], "`name` must name a pass");
    WEIR_REQUIRE(api_sim_log(sim), repeat > 0 && repeat <= 100000, "`repeat` must be 1 to 100,000");
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), time);
    return sim_row_repeat(sim->world, name, repeat, time);
}

void weir_device_time_passes(weir_device *device, bool on)
{
    if (device) gpu_device_watch(device->gpu, on);
}

double weir_device_longest_submission(weir_device *device)
{
    return device ? gpu_device_longest_submission(device->gpu) : 0.0;
}

/* ---- what a device reaches, and traces ------------------------------------------------------ */

weir_result weir_device_ceilings(weir_device *device, weir_ceilings *ceilings)
{
    WEIR_REQUIRE_GIVEN(NULL, device);
    WEIR_REQUIRE_GIVEN(api_log(device), ceilings);
    return gpu_ceilings_measure(device->gpu, ceilings);
}

weir_result weir_trace_start(weir_device *device, const char *path)
{
    WEIR_REQUIRE_GIVEN(NULL, device);
    const weir_log *log = api_log(device);
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE(log, !device->trace, "a trace is being written: finish it first");
    WEIR_NEED(base_trace_open(log, path, &device->trace));
    weir_result result = gpu_device_set_trace(device->gpu, device->trace);
    if (result != WEIR_OK) weir_trace_finish(device);
    return result;
}

weir_result weir_trace_finish(weir_device *device)
{
    WEIR_REQUIRE_GIVEN(NULL, device);
    if (!device->trace) return WEIR_OK;
    weir_result result = gpu_device_set_trace(device->gpu, NULL);
    weir_result closed = base_trace_close(&device->trace);
    return closed != WEIR_OK ? closed : result;
}

/* ---- inside a substep ----------------------------------------------------------------------- */

weir_result weir_sim_explain(weir_sim *sim, void (*write)(void *user, const char *line), void *user)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), write);
    WEIR_NEED(sim_explain(sim->world, write, user));
    return api_whitewater_explain(sim, write, user);
}

weir_result weir_sim_residuals(weir_sim *sim, uint32_t substep, weir_residual *residuals,
                               uint32_t *count)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), count);
    WEIR_REQUIRE(api_sim_log(sim), substep != WEIR_WHOLE_FRAME || !residuals,
                 "`substep` must be one of the last frame's");
    return sim_residuals(sim->world, substep, residuals, count);
}

static weir_result make_points(weir_sim *sim, const sim_inspection *seen, weir_points **points)
{
    const scene_data *scene = sim->scene->data;
    float rest = scene->fluid_count ? scene->fluids[0].density : 1.0f;
    float *density = base_alloc(seen->count, sizeof *density);
    if (!density) return base_fail(api_sim_log(sim), WEIR_MEMORY, "no memory for points");
    for (uint32_t i = 0; i < seen->count; i++) {
        float span = seen->high - seen->low;
        density[i] = rest * (1.0f + (span > 0 ? (seen->values[i] - seen->low) / span : 0.0f));
    }
    weir_points_def def = weir_points_def_default();
    def.count = seen->count;
    def.spacing_m = seen->spacing_m;
    def.radius_m = seen->spacing_m * scene->solver.support;
    def.position = (const float *)seen->positions;
    def.density = density;
    weir_result result = weir_points_from_host(sim->device, &def, points);
    base_free(density);
    return result;
}

weir_result weir_sim_inspect(weir_sim *sim, uint32_t row, weir_row_view *view, weir_points **points)
{
    WEIR_REQUIRE_OUT(api_sim_log(sim), points);
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), view);
    sim_inspection seen;
    WEIR_NEED(sim_inspect(sim->world, row, &seen));
    *view = (weir_row_view){.row = seen.row,
                            .group = seen.group,
                            .shown = seen.shown,
                            .row_count = seen.row_count,
                            .low = seen.low,
                            .high = seen.high};
    weir_result result = make_points(sim, &seen, points);
    sim_inspection_free(&seen);
    return result;
}

weir_result weir_sim_slice(weir_sim *sim, weir_slice_of of, uint32_t axis, double position_m,
                           weir_slice **slice)
{
    WEIR_REQUIRE_OUT(api_sim_log(sim), slice);
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE(api_sim_log(sim), of < WEIR_SLICE_COUNT, "`of` must be a weir_slice_of");
    WEIR_REQUIRE(api_sim_log(sim), axis < 3, "`axis` must be 0, 1 or 2");
    WEIR_REQUIRE(api_sim_log(sim), isfinite(position_m), "`position_m` must be finite");
    return sim_slice(sim->world, of, axis, (float)position_m, slice);
}

void weir_slice_destroy(weir_slice **slice)
{
    if (slice) sim_slice_free(slice);
}
