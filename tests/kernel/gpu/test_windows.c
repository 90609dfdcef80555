/* Tests windows: every format, any number of images, changing sizes, lost surfaces.
 * tests/layers/fake_window.c, a Vulkan layer, simulates the window. The validation layer follows it
 * in the chain and checks semaphores and images. */
#define _XOPEN_SOURCE 700
#define VK_NO_PROTOTYPES /* as volk.h defines it below */
#include "fake_window.h"
#include "gpu_adopt.h"
#include "gpu_support.h"

#include <dlfcn.h>
#include <unistd.h>

#define SIZE 64u /* size of the window and of pictures, pixels */

static fake_window *window; /* owned by the layer */
static gpu_device *device;
static gpu_swapchain *swapchain;
static gpu_image *picture;
static char said[4096]; /* the log since it was cleared */

static void keep_log(void *user, weir_log_level level, const char *text)
{
    size_t used = strlen(said);
    /* the loader's message about our layers */
    bool layers = strstr(text, "env var 'VK_INSTANCE_LAYERS'");
    if (level <= WEIR_LOG_WARNING && !layers && strstr(text, "Vulkan validation"))
        print_problem(user, level, text);
    snprintf(said + used, sizeof said - used, "%s\n", text);
}

/* ---- window --------------------------------------------------------------------------------- */

/* VkXcbSurfaceCreateInfoKHR, whose header needs the XCB header. */
typedef struct xcb_info {
    VkStructureType type;
    const void *next;
    uint32_t flags;
    void *connection;
    uint32_t window;
} xcb_info;

static VkResult make_surface(void *user, VkInstance instance, VkSurfaceKHR *surface)
{
    typedef VkResult(VKAPI_PTR * create_surface)(VkInstance, const xcb_info *,
                                                 const VkAllocationCallbacks *, VkSurfaceKHR *);
    void *loader = dlopen("libvulkan.so.1", RTLD_NOW);
    assert_non_null(loader);
    PFN_vkGetInstanceProcAddr find;
    *(void **)&find = dlsym(loader, "vkGetInstanceProcAddr");
    create_surface create = (create_surface)find(instance, "vkCreateXcbSurfaceKHR");
    const xcb_info info = {VK_STRUCTURE_TYPE_XCB_SURFACE_CREATE_INFO_KHR, NULL, 0, user, 1};
    if (!create) return VK_ERROR_EXTENSION_NOT_PRESENT;
    return create(instance, &info, NULL, surface);
}

static const weir_window the_window = {.create_surface = make_surface, .user = said};

