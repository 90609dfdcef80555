/* Lets a Vulkan call fail once, at any point of a life that opens a device, simulates with
   whitewater, probes, meshes and draws. The life ends with an error, or continues to the same
   results; nothing is leaked, validation reports nothing, and the next life on the same device
   is intact.

   The calls are replaced behind volk's pointers, above every layer: a failing call never reaches
   the driver. For each function, the call in the middle of the life fails; the argument "10"
   fails ten calls spread over the life, a large number fails all. */
#define _XOPEN_SOURCE 700
#include "api_support.h"
#include "validation.h"

#include "weir/probe.h"

#define VK_NO_PROTOTYPES
#include <volk.h>

#define MOST_CALLS 8192u
static uint32_t calls; /* in the current life */
static const char *called[MOST_CALLS];
static uint32_t fail_at;      /* index of the call that fails; 0: none */
static const char *fail_next; /* the next call of this name fails, too; may be NULL */
static const char *failed;    /* name of the failed call */
static int alive;             /* objects of the device that exist */

static bool fails(const char *name)
{
    if (calls < MOST_CALLS) called[calls] = name;
    bool next = fail_next && strcmp(name, fail_next) == 0;
    if (++calls != fail_at && !next) return false;
    if (next) fail_next = NULL;
    failed = name;
    return true;
}

/* ---- calls that may fail -------------------------------------------------------------------- */

#define MEMORY const VkAllocationCallbacks *m
/* Each function with its error, the objects that it creates, its parameters and their names. */
#define MAKES(what, error)                                                                        \
    X(vkCreate##what, error, 1, (VkDevice d, const Vk##what##CreateInfo *i, MEMORY, Vk##what *o), \
      (d, i, m, o))
#define PIPELINES(kind)                                                                          \
    X(vkCreate##kind##Pipelines, OUT_OF_DEVICE_MEMORY, 1,                                        \
      (VkDevice d, VkPipelineCache c, uint32_t n, const Vk##kind##PipelineCreateInfo *i, MEMORY, \
       VkPipeline *o),                                                                           \
      (d, c, n, i, m, o))
