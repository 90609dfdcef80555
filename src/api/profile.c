/* What a device reaches, what a pass takes alone, and traces. */
#include "api_internal.h"

weir_result weir_sim_row_repeat(weir_sim *sim, const char *name, uint32_t repeat,
                                weir_row_time *time)
{
    WEIR_REQUIRE(NULL, sim, "`sim` must not be NULL");
    WEIR_REQUIRE(api_sim_log(sim), name && name[0], "`name` must name a pass");
    WEIR_REQUIRE(api_sim_log(sim), repeat > 0 && repeat <= 100000, "`repeat` must be 1 to 100,000");
    WEIR_REQUIRE(api_sim_log(sim), time, "`time` must not be NULL");
    return sim_row_repeat(sim->world, name, repeat, time);
}

weir_result weir_device_ceilings(weir_device *device, weir_ceilings *ceilings)
{
    WEIR_REQUIRE(NULL, device, "`device` must not be NULL");
    WEIR_REQUIRE(gpu_device_log(device->gpu), ceilings, "`ceilings` must not be NULL");
    return gpu_ceilings_measure(device->gpu, ceilings);
}

weir_result weir_trace_start(weir_device *device, const char *path)
{
    WEIR_REQUIRE(NULL, device, "`device` must not be NULL");
    const weir_log *log = gpu_device_log(device->gpu);
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE(log, !device->trace, "a trace is being written: finish it first");
    weir_result result = base_trace_open(log, path, &device->trace);
    if (result != WEIR_OK) return result;
    result = gpu_device_set_trace(device->gpu, device->trace);
    if (result != WEIR_OK) weir_trace_finish(device);
    return result;
}

weir_result weir_trace_finish(weir_device *device)
{
    WEIR_REQUIRE(NULL, device, "`device` must not be NULL");
    if (!device->trace) return WEIR_OK;
    weir_result result = gpu_device_set_trace(device->gpu, NULL);
    weir_result closed = base_trace_close(&device->trace);
    return closed != WEIR_OK ? closed : result;
}
