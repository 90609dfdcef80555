/* Public API of images: pixels, linear light and files. */
#include "renderer_internal.h"

#include "weir/render.h"

static weir_result create_image(weir_device *device, gpu_image_def def, gpu_image **image)
{
    gpu_image *made = *image;
    if (made && gpu_image_width(made) == def.width && gpu_image_height(made) == def.height)
        return WEIR_OK;
    gpu_image_destroy(device->gpu, image);
    return gpu_image_create(device->gpu, &def, image);
}

weir_result api_image_prepare(weir_device *device, const weir_camera *view, weir_image **image)
{
    weir_result result;
    weir_image *made = *image;
    if (!made) made = base_alloc(1, sizeof *made);
    if (!made)
        return base_fail(api_log(device), WEIR_ERROR_MEMORY, "not enough memory for an image");
    if (!made->device) made->device = api_device_add_child(device, API_IMAGE);
    if (!view->linear_light) gpu_image_destroy(device->gpu, &made->light);
    WEIR_GOTO_IF_ERROR(create_image(
        device, (gpu_image_def){"picture", GPU_RGBA8, view->width, view->height}, &made->image));
    if (view->linear_light)
        WEIR_GOTO_IF_ERROR(
            create_image(device, (gpu_image_def){"light", GPU_RGBA32F, view->width, view->height},
                         &made->light));
fail:
    if (result != WEIR_OK) weir_image_destroy(&made);
    *image = made;
    return result;
}

weir_result weir_image_read(weir_image *image, uint32_t *width, uint32_t *height,
                            const uint8_t **pixels)
{
    const weir_log *log = image ? api_log(image->device) : NULL;
    WEIR_REQUIRE_NOT_NULL(log, image);
    WEIR_REQUIRE(log, width && height && pixels, "`width`, `height`, `pixels` must not be NULL");
    *pixels = NULL;
    *width = gpu_image_width(image->image);
    *height = gpu_image_height(image->image);
    base_free(image->pixels);
    image->pixels = base_alloc((size_t)*width * *height, 4);
    if (!image->pixels)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to read an image");
    WEIR_RETURN_IF_ERROR(gpu_image_download(image->device->gpu, image->image, image->pixels));
    *pixels = image->pixels;
    return WEIR_OK;
}

weir_result weir_image_read_linear(weir_image *image, uint32_t *width, uint32_t *height,
                                   const float **light)
{
    const weir_log *log = image ? api_log(image->device) : NULL;
    WEIR_REQUIRE_NOT_NULL(log, image);
    WEIR_REQUIRE(log, width && height && light, "`width`, `height`, `light` must not be NULL");
    WEIR_REQUIRE(log, image->light,
                 "the image has no linear light: set `linear_light` in the view before drawing");
    *light = NULL;
    *width = gpu_image_width(image->light);
    *height = gpu_image_height(image->light);
    base_free(image->lights);
    image->lights = base_alloc((size_t)*width * *height, 4 * sizeof *image->lights);
    if (!image->lights)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to read an image");
    WEIR_RETURN_IF_ERROR(gpu_image_download(image->device->gpu, image->light, image->lights));
    *light = image->lights;
    return WEIR_OK;
}

static bool is_exr_path(const char *path)
{
    size_t size = strlen(path);
    return size > 4 && strcmp(path + size - 4, ".exr") == 0;
}

weir_result weir_image_save(weir_image *image, const char *path)
{
    const uint8_t *pixels;
    const float *light;
    uint32_t width, height;
    const weir_log *log = image ? api_log(image->device) : NULL;
    WEIR_REQUIRE_NOT_NULL(log, image);
    WEIR_REQUIRE_NOT_NULL(log, path);
    if (is_exr_path(path)) {
        WEIR_RETURN_IF_ERROR(weir_image_read_linear(image, &width, &height, &light));
        return io_exr_write(log, path, &(io_hdr_image){width, height, light});
    }
    WEIR_RETURN_IF_ERROR(weir_image_read(image, &width, &height, &pixels));
    return io_png_write(log, path, &(io_rgba8_image){width, height, pixels});
}

bool weir_has_exr(void)
{
    return io_exr_is_built();
}

void weir_image_destroy(weir_image **image)
{
    if (!image || !*image) return;
    gpu_image_destroy((*image)->device->gpu, &(*image)->image);
    gpu_image_destroy((*image)->device->gpu, &(*image)->light);
    base_free((*image)->pixels);
    base_free((*image)->lights);
    api_device_remove_child((*image)->device, API_IMAGE);
    base_free(*image);
    *image = NULL;
}
