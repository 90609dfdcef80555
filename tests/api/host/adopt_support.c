#include "adopt_support.h"

void use_queue(host *h)
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

void run(weir_device *device, host *h, uint64_t hashes[FRAMES])
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

void assert_refused(const weir_vulkan_host *vulkan, const char *words)
{
    weir_device *device = NULL;
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    assert_int_equal(weir_device_adopt(&def, vulkan, &device), WEIR_ERROR_ARGUMENT);
    assert_null(device);
    assert_logged(words);
}
