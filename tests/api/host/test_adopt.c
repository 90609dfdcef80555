/* Devices created by a host: what Weir takes over, and what it refuses. */
#define _XOPEN_SOURCE 700
#include "adopt_support.h"
#include "validation.h"

#include "weir/profile.h"

#include <glob.h>

/* ---- runs ----------------------------------------------------------------------------------- */

static weir_device *open_own(const host *h, bool validation)
{
    VkPhysicalDeviceProperties properties;
    weir_device *device = NULL;
    weir_device_def def = weir_device_def_default();
    vkGetPhysicalDeviceProperties(h->physical, &properties);
    def.log = kept_log();
    def.device = properties.deviceName;
    def.cache_folder = "";
    if (validation) ask_for_validation(&def);
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    return device;
}

static void a_hosts_device_gives_the_bits_of_weirs_own(void **state)
{
    host *h = *state;
    uint64_t adopted[FRAMES], own[FRAMES];
    weir_device *device = adopt(h, hand_over(h), "");
    h->locks = 0;
    run(device, h, adopted);
    assert_true(h->locks >= FRAMES); /* every submission held the host's lock */
    assert_int_equal(weir_device_validation_count(device), 0);
    weir_device_destroy(&device);
    assert_null(device);
    device = open_own(h, false);
    run(device, NULL, own);
    weir_device_destroy(&device);
    assert_memory_equal(adopted, own, sizeof own);
}

static void hosts_objects_outlive_weirs_device(void **state)
{
    host *h = *state;
    VkBuffer buffer = VK_NULL_HANDLE;
    VkMemoryRequirements needs;
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = 64,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
    assert_int_equal(vkCreateBuffer(h->device, &info, NULL, &buffer), VK_SUCCESS);
    weir_device *device = adopt(h, hand_over(h), "");
    weir_device_destroy(&device);
    use_queue(h);
    vkGetBufferMemoryRequirements(h->device, buffer, &needs);
    assert_true(needs.size >= 64);
    vkDestroyBuffer(h->device, buffer, NULL);
}

/* A device stays alive while something still uses it. */
static void a_device_goes_after_what_was_made_from_it(void **state)
{
    host *h = *state;
    weir_sim *sim = NULL;
    weir_points *points[2] = {0};
    weir_device *device = adopt(h, hand_over(h), "");
    weir_scene *scene = parse(SCENE);
    assert_int_equal(weir_sim_create(device, scene, &sim), WEIR_OK);
    for (int i = 0; i < 2; i++)
        assert_int_equal(weir_sim_acquire_points(sim, &points[i]), WEIR_OK);
    weir_device_destroy(&device);
    assert_logged("weir_device_destroy: the device was not destroyed, because objects created from "
                  "it still exist: 1 simulation, 2 point sets; destroy them first");
    assert_non_null(device);
    weir_sim_destroy(&sim);
    weir_points_release(&points[0]);
    weir_device_destroy(&device);
    assert_logged("weir_device_destroy: the device was not destroyed, because objects created from "
                  "it still exist: 1 point set; destroy them first");
    weir_points_release(&points[1]);
    weir_device_destroy(&device);
    assert_null(device);
    weir_scene_destroy(&scene);
}

/* ---- threads -------------------------------------------------------------------------------- */

/* A second thread that steps its own simulation while the first thread is in a call. */
typedef struct intruder {
    host *h;
    weir_sim *sim;
    weir_result result;
    bool came;
} intruder;

static void *step_in_a_thread(void *user)
{
    intruder *i = user;
    i->result = weir_sim_step(i->sim, 0);
    return NULL;
}