#define CALLS                                                                                \
    X(vkCreateInstance, INITIALIZATION_FAILED, 0,                                            \
      (const VkInstanceCreateInfo *i, MEMORY, VkInstance *o), (i, m, o))                     \
    X(vkEnumeratePhysicalDevices, OUT_OF_HOST_MEMORY, 0,                                     \
      (VkInstance i, uint32_t * n, VkPhysicalDevice * o), (i, n, o))                         \
    X(vkCreateDevice, INITIALIZATION_FAILED, 0,                                              \
      (VkPhysicalDevice p, const VkDeviceCreateInfo *i, MEMORY, VkDevice *o), (p, i, m, o))  \
    MAKES(Buffer, OUT_OF_DEVICE_MEMORY)                                                      \
    MAKES(BufferView, OUT_OF_DEVICE_MEMORY)                                                  \
    MAKES(CommandPool, OUT_OF_HOST_MEMORY)                                                   \
    MAKES(DescriptorPool, OUT_OF_DEVICE_MEMORY)                                              \
    MAKES(DescriptorSetLayout, OUT_OF_HOST_MEMORY)                                           \
    MAKES(Fence, OUT_OF_HOST_MEMORY)                                                         \
    MAKES(Image, OUT_OF_DEVICE_MEMORY)                                                       \
    MAKES(ImageView, OUT_OF_DEVICE_MEMORY)                                                   \
    MAKES(PipelineCache, OUT_OF_HOST_MEMORY)                                                 \
    MAKES(PipelineLayout, OUT_OF_HOST_MEMORY)                                                \
    MAKES(QueryPool, OUT_OF_DEVICE_MEMORY)                                                   \
    MAKES(ShaderModule, OUT_OF_HOST_MEMORY)                                                  \
    PIPELINES(Compute)                                                                       \
    PIPELINES(Graphics)                                                                      \
    X(vkAllocateMemory, OUT_OF_DEVICE_MEMORY, 1,                                             \
      (VkDevice d, const VkMemoryAllocateInfo *i, MEMORY, VkDeviceMemory *o), (d, i, m, o))  \
    X(vkAllocateCommandBuffers, OUT_OF_DEVICE_MEMORY, 0,                                     \
      (VkDevice d, const VkCommandBufferAllocateInfo *i, VkCommandBuffer *o), (d, i, o))     \
    X(vkAllocateDescriptorSets, OUT_OF_POOL_MEMORY, 0,                                       \
      (VkDevice d, const VkDescriptorSetAllocateInfo *i, VkDescriptorSet *o), (d, i, o))     \
    X(vkBindBufferMemory, OUT_OF_DEVICE_MEMORY, 0,                                           \
      (VkDevice d, VkBuffer b, VkDeviceMemory m, VkDeviceSize s), (d, b, m, s))              \
    X(vkBindImageMemory, OUT_OF_DEVICE_MEMORY, 0,                                            \
      (VkDevice d, VkImage i, VkDeviceMemory m, VkDeviceSize s), (d, i, m, s))               \
    X(vkMapMemory, MEMORY_MAP_FAILED, 0,                                                     \
      (VkDevice d, VkDeviceMemory m, VkDeviceSize s, VkDeviceSize n, VkMemoryMapFlags f,     \
       void **o),                                                                            \
      (d, m, s, n, f, o))                                                                    \
    X(vkBeginCommandBuffer, OUT_OF_HOST_MEMORY, 0,                                           \
      (VkCommandBuffer c, const VkCommandBufferBeginInfo *i), (c, i))                        \
    X(vkEndCommandBuffer, OUT_OF_DEVICE_MEMORY, 0, (VkCommandBuffer c), (c))                 \
    X(vkResetCommandBuffer, OUT_OF_DEVICE_MEMORY, 0,                                         \
      (VkCommandBuffer c, VkCommandBufferResetFlags f), (c, f))                              \
    X(vkQueueSubmit2, OUT_OF_DEVICE_MEMORY, 0,                                               \
      (VkQueue q, uint32_t n, const VkSubmitInfo2 *i, VkFence f), (q, n, i, f))              \
    X(vkWaitForFences, OUT_OF_HOST_MEMORY, 0,                                                \
      (VkDevice d, uint32_t n, const VkFence *f, VkBool32 a, uint64_t t), (d, n, f, a, t))   \
    X(vkGetFenceStatus, OUT_OF_HOST_MEMORY, 0, (VkDevice d, VkFence f), (d, f))              \
    X(vkGetQueryPoolResults, OUT_OF_DEVICE_MEMORY, 0,                                        \
      (VkDevice d, VkQueryPool p, uint32_t a, uint32_t n, size_t s, void *o, VkDeviceSize k, \
       VkQueryResultFlags f),                                                                \
      (d, p, a, n, s, o, k, f))                                                              \
    X(vkResetFences, OUT_OF_DEVICE_MEMORY, 0, (VkDevice d, uint32_t n, const VkFence *f), (d, n, f))

/* Functions that destroy the objects of the others. */
#define ENDS                                               \
    Y(vkFreeMemory, VkDeviceMemory)                        \
    Y(vkDestroyBuffer, VkBuffer)                           \
    Y(vkDestroyBufferView, VkBufferView)                   \
    Y(vkDestroyCommandPool, VkCommandPool)                 \
    Y(vkDestroyDescriptorPool, VkDescriptorPool)           \
    Y(vkDestroyDescriptorSetLayout, VkDescriptorSetLayout) \
    Y(vkDestroyFence, VkFence)                             \
    Y(vkDestroyImage, VkImage)                             \
    Y(vkDestroyImageView, VkImageView)                     \
    Y(vkDestroyPipeline, VkPipeline)                       \
    Y(vkDestroyPipelineCache, VkPipelineCache)             \
    Y(vkDestroyPipelineLayout, VkPipelineLayout)           \
    Y(vkDestroyQueryPool, VkQueryPool)                     \
    Y(vkDestroyShaderModule, VkShaderModule)

