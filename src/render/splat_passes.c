/* Appends the passes that draw splats: the depth of the surface from the splats that are not
 * hidden, then the thickness from all of them at half the resolution. */
#include "render_internal.h"

static const float clear_value[4] = {0};

weir_result render_append_splat_setup(renderer *r, const render_frame *frame, uint32_t camera)
{
    gpu_pass *pass;
    const gpu_dispatch_size one = {.name = "one", .count = 1},
                            points = {.name = "points", .count = frame->points->count};
    r->bound[RENDER_BIND_splats] = r->splats[camera];
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_SPLAT_CLEAR_LISTS, one, &pass));
    r->bound[RENDER_BIND_listed_splats] = r->outer_splats;
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_PROJECT_SPLATS, points, &pass));
    pass->constant = camera;
    return WEIR_OK;
}

/* Returns pass.constant of the passes over splats: their camera, and whether there are solids. */
static uint32_t splat_constant(const renderer *r, const splat_target *target)
{
    return target->camera | (r->light.solids ? 2u : 0u);
}

weir_result render_append_splat_draw(renderer *r, render_pipeline which, const splat_target *target,
                                     gpu_pass **pass)
{
    const gpu_dispatch_size quads = {.name = "splats", .count = target->count, .vertices = 4};
    r->bound[RENDER_BIND_splats] = r->splats[target->camera];
    r->bound_images[RENDER_BIND_occluder_depth] = target->limit;
    WEIR_RETURN_IF_ERROR(render_append_pass(r, which, quads, pass));
    (*pass)->constant = splat_constant(r, target);
    return WEIR_OK;
}

/* ---- depth ---------------------------------------------------------------------------------- */

/* Draws the splats of a list, whose number is known to the device. */
static weir_result draw_listed(renderer *r, const splat_target *target, bool later)
{
    gpu_pass *pass;
    r->bound[RENDER_BIND_listed_splats] = later ? r->later_splats : r->outer_splats;
    WEIR_RETURN_IF_ERROR(render_append_splat_draw(r, RENDER_SPLAT_NEAREST_LISTED, target, &pass));
    if (later) pass->constant |= RENDER_LATER_SPLATS;
    pass->dispatch_size.arguments = r->splat_lists;
    pass->dispatch_size.argument_offset = later ? offsetof(struct render_splat_lists, later)
                                                : offsetof(struct render_splat_lists, outer);
    gpu_pass_attach(pass, target->nearest, later ? NULL : clear_value);
    return WEIR_OK;
}

/* Draws the depth of the splats that are not hidden: the outer ones, then those of the inner ones
 * that reach in front of them. MAX depends neither on the order nor on hidden splats, so the image
 * is that of all splats, to the bit. */
static weir_result draw_visible(renderer *r, const splat_target *target)
{
    gpu_pass *pass;
    const render_half_images *half = target->half;
    const gpu_dispatch_size points = {.name = "points", .count = target->count},
                            blocks = {.name = "tiles",
                                      .count = (uint64_t)RENDER_BLOCK * RENDER_BLOCK *
                                               gpu_image_width(half->blocks) *
                                               gpu_image_height(half->blocks)};
    WEIR_RETURN_IF_ERROR(draw_listed(r, target, false));
    r->bound_images[RENDER_BIND_fluid] = target->nearest;
    r->bound_images[RENDER_BIND_occlusion_tiles] = half->tiles;
    r->bound_images[RENDER_BIND_occlusion_blocks] = half->blocks;
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_SPLAT_FIND_OCCLUSION, blocks, &pass));
    pass->constant = splat_constant(r, target);
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_SPLAT_CULL_HIDDEN, points, &pass));
    return draw_listed(r, target, true);
}

static weir_result draw_depth(renderer *r, const splat_target *target)
{
    gpu_pass *pass;
    if (r->blend_depth && r->cull_hidden && target->count) return draw_visible(r, target);
    /* By a depth test, the last bit of equal depths depends on the order, which is not that of the
     * lists. */
    WEIR_RETURN_IF_ERROR(render_append_splat_draw(
        r, r->blend_depth ? RENDER_SPLAT_NEAREST : RENDER_SPLAT_DEPTH, target, &pass));
    gpu_pass_attach(pass, target->nearest, clear_value);
    if (!r->blend_depth) gpu_pass_attach(pass, target->depth, clear_value);
    return WEIR_OK;
}

