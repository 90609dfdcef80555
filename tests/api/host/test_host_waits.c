/* Steps, probes and pictures while the device is busy: no call waits for it. */
#include "host_screen.h"
#include "replaced_calls.h"

#include "weir/probe.h"

#define WARM 4 /* frames that create what is created once */

/* ---- a driver that reports waits, and how slow it is ---------------------------------------- */

static uint32_t stalls, submissions;
static float slowness; /* slowdown factor, by the driver's clock */
static host *held;
static VkSemaphore gate; /* blocks the queue until its value is 2 */
static PFN_vkGetPhysicalDeviceProperties2 get_properties;
static PFN_vkWaitForFences wait_for_fences;
static PFN_vkWaitSemaphores wait_for_semaphores;
static PFN_vkQueueWaitIdle wait_for_queue;
static PFN_vkDeviceWaitIdle wait_for_device;
static PFN_vkQueueSubmit2 submit;

static uint64_t gate_value(void)
{
    uint64_t value = 0;
    assert_int_equal(vkGetSemaphoreCounterValue(held->device, gate, &value), VK_SUCCESS);
    return value;
}

static void open_gate(void)
{
    const VkSemaphoreSignalInfo go = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, .semaphore = gate, .value = 2};
    if (gate && gate_value() < 2) vkSignalSemaphore(held->device, &go);
}

/* Such a wait would last forever. */
static void note_stall(void)
{
    stalls++;
    open_gate();
}

static VkResult VKAPI_PTR note_fences(VkDevice device, uint32_t count, const VkFence *fences,
                                      VkBool32 all, uint64_t timeout)
{
    if (wait_for_fences(device, count, fences, all, 0) == VK_TIMEOUT) note_stall();
    return wait_for_fences(device, count, fences, all, timeout);
}

static VkResult VKAPI_PTR note_semaphores(VkDevice device, const VkSemaphoreWaitInfo *info,
                                          uint64_t timeout)
{
    if (wait_for_semaphores(device, info, 0) == VK_TIMEOUT) note_stall();
    return wait_for_semaphores(device, info, timeout);
}

static VkResult VKAPI_PTR note_queue(VkQueue queue)
{
    note_stall();
    return wait_for_queue(queue);
}

static VkResult VKAPI_PTR note_device(VkDevice device)
{
    note_stall();
    return wait_for_device(device);
}

static VkResult VKAPI_PTR count_submit(VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos,
                                       VkFence fence)
{
    submissions += count;
    return submit(queue, count, infos, fence);
}

static void VKAPI_PTR slow_properties(VkPhysicalDevice device, VkPhysicalDeviceProperties2 *out)
{
    get_properties(device, out);
    out->properties.limits.timestampPeriod *= slowness;
}

static PFN_vkVoidFunction VKAPI_PTR noted_device_call(VkDevice device, const char *asked)
{
    REPLACED(vkWaitForFences, wait_for_fences, note_fences)
    REPLACED(vkWaitSemaphores, wait_for_semaphores, note_semaphores)
    REPLACED(vkQueueWaitIdle, wait_for_queue, note_queue)
    REPLACED(vkDeviceWaitIdle, wait_for_device, note_device)
    REPLACED(vkQueueSubmit2, submit, count_submit)
    return get_device_call(device, asked);
}

static PFN_vkVoidFunction VKAPI_PTR noted_call(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction found = vkGetInstanceProcAddr(instance, name);
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
        get_device_call = (PFN_vkGetDeviceProcAddr)found;
        return (PFN_vkVoidFunction)noted_device_call;
    }
    if (strcmp(name, "vkGetPhysicalDeviceProperties2") == 0) {
        get_properties = (PFN_vkGetPhysicalDeviceProperties2)found;
        return (PFN_vkVoidFunction)slow_properties;
    }
    return found;
}

/* Opens a device on which no step is long enough to be split. */
static int open_noted(void **state)
{
    slowness = 1e-6f;
    return open_fixture_by(state, noted_call);
}

static void close_gate(host *h)
{
    held = h;
    gate = make_timeline(h);
    stalls = submissions = 0;
}

static void remove_gate(void)
{
    open_gate();
    assert_int_equal(vkQueueWaitIdle(held->queue), VK_SUCCESS);
    vkDestroySemaphore(held->device, gate, NULL);
    gate = VK_NULL_HANDLE;
}