#define X(name, error, made, parameters, arguments)  \
    static PFN_##name real_##name;                   \
    static VkResult VKAPI_CALL try_##name parameters \
    {                                                \
        if (fails(#name)) return VK_ERROR_##error;   \
        VkResult result = real_##name arguments;     \
        alive += result >= 0 ? made : 0;             \
        return result;                               \
    }
#define Y(name, type)                                                                        \
    static PFN_##name real_##name;                                                           \
    static void VKAPI_CALL try_##name(VkDevice d, type what, const VkAllocationCallbacks *m) \
    {                                                                                        \
        alive -= what != VK_NULL_HANDLE;                                                     \
        real_##name(d, what, m);                                                             \
    }
CALLS
ENDS
#undef X
#undef Y

    /* Returns the replacement of a function that is in the table, otherwise the real one. */
    static PFN_vkVoidFunction
    replace(PFN_vkVoidFunction real, const char *name)
{
#define Y(call, type)                          \
    if (real && strcmp(name, #call) == 0) {    \
        real_##call = (PFN_##call)real;        \
        return (PFN_vkVoidFunction)try_##call; \
    }
#define X(call, error, made, parameters, arguments) Y(call, )
    CALLS
    ENDS
#undef X
#undef Y
        return real;
}

static PFN_vkGetInstanceProcAddr real_instance_call;
static PFN_vkGetDeviceProcAddr real_device_call;

static PFN_vkVoidFunction VKAPI_CALL device_call(VkDevice device, const char *name)
{
    return replace(real_device_call(device, name), name);
}

static PFN_vkVoidFunction VKAPI_CALL instance_call(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction real = real_instance_call(instance, name);
    if (strcmp(name, "vkGetDeviceProcAddr") != 0) return replace(real, name);
    real_device_call = (PFN_vkGetDeviceProcAddr)real;
    return (PFN_vkVoidFunction)device_call;
}

/* volk must have found the loader first. */
static void stand_between(void)
{
    real_instance_call = vkGetInstanceProcAddr;
    vkGetInstanceProcAddr = instance_call;
    real_vkCreateInstance = vkCreateInstance;
    vkCreateInstance = try_vkCreateInstance;
}

/* ---- a life --------------------------------------------------------------------------------- */

typedef struct life {
    fixture f;
    weir_points *points;
    weir_probe *probe;
    weir_mesher *mesher;
    weir_mesh *mesh;
    weir_renderer *renderer;
    weir_image *image;
    uint64_t results; /* hash of the computed results */
} life;

static bool validated;
static bool counted; /* shader invocations */

static weir_result open_once(life *l)
{
    weir_device_def def = weir_device_def_default();
    if (l->f.device) return WEIR_OK;
    def.log = kept_log();
    def.cache_folder = "";
    def.count_invocations = counted;
    if (validated) ask_for_validation(&def);
    return weir_device_create(&def, &l->f.device);
}

static weir_result simulate(life *l)
{
    weir_result result;
    WEIR_GOTO_IF_ERROR(weir_sim_create(l->f.device, l->f.scene, &l->f.sim));
    for (int frame = 0; frame < 3; frame++)
        WEIR_GOTO_IF_ERROR(weir_sim_step(l->f.sim, 0));
    WEIR_GOTO_IF_ERROR(weir_sim_get_state_hash(l->f.sim, &l->results));
    WEIR_GOTO_IF_ERROR(weir_sim_acquire_points(l->f.sim, &l->points));
fail:
    return result;
}

static weir_result probe(life *l)
{
    weir_result result;
    static const float places[] = {0.1f, 0.1f, 0.1f, 0.2f, 0.1f, 0.1f};
    weir_probe_sample answers[2] = {0};
    uint32_t count = 0;
    uint64_t number = 0;
    WEIR_GOTO_IF_ERROR(weir_probe_create(l->f.device, l->f.scene, &l->probe));
    WEIR_GOTO_IF_ERROR(weir_probe_submit(l->probe, l->points, places, 2));
    WEIR_GOTO_IF_ERROR(weir_probe_read(l->probe, false, NULL, &count, &number));
    count = 2;
    WEIR_GOTO_IF_ERROR(weir_probe_read(l->probe, true, answers, &count, &number));
    l->results = base_hash64(answers, sizeof answers, l->results);
fail:
    return result;
}

static weir_result mesh(life *l)
{
    weir_result result;
    weir_mesh_arrays view;
    weir_mesher_def def = weir_mesher_def_default(NULL);
    WEIR_GOTO_IF_ERROR(weir_mesher_create(l->f.device, &def, &l->mesher));
    WEIR_GOTO_IF_ERROR(weir_mesher_run(l->mesher, l->points, &l->mesh));
    weir_mesh_get_arrays(l->mesh, &view);
    l->results = base_hash64(view.position, 12ull * view.vertex_count, l->results);
    l->results = base_hash64(view.index, 12ull * view.triangle_count, l->results);
fail:
    return result;
}

static weir_result draw(life *l)
{
    weir_result result;
    uint32_t width, height;
    const uint8_t *pixels;
    weir_renderer_def def = weir_renderer_def_default();
    weir_camera view = weir_camera_default(l->f.scene);
    def.scene = l->f.scene;
    view.width = 48;
    view.height = 27;
    WEIR_GOTO_IF_ERROR(weir_renderer_create(l->f.device, &def, &l->renderer));
    WEIR_GOTO_IF_ERROR(weir_render_points(l->renderer, l->points, &view, &l->image));
    WEIR_GOTO_IF_ERROR(weir_image_read(l->image, &width, &height, &pixels));
    l->results = base_hash64(pixels, 4ull * width * height, l->results);
fail:
    return result;
}

static weir_result live(life *l)
{
    weir_result result;
    WEIR_GOTO_IF_ERROR(open_once(l));
    WEIR_GOTO_IF_ERROR(simulate(l));
    WEIR_GOTO_IF_ERROR(probe(l));
    WEIR_GOTO_IF_ERROR(mesh(l));
    WEIR_GOTO_IF_ERROR(draw(l));
fail:
    return result;
}

static void end(life *l)
{
    weir_image_destroy(&l->image);
    weir_renderer_destroy(&l->renderer);
    weir_mesh_destroy(&l->mesh);
    weir_mesher_destroy(&l->mesher);
    weir_probe_destroy(&l->probe);
    weir_points_release(&l->points);
    weir_sim_destroy(&l->f.sim);
}

/* ---- tests ---------------------------------------------------------------------------------- */

static uint32_t most;                 /* calls of a whole life */
static const char *names[MOST_CALLS]; /* names of the calls */
static uint64_t wanted;               /* expected results */
/* how many calls of each function fail in turn; 0: one, and fewer with validation */
static uint32_t rounds;

static void count_calls(life *l)
{
    calls = fail_at = 0;
    assert_int_equal(live(l), WEIR_OK);
    most = calls;
    assert_true(most <= MOST_CALLS);
    wanted = l->results;
    end(l);
    weir_device_destroy(&l->f.device);
    memcpy(names, called, sizeof names);
}

/* The first life loads the Vulkan loader. */
static int open_scene(void **state)
{
    static life l;
    char text[1024];
    snprintf(text, sizeof text, "{\"whitewater\": {}, %s", &TINY_SCENE[1]);
    assert_int_equal(parse_scene(text, &l.f.scene), WEIR_OK);
    count_calls(&l);
    stand_between();
    count_calls(&l);
    *state = &l;
    return 0;
}

static int close_scene(void **state)
{
    life *l = *state;
    weir_scene_destroy(&l->f.scene);
    return 0;
}

/* Returns whether the life continued. */
static bool survives(life *l, uint32_t at)
{
    calls = 0;
    fail_at = at;
    logged[0] = '\0';
    weir_result result = live(l);
    bool kind =
        result == WEIR_OK || result == WEIR_ERROR_MEMORY || result == WEIR_ERROR_UNSUPPORTED;
    if (!kind || (result != WEIR_OK && !strstr(logged, failed)))
        fail_msg("call %u, %s: result %d:\n%s", at, failed, (int)result, logged);
    if (result == WEIR_OK && l->results != wanted)
        fail_msg("call %u, %s: no error, but other results", at, failed);
    end(l);
    return result == WEIR_OK;
}

/* Checks the next life, on the device of the life that broke off if it has opened one. */
static void assert_next_life_is_whole(life *l, uint32_t at)
{
    weir_result result = live(l);
    if (result != WEIR_OK || l->results != wanted)
        fail_msg("the life after call %u, %s: result %d:\n%s", at, failed, (int)result, logged);
    end(l);
    weir_device_destroy(&l->f.device);
    if (alive != 0) fail_msg("call %u, %s: %d objects leaked", at, failed, alive);
    if (strstr(logged, "Vulkan validation")) fail_msg("call %u, %s:\n%s", at, failed, logged);
}

/* Returns whether this call is one of those spread evenly over all calls of its name. */
static bool is_chosen(uint32_t at)
{
    uint32_t before = 0, all = 0, wanted_calls = rounds ? rounds : 1;
    for (uint32_t i = 0; i < most; i++) {
        bool same = strcmp(names[i], names[at - 1]) == 0;
        before += same && i + 1 < at;
        all += same;
    }
    uint32_t step = all > wanted_calls ? all / wanted_calls : 1;
    return before % step == step / 2;
}

/* After these calls the device may still be busy. */
static bool is_about_work(const char *name)
{
    return strcmp(name, "vkQueueSubmit2") == 0 || strcmp(name, "vkWaitForFences") == 0 ||
           strcmp(name, "vkResetFences") == 0;
}

static void fail_in_turn(life *l)
{
    uint32_t tried = 0, survived = 0;
    for (uint32_t at = 1; at <= most; at++) {
        if (!is_chosen(at) || (validated && rounds == 0 && !is_about_work(names[at - 1]))) continue;
        tried++;
        survived += survives(l, at);
        assert_next_life_is_whole(l, at);
    }
    print_message("%u failures at %u calls: %u lives went on, %u ended with an error\n", tried,
                  most, survived, tried - survived);
}

static void a_call_that_fails_ends_in_an_error_or_in_the_same_results(void **state)
{
    validated = false;
    fail_in_turn(*state);
}

static void validation_has_nothing_to_say_of_it(void **state)
{
    validated = true;
    fail_in_turn(*state);
}

/* Counters that cannot be read are omitted, and no result changes. */
static void counts_that_cannot_be_read_are_left_out(void **state)
{
    life *l = *state;
    const uint64_t uncounted = wanted;
    uint32_t at = 0;
    validated = false;
    counted = true;
    count_calls(l);
    assert_true(wanted == uncounted);
    while (at < most && strcmp(names[at], "vkGetQueryPoolResults") != 0)
        at++;
    if (at < most) {
        assert_true(survives(l, at + 1));
        assert_next_life_is_whole(l, at + 1);
    } else
        print_message("this device counts no invocations: left out\n");
    counted = false;
}

/* The end of the last recording fails, and then the call that would free memory for the next. */
static void a_recording_that_cannot_be_reset_is_reset_by_the_next(void **state)
{
    life *l = *state;
    uint32_t at = most;
    validated = true;
    while (at > 0 && strcmp(names[at - 1], "vkEndCommandBuffer") != 0)
        at--;
    assert_false(survives(l, at));
    fail_next = "vkResetCommandBuffer";
    assert_int_equal(live(l), WEIR_ERROR_MEMORY);
    assert_non_null(strstr(logged, "vkResetCommandBuffer"));
    end(l);
    assert_next_life_is_whole(l, at);
    validated = false;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_fails_ends_in_an_error_or_in_the_same_results),
        cmocka_unit_test(validation_has_nothing_to_say_of_it),
        cmocka_unit_test(a_recording_that_cannot_be_reset_is_reset_by_the_next),
        cmocka_unit_test(counts_that_cannot_be_read_are_left_out),
    };
    if (argc > 1) rounds = (uint32_t)atoi(argv[1]);
    return cmocka_run_group_tests(tests, open_scene, close_scene);
}
