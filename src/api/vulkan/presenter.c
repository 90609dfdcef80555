/* Public API of windows, over the swapchains of the gpu module and the overlay of the render
 * module. */
#include "renderer_internal.h"

#include "gpu_adopt.h"
#include "overlay.h"

struct weir_presenter {
    weir_device *device;
    gpu_swapchain *swapchain;
    render_overlay *overlay; /* created when it is first needed */
    gpu_image *shown; /* the picture at the window's size, under the overlay; NULL: none yet */
};

weir_result weir_presenter_create(weir_device *device, const weir_window *window,
                                  weir_presenter **presenter)
{
    const weir_log *log = api_log(device);
    WEIR_REQUIRE_OUT(log, presenter);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_NOT_NULL(log, window);
    WEIR_REQUIRE_NOT_NULL(log, window->create_surface);
    weir_presenter *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a window");
    made->device = api_device_add_child(device, API_PRESENTER);
    weir_result result = gpu_swapchain_create(device->gpu, window, &made->swapchain);
    if (result != WEIR_OK) weir_presenter_destroy(&made);
    *presenter = made;
    return result;
}

void weir_presenter_destroy(weir_presenter **presenter)
{
    if (!presenter || !*presenter) return;
    gpu_device *gpu = (*presenter)->device->gpu;
    gpu_swapchain_destroy(gpu, &(*presenter)->swapchain);
    render_overlay_destroy(gpu, &(*presenter)->overlay);
    gpu_image_destroy(gpu, &(*presenter)->shown);
    api_device_remove_child((*presenter)->device, API_PRESENTER);
    base_free(*presenter);
    *presenter = NULL;
}

/* Copies the picture to an image of the window's size, which the overlay may be drawn to. */
static weir_result scale_picture(weir_presenter *presenter, gpu_image *picture, uint32_t width,
                                 uint32_t height)
{
    uint64_t ticket;
    gpu_device *gpu = presenter->device->gpu;
    gpu_image **shown = &presenter->shown;
    const gpu_image_def def = {"window picture", GPU_RGBA8, width, height};
    if (*shown && (gpu_image_width(*shown) != width || gpu_image_height(*shown) != height))
        gpu_image_destroy(gpu, shown);
    if (!*shown) WEIR_RETURN_IF_ERROR(gpu_image_create(gpu, &def, shown));
    WEIR_RETURN_IF_ERROR(gpu_record_begin(gpu));
    gpu_record_image_scale(gpu, picture, *shown);
    return gpu_record_submit(gpu, &ticket);
}

static weir_result draw_overlay(weir_presenter *presenter, const weir_overlay *overlay,
                                gpu_image *image)
{
    gpu_device *gpu = presenter->device->gpu;
    if (!presenter->overlay) WEIR_RETURN_IF_ERROR(render_overlay_create(gpu, &presenter->overlay));
    return render_overlay_draw(gpu, presenter->overlay, overlay, image);
}

static bool is_in_bounds(const weir_overlay *o)
{
    return o->draw_count == 0 || (o->draws && o->vertices && o->indices && o->font &&
                                  o->font_width > 0 && o->font_height > 0);
}

weir_result weir_presenter_show(weir_presenter *presenter, weir_image *image,
                                const weir_overlay *overlay, uint32_t width, uint32_t height)
{
    WEIR_REQUIRE_NOT_NULL(NULL, presenter);
    gpu_device *gpu = presenter->device->gpu;
    const weir_log *log = gpu_device_log(gpu);
    WEIR_REQUIRE_NOT_NULL(log, image);
    WEIR_REQUIRE(log, image->device == presenter->device,
                 "`image` must be of the presenter's device");
    WEIR_REQUIRE(log, !overlay || is_in_bounds(overlay), "`overlay` must have all its arrays");
    if (!overlay || !width || !height)
        return gpu_swapchain_present(gpu, presenter->swapchain, image->image, width, height);
    WEIR_RETURN_IF_ERROR(scale_picture(presenter, image->image, width, height));
    WEIR_RETURN_IF_ERROR(draw_overlay(presenter, overlay, presenter->shown));
    return gpu_swapchain_present(gpu, presenter->swapchain, presenter->shown, width, height);
}
