/* Windows: the front door over the gpu room's swapchains. */
#include "api_internal.h"
#include "gpu_adopt.h"

struct weir_presenter {
    weir_device *device;
    gpu_swapchain *swapchain;
};

weir_presenter_def weir_presenter_def_default(void)
{
    return (weir_presenter_def){.cookie = API_PRESENTER_COOKIE};
}

weir_result weir_presenter_create(weir_device *device, const weir_presenter_def *def,
                                  weir_presenter **presenter)
{
    const weir_log *log = device ? gpu_device_log(device->gpu) : NULL;
    WEIR_REQUIRE(log, presenter, "`presenter` must not be NULL");
    *presenter = NULL;
    WEIR_REQUIRE(log, device, "`device` must not be NULL");
    WEIR_REQUIRE(log, def, "`def` must not be NULL");
    WEIR_REQUIRE(log, def->cookie == API_PRESENTER_COOKIE, API_COOKIE_RULE("presenter"));
    WEIR_REQUIRE(log, def->create_surface, "`create_surface` must not be NULL");
    weir_presenter *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_MEMORY, "no memory for a window");
    made->device = device;
    weir_result result = gpu_swapchain_create(device->gpu, def, &made->swapchain);
    if (result != WEIR_OK) {
        base_free(made);
        return result;
    }
    *presenter = made;
    return WEIR_OK;
}

void weir_presenter_destroy(weir_presenter **presenter)
{
    if (!presenter || !*presenter) return;
    gpu_swapchain_destroy((*presenter)->device->gpu, &(*presenter)->swapchain);
    base_free(*presenter);
    *presenter = NULL;
}

weir_result weir_presenter_show(weir_presenter *presenter, weir_image *image, uint32_t width,
                                uint32_t height)
{
    WEIR_REQUIRE(NULL, presenter, "`presenter` must not be NULL");
    const weir_log *log = gpu_device_log(presenter->device->gpu);
    WEIR_REQUIRE(log, image, "`image` must not be NULL");
    WEIR_REQUIRE(log, image->device == presenter->device,
                 "`image` must be of the presenter's device");
    return gpu_swapchain_show(presenter->device->gpu, presenter->swapchain, image->data, width,
                              height);
}