/* ---- thickness ------------------------------------------------------------------------------ */

static weir_result upsample(renderer *r, const splat_target *target, gpu_image *from, gpu_image *to,
                            uint32_t layers)
{
    gpu_pass *pass;
    r->bound_images[RENDER_BIND_half_thickness] = from;
    r->bound_images[RENDER_BIND_target] = to;
    WEIR_RETURN_IF_ERROR(
        render_append_pass(r, RENDER_SPLAT_UPSAMPLE, render_pixel_dispatch(to), &pass));
    pass->constant = splat_constant(r, target) | layers;
    return WEIR_OK;
}

weir_result render_draw_splats(renderer *r, const splat_target *target)
{
    gpu_pass *pass;
    const render_half_images *half = target->half;
    uint32_t layers = target->layers ? RENDER_UPSAMPLE_LAYERS : 0;
    WEIR_RETURN_IF_ERROR(draw_depth(r, target));
    r->bound_images[RENDER_BIND_fluid] = target->nearest;
    r->bound_images[RENDER_BIND_target] = half->sampled;
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_SPLAT_SAMPLE_PIXELS,
                                            render_pixel_dispatch(half->sampled), &pass));
    r->bound_images[RENDER_BIND_sampled_pixels] = half->sampled;
    WEIR_RETURN_IF_ERROR(render_append_splat_draw(
        r, layers ? RENDER_SPLAT_THICKNESS_LAYERS : RENDER_SPLAT_THICKNESS, target, &pass));
    gpu_pass_attach(pass, half->thickness, clear_value);
    if (layers) gpu_pass_attach(pass, target->layers, clear_value);
    if (!layers && r->draft && target->camera == RENDER_CAMERA_EYE) layers = RENDER_LAYER_ESTIMATED;
    WEIR_RETURN_IF_ERROR(upsample(r, target, half->thickness, target->thickness, layers));
    if (!target->optical_depth) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(render_append_splat_draw(r, RENDER_SPLAT_OPTICAL_DEPTH, target, &pass));
    gpu_pass_attach(pass, half->optical_depth, clear_value);
    return upsample(r, target, half->optical_depth, target->optical_depth, 0);
}

/* ---- the compute splatter ------------------------------------------------------------------- */

weir_result render_compute_splats(renderer *r, const splat_target *target)
{
    gpu_pass *pass;
    const render_half_images *half = target->half;
    const gpu_dispatch_size splats = {.name = "splats", .count = 64 * target->count};
    r->bound[RENDER_BIND_splats] = r->splats[RENDER_CAMERA_EYE];
    r->bound_images[RENDER_BIND_occluder_depth] = target->limit;
    r->bound_images[RENDER_BIND_fluid] = target->nearest;
    r->bound_images[RENDER_BIND_target] = target->thickness;
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_SPLAT_COMPUTE, splats, &pass));
    WEIR_RETURN_IF_ERROR(
        render_append_pass(r, RENDER_SPLAT_RESOLVE, render_pixel_dispatch(target->nearest), &pass));
    if (!target->layers && !target->optical_depth) return WEIR_OK;
    r->bound_images[RENDER_BIND_target] = half->sampled;
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_SPLAT_SAMPLE_PIXELS,
                                            render_pixel_dispatch(half->sampled), &pass));
    r->bound_images[RENDER_BIND_sampled_pixels] = half->sampled;
    if (target->layers) {
        WEIR_RETURN_IF_ERROR(
            render_append_splat_draw(r, RENDER_SPLAT_LAYER_THICKNESS, target, &pass));
        gpu_pass_attach(pass, target->layers, clear_value);
    }
    if (!target->optical_depth) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(render_append_splat_draw(r, RENDER_SPLAT_OPTICAL_DEPTH, target, &pass));
    gpu_pass_attach(pass, half->optical_depth, clear_value);
    return upsample(r, target, half->optical_depth, target->optical_depth, 0);
}