/* ---- tests ---------------------------------------------------------------------------------- */

typedef struct asking {
    fixture *f;
    screen s;
    weir_probe *probe;
} asking;

/* Clears the host's picture. */
static void clear(screen *s, VkCommandBuffer commands)
{
    begin(s, commands);
    record_clear(s, 1.0f);
    submit_commands(s->h, commands, VK_NULL_HANDLE, VK_NULL_HANDLE);
}

/* Runs a frame whose step begins when the gate has that value; 0: at once. */
static void run_frame(asking *a, uint64_t value)
{
    static const float places[6] = {0.1f, 0.1f, 0.1f, 0.2f, 0.1f, 0.2f};
    const weir_vulkan_sync wait = {.semaphore = gate, .value = value};
    const weir_vulkan_draw_def drawing = look(STANDARD);
    weir_vulkan_submit when = weir_vulkan_submit_default();
    weir_points *points = NULL;
    when.waits = &wait;
    when.wait_count = value ? 1 : 0;
    if (weir_vulkan_step(a->f->sim, 0, &when, &points) != WEIR_OK ||
        weir_probe_submit(a->probe, points, places, 2) != WEIR_OK ||
        weir_vulkan_draw(a->f->renderer, points, a->s.target, &drawing) != WEIR_OK)
        fail_msg("%s", logged);
    weir_points_release(&points);
}

/* Returns the newest set of probes with an answer. */
static uint64_t answered(asking *a, bool wait)
{
    weir_probe_sample answers[2];
    uint32_t count = 2;
    uint64_t number = 0;
    assert_int_equal(weir_probe_read(a->probe, wait, answers, &count, &number), WEIR_OK);
    return number;
}

/* Two frames, each with probes and a picture, while the first step has not begun. */
static void nobody_waits_while_the_device_is_held_back(void **state)
{
    fixture *f = *state;
    asking a = {.f = f, .s = open_screen(f->h, f->device, VK_FORMAT_R8G8B8A8_UNORM)};
    assert_int_equal(weir_probe_create(f->device, f->scene, &a.probe), WEIR_OK);
    clear(&a.s, a.s.buffers[0]);
    for (int i = 0; i < WARM; i++) {
        run_frame(&a, 0);
        assert_int_equal(vkQueueWaitIdle(f->h->queue), VK_SUCCESS);
    }
    clear(&a.s, a.s.buffers[1]);
    close_gate(f->h);
    run_frame(&a, 1);
    run_frame(&a, 2);
    assert_int_equal(answered(&a, false), WARM);
    assert_int_equal(stalls, 0);
    assert_int_equal(gate_value(), 0);
    open_gate();
    assert_int_equal(answered(&a, true), WARM + 2);
    remove_gate();
    weir_probe_destroy(&a.probe);
    close_screen(&a.s);
}

/* A long step consists of several submissions, and half of the capacity for them remains. */
static void a_long_step_that_is_held_back_does_not_wait_for_itself(void **state)
{
    fixture *f = *state;
    weir_sim *sim = NULL;
    weir_vulkan_host vulkan = hand_over(f->h);
    vulkan.get_proc = noted_call;
    slowness = 1e6f;
    weir_device *device = adopt(f->h, vulkan, "");
    assert_int_equal(weir_sim_create(device, f->scene, &sim), WEIR_OK);
    for (int i = 0; i < WARM; i++) {
        assert_int_equal(weir_vulkan_step(sim, 0, NULL, NULL), WEIR_OK);
        assert_int_equal(vkQueueWaitIdle(f->h->queue), VK_SUCCESS);
    }
    close_gate(f->h);
    const weir_vulkan_sync wait = {.semaphore = gate, .value = 1};
    weir_vulkan_submit when = weir_vulkan_submit_default();
    when.waits = &wait;
    when.wait_count = 1;
    assert_int_equal(weir_vulkan_step(sim, 0, &when, NULL), WEIR_OK);
    assert_int_equal(stalls, 0);
    assert_int_equal(submissions, 5);
    remove_gate();
    assert_int_equal(weir_sim_wait(sim), WEIR_OK);
    weir_sim_destroy(&sim);
    weir_device_destroy(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_waits_while_the_device_is_held_back),
        cmocka_unit_test(a_long_step_that_is_held_back_does_not_wait_for_itself),
    };
    return cmocka_run_group_tests(tests, open_noted, close_fixture);
}
