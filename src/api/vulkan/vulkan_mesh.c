/* Public API of meshes in Vulkan buffers: weir/vulkan.h. */
#include "api_internal.h"
#include "gpu_adopt.h"
#include "weir/vulkan.h"

_Static_assert(sizeof(VkDrawIndexedIndirectCommand) == 4 * MESHER_DRAW_ARGUMENT_WORDS,
               "one struct");
_Static_assert(WEIR_VULKAN_MESH_GENERATIONS == MESHER_DEVICE_SURFACES, "one number");

static weir_vulkan_array export_buffer(gpu_buffer *buffer, uint32_t stride)
{
    return (weir_vulkan_array){gpu_buffer_share_with_host(buffer), stride};
}

static weir_vulkan_mesh export_surface(const mesher_device_surface *s)
{
    weir_vulkan_mesh mesh = {.position = export_buffer(s->position, 12),
                             .index = export_buffer(s->index, 4),
                             .draw_arguments = gpu_buffer_share_with_host(s->arguments),
                             .vertex_count = s->vertex_count,
                             .triangle_count = s->triangle_count,
                             .cell_m = s->cell_m,
                             .generation = s->generation};
    if (s->normals) mesh.normal = export_buffer(s->normal, 12);
    return mesh;
}

static weir_result check_run(const weir_mesher *mesher, const weir_points *points,
                             const weir_vulkan_submit *submit)
{
    const weir_log *log = api_log(mesher->device);
    WEIR_REQUIRE(log, points, "`points` must not be NULL");
    WEIR_REQUIRE(log, points->device == mesher->device,
                 "the points must be on the mesher's device");
    WEIR_REQUIRE(log, gpu_device_is_adopted(mesher->device->gpu),
                 "the device was created by Weir and is not shared: use weir_mesher_run");
    WEIR_RETURN_IF_ERROR(api_submit_check(log, submit));
    if (!submit || !submit->commands) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                     "weir_vulkan_mesher_run: the mesher reads sizes back between submissions, so "
                     "Weir must submit: `commands` must be VK_NULL_HANDLE");
}

weir_result weir_vulkan_mesher_run(weir_mesher *mesher, const weir_points *points,
                                   const weir_vulkan_submit *submit, weir_vulkan_mesh *mesh)
{
    const mesher_device_surface *made = NULL;
    if (mesh) *mesh = (weir_vulkan_mesh){0};
    WEIR_REQUIRE_NOT_NULL(NULL, mesher);
    WEIR_REQUIRE_NOT_NULL(api_log(mesher->device), mesh);
    WEIR_RETURN_IF_ERROR(check_run(mesher, points, submit));
    weir_vulkan_submit before = weir_vulkan_submit_default(), after = before;
    if (submit) {
        before.waits = submit->waits;
        before.wait_count = submit->wait_count;
        after.signals = submit->signals;
        after.signal_count = submit->signal_count;
    }
    const mesher_submit_hooks hooks = {before.wait_count ? &before : NULL,
                                       after.signal_count ? &after : NULL};
    /* The cast is safe: the visible state of the points does not change. */
    WEIR_RETURN_IF_ERROR(api_points_wait_counts((weir_points *)(uintptr_t)points));
    WEIR_RETURN_IF_ERROR(mesher_run_on_device(mesher->core, &points->slot.points, &hooks, &made));
    *mesh = export_surface(made);
    return WEIR_OK;
}

weir_result weir_vulkan_mesher_get(const weir_mesher *mesher, uint64_t generation,
                                   weir_vulkan_mesh *mesh)
{
    const mesher_device_surface *kept = NULL;
    if (mesh) *mesh = (weir_vulkan_mesh){0};
    WEIR_REQUIRE_NOT_NULL(NULL, mesher);
    WEIR_REQUIRE_NOT_NULL(api_log(mesher->device), mesh);
    WEIR_RETURN_IF_ERROR(mesher_device_surface_find(mesher->core, generation, &kept));
    *mesh = export_surface(kept);
    return WEIR_OK;
}
