/* Creates the images that the passes read and write. */
#include "render_internal.h"

static weir_result create_image(renderer *r, gpu_image_def def, gpu_image **image)
{
    gpu_image_destroy(r->device, image);
    return gpu_image_create(r->device, &def, image);
}

static void destroy_half_images(renderer *r, render_half_images *half)
{
    gpu_image **all[] = {&half->tiles, &half->blocks, &half->sampled, &half->thickness,
                         &half->optical_depth};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_image_destroy(r->device, all[i]);
}

/* Creates the images with which splats are drawn into a picture of this size. */
static weir_result create_half_images(renderer *r, uint32_t width, uint32_t height,
                                      render_half_images *half)
{
    const uint32_t tile = RENDER_TILE, block = RENDER_TILE * RENDER_BLOCK;
    const uint32_t w = (width + 1) / 2, h = (height + 1) / 2;
    const struct {
        gpu_image_def def;
        gpu_image **image;
    } images[] = {
        {{"occlusion_tiles", GPU_R32F, (width + tile - 1) / tile, (height + tile - 1) / tile},
         &half->tiles},
        {{"occlusion_blocks", GPU_R32F, (width + block - 1) / block, (height + block - 1) / block},
         &half->blocks},
        {{"sampled_pixels", GPU_R32F, w, h}, &half->sampled},
        {{"half_thickness", r->thickness_format, w, h}, &half->thickness},
    };
    for (size_t i = 0; i < BASE_COUNT(images); i++)
        WEIR_RETURN_IF_ERROR(create_image(r, images[i].def, images[i].image));
    return WEIR_OK;
}

static void destroy_frame_images(renderer *r)
{
    render_images *m = &r->images;
    gpu_image **all[] = {&m->surface[0],
                         &m->surface[1],
                         &m->thickness,
                         &m->mesh_thickness,
                         &m->layer_thickness,
                         &m->optical_depth,
                         &m->surface_normal,
                         &m->splat_depth,
                         &m->solid_depth,
                         &m->solid_normal,
                         &m->solid_colour,
                         &m->background,
                         &m->colour,
                         &m->thickness_sum,
                         &m->filtered_thickness[0],
                         &m->filtered_thickness[1],
                         &m->whitewater,
                         &m->foam,
                         &m->spray,
                         &m->exposure_sum};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_image_destroy(r->device, all[i]);
    destroy_half_images(r, &m->half);
    m->width = m->height = 0;
}

static void destroy_shadow_images(renderer *r)
{
    render_shadow *s = &r->shadow;
    r->reuse.shadow_key.version = 0;
    gpu_image_destroy(r->device, &s->solid);
    gpu_image_destroy(r->device, &s->fluid);
    gpu_image_destroy(r->device, &s->thickness);
    gpu_image_destroy(r->device, &s->mesh_thickness);
    destroy_half_images(r, &s->half);
    gpu_image_destroy(r->device, &s->splat_depth);
    gpu_image_destroy(r->device, &s->depths[0]);
    gpu_image_destroy(r->device, &s->depths[1]);
    gpu_image_destroy(r->device, &s->caustics);
    s->size = 0;
}

void render_images_destroy(renderer *r)
{
    destroy_frame_images(r);
    destroy_shadow_images(r);
}

static weir_result create_frame_images(renderer *r, uint32_t width, uint32_t height)
{
    render_images *m = &r->images;
    const struct {
        gpu_image_def def;
        gpu_image **image;
    } images[] = {
        {{"surface_a", GPU_R32F, width, height}, &m->surface[0]},
        {{"surface_b", GPU_R32F, width, height}, &m->surface[1]},
        {{"thickness", GPU_RGBA16F, width, height}, &m->thickness},
        {{"front", r->thickness_format, (width + 1) / 2, (height + 1) / 2}, &m->layer_thickness},
        {{"mixed", GPU_RGBA16F, 1, 1}, &m->optical_depth},
        {{"smooth_a", GPU_RGBA16F, width, height}, &m->filtered_thickness[0]},
        {{"smooth_b", GPU_RGBA16F, width, height}, &m->filtered_thickness[1]},
        {{"surface_normal", GPU_RGBA16F, 1, 1}, &m->surface_normal},
        {{"solid_depth", GPU_D32, width, height}, &m->solid_depth},
        {{"solid_normal", GPU_RGBA16F, width, height}, &m->solid_normal},
        {{"solid_colour", GPU_RGBA16F, width, height}, &m->solid_colour},
        {{"background", GPU_RGBA16F, width, height}, &m->background},
        {{"colour", GPU_RGBA16F, width, height}, &m->colour},
    };
    for (size_t i = 0; i < BASE_COUNT(images); i++)
        WEIR_RETURN_IF_ERROR(create_image(r, images[i].def, images[i].image));
    WEIR_RETURN_IF_ERROR(create_half_images(r, width, height, &m->half));
    m->width = width;
    m->height = height;
    return WEIR_OK;
}

