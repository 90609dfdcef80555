/* Public API of adopted devices and of steps in the host's frame: weir/vulkan.h. */
#include "api_internal.h"
#include "gpu_adopt.h"

#include "shared/body.h"
#include "shared/sim.h"

WEIR_SIZE_CHECK(weir_vulkan_counts, sizeof(struct sim_snapshot_args));

weir_result weir_vulkan_get_requirements(const weir_log *log, VkInstance instance,
                                         VkPhysicalDevice physical,
                                         PFN_vkGetInstanceProcAddr get_proc,
                                         weir_vulkan_device_requirements *needs)
{
    WEIR_REQUIRE_NOT_NULL(log, instance);
    WEIR_REQUIRE_NOT_NULL(log, physical);
    WEIR_REQUIRE_NOT_NULL(log, needs);
    return gpu_requirements(log, instance, physical, get_proc, needs);
}

weir_result weir_vulkan_enable_features(const weir_log *log, weir_vulkan_device_requirements *needs,
                                        VkPhysicalDeviceFeatures2 *features)
{
    WEIR_REQUIRE_NOT_NULL(log, needs);
    WEIR_REQUIRE_NOT_NULL(log, features);
    return gpu_features_merge(log, needs, features);
}

weir_vulkan_host weir_vulkan_host_default(void)
{
    return (weir_vulkan_host){.cookie = API_HOST_COOKIE};
}

static weir_result check_host(const weir_log *log, const weir_vulkan_host *host)
{
    WEIR_REQUIRE_NOT_NULL(log, host);
    WEIR_REQUIRE(log, host->cookie == API_HOST_COOKIE,
                 "`host` must be initialised by weir_vulkan_host_default()");
    WEIR_REQUIRE(log, host->instance && host->physical && host->device && host->queue,
                 "`host` must contain an instance, a physical device, a device and a queue");
    WEIR_REQUIRE(
        log, host->features,
        "`features` must be those that the device was created with: Vulkan cannot report them");
    WEIR_REQUIRE(log, host->extensions || host->extension_count == 0,
                 "`extensions` must not be NULL when `extension_count` is above 0");
    WEIR_REQUIRE(log, host->reader_families || host->reader_family_count == 0,
                 "`reader_families` must not be NULL when `reader_family_count` is above 0");
    WEIR_REQUIRE(log, host->reader_family_count <= 8, "`reader_family_count` must be at most 8");
    return WEIR_OK;
}

weir_result weir_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                              weir_device **device)
{
    const weir_device_def defaults = weir_device_def_default();
    if (!def) def = &defaults;
    const weir_log *log = &def->log;
    WEIR_REQUIRE_OUT(log, device);
    WEIR_REQUIRE_DEF(log, def, API_DEVICE_COOKIE, "device");
    WEIR_RETURN_IF_ERROR(check_host(log, host));

    *device = base_alloc(1, sizeof **device);
    if (!*device) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a device");
    weir_result result = gpu_device_adopt(def, host, &(*device)->gpu);
    if (result != WEIR_OK) weir_device_destroy(device);
    return result;
}

weir_result weir_vulkan_get_pipeline_cache(weir_device *device, void *bytes, size_t *size)
{
    const weir_log *log = api_log(device);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_NOT_NULL(log, size);
    return gpu_pipeline_cache_get(device->gpu, bytes, size);
}

weir_result weir_vulkan_compile_pipelines(weir_device *device, double seconds, uint32_t *left)
{
    const weir_log *log = api_log(device);
    if (left) *left = 0;
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_NOT_NULL(log, left);
    WEIR_REQUIRE(log, seconds >= 0, "`seconds` must be a number, 0 or more");
    WEIR_REQUIRE(
        log, gpu_device_is_adopted(device->gpu),
        "the device was created by Weir, which compiles pipelines when objects are created");
    return gpu_pipelines_compile(device->gpu, seconds, left);
}

/* ---- steps in a host's frame ---------------------------------------------------------------- */

weir_vulkan_submit weir_vulkan_submit_default(void)
{
    return (weir_vulkan_submit){.cookie = API_SUBMIT_COOKIE};
}

