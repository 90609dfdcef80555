#include "api_internal.h"
#include "overlay.h"
static render_overlay *ov;
weir_result weir_image_create(weir_device *device, uint32_t width, uint32_t height, weir_image **image)
{
    weir_image *m = base_alloc(1, sizeof *m);
    m->device = device;
    *image = m;
    return gpu_image_create(device->gpu, &(gpu_image_def){"picture", GPU_RGBA8, width, height}, &m->data);
}
void weir_image_destroy(weir_image **image)
{
    if (!*image) return;
    render_overlay_destroy((*image)->device->gpu, &ov);
    gpu_device_wait((*image)->device->gpu);
    gpu_image_destroy((*image)->device->gpu, &(*image)->data);
    base_free(*image);
    *image = NULL;
}
weir_result weir_draw_overlay(const weir_overlay *overlay, weir_image *image)
{
    if (!ov) render_overlay_create(image->device->gpu, &ov);
    return render_overlay_draw(image->device->gpu, ov, overlay, image->data);
}