/* Resets the window to the defaults of a desktop. */
static void reset_window(void)
{
    *window = (fake_window){
        .can = {.minImageCount = 2,
                .currentExtent = {SIZE, SIZE},
                .minImageExtent = {1, 1},
                .maxImageExtent = {4096, 4096},
                .maxImageArrayLayers = 1,
                .supportedTransforms = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                .currentTransform = VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR,
                .supportedCompositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                .supportedUsageFlags =
                    VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
        .formats = {{VK_FORMAT_B8G8R8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR}},
        .format_count = 1,
        .image_count = 3,
    };
    said[0] = '\0';
}

static weir_result open_device(const char *name)
{
    weir_device_def def = weir_device_def_default();
    def.log = (weir_log){.write = keep_log, .level = WEIR_LOG_INFO};
    def.cache_folder = "";
    ask_for_validation(&def);
    def.window = &the_window;
    def.device = name;
    return gpu_device_create(&def, &device);
}

static int open_windows(void **state)
{
    setenv("VK_ADD_LAYER_PATH", LAYERS, 1);
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_WEIR_window", 1);
    void *layer = dlopen(FAKE_WINDOW, RTLD_NOW);
    assert_non_null(layer);
    window = dlsym(layer, "fake_window_state");
    assert_non_null(window);
    reset_window();
    OK(open_device(NULL));
    const gpu_image_def def = {
        .name = "picture", .format = GPU_RGBA8, .width = SIZE, .height = SIZE};
    OK(gpu_image_create(device, &def, &picture));
    uint32_t *pixels = base_alloc((size_t)SIZE * SIZE, 4);
    assert_non_null(pixels);
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        pixels[i] = 0xff000000u | 200u << 16 | 100u << 8 | 10u;
    OK(gpu_image_upload(device, picture, pixels));
    base_free(pixels);
    return 0;
}

static int close_windows(void **state)
{
    gpu_image_destroy(device, &picture);
    return close_gpu(&device);
}

static int open_swapchain(void **state)
{
    reset_window();
    OK(gpu_swapchain_create(device, &the_window, &swapchain));
    return 0;
}

static int close_swapchain(void **state)
{
    gpu_swapchain_destroy(device, &swapchain);
    return window->surfaces == 0 && window->swapchains == 0 ? 0 : -1;
}

static weir_result show(uint32_t width, uint32_t height)
{
    return gpu_swapchain_present(device, swapchain, picture, width, height);
}

static void answers(fake_answers *of, VkResult code, bool for_good)
{
    *of = (fake_answers){.codes = {code}, .count = 1, .for_good = for_good};
}

static void assert_bench_logged(const char *words)
{
    if (!strstr(said, words)) fail_msg("not said: %s\nbut:\n%s", words, said);
}

/* ---- formats -------------------------------------------------------------------------------- */

/* Checks that the first pixel is red 10, green 100, blue 200 of 255 in this format. */
static void assert_shown(VkFormat format)
{
    const uint8_t *p = window->pixel;
    uint32_t packed;
    memcpy(&packed, p, 4);
    switch (format) {
    case VK_FORMAT_A2B10G10R10_UNORM_PACK32:
        assert_in_range(packed & 1023, 39, 41);
        assert_in_range(packed >> 10 & 1023, 400, 402);
        assert_in_range(packed >> 20 & 1023, 801, 803);
        break;
    case VK_FORMAT_B8G8R8A8_UNORM:
    case VK_FORMAT_B8G8R8A8_SRGB:
        assert_memory_equal(p, ((uint8_t[]){200, 100, 10, 255}), 4);
        break;
    default: assert_memory_equal(p, ((uint8_t[]){10, 100, 200, 255}), 4); break;
    }
}

static void colours_arrive_as_they_are_in_each_format(void **state)
{
    static const VkFormat formats[] = {
        VK_FORMAT_B8G8R8A8_UNORM,          VK_FORMAT_R8G8B8A8_UNORM,
        VK_FORMAT_A8B8G8R8_UNORM_PACK32,   VK_FORMAT_B8G8R8A8_SRGB,
        VK_FORMAT_R8G8B8A8_SRGB,           VK_FORMAT_A8B8G8R8_SRGB_PACK32,
        VK_FORMAT_A2B10G10R10_UNORM_PACK32};
    for (size_t i = 0; i < BASE_COUNT(formats); i++) {
        window->formats[0].format = formats[i];
        window->can.currentExtent.width = SIZE + (uint32_t)i; /* a new size needs a new swapchain */
        OK(show(SIZE + (uint32_t)i, SIZE));
        assert_int_equal(window->made.imageFormat, formats[i]);
        assert_int_equal(window->shown, i + 1);
        assert_shown(formats[i]);
    }
}

static void the_best_of_several_formats_is_taken(void **state)
{
    window->formats[0].format = VK_FORMAT_R16G16B16A16_SFLOAT;
    window->formats[0].colorSpace = VK_COLOR_SPACE_EXTENDED_SRGB_LINEAR_EXT;
    window->formats[1] =
        (VkSurfaceFormatKHR){VK_FORMAT_R8G8B8A8_SRGB, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR};
    window->formats[2] =
        (VkSurfaceFormatKHR){VK_FORMAT_R8G8B8A8_UNORM, VK_COLOR_SPACE_SRGB_NONLINEAR_KHR};
    window->format_count = 3;
    OK(show(SIZE, SIZE));
    assert_int_equal(window->made.imageFormat, VK_FORMAT_R8G8B8A8_UNORM);
}

static void high_dynamic_range_is_refused_with_words(void **state)
{
    window->formats[0].colorSpace = VK_COLOR_SPACE_HDR10_ST2084_EXT;
    assert_int_equal(show(SIZE, SIZE), WEIR_ERROR_UNSUPPORTED);
    assert_bench_logged(
        " offers only HDR formats in this window, and Weir needs sRGB: turn off HDR for "
        "the screen");
    window->formats[0].colorSpace = VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
    window->formats[0].format = VK_FORMAT_R4G4_UNORM_PACK8;
    assert_int_equal(show(SIZE, SIZE), WEIR_ERROR_UNSUPPORTED);
    assert_bench_logged("offers no supported format for this window: none of 1 is known");
}

/* ---- images and sizes ----------------------------------------------------------------------- */

static void a_window_may_give_any_number_of_images(void **state)
{
    for (uint32_t count = 1; count <= 16; count += 5) {
        window->image_count = count;
        window->can.currentExtent.width = SIZE + count;
        for (uint32_t i = 0; i < count + 2; i++)
            OK(show(SIZE + count, SIZE));
    }
    assert_int_equal(window->shown, 3 + 8 + 13 + 18);
    assert_int_equal(window->swapchains_made, 4);
}

static void a_resized_window_gets_a_new_swapchain(void **state)
{
    OK(show(SIZE, SIZE));
    window->can.currentExtent = (VkExtent2D){100, 80};
    OK(show(100, 80));
    assert_int_equal(window->swapchains_made, 2);
    assert_int_equal(window->made.imageExtent.width, 100);
    assert_int_equal(window->made.imageExtent.height, 80);
    assert_non_null(window->made.oldSwapchain);
    /* Wayland: the window takes the requested size, within bounds. */
    window->can.currentExtent = (VkExtent2D){UINT32_MAX, UINT32_MAX};
    window->can.maxImageExtent = (VkExtent2D){90, 4096};
    OK(show(120, 70));
    assert_int_equal(window->made.imageExtent.width, 90);
    assert_int_equal(window->made.imageExtent.height, 70);
    assert_int_equal(window->shown, 3);
}

static void a_window_out_of_date_shows_the_picture_all_the_same(void **state)
{
    OK(show(SIZE, SIZE));
    answers(&window->acquire, VK_ERROR_OUT_OF_DATE_KHR, false);
    OK(show(SIZE, SIZE));
    assert_int_equal(window->shown, 2);
    assert_int_equal(window->swapchains_made, 2);
    answers(&window->present, VK_ERROR_OUT_OF_DATE_KHR, false);
    OK(show(SIZE, SIZE));
    OK(show(SIZE, SIZE));
    assert_int_equal(window->shown, 4);
    assert_int_equal(window->swapchains_made, 3);
    /* the next call terminates although it shows nothing */
    answers(&window->acquire, VK_ERROR_OUT_OF_DATE_KHR, true);
    OK(show(SIZE, SIZE));
    assert_int_equal(window->shown, 4);
}

static void a_minimised_window_shows_nothing_and_comes_back(void **state)
{
    OK(show(SIZE, SIZE));
    OK(show(0, 0));
    window->can.currentExtent = (VkExtent2D){0, 0};
    answers(&window->acquire, VK_ERROR_OUT_OF_DATE_KHR, false);
    OK(show(SIZE, SIZE));
    assert_int_equal(window->shown, 1);
    assert_int_equal(window->swapchains, 0);
    window->can.currentExtent = (VkExtent2D){SIZE, SIZE};
    OK(show(SIZE, SIZE));
    assert_int_equal(window->shown, 2);
    answers(&window->acquire, VK_TIMEOUT, false); /* hidden behind other windows */
    OK(show(SIZE, SIZE));
    assert_int_equal(window->shown, 2);
    OK(show(SIZE, SIZE));
    assert_int_equal(window->shown, 3);
    assert_int_equal(window->swapchains_made, 2);
}

static void suboptimal_makes_no_storm(void **state)
{
    answers(&window->present, VK_SUBOPTIMAL_KHR, true);
    answers(&window->acquire, VK_SUBOPTIMAL_KHR, true);
    for (uint32_t i = 0; i < 10; i++)
        OK(show(SIZE, SIZE));
    assert_int_equal(window->swapchains_made, 1);
    window->can.currentExtent.width = 80; /* before the owner of the window is notified */
    for (uint32_t i = 0; i < 10; i++)
        OK(show(SIZE, SIZE));
    assert_int_equal(window->swapchains_made, 2);
    assert_int_equal(window->made.imageExtent.width, 80);
    /* moved to another monitor */
    window->can.currentTransform = VK_SURFACE_TRANSFORM_ROTATE_90_BIT_KHR;
    for (uint32_t i = 0; i < 10; i++)
        OK(show(SIZE, SIZE));
    assert_int_equal(window->swapchains_made, 3);
    assert_int_equal(window->shown, 30);
}

/* ---- loss ----------------------------------------------------------------------------------- */

static void a_lost_surface_is_made_again(void **state)
{
    fake_answers *const losers[] = {&window->acquire, &window->present, &window->ask};
    for (uint32_t i = 0; i < BASE_COUNT(losers); i++) {
        OK(show(SIZE, SIZE));
        answers(losers[i], VK_ERROR_SURFACE_LOST_KHR, false);
        if (losers[i] == &window->ask) window->can.currentExtent.width = 70;
        OK(show(window->can.currentExtent.width, SIZE));
        OK(show(window->can.currentExtent.width, SIZE));
        assert_int_equal(window->surfaces, 1);
        assert_int_equal(window->surfaces_made, i + 2);
        assert_int_equal(window->shown, 3 * (i + 1));
    }
}

static void a_surface_that_is_lost_again_and_again_is_an_error(void **state)
{
    answers(&window->acquire, VK_ERROR_SURFACE_LOST_KHR, true);
    assert_int_equal(show(SIZE, SIZE), WEIR_ERROR_UNSUPPORTED);
    assert_bench_logged("the window's surface was lost ");
    window->acquire.count = 0;
    OK(show(SIZE, SIZE));
    assert_int_equal(window->shown, 1);
}

/* ---- devices -------------------------------------------------------------------------------- */

/* ---- calls that fail ------------------------------------------------------------------------ */

static PFN_vkCreateSemaphore real_semaphore;
static PFN_vkCreateSwapchainKHR real_swapchain;
static uint32_t semaphores, swapchains;         /* calls since the last reset */
static uint32_t fail_semaphore, fail_swapchain; /* the call that fails, from 1; 0: no failure */

static VkResult VKAPI_CALL try_semaphore(VkDevice of, const VkSemaphoreCreateInfo *info,
                                         const VkAllocationCallbacks *memory, VkSemaphore *out)
{
    if (++semaphores == fail_semaphore) return VK_ERROR_OUT_OF_HOST_MEMORY;
    return real_semaphore(of, info, memory, out);
}

static VkResult VKAPI_CALL try_swapchain(VkDevice of, const VkSwapchainCreateInfoKHR *info,
                                         const VkAllocationCallbacks *memory, VkSwapchainKHR *out)
{
    if (++swapchains == fail_swapchain) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    return real_swapchain(of, info, memory, out);
}

static int open_failing(void **state)
{
    real_semaphore = device->vk.vkCreateSemaphore;
    real_swapchain = device->vk.vkCreateSwapchainKHR;
    device->vk.vkCreateSemaphore = try_semaphore;
    device->vk.vkCreateSwapchainKHR = try_swapchain;
    fail_semaphore = fail_swapchain = 0;
    return open_swapchain(state);
}

static int close_failing(void **state)
{
    int status = close_swapchain(state);
    device->vk.vkCreateSemaphore = real_semaphore;
    device->vk.vkCreateSwapchainKHR = real_swapchain;
    return status;
}

/* Creates a window, shows a picture, resizes it and shows another one. */
static weir_result use_window(void)
{
    semaphores = swapchains = 0;
    said[0] = '\0';
    gpu_swapchain_destroy(device, &swapchain);
    reset_window();
    WEIR_RETURN_IF_ERROR(gpu_swapchain_create(device, &the_window, &swapchain));
    WEIR_RETURN_IF_ERROR(show(SIZE, SIZE));
    window->can.currentExtent = (VkExtent2D){100, 80};
    return show(100, 80);
}

/* The error names the failing call; afterwards the same window, if there is one, shows pictures,
 * and so does the next window. */
static void assert_fails_once(const char *name)
{
    assert_int_equal(use_window(), WEIR_ERROR_MEMORY);
    assert_bench_logged(name);
    if (swapchain) OK(show(window->can.currentExtent.width, window->can.currentExtent.height));
    fail_semaphore = fail_swapchain = 0;
    OK(use_window());
    assert_int_equal(window->shown, 2);
}

static void a_window_whose_making_fails_is_an_error_and_the_next_one_shows(void **state)
{
    OK(use_window());
    const uint32_t all_semaphores = semaphores, all_swapchains = swapchains;
    assert_true(all_semaphores > 4 && all_swapchains == 2);
    for (uint32_t at = 1; at <= all_semaphores; at++) {
        fail_semaphore = at;
        assert_fails_once("vkCreateSemaphore");
    }
    for (uint32_t at = 1; at <= all_swapchains; at++) {
        fail_swapchain = at;
        assert_fails_once("vkCreateSwapchainKHR");
    }
    print_message("%u semaphores and %u swapchains failed\n", all_semaphores, all_swapchains);
}

static void add_second_driver(void)
{
    static const char second[] = "/usr/lib/chromium/vk_swiftshader_icd.json";
    const char *first = getenv("VK_ICD_FILENAMES");
    char both[1024];
    if (!first || strstr(first, "swiftshader") || access(second, R_OK) != 0) return;
    snprintf(both, sizeof both, "%s:%s", first, second);
    setenv("VK_ICD_FILENAMES", both, 1);
    setenv("VK_DRIVER_FILES", both, 1);
}

static void the_best_device_that_shows_pictures_in_the_window_is_taken(void **state)
{
    weir_device_info infos[8];
    uint32_t count = BASE_COUNT(infos);
    gpu_device *kept = device;
    add_second_driver();
    reset_window();
    OK(gpu_device_list(gpu_device_log(kept), infos, &count));
    window->unseen_by = infos[0].name;
    weir_result result = open_device(NULL);
    if (count > 1) {
        OK(result);
        assert_string_equal(gpu_device_info(device)->name, infos[1].name);
        assert_bench_logged("is not used: it cannot present to the window");
        gpu_device_destroy(&device);
    } else {
        assert_int_equal(result, WEIR_ERROR_UNSUPPORTED);
    }
    assert_int_equal(open_device(infos[0].name), WEIR_ERROR_UNSUPPORTED);
    assert_bench_logged(
        " cannot present to this window: omit the device, to use the best one that can");
    window->unseen_by = "";
    assert_int_equal(open_device(NULL), WEIR_ERROR_UNSUPPORTED);
    assert_bench_logged(
        "no device can present to this window: each driver lacks VK_KHR_swapchain, or has "
        "no access to the display. Without a window, weir run --images draws the same "
        "pictures to files");
    assert_int_equal(window->surfaces, 0);
    device = kept;
}

#define WINDOW_TEST(test) cmocka_unit_test_setup_teardown(test, open_swapchain, close_swapchain)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WINDOW_TEST(colours_arrive_as_they_are_in_each_format),
        WINDOW_TEST(the_best_of_several_formats_is_taken),
        WINDOW_TEST(high_dynamic_range_is_refused_with_words),
        WINDOW_TEST(a_window_may_give_any_number_of_images),
        WINDOW_TEST(a_resized_window_gets_a_new_swapchain),
        WINDOW_TEST(a_window_out_of_date_shows_the_picture_all_the_same),
        WINDOW_TEST(a_minimised_window_shows_nothing_and_comes_back),
        WINDOW_TEST(suboptimal_makes_no_storm),
        WINDOW_TEST(a_lost_surface_is_made_again),
        WINDOW_TEST(a_surface_that_is_lost_again_and_again_is_an_error),
        cmocka_unit_test_setup_teardown(
            a_window_whose_making_fails_is_an_error_and_the_next_one_shows, open_failing,
            close_failing),
        cmocka_unit_test(the_best_device_that_shows_pictures_in_the_window_is_taken),
    };
    return cmocka_run_group_tests(tests, open_windows, close_windows);
}
