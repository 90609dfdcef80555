/* Public API of probes: weir/probe.h. */
#include "weir/probe.h"

#include "api_internal.h"
#include "probe.h"

struct weir_probe {
    weir_device *device;
    probe *probe;
};

static probe_def describe_scene(const scene_data *scene)
{
    const scene_domain *domain = &scene->domain;
    bool falls = vec3_length(scene->gravity) > 0.0f;
    probe_def def = {
        .min = domain->min,
        .max = domain->max,
        .up = falls ? vec3_scale(scene->gravity, -1.0f / vec3_length(scene->gravity))
                    : vec3_make(0, 1, 0),
        .planar = scene->solver.dimensions == 2,
        .plane = scene_plane(scene),
    };
    for (int k = 0; k < 3; k++)
        def.periodic[k] = domain->sides[2 * k] == SCENE_SIDE_PERIODIC;
    return def;
}

weir_result weir_probe_create(weir_device *device, const weir_scene *scene, weir_probe **probe)
{
    const weir_log *log = api_log(device);
    WEIR_REQUIRE_OUT(log, probe);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_NOT_NULL(log, scene);
    weir_probe *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a probe");
    made->device = api_device_add_child(device, API_PROBE);
    const probe_def def = describe_scene(scene->data);
    weir_result result = probe_create(device->gpu, &def, &made->probe);
    if (result != WEIR_OK) weir_probe_destroy(&made);
    *probe = made;
    return result;
}

void weir_probe_destroy(weir_probe **probe)
{
    if (!probe || !*probe) return;
    probe_destroy(&(*probe)->probe);
    api_device_remove_child((*probe)->device, API_PROBE);
    base_free(*probe);
    *probe = NULL;
}

static bool all_finite(const float *points_m, uint32_t count)
{
    bool finite = true;
    for (size_t i = 0; i < 3 * (size_t)count; i++)
        finite &= isfinite(points_m[i]) != 0;
    return finite;
}

weir_result weir_probe_submit(weir_probe *probe, const weir_points *points, const float *points_m,
                              uint32_t count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, probe);
    const weir_log *log = api_log(probe->device);
    WEIR_REQUIRE_NOT_NULL(log, points);
    WEIR_REQUIRE(log, points->device == probe->device, "`points` must be of the same device");
    WEIR_REQUIRE(log, count > 0 && count <= 1u << 20, "`count` must be 1 to 1048576");
    WEIR_REQUIRE_NOT_NULL(log, points_m);
    WEIR_REQUIRE(log, all_finite(points_m, count), "`points_m` must be finite");
    return probe_submit(probe->probe, &points->slot.points, (const vec3 *)(const void *)points_m,
                        count);
}

weir_result weir_probe_read(weir_probe *probe, bool wait, weir_probe_sample *samples,
                            uint32_t *count, uint64_t *number)
{
    WEIR_REQUIRE_NOT_NULL(NULL, probe);
    const weir_log *log = api_log(probe->device);
    WEIR_REQUIRE_NOT_NULL(log, count);
    WEIR_REQUIRE_NOT_NULL(log, number);
    WEIR_ASSERT(WEIR_NO_SURFACE == PROBE_NO_SURFACE);
    const struct probe_sample *found = NULL;
    uint32_t capacity = samples ? *count : 0;
    WEIR_RETURN_IF_ERROR(probe_read(probe->probe, wait, &found, count, number));
    for (uint32_t i = 0; i < capacity && i < *count; i++)
        samples[i] = (weir_probe_sample){
            .fluid_fraction = found[i].fluid_fraction,
            .density = found[i].density,
            .velocity = {found[i].velocity.x, found[i].velocity.y, found[i].velocity.z},
            .surface_offset_m = found[i].surface,
        };
    return WEIR_OK;
}