static weir_result check_semaphores(const weir_log *log, const char *list,
                                    const weir_vulkan_sync *syncs, uint32_t count)
{
    if (count > WEIR_VULKAN_MAX_SYNCS || (count && !syncs))
        return api_argument_error(log, "`%s` has %u semaphores%s, expected at most %d", list, count,
                                  syncs ? "" : " but is NULL", WEIR_VULKAN_MAX_SYNCS);
    for (uint32_t i = 0; i < count; i++)
        if (!syncs[i].semaphore)
            return api_argument_error(log, "`%s[%u].semaphore` must not be VK_NULL_HANDLE", list,
                                      i);
    return WEIR_OK;
}

weir_result api_submit_check(const weir_log *log, const weir_vulkan_submit *submit)
{
    if (!submit) return WEIR_OK;
    WEIR_REQUIRE(log, submit->cookie == API_SUBMIT_COOKIE,
                 "`submit` must be initialised by weir_vulkan_submit_default()");
    WEIR_RETURN_IF_ERROR(check_semaphores(log, "waits", submit->waits, submit->wait_count));
    WEIR_RETURN_IF_ERROR(check_semaphores(log, "signals", submit->signals, submit->signal_count));
    WEIR_REQUIRE(log, !submit->commands || submit->wait_count + submit->signal_count == 0,
                 "the host submits `commands` with its own semaphores: wait_count and signal_count "
                 "must be 0");
    return WEIR_OK;
}

weir_result weir_vulkan_notify_done(weir_device *device, VkCommandBuffer commands)
{
    WEIR_REQUIRE_NOT_NULL(api_log(device), device);
    WEIR_REQUIRE_NOT_NULL(api_log(device), commands);
    gpu_command_buffer_finished(device->gpu, commands);
    return WEIR_OK;
}

weir_result weir_vulkan_step(weir_sim *sim, double seconds, const weir_vulkan_submit *submit,
                             weir_points **points)
{
    const weir_log *log = api_sim_log(sim);
    if (points) *points = NULL;
    WEIR_REQUIRE_NOT_NULL(log, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE(log, isfinite(seconds) && seconds >= 0,
                 "`seconds` must be a finite number, 0 or more");
    WEIR_REQUIRE(log, gpu_device_is_adopted(sim->device->gpu),
                 "the device was created by Weir and is not shared: use weir_sim_step");
    WEIR_RETURN_IF_ERROR(api_submit_check(log, submit));
    if (!points) return api_sim_step(sim, seconds, NULL, submit);
    weir_points *made = api_points_from_sim(sim);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for points");
    made->stepped = true;
    weir_result result = api_sim_step(sim, seconds, &made->slot, submit);
    made->steps = made->slots->steps;
    made->scene = sim->scene;
    api_scene_retain(made->scene);
    made->time_s = sim_begun_time_s(sim->world);
    if (result == WEIR_OK) result = api_read_driven_poses(sim->world, &made->solids);
    if (result != WEIR_OK) weir_points_release(&made);
    *points = made;
    return result;
}

static weir_vulkan_array export_buffer(gpu_buffer *buffer, uint32_t stride)
{
    return (weir_vulkan_array){buffer ? gpu_buffer_share_with_host(buffer) : VK_NULL_HANDLE,
                               stride};
}

weir_result weir_vulkan_get_points(const weir_points *points, weir_vulkan_points *out)
{
    WEIR_REQUIRE_NOT_NULL(NULL, points);
    const weir_log *log = api_log(points->device);
    const particle_view *p = &points->slot.points;
    WEIR_REQUIRE_NOT_NULL(log, out);
    WEIR_REQUIRE(log, gpu_device_is_adopted(points->device->gpu),
                 "the device was created by Weir and is not shared: use weir_sim_read_field");
    *out = (weir_vulkan_points){
        .field = {[WEIR_FIELD_POSITION] = export_buffer(p->position, 16),
                  [WEIR_FIELD_VELOCITY] = export_buffer(p->velocity, 16),
                  [WEIR_FIELD_ID] = export_buffer(p->id, 4),
                  [WEIR_FIELD_FLUID] = export_buffer(p->fluid, 4),
                  [WEIR_FIELD_DENSITY] = export_buffer(p->density, 4)},
        .capacity = p->count,
    };
    if (!points->stepped) return WEIR_OK;
    const sim_snapshot *slot = &points->slot;
    out->frame = slot->frame;
    out->counts = gpu_buffer_share_with_host(slot->counts);
    out->body = export_buffer(slot->bodies, sizeof(struct body_state));
    out->body_count =
        slot->bodies ? (uint32_t)(gpu_buffer_size(slot->bodies) / sizeof(struct body_state)) : 0;
    return WEIR_OK;
}
