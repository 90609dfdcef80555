/* The side door: surfaces that stay on the device. */
#include "api_internal.h"
#include "gpu_adopt.h"
#include "weir_vulkan_mesh.h"

_Static_assert(sizeof(VkDrawIndexedIndirectCommand) == 4 * MESHER_ARGUMENT_WORDS, "one struct");
_Static_assert(WEIR_VULKAN_MESHES == MESHER_SHARED, "one number");

static weir_vulkan_array share(gpu_buffer *buffer, uint32_t stride)
{
    return (weir_vulkan_array){gpu_buffer_share(buffer), stride};
}

static weir_vulkan_mesh show(const mesher_shared *s)
{
    weir_vulkan_mesh mesh = {.position = share(s->position, 12),
                             .index = share(s->index, 4),
                             .arguments = gpu_buffer_share(s->arguments),
                             .vertex_count = s->vertex_count,
                             .triangle_count = s->triangle_count,
                             .cell_m = s->cell_m,
                             .generation = s->generation};
    if (s->normals) mesh.normal = share(s->normal, 12);
    return mesh;
}

static weir_result check_run(const weir_mesher *mesher, const weir_points *points,
                             const weir_vulkan_submit *submit)
{
    const weir_log *log = api_log(mesher->device);
    WEIR_REQUIRE(log, points, "weir_vulkan_mesh_run: `points` must not be NULL");
    WEIR_REQUIRE(log, points->device == mesher->device,
                 "the points must be on the mesher's device");
    WEIR_REQUIRE(log, gpu_device_is_adopted(mesher->device->gpu),
                 "the device is Weir's own, which shares nothing: use weir_mesher_run");
    WEIR_NEED(api_submit_check(log, "weir_vulkan_mesh_run", submit));
    if (!submit || !submit->commands) return WEIR_OK;
    return base_fail(log, WEIR_UNSUPPORTED,
                     "weir_vulkan_mesh_run: the mesher waits for the size of each part before the "
                     "next: Weir submits, and `commands` must be VK_NULL_HANDLE");
}

weir_result weir_vulkan_mesh_run(weir_mesher *mesher, const weir_points *points,
                                 const weir_vulkan_submit *submit, weir_vulkan_mesh *mesh)
{
    const mesher_shared *made = NULL;
    if (mesh) *mesh = (weir_vulkan_mesh){0};
    WEIR_REQUIRE_GIVEN(NULL, mesher);
    WEIR_REQUIRE_GIVEN(api_log(mesher->device), mesh);
    WEIR_NEED(check_run(mesher, points, submit));
    weir_vulkan_submit before = weir_vulkan_submit_default(), after = before;
    if (submit) {
        before.waits = submit->waits;
        before.wait_count = submit->wait_count;
        after.signals = submit->signals;
        after.signal_count = submit->signal_count;
    }
    const mesher_order order = {before.wait_count ? &before : NULL,
                                after.signal_count ? &after : NULL};
    /* What their holder can read of the points stays the same. */
    WEIR_NEED(api_points_know((weir_points *)(uintptr_t)points));
    WEIR_NEED(mesher_share(mesher->core, &points->slot.points, &order, &made));
    *mesh = show(made);
    return WEIR_OK;
}

weir_result weir_vulkan_mesh_get(const weir_mesher *mesher, uint64_t generation,
                                 weir_vulkan_mesh *mesh)
{
    const mesher_shared *kept = NULL;
    if (mesh) *mesh = (weir_vulkan_mesh){0};
    WEIR_REQUIRE_GIVEN(NULL, mesher);
    WEIR_REQUIRE_GIVEN(api_log(mesher->device), mesh);
    WEIR_NEED(mesher_shared_find(mesher->core, generation, &kept));
    *mesh = show(kept);
    return WEIR_OK;
}