/* The host's lock callback, which runs in the middle of a call: starts the second thread there. */
static void let_it_in(void *user, bool locked)
{
    intruder *i = user;
    pthread_t thread;
    lock(i->h, locked);
    if (!locked || i->came || !i->sim) return;
    i->came = true;
    assert_int_equal(pthread_create(&thread, NULL, step_in_a_thread, i), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void a_second_thread_at_once_is_refused(void **state)
{
    intruder i = {.h = *state};
    weir_sim *sims[2] = {0};
    weir_vulkan_host vulkan = hand_over(i.h);
    vulkan.lock = let_it_in;
    vulkan.lock_user = &i;
    weir_device *device = adopt(i.h, vulkan, "");
    weir_scene *scene = parse(SCENE);
    for (int k = 0; k < 2; k++)
        assert_int_equal(weir_sim_create(device, scene, &sims[k]), WEIR_OK);
    i.sim = sims[1];
    assert_int_equal(weir_sim_step(sims[0], 0), WEIR_OK);
    assert_true(i.came);
    assert_int_equal(i.result, WEIR_ERROR_ARGUMENT);
    assert_logged("two threads use one device at the same time: serialise all calls to a device "
                  "and to the objects created from it");
    assert_int_equal(weir_sim_step(sims[0], 0), WEIR_OK);
    for (int k = 0; k < 2; k++)
        weir_sim_destroy(&sims[k]);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
}

/* ---- hosts that offer less ------------------------------------------------------------------ */

static PFN_vkVoidFunction VKAPI_PTR get_plain(VkInstance instance, const char *name)
{
    return strstr(name, "DebugUtils") ? NULL : vkGetInstanceProcAddr(instance, name);
}

/* A host's device and Weir's own coexist, created and destroyed in either order. What one loader
   lacks, the other device keeps. */
static void adopted_and_own_devices_live_side_by_side(void **state)
{
    host *h = *state;
    uint64_t first[FRAMES], second[FRAMES];
    weir_vulkan_host vulkan = hand_over(h);
    vulkan.get_proc = get_plain;
    for (int order = 0; order < 2; order++) {
        weir_device *own = order ? open_own(h, true) : NULL;
        weir_device *adopted = adopt(h, vulkan, "");
        if (!own) own = open_own(h, true);
        run(own, NULL, first);
        run(adopted, h, second);
        assert_memory_equal(first, second, sizeof first);
        assert_int_equal(weir_device_validation_count(own), 0);
        weir_device_destroy(order ? &adopted : &own);
        run(order ? own : adopted, NULL, second);
        assert_memory_equal(first, second, sizeof first);
        weir_device_destroy(&own);
        weir_device_destroy(&adopted);
        use_queue(h);
    }
}

/* Opens a second host with an instance of its own, or one that shares the first host's instance. */
static void open_second(host *h, host **second, bool of_the_same)
{
    if (of_the_same) {
        *second = calloc(1, sizeof **second);
        (*second)->instance = h->instance;
        (*second)->physical = h->physical;
        (*second)->needs = h->needs;
        (*second)->needs.features13.pNext = NULL;
        (*second)->family = h->family;
        make_device(*second);
        pthread_mutex_init(&(*second)->mutex, NULL);
    } else {
        void *opened = NULL;
        open_host(&opened);
        *second = opened;
    }
    volkLoadInstance((*second)->instance); /* the host's functions dispatch by the device handle */
}

static void close_second(host *h, host *second, bool of_the_same)
{
    void *opened = second;
    if (of_the_same) {
        vkDestroyDevice(second->device, NULL);
        pthread_mutex_destroy(&second->mutex);
        free(second);
    } else {
        assert_int_equal(close_host(&opened), 0);
    }
    volkLoadInstance(h->instance);
    volkLoadDevice(h->device);
}

/* One host lends two devices to Weir, and frames alternate between them. */
static void two_hosts_devices_are_lent_side_by_side(void **state)
{
    host *h = *state;
    uint64_t alone[FRAMES], hash;
    weir_scene *scene = parse(SCENE);
    for (int same = 0; same < 2; same++) {
        host *lent[2] = {h};
        weir_device *device[2];
        weir_sim *sim[2] = {0};
        open_second(h, &lent[1], same);
        for (int k = 0; k < 2; k++) {
            device[k] = adopt(lent[k], hand_over(lent[k]), "");
            assert_int_equal(weir_sim_create(device[k], scene, &sim[k]), WEIR_OK);
        }
        assert_true(lent[0]->device != lent[1]->device);
        for (int f = 0; f < FRAMES; f++) {
            for (int k = 0; k < 2; k++)
                assert_int_equal(weir_sim_step(sim[k], 0), WEIR_OK);
            for (int k = 0; k < 2; k++) {
                use_queue(lent[k]);
                assert_int_equal(weir_sim_get_state_hash(sim[k], &hash), WEIR_OK);
                if (!same && k == 0) alone[f] = hash;
                assert_true(hash == alone[f]);
            }
        }
        weir_sim_destroy(&sim[same]);
        weir_device_destroy(&device[same]);
        assert_int_equal(weir_sim_step(sim[!same], 0), WEIR_OK); /* the other one continues */
        weir_sim_destroy(&sim[!same]);
        weir_device_destroy(&device[!same]);
        close_second(h, lent[1], same);
    }
    weir_scene_destroy(&scene);
    weir_device *device = adopt(h, hand_over(h), "");
    uint64_t again[FRAMES];
    run(device, h, again);
    weir_device_destroy(&device);
    assert_memory_equal(alone, again, sizeof again);
}

static void a_device_is_adopted_without_a_def(void **state)
{
    host *h = *state;
    uint64_t given[FRAMES], none[FRAMES];
    const weir_vulkan_host vulkan = hand_over(h);
    weir_device *device = adopt(h, vulkan, NULL);
    run(device, h, given);
    weir_device_destroy(&device);
    assert_int_equal(weir_device_adopt(NULL, &vulkan, &device), WEIR_OK);
    run(device, h, none);
    weir_device_destroy(&device);
    assert_memory_equal(given, none, sizeof none);
    assert_refused(NULL, "weir_device_adopt: `host` must not be NULL");
}

static void a_host_without_lock_and_loader_is_served_too(void **state)
{
    host *h = *state;
    uint64_t hashes[FRAMES];
    weir_vulkan_host vulkan = hand_over(h);
    vulkan.lock = NULL;
    vulkan.get_proc = NULL;
    weir_device *device = adopt(h, vulkan, "");
    run(device, h, hashes);
    weir_device_destroy(&device);
}

static void an_adopted_device_writes_no_cache(void **state)
{
    host *h = *state;
    char folder[] = "/tmp/weir-adopt-XXXXXX", pattern[64], command[64];
    uint64_t hashes[FRAMES];
    glob_t found;
    assert_non_null(mkdtemp(folder));
    weir_device *device = adopt(h, hand_over(h), folder);
    run(device, h, hashes);
    weir_device_destroy(&device);
    snprintf(pattern, sizeof pattern, "%s/*", folder);
    assert_int_equal(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

/* A picture's passes, by name, and its bytes. */
typedef struct picture {
    weir_pass_time passes[96];
    uint32_t pass_count;
    uint8_t pixels[64 * 48 * 4];
} picture;

static void draw(weir_device *device, picture *out)
{
    weir_scene *scene = parse(SCENE);
    weir_sim *sim = NULL;
    weir_renderer *renderer = NULL;
    weir_points *points = NULL;
    weir_image *image = NULL;
    uint32_t width, height;
    const uint8_t *pixels;
    weir_renderer_def def = weir_renderer_def_default();
    weir_camera view = weir_camera_default(scene);
    def.scene = scene;
    view.width = 64;
    view.height = 48;
    out->pass_count = COUNT_OF(out->passes);
    assert_int_equal(weir_sim_create(device, scene, &sim), WEIR_OK);
    assert_int_equal(weir_renderer_create(device, &def, &renderer), WEIR_OK);
    assert_int_equal(weir_sim_acquire_points(sim, &points), WEIR_OK);
    assert_int_equal(weir_render_points(renderer, points, &view, &image), WEIR_OK);
    assert_int_equal(weir_image_read(image, &width, &height, &pixels), WEIR_OK);
    memcpy(out->pixels, pixels, sizeof out->pixels);
    assert_int_equal(weir_renderer_get_pass_times(renderer, out->passes, &out->pass_count),
                     WEIR_OK);
    weir_points_release(&points);
    weir_image_destroy(&image);
    weir_renderer_destroy(&renderer);
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

static void a_hosts_device_draws_by_the_passes_of_weirs_own(void **state)
{
    host *h = *state;
    static picture adopted, own;
    weir_device *device = adopt(h, hand_over(h), "");
    draw(device, &adopted);
    weir_device_destroy(&device);
    device = open_own(h, false);
    draw(device, &own);
    weir_device_destroy(&device);
    assert_int_equal(adopted.pass_count, own.pass_count);
    for (uint32_t i = 0; i < own.pass_count; i++)
        assert_string_equal(adopted.passes[i].name, own.passes[i].name);
    assert_memory_equal(adopted.pixels, own.pixels, sizeof own.pixels);
}

/* ---- the host's memory and cache ------------------------------------------------------------ */

/* Header before each block: its size and where its allocation begins. */
#define HEAD 64u
static long held; /* bytes that drivers currently hold from the host's allocator */
static long most;

static void *VKAPI_PTR give(void *user, size_t size, size_t alignment,
                            VkSystemAllocationScope scope)
{
    (void)user;
    (void)scope;
    assert_true(alignment <= HEAD);
    char *block = aligned_alloc(HEAD, (size + 2 * HEAD - 1) / HEAD * HEAD);
    memcpy(block, &size, sizeof size);
    long now = __atomic_add_fetch(&held, (long)size, __ATOMIC_SEQ_CST);
    if (now > most) most = now;
    return block + HEAD;
}

static void VKAPI_PTR take_back(void *user, void *memory)
{
    size_t size;
    (void)user;
    if (!memory) return;
    memcpy(&size, (char *)memory - HEAD, sizeof size);
    __atomic_sub_fetch(&held, (long)size, __ATOMIC_SEQ_CST);
    free((char *)memory - HEAD);
}

static void *VKAPI_PTR resize(void *user, void *memory, size_t size, size_t alignment,
                              VkSystemAllocationScope scope)
{
    size_t before = 0;
    void *made = size ? give(user, size, alignment, scope) : NULL;
    if (memory) memcpy(&before, (char *)memory - HEAD, sizeof before);
    if (made && memory) memcpy(made, memory, before < size ? before : size);
    take_back(user, memory);
    return made;
}

static void all_that_the_hosts_allocator_gave_comes_back(void **state)
{
    host *h = *state;
    static picture drawn;
    const VkAllocationCallbacks allocator = {
        .pfnAllocation = give, .pfnReallocation = resize, .pfnFree = take_back};
    weir_vulkan_host vulkan = hand_over(h);
    vulkan.allocator = &allocator;
    held = most = 0;
    weir_device *device = adopt(h, vulkan, "");
    draw(device, &drawn);
    weir_device_destroy(&device);
    assert_true(most > 0);
    assert_int_equal(held, 0);
}

static void adopt_heard(const weir_vulkan_host *vulkan, const char *words)
{
    weir_device *device = NULL;
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    def.log.level = WEIR_LOG_DEBUG;
    assert_int_equal(weir_device_adopt(&def, vulkan, &device), WEIR_OK);
    assert_logged(words);
    weir_device_destroy(&device);
}

static void a_host_keeps_the_pipelines_itself(void **state)
{
    host *h = *state;
    uint64_t hashes[FRAMES];
    size_t size = 0, small = 8;
    weir_vulkan_host vulkan = hand_over(h);
    weir_device *device = adopt(h, vulkan, "");
    run(device, h, hashes);
    assert_int_equal(weir_vulkan_get_pipeline_cache(device, NULL, &size), WEIR_OK);
    char *bytes = malloc(size);
    assert_int_equal(weir_vulkan_get_pipeline_cache(device, bytes, &small), WEIR_ERROR_ARGUMENT);
    assert_logged("the buffer has 8 bytes, but ");
    assert_int_equal(weir_vulkan_get_pipeline_cache(device, bytes, &size), WEIR_OK);
    weir_device_destroy(&device);
    vulkan.pipeline_cache = bytes;
    vulkan.pipeline_cache_size = size;
    adopt_heard(&vulkan, "bytes of pipelines");
    bytes[size / 2] ^= 1;
    adopt_heard(&vulkan, "the host's cache is damaged");
    vulkan.pipeline_cache_size = 3;
    adopt_heard(&vulkan, "the host's cache is damaged");
    free(bytes);
}

/* ---- what is refused ------------------------------------------------------------------------ */

static void a_host_that_lacks_something_is_told_what(void **state)
{
    host *h = *state;
    weir_vulkan_host vulkan = {0};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    VkPhysicalDeviceVulkan13Features most_of_them = h->needs.features13;
    assert_refused(&vulkan, "weir_vulkan_host_default");
    vulkan = hand_over(h);
    vulkan.queue = VK_NULL_HANDLE;
    assert_refused(&vulkan, "and a queue");
    vulkan = hand_over(h);
    vulkan.features = NULL;
    assert_refused(&vulkan, "`features` must be those");
    vulkan.features = &features;
    assert_refused(&vulkan, "without synchronization2, dynamicRendering, maintenance4");
    most_of_them.pNext = NULL;
    most_of_them.maintenance4 = VK_FALSE;
    features.pNext = &most_of_them;
    assert_refused(&vulkan, "created without maintenance4:");
    vulkan = hand_over(h);
    vulkan.api_version = VK_API_VERSION_1_1;
    assert_refused(&vulkan, "created for Vulkan 1.1, Weir needs 1.3: set "
                            "VkApplicationInfo.apiVersion and weir_vulkan_host.api_version to it");
    vulkan = hand_over(h);
    vulkan.queue_family = 77;
    assert_refused(&vulkan, "queue family 77");
}

static void readers_must_be_other_families(void **state)
{
    host *h = *state;
    const uint32_t far_off = 77;
    weir_vulkan_host vulkan = hand_over(h);
    vulkan.reader_family_count = 1;
    assert_refused(&vulkan, "`reader_families` must not be NULL");
    vulkan.reader_families = &h->family;
    assert_refused(&vulkan, "not queue_family");
    vulkan.reader_families = &far_off;
    assert_refused(&vulkan, "readers[0] is 77");
    vulkan.reader_family_count = 9;
    assert_refused(&vulkan, "at most 8");
}

/* A chain may hold all features in one struct, each in its own struct, or none of them. */
static void features_are_merged_into_the_hosts_chain(void **state)
{
    host *h = *state;
    const weir_log log = kept_log();
    weir_vulkan_device_requirements needs = h->needs;
    VkPhysicalDeviceMaintenance4Features last = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES};
    VkPhysicalDeviceDynamicRenderingFeatures middle = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES, .pNext = &last};
    VkPhysicalDeviceSynchronization2Features first = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES, .pNext = &middle};
    VkPhysicalDeviceVulkan13Features all = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .inlineUniformBlock = VK_TRUE};
    VkPhysicalDeviceFeatures2 chain = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                       .pNext = &first};
    assert_int_equal(weir_vulkan_enable_features(&log, &needs, &chain), WEIR_OK);
    assert_true(first.synchronization2 && middle.dynamicRendering && last.maintenance4);
    assert_null(last.pNext);
    chain.pNext = &all;
    assert_int_equal(weir_vulkan_enable_features(&log, &needs, &chain), WEIR_OK);
    assert_true(all.synchronization2 && all.dynamicRendering && all.maintenance4);
    assert_true(all.inlineUniformBlock && !all.pNext); /* the host's own struct stays */
    first.pNext = NULL;
    chain.pNext = &first;
    assert_int_equal(weir_vulkan_enable_features(&log, &needs, &chain), WEIR_ERROR_ARGUMENT);
    assert_logged("Synchronization2Features but no VkPhysicalDeviceMaintenance4Features");
    chain.pNext = NULL;
    needs.features13.pNext = NULL;
    for (int twice = 0; twice < 2; twice++)
        assert_int_equal(weir_vulkan_enable_features(&log, &needs, &chain), WEIR_OK);
    assert_ptr_equal(chain.pNext, &needs.features13);
    assert_null(needs.features13.pNext);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hosts_device_gives_the_bits_of_weirs_own),
        cmocka_unit_test(hosts_objects_outlive_weirs_device),
        cmocka_unit_test(a_device_goes_after_what_was_made_from_it),
        cmocka_unit_test(a_second_thread_at_once_is_refused),
        cmocka_unit_test(adopted_and_own_devices_live_side_by_side),
        cmocka_unit_test(two_hosts_devices_are_lent_side_by_side),
        cmocka_unit_test(a_device_is_adopted_without_a_def),
        cmocka_unit_test(a_host_without_lock_and_loader_is_served_too),
        cmocka_unit_test(an_adopted_device_writes_no_cache),
        cmocka_unit_test(a_hosts_device_draws_by_the_passes_of_weirs_own),
        cmocka_unit_test(all_that_the_hosts_allocator_gave_comes_back),
        cmocka_unit_test(a_host_keeps_the_pipelines_itself),
        cmocka_unit_test(a_host_that_lacks_something_is_told_what),
        cmocka_unit_test(readers_must_be_other_families),
        cmocka_unit_test(features_are_merged_into_the_hosts_chain),
    };
    return cmocka_run_group_tests(tests, open_host, close_host);
}