weir_result render_images_prepare(renderer *r, uint32_t width, uint32_t height,
                                  render_image_needs needs)
{
    weir_result result = WEIR_OK;
    render_images *m = &r->images;
    if (m->width != width || m->height != height) {
        destroy_frame_images(r);
        WEIR_GOTO_IF_ERROR(create_frame_images(r, width, height));
    }
    if (needs.mesh && !m->mesh_thickness) {
        WEIR_GOTO_IF_ERROR(create_image(
            r, (gpu_image_def){"surface_normal", GPU_RGBA16F, width, height}, &m->surface_normal));
        WEIR_GOTO_IF_ERROR(
            create_image(r, (gpu_image_def){"mesh_thickness", r->thickness_format, width, height},
                         &m->mesh_thickness));
    }
    if (needs.mixed && !m->half.optical_depth) {
        WEIR_GOTO_IF_ERROR(create_image(r, (gpu_image_def){"mixed", GPU_RGBA16F, width, height},
                                        &m->optical_depth));
        WEIR_GOTO_IF_ERROR(create_image(
            r, (gpu_image_def){"half_mixed", GPU_RGBA16F, (width + 1) / 2, (height + 1) / 2},
            &m->half.optical_depth));
    }
    if (needs.compute && !m->thickness_sum)
        WEIR_GOTO_IF_ERROR(create_image(
            r, (gpu_image_def){"thickness_wide", GPU_RGBA32F, width, height}, &m->thickness_sum));
    if (needs.whitewater && !m->whitewater)
        WEIR_GOTO_IF_ERROR(create_image(
            r, (gpu_image_def){"whitewater", GPU_RGBA16F, width, height}, &m->whitewater));
    if (needs.whitewater && !m->foam)
        WEIR_GOTO_IF_ERROR(create_image(
            r, (gpu_image_def){"foam", GPU_RGBA16F, (width + 1) / 2, (height + 1) / 2}, &m->foam));
    if (needs.spray && !m->spray)
        WEIR_GOTO_IF_ERROR(
            create_image(r, (gpu_image_def){"spray", GPU_RGBA16F, width, height}, &m->spray));
    if (needs.exposures && !m->exposure_sum)
        WEIR_GOTO_IF_ERROR(create_image(r, (gpu_image_def){"exposed", GPU_RGBA32F, width, height},
                                        &m->exposure_sum));
    if ((needs.mesh || !r->blend_depth) && !m->splat_depth)
        WEIR_GOTO_IF_ERROR(create_image(r, (gpu_image_def){"splat_depth", GPU_D32, width, height},
                                        &m->splat_depth));
fail:
    if (result != WEIR_OK) destroy_frame_images(r);
    return result;
}

weir_result render_shadow_prepare(renderer *r, uint32_t size, bool mesh)
{
    weir_result result = WEIR_OK;
    render_shadow *s = &r->shadow;
    uint32_t less = size / RENDER_CAUSTICS_SCALE;
    bool depth_test = mesh || !r->blend_depth;
    if (s->size == size && (!depth_test || s->splat_depth) && (!mesh || s->mesh_thickness))
        return WEIR_OK;
    destroy_shadow_images(r);
    WEIR_GOTO_IF_ERROR(
        create_image(r, (gpu_image_def){"sun_solid_depth", GPU_D32, size, size}, &s->solid));
    WEIR_GOTO_IF_ERROR(
        create_image(r, (gpu_image_def){"sun_fluid_depth", GPU_R32F, size, size}, &s->fluid));
    WEIR_GOTO_IF_ERROR(
        create_image(r, (gpu_image_def){"sun_thickness", GPU_RGBA16F, size, size}, &s->thickness));
    if (mesh)
        WEIR_GOTO_IF_ERROR(
            create_image(r, (gpu_image_def){"sun_mesh_thickness", r->thickness_format, size, size},
                         &s->mesh_thickness));
    WEIR_GOTO_IF_ERROR(create_half_images(r, size, size, &s->half));
    WEIR_GOTO_IF_ERROR(
        create_image(r, (gpu_image_def){"sun_depths_a", GPU_R32F, less, less}, &s->depths[0]));
    WEIR_GOTO_IF_ERROR(
        create_image(r, (gpu_image_def){"sun_depths_b", GPU_R32F, less, less}, &s->depths[1]));
    WEIR_GOTO_IF_ERROR(
        create_image(r, (gpu_image_def){"caustics", GPU_R32F, less, less}, &s->caustics));
    if (depth_test)
        WEIR_GOTO_IF_ERROR(create_image(r, (gpu_image_def){"shadow_splats", GPU_D32, size, size},
                                        &s->splat_depth));
    s->size = size;
fail:
    if (result != WEIR_OK) destroy_shadow_images(r);
    return result;
}
