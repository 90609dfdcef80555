/* The images between the passes. */
#include "render_internal.h"

static weir_result make(renderer *r, gpu_image_def def, gpu_image **image)
{
    gpu_image_destroy(r->device, image);
    return gpu_image_create(r->device, &def, image);
}

static void destroy_frame(renderer *r)
{
    render_images *m = &r->images;
    gpu_image **all[] = {&m->surface[0],   &m->surface[1],     &m->thickness,   &m->front,
                         &m->mixed,        &m->surface_normal, &m->splat_depth, &m->solid_depth,
                         &m->solid_normal, &m->solid_colour,   &m->background,  &m->colour,
                         &m->summed,       &m->smooth[0],      &m->smooth[1],   &m->whitewater,
                         &m->exposed};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_image_destroy(r->device, all[i]);
    m->width = m->height = 0;
}

static void destroy_shadow(renderer *r)
{
    render_shadow *s = &r->shadow;
    gpu_image_destroy(r->device, &s->solid);
    gpu_image_destroy(r->device, &s->fluid);
    gpu_image_destroy(r->device, &s->thickness);
    gpu_image_destroy(r->device, &s->splat_depth);
    gpu_image_destroy(r->device, &s->depths[0]);
    gpu_image_destroy(r->device, &s->depths[1]);
    gpu_image_destroy(r->device, &s->caustics);
    s->size = 0;
}

void render_images_destroy(renderer *r)
{
    destroy_frame(r);
    destroy_shadow(r);
}

static weir_result make_frame(renderer *r, uint32_t width, uint32_t height)
{
    render_images *m = &r->images;
    bool several = r->liquid_count > 1;
    const struct {
        gpu_image_def def;
        gpu_image **image;
    } images[] = {
        {{"surface_a", GPU_R32F, width, height}, &m->surface[0]},
        {{"surface_b", GPU_R32F, width, height}, &m->surface[1]},
        {{"thickness", r->thickness_format, width, height}, &m->thickness},
        {{"front", r->thickness_format, (width + 1) / 2, (height + 1) / 2}, &m->front},
        {{"mixed", GPU_RGBA16F, several ? width : 1, several ? height : 1}, &m->mixed},
        {{"smooth_a", GPU_RGBA16F, width, height}, &m->smooth[0]},
        {{"smooth_b", GPU_RGBA16F, width, height}, &m->smooth[1]},
        {{"surface_normal", GPU_RGBA16F, 1, 1}, &m->surface_normal},
        {{"solid_depth", GPU_D32, width, height}, &m->solid_depth},
        {{"solid_normal", GPU_RGBA16F, width, height}, &m->solid_normal},
        {{"solid_colour", GPU_RGBA16F, width, height}, &m->solid_colour},
        {{"background", GPU_RGBA16F, width, height}, &m->background},
        {{"colour", GPU_RGBA16F, width, height}, &m->colour},
    };
    for (size_t i = 0; i < BASE_COUNT(images); i++)
        WEIR_NEED(make(r, images[i].def, images[i].image));
    m->width = width;
    m->height = height;
    return WEIR_OK;
}

weir_result render_images_prepare(renderer *r, uint32_t width, uint32_t height, render_needs needs)
{
    weir_result result = WEIR_OK;
    render_images *m = &r->images;
    if (m->width != width || m->height != height) {
        destroy_frame(r);
        WEIR_TRY(make_frame(r, width, height));
    }
    if (needs.mesh && (gpu_image_width(m->surface_normal) != width ||
                       gpu_image_height(m->surface_normal) != height))
        WEIR_TRY(make(r, (gpu_image_def){"surface_normal", GPU_RGBA16F, width, height},
                      &m->surface_normal));
    if (needs.compute && !m->summed)
        WEIR_TRY(
            make(r, (gpu_image_def){"thickness_wide", GPU_RGBA32F, width, height}, &m->summed));
    if (needs.whitewater && !m->whitewater)
        WEIR_TRY(
            make(r, (gpu_image_def){"whitewater", GPU_RGBA16F, width, height}, &m->whitewater));
    if (needs.exposures && !m->exposed)
        WEIR_TRY(make(r, (gpu_image_def){"exposed", GPU_RGBA32F, width, height}, &m->exposed));
    if ((needs.mesh || !r->blends) && !m->splat_depth)
        WEIR_TRY(make(r, (gpu_image_def){"splat_depth", GPU_D32, width, height}, &m->splat_depth));
fail:
    if (result != WEIR_OK) destroy_frame(r);
    return result;
}

weir_result render_shadow_prepare(renderer *r, uint32_t size)
{
    weir_result result = WEIR_OK;
    render_shadow *s = &r->shadow;
    uint32_t less = size / RENDER_CAUSTICS_STEP;
    if (s->size == size && (r->blends || s->splat_depth)) return WEIR_OK;
    destroy_shadow(r);
    WEIR_TRY(make(r, (gpu_image_def){"shadow_solid", GPU_D32, size, size}, &s->solid));
    WEIR_TRY(make(r, (gpu_image_def){"shadow_fluid", GPU_R32F, size, size}, &s->fluid));
    WEIR_TRY(make(r, (gpu_image_def){"shadow_thickness", r->thickness_format, size, size},
                  &s->thickness));
    WEIR_TRY(make(r, (gpu_image_def){"sun_depths_a", GPU_R32F, less, less}, &s->depths[0]));
    WEIR_TRY(make(r, (gpu_image_def){"sun_depths_b", GPU_R32F, less, less}, &s->depths[1]));
    WEIR_TRY(make(r, (gpu_image_def){"caustics", GPU_R32F, less, less}, &s->caustics));
    if (!r->blends)
        WEIR_TRY(make(r, (gpu_image_def){"shadow_splats", GPU_D32, size, size}, &s->splat_depth));
    s->size = size;
fail:
    if (result != WEIR_OK) destroy_shadow(r);
    return result;
}
