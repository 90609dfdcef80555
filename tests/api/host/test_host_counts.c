/* Cost of a host's frame compared with weir_sim_step: the commands that each records. */
#include "replaced_calls.h"

#define SCENE                                                                             \
    "{\"name\": \"counted\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.2, \"spacing\": 0.05,"                          \
    " \"solver\": {\"substeps\": 2, \"iterations\": 3},"                                  \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                 \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"

/* ---- a counting driver ---------------------------------------------------------------------- */

typedef struct counts {
    uint32_t dispatches, barriers, copies, fills, submissions;
} counts;

static counts counted;
static PFN_vkCmdDispatch dispatch;
static PFN_vkCmdDispatchIndirect dispatch_indirect;
static PFN_vkCmdPipelineBarrier2 barrier;
static PFN_vkCmdCopyBuffer copy;
static PFN_vkCmdFillBuffer fill;
static PFN_vkQueueSubmit2 submit;

static void VKAPI_PTR count_dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    counted.dispatches++;
    dispatch(commands, x, y, z);
}

static void VKAPI_PTR count_indirect(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset)
{
    counted.dispatches++;
    dispatch_indirect(commands, buffer, offset);
}

static void VKAPI_PTR count_barrier(VkCommandBuffer commands, const VkDependencyInfo *info)
{
    counted.barriers++;
    barrier(commands, info);
}

static void VKAPI_PTR count_copy(VkCommandBuffer commands, VkBuffer from, VkBuffer to,
                                 uint32_t count, const VkBufferCopy *regions)
{
    counted.copies++;
    copy(commands, from, to, count, regions);
}

static void VKAPI_PTR count_fill(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
                                 VkDeviceSize size, uint32_t word)
{
    counted.fills++;
    fill(commands, buffer, offset, size, word);
}

static VkResult VKAPI_PTR count_submit(VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos,
                                       VkFence fence)
{
    counted.submissions += count;
    return submit(queue, count, infos, fence);
}

static PFN_vkVoidFunction VKAPI_PTR counted_device_call(VkDevice device, const char *asked)
{
    REPLACED(vkCmdDispatch, dispatch, count_dispatch)
    REPLACED(vkCmdDispatchIndirect, dispatch_indirect, count_indirect)
    REPLACED(vkCmdPipelineBarrier2, barrier, count_barrier)
    REPLACED(vkCmdCopyBuffer, copy, count_copy)
    REPLACED(vkCmdFillBuffer, fill, count_fill)
    REPLACED(vkQueueSubmit2, submit, count_submit)
    return get_device_call(device, asked);
}

static PFN_vkVoidFunction VKAPI_PTR counted_call(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction found = vkGetInstanceProcAddr(instance, name);
    if (strcmp(name, "vkGetDeviceProcAddr") != 0) return found;
    get_device_call = (PFN_vkGetDeviceProcAddr)found;
    return (PFN_vkVoidFunction)counted_device_call;
}

/* ---- frames --------------------------------------------------------------------------------- */

typedef enum way {
    OWN,      /* weir_sim_step, as in weir bench */
    HOST,     /* weir_vulkan_step, whose points the host reads */
    RECORDED, /* recorded into the host's commands */
} way;

typedef struct fixture {
    host *h;
    weir_device *device;
    weir_scene *scene;
    VkCommandPool pool;
    VkCommandBuffer commands;
} fixture;

static int open_fixture(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    open_host(state);
    f->h = *state;
    weir_vulkan_host vulkan = hand_over(f->h);
    vulkan.get_proc = counted_call;
    f->device = adopt(f->h, vulkan, "");
    f->scene = parse(SCENE);
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = f->h->family};
    assert_int_equal(vkCreateCommandPool(f->h->device, &pool, NULL, &f->pool), VK_SUCCESS);
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = f->pool,
        .commandBufferCount = 1};
    assert_int_equal(vkAllocateCommandBuffers(f->h->device, &commands, &f->commands), VK_SUCCESS);
    *state = f;
    return 0;
}

static int close_fixture(void **state)
{
    fixture *f = *state;
    *state = f->h;
    weir_scene_destroy(&f->scene);
    weir_device_destroy(&f->device);
    vkDestroyCommandPool(f->h->device, f->pool, NULL);
    free(f);
    return close_host(state);
}

static void step_recorded(fixture *f, weir_sim *sim, weir_points **points)
{
    weir_vulkan_submit own = weir_vulkan_submit_default();
    own.commands = f->commands;
    begin_commands(f->commands);
    assert_int_equal(weir_vulkan_step(sim, 0, &own, points), WEIR_OK);
    submit_commands(f->h, f->commands, VK_NULL_HANDLE, VK_NULL_HANDLE);
    assert_int_equal(vkQueueWaitIdle(f->h->queue), VK_SUCCESS);
    assert_int_equal(weir_vulkan_notify_done(f->device, f->commands), WEIR_OK);
}

/* Counts the commands of one frame, after some frames that create what is created once. */
static counts count_frame(fixture *f, way how)
{
    weir_sim *sim = NULL;
    assert_int_equal(weir_sim_create(f->device, f->scene, &sim), WEIR_OK);
    for (int frame = 0; frame < 5; frame++) {
        weir_points *points = NULL;
        counted = (counts){0};
        if (how == OWN) assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
        if (how == HOST) assert_int_equal(weir_vulkan_step(sim, 0, NULL, &points), WEIR_OK);
        if (how == RECORDED) step_recorded(f, sim, &points);
        weir_points_release(&points);
    }
    counts last = counted;
    assert_int_equal(weir_sim_wait(sim), WEIR_OK);
    weir_sim_destroy(&sim);
    return last;
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* Two more: one copies the particles into the slot, the other counts them. */
static void a_host_frame_does_what_a_step_does_and_fills_a_slot(void **state)
{
    fixture *f = *state;
    const counts own = count_frame(f, OWN), host = count_frame(f, HOST);
    const counts recorded = count_frame(f, RECORDED);
    assert_true(own.dispatches > 40);
    assert_int_equal(host.dispatches, own.dispatches + 2);
    assert_int_equal(host.barriers, own.barriers);
    assert_int_equal(host.copies, own.copies);
    assert_int_equal(host.fills, own.fills);
    assert_int_equal(host.submissions, own.submissions);
    assert_int_equal(own.submissions, 1);
    assert_int_equal(recorded.dispatches, host.dispatches);
    assert_int_equal(recorded.submissions, 0); /* the host's own, which is not counted */
    assert_true(recorded.barriers <= host.barriers);
    assert_true(recorded.copies <= host.copies);
    print_message("  a frame of weir_sim_step: %u dispatches, %u barriers, %u copies; of a host's: "
                  "%u, %u, %u\n",
                  own.dispatches, own.barriers, own.copies, host.dispatches, host.barriers,
                  host.copies);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_host_frame_does_what_a_step_does_and_fills_a_slot),
    };
    return cmocka_run_group_tests(tests, open_fixture, close_fixture);
}
