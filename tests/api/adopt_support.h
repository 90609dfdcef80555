/* Runs a scene on a device that a host has created, and lists requirements whose absence makes
   Weir refuse the device. */
#ifndef WEIR_TESTS_ADOPT_SUPPORT_H
#define WEIR_TESTS_ADOPT_SUPPORT_H

#include "api/host_support.h"

#define SCENE                                                                             \
    "{\"name\": \"adopted\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.1, \"spacing\": 0.05,"                          \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"                                  \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                 \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"
#define FRAMES 4

/* Checks that the host's Vulkan still works: makes an empty submission to the shared queue. */
static inline void use_queue(host *h)
{
    VkFence fence = VK_NULL_HANDLE;
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    assert_int_equal(vkCreateFence(h->device, &info, NULL, &fence), VK_SUCCESS);
    pthread_mutex_lock(&h->mutex);
    VkResult result = vkQueueSubmit(h->queue, 0, NULL, fence);
    pthread_mutex_unlock(&h->mutex);
    assert_int_equal(result, VK_SUCCESS);
    assert_int_equal(vkWaitForFences(h->device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    vkDestroyFence(h->device, fence, NULL);
}

/* Runs frames and stores the state's hash after each. */
static inline void run(weir_device *device, host *h, uint64_t hashes[FRAMES])
{
    weir_scene *scene = parse(SCENE);
    weir_sim *sim = NULL;
    assert_int_equal(weir_sim_create(device, scene, &sim), WEIR_OK);
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
        if (h) use_queue(h);
        assert_int_equal(weir_sim_get_state_hash(sim, &hashes[f]), WEIR_OK);
    }
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

static inline void assert_refused(const weir_vulkan_host *vulkan, const char *words)
{
    weir_device *device = NULL;
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    assert_int_equal(weir_device_adopt(&def, vulkan, &device), WEIR_ERROR_ARGUMENT);
    assert_null(device);
    assert_logged(words);
}

#endif
