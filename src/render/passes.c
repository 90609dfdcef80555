/* Builds the pass list of a frame: which passes read and write which images. */
#include "render_internal.h"

static const float clear_value[4] = {0};

weir_result render_append_pass(renderer *r, render_pipeline which, gpu_dispatch_size dispatch_size,
                               gpu_pass **pass)
{
    const gpu_pipeline *pipeline;
    WEIR_RETURN_IF_ERROR(render_pipeline_get(r, which, &pipeline));
    WEIR_ASSERT(r->pass_count < RENDER_PASSES);
    *pass = &r->passes[r->pass_count++];
    **pass = gpu_pass_make(pipeline, dispatch_size);
    gpu_pass_bind_all(*pass, r->bound, RENDER_BINDINGS);
    gpu_pass_bind_images(*pass, r->bound_images, RENDER_BINDINGS);
    return WEIR_OK;
}

gpu_dispatch_size render_pixel_dispatch(const gpu_image *image)
{
    uint64_t x = (gpu_image_width(image) + 7) / 8, y = (gpu_image_height(image) + 7) / 8;
    return (gpu_dispatch_size){.name = "pixels", .count = x * y * 64};
}

static gpu_dispatch_size vertex_dispatch(const char *name, uint64_t count)
{
    return (gpu_dispatch_size){.name = name, .count = 1, .vertices = (uint32_t)count};
}

static gpu_buffer *or_dummy(const renderer *r, gpu_buffer *buffer)
{
    return buffer ? buffer : r->dummy;
}

static void bind_points(renderer *r, const render_frame *frame)
{
    const particle_view *points = frame->points;
    bool fits = render_draws_ellipsoids(frame);
    r->bound[RENDER_BIND_centres] = fits ? grid_anisotropy_centres(r->anisotropy) : r->dummy;
    r->bound[RENDER_BIND_shapes] = fits ? grid_anisotropy_shapes(r->anisotropy) : r->dummy;
    r->bound[RENDER_BIND_positions] = points->position;
    r->bound[RENDER_BIND_velocities] = or_dummy(r, points->velocity);
    r->bound[RENDER_BIND_ids] = or_dummy(r, points->id);
    r->bound[RENDER_BIND_fluids] = or_dummy(r, points->fluid);
    r->bound[RENDER_BIND_densities] = or_dummy(r, points->density);
    r->bound[RENDER_BIND_attribute_values] = or_dummy(r, points->attribute_values);
    r->bound[RENDER_BIND_lambdas] = or_dummy(r, points->has_lambda ? points->lambda : NULL);
}

/* ---- triangles ------------------------------------------------------------------------------ */

static weir_result append_triangles(renderer *r, render_pipeline which, const render_mesh *mesh,
                                    gpu_pass **pass)
{
    r->bound[RENDER_BIND_vertices] = mesh->vertices;
    r->bound[RENDER_BIND_normals] = mesh->normals;
    r->bound[RENDER_BIND_indices] = mesh->indices;
    return render_append_pass(r, which, vertex_dispatch("corners", 3ull * mesh->triangle_count),
                              pass);
}

/* Draws triangles as opaque; with `clear` NULL, on top of the current contents. */
static weir_result draw_opaque(renderer *r, const render_mesh *mesh, const float *clear)
{
    gpu_pass *pass;
    WEIR_RETURN_IF_ERROR(append_triangles(r, RENDER_SOLID, mesh, &pass));
    gpu_pass_attach(pass, r->images.solid_normal, clear);
    gpu_pass_attach(pass, r->images.solid_colour, clear);
    gpu_pass_attach(pass, r->images.solid_depth, clear);
    return WEIR_OK;
}

static weir_result draw_shadow(renderer *r, const render_mesh *mesh, const float *clear)
{
    gpu_pass *pass;
    WEIR_RETURN_IF_ERROR(append_triangles(r, RENDER_SOLID_SHADOW, mesh, &pass));
    pass->constant = RENDER_CAMERA_SUN;
    gpu_pass_attach(pass, r->shadow.solid, clear);
    return WEIR_OK;
}

static weir_result draw_mesh(renderer *r, const render_mesh *mesh)
{
    gpu_pass *pass;
    r->bound_images[RENDER_BIND_occluder_depth] = r->images.solid_depth;
    WEIR_RETURN_IF_ERROR(append_triangles(r, RENDER_MESH_SURFACE, mesh, &pass));
    gpu_pass_attach(pass, r->images.surface[0], clear_value);
    gpu_pass_attach(pass, r->images.surface_normal, clear_value);
    gpu_pass_attach(pass, r->images.splat_depth, clear_value);
    WEIR_RETURN_IF_ERROR(append_triangles(r, RENDER_MESH_THICKNESS, mesh, &pass));
    gpu_pass_attach(pass, r->images.mesh_thickness, clear_value);
    r->bound_images[RENDER_BIND_fluid] = r->images.surface[0];
    WEIR_RETURN_IF_ERROR(append_triangles(r, RENDER_MESH_LAYER_THICKNESS, mesh, &pass));
    gpu_pass_attach(pass, r->images.layer_thickness, clear_value);
    return WEIR_OK;
}

/* Draws a mesh of fluid as the sun sees it, into the images that splats otherwise fill, so that it
 * has the shadow and the caustics of fluid. */
static weir_result draw_mesh_shadow(renderer *r, const render_mesh *mesh)
{
    gpu_pass *pass;
    const render_shadow *s = &r->shadow;
    r->bound_images[RENDER_BIND_occluder_depth] = s->solid;
    WEIR_RETURN_IF_ERROR(append_triangles(r, RENDER_MESH_DEPTH, mesh, &pass));
    pass->constant = RENDER_CAMERA_SUN;
    gpu_pass_attach(pass, s->fluid, clear_value);
    gpu_pass_attach(pass, s->splat_depth, clear_value);
    WEIR_RETURN_IF_ERROR(append_triangles(r, RENDER_MESH_THICKNESS, mesh, &pass));
    pass->constant = RENDER_CAMERA_SUN;
    gpu_pass_attach(pass, s->mesh_thickness, clear_value);
    r->bound_images[RENDER_BIND_sun_thickness] = s->mesh_thickness;
    return WEIR_OK;
}

/* ---- the pass list in order ----------------------------------------------------------------- */

static bool shows_mesh(const render_frame *frame)
{
    return frame->mesh && frame->mesh->triangle_count > 0;
}

/* Appends the passes that compute caustics, that is, how the fluid's surface focuses the sun's
 * light, from the splats that the sun sees. */
static weir_result append_caustics(renderer *r)
{
    gpu_pass *pass;
    const render_shadow *s = &r->shadow;
    for (uint32_t i = 0; i < 2; i++) {
        r->bound_images[RENDER_BIND_smoothed_sun_depth] = s->depths[1 - i];
        r->bound_images[RENDER_BIND_target] = s->depths[i];
        WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_SMOOTH_SUN_DEPTH,
                                                render_pixel_dispatch(s->depths[i]), &pass));
        pass->constant = i;
    }
    r->bound_images[RENDER_BIND_smoothed_sun_depth] = s->depths[1];
    r->bound_images[RENDER_BIND_target] = s->caustics;
    return render_append_pass(r, RENDER_CAUSTICS, render_pixel_dispatch(s->caustics), &pass);
}

static weir_result append_shadows(renderer *r, const render_frame *frame)
{
    const render_shadow *s = &r->shadow;
    if (!frame->view->shadows || r->reuse.shadows) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(draw_shadow(r, &r->solids, clear_value));
    if (r->drawn_deformables) WEIR_RETURN_IF_ERROR(draw_shadow(r, r->drawn_deformables, NULL));
    if (shows_mesh(frame) && frame->view->mode == WEIR_RENDER_MODE_MESH)
        WEIR_RETURN_IF_ERROR(draw_shadow(r, frame->mesh, NULL));
    else if (shows_mesh(frame)) {
        WEIR_RETURN_IF_ERROR(draw_mesh_shadow(r, frame->mesh));
        return append_caustics(r);
    }
    if (frame->points) WEIR_RETURN_IF_ERROR(render_append_splat_setup(r, frame, RENDER_CAMERA_SUN));
    const splat_target target = {.camera = RENDER_CAMERA_SUN,
                                 .count = frame->points ? frame->points->count : 0,
                                 .nearest = s->fluid,
                                 .thickness = s->thickness,
                                 .depth = s->splat_depth,
                                 .limit = s->solid,
                                 .half = &s->half};
    WEIR_RETURN_IF_ERROR(render_draw_splats(r, &target));
    return append_caustics(r);
}

static weir_result append_background(renderer *r, const render_frame *frame)
{
    gpu_pass *pass;
    const render_images *m = &r->images;
    WEIR_RETURN_IF_ERROR(draw_opaque(r, &r->solids, clear_value));
    if (r->drawn_deformables) WEIR_RETURN_IF_ERROR(draw_opaque(r, r->drawn_deformables, NULL));
    if (shows_mesh(frame) && frame->view->mode == WEIR_RENDER_MODE_MESH)
        WEIR_RETURN_IF_ERROR(draw_opaque(r, frame->mesh, NULL));
    if (frame->points) WEIR_RETURN_IF_ERROR(render_append_splat_setup(r, frame, RENDER_CAMERA_EYE));
    if (frame->points && render_draws_opaque(frame->view)) {
        const splat_target target = {.camera = RENDER_CAMERA_EYE, .count = frame->points->count};
        WEIR_RETURN_IF_ERROR(render_append_splat_draw(r, RENDER_SPLAT_OPAQUE, &target, &pass));
        gpu_pass_attach(pass, m->solid_normal, NULL);
        gpu_pass_attach(pass, m->solid_colour, NULL);
        gpu_pass_attach(pass, m->solid_depth, NULL);
    }
    r->bound_images[RENDER_BIND_target] = m->background;
    return render_append_pass(r, RENDER_BACKGROUND_PASS, render_pixel_dispatch(m->background),
                              &pass);
}

static weir_result append_fluid(renderer *r, const render_frame *frame)
{
    const render_images *m = &r->images;
    if (shows_mesh(frame)) return draw_mesh(r, frame->mesh);
    const splat_target target = {
        .camera = RENDER_CAMERA_EYE,
        .count = frame->points ? frame->points->count : 0,
        .nearest = m->surface[0],
        .thickness = r->uses_compute ? m->thickness_sum : m->thickness,
        .depth = m->splat_depth,
        .limit = m->solid_depth,
        .half = &m->half,
        .layers = frame->view->mode == WEIR_RENDER_MODE_SURFACE && !frame->view->draft
                      ? m->layer_thickness
                      : NULL,
        .optical_depth = render_mixes_colours(r, frame) ? m->optical_depth : NULL};
    return r->uses_compute ? render_compute_splats(r, &target) : render_draw_splats(r, &target);
}

/* Returns 0 once the thickness image contains the front layer: that of drawn splats does from the
 * start, others after a first pass of the filter. Until then returns RENDER_LAYER_SEPARATE; in a
 * draft, RENDER_LAYER_ESTIMATED, because it has no such layer. */
static uint32_t layer_separate_bit(const renderer *r)
{
    if (r->filtered_thickness != r->last_thickness || r->last_thickness == r->images.thickness)
        return 0;
    return r->draft ? RENDER_LAYER_ESTIMATED : RENDER_LAYER_SEPARATE;
}

/* Appends one filter pass from one surface image to the other. */
static weir_result append_filter(renderer *r, render_pipeline which, uint32_t constant,
                                 uint32_t *from)
{
    gpu_pass *pass;
    gpu_image *source = r->images.surface[*from], *target = r->images.surface[1 - *from];
    gpu_dispatch_size dispatch_size = render_pixel_dispatch(source);
    if (which == RENDER_FILTER_1D) {
        uint64_t width = gpu_image_width(source), height = gpu_image_height(source);
        dispatch_size =
            (gpu_dispatch_size){.name = "lines",
                                .count = constant & 1u ? (height + 63) / 64 * 64 * width
                                                       : (width + 63) / 64 * 64 * height};
    }
    gpu_image *smooth = r->images.filtered_thickness[constant & 1u];
    r->bound_images[RENDER_BIND_fluid] = source;
    r->bound_images[RENDER_BIND_target] = target;
    r->bound_images[RENDER_BIND_filtered_thickness] = smooth;
    r->bound_images[RENDER_BIND_thickness] =
        which == RENDER_FILTER_1D ? r->filtered_thickness : r->last_thickness;
    WEIR_RETURN_IF_ERROR(render_append_pass(r, which, dispatch_size, &pass));
    pass->constant = constant | layer_separate_bit(r);
    if (which == RENDER_FILTER_1D) r->filtered_thickness = smooth;
    *from = 1 - *from;
    return WEIR_OK;
}

#define FLOW_STEPS 60u
#define MAX_FLOW_STEPS 64u

static weir_result append_filters(renderer *r, const weir_camera *view, uint32_t *at)
{
    if (view->filter == WEIR_DEPTH_FILTER_NONE || view->filter_size == 0.0f) return WEIR_OK;
    if (view->filter == WEIR_DEPTH_FILTER_CURVATURE_FLOW) {
        uint32_t steps = view->filter_iterations ? view->filter_iterations : FLOW_STEPS;
        for (uint32_t i = 0; i < steps && i < MAX_FLOW_STEPS; i++)
            WEIR_RETURN_IF_ERROR(append_filter(r, RENDER_CURVATURE_FLOW, 0, at));
        WEIR_RETURN_IF_ERROR(append_filter(r, RENDER_FILTER_1D, 4u, at)); /* thickness only */
        return append_filter(r, RENDER_FILTER_1D, 5u, at);
    }
    uint32_t kind = view->filter == WEIR_DEPTH_FILTER_BILATERAL ? 2u : 0u;
    uint32_t passes = view->filter_iterations ? view->filter_iterations : 1;
    for (uint32_t i = 0; i < passes && i < 8; i++) {
        WEIR_RETURN_IF_ERROR(append_filter(r, RENDER_FILTER_1D, kind, at));
        WEIR_RETURN_IF_ERROR(append_filter(r, RENDER_FILTER_1D, kind | 1u, at));
    }
    return append_filter(r, RENDER_FILTER_2D, 0, at);
}

/* Appends the pass that cuts the surface and its thickness off where it meets solids; it precedes
 * the filter. */
static weir_result append_waterline(renderer *r, const weir_camera *view, uint32_t *at)
{
    gpu_pass *pass;
    const render_images *m = &r->images;
    if (!r->light.solids || view->filter == WEIR_DEPTH_FILTER_NONE || view->filter_size == 0.0f)
        return WEIR_OK;
    r->bound_images[RENDER_BIND_fluid] = m->surface[*at];
    r->bound_images[RENDER_BIND_target] = m->surface[1 - *at];
    r->bound_images[RENDER_BIND_thickness] = r->filtered_thickness;
    r->bound_images[RENDER_BIND_filtered_thickness] = m->filtered_thickness[1];
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_FIT_CONTACT_LINE,
                                            render_pixel_dispatch(m->surface[0]), &pass));
    pass->constant = layer_separate_bit(r);
    r->filtered_thickness = m->filtered_thickness[1];
    *at = 1 - *at;
    return WEIR_OK;
}

/* Appends the shading of the surface; `thickness` is the fluid's thickness behind it. */
static weir_result append_shading(renderer *r, render_pipeline which, gpu_image *surface,
                                  gpu_image *thickness)
{
    gpu_pass *pass;
    r->bound_images[RENDER_BIND_fluid] = surface;
    r->bound_images[RENDER_BIND_thickness] = thickness;
    r->bound_images[RENDER_BIND_target] = r->images.colour;
    WEIR_RETURN_IF_ERROR(
        render_append_pass(r, which, render_pixel_dispatch(r->images.colour), &pass));
    pass->constant = layer_separate_bit(r);
    return WEIR_OK;
}

static render_pipeline shade_pipeline(const renderer *r, const render_frame *frame)
{
    if (shows_mesh(frame)) return RENDER_SHADE_MESH;
    return render_mixes_colours(r, frame) ? RENDER_SHADE_MULTI_FLUID : RENDER_SHADE;
}

/* Accumulates whitewater in front of the surface and behind it, and the film of foam. */
static weir_result append_whitewater(renderer *r, const render_frame *frame)
{
    gpu_pass *pass;
    gpu_dispatch_size corners = vertex_dispatch("whitewater", 6ull * frame->whitewater_count);
    r->bound[RENDER_BIND_whitewater] = frame->whitewater;
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_WHITEWATER, corners, &pass));
    gpu_pass_attach(pass, r->images.whitewater, clear_value);
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_FOAM, corners, &pass));
    pass->constant = 1u;
    gpu_pass_attach(pass, r->images.foam, clear_value);
    return WEIR_OK;
}

/* Accumulates the spray of lone particles. */
static weir_result append_spray(renderer *r, const render_frame *frame)
{
    gpu_pass *pass;
    const splat_target target = {
        .camera = RENDER_CAMERA_EYE, .count = frame->points->count, .limit = r->images.solid_depth};
    WEIR_RETURN_IF_ERROR(render_append_splat_draw(r, RENDER_SPLAT_SPRAY, &target, &pass));
    pass->constant |= RENDER_SPRAY_ONLY;
    gpu_pass_attach(pass, r->images.spray, clear_value);
    return WEIR_OK;
}

/* Composites whitewater and spray over the shaded picture and returns the result in *shown. */
static weir_result append_in_front(renderer *r, const render_frame *frame, gpu_image *surface,
                                   gpu_image **shown)
{
    gpu_pass *pass;
    const render_images *m = &r->images;
    bool whitewater = render_draws_whitewater(frame), spray = render_draws_spray(frame);
    if (!whitewater && !spray) return WEIR_OK;
    r->bound_images[RENDER_BIND_fluid] = surface;
    if (whitewater) WEIR_RETURN_IF_ERROR(append_whitewater(r, frame));
    if (spray) WEIR_RETURN_IF_ERROR(append_spray(r, frame));
    r->bound_images[RENDER_BIND_whitewater_layers] = whitewater ? m->whitewater : r->dummy_image;
    r->bound_images[RENDER_BIND_foam] = whitewater ? m->foam : r->dummy_image;
    r->bound_images[RENDER_BIND_spray] = spray ? m->spray : r->dummy_image;
    r->bound_images[RENDER_BIND_colour] = *shown;
    r->bound_images[RENDER_BIND_target] = *shown = m->background; /* no longer needed */
    return render_append_pass(r, RENDER_WHITEWATER_COMPOSITE, render_pixel_dispatch(m->background),
                              &pass);
}

static weir_result append_tonemap(renderer *r, const render_frame *frame, gpu_image *colour,
                                  gpu_image *target)
{
    gpu_pass *pass;
    r->bound_images[RENDER_BIND_colour] = colour;
    r->bound_images[RENDER_BIND_hdr_output] = frame->light;
    if (frame->light)
        WEIR_RETURN_IF_ERROR(
            render_append_pass(r, RENDER_RESOLVE_HDR, render_pixel_dispatch(target), &pass));
    r->bound_images[RENDER_BIND_target] = target;
    return render_append_pass(r, RENDER_TONEMAP, render_pixel_dispatch(target), &pass);
}

/* Adds a picture to the mean of several, which is shown with the last of them. */
static weir_result append_exposure(renderer *r, const render_frame *frame, gpu_image *colour,
                                   gpu_image *target)
{
    gpu_pass *pass;
    r->bound_images[RENDER_BIND_colour] = colour;
    r->bound_images[RENDER_BIND_exposure_sum] = r->images.exposure_sum;
    WEIR_RETURN_IF_ERROR(render_append_pass(r, RENDER_ACCUMULATE_SHUTTER_EXPOSURES,
                                            render_pixel_dispatch(colour), &pass));
    pass->constant = frame->exposure == 0;
    if (frame->exposure + 1 < frame->exposures) return WEIR_OK;
    return append_tonemap(r, frame, r->images.exposure_sum, target);
}

/* ---- a host's picture ----------------------------------------------------------------------- */

static weir_result append_fullscreen(renderer *r, render_pipeline which, gpu_pass **pass)
{
    return render_append_pass(r, which, vertex_dispatch("screen", 3), pass);
}

/* Appends the passes that use the host's picture in place of solids and surroundings. */
static weir_result append_host_background(renderer *r, const render_frame *frame)
{
    gpu_pass *pass;
    const render_images *m = &r->images;
    if (frame->points) WEIR_RETURN_IF_ERROR(render_append_splat_setup(r, frame, RENDER_CAMERA_EYE));
    r->bound_images[RENDER_BIND_host_colour] = frame->host->colour;
    r->bound_images[RENDER_BIND_host_depth] = frame->host->depth;
    WEIR_RETURN_IF_ERROR(append_fullscreen(r, RENDER_HOST_BACKGROUND, &pass));
    gpu_pass_attach(pass, m->background, NULL);
    gpu_pass_attach(pass, m->solid_depth, NULL);
    return WEIR_OK;
}

static weir_result append_host_composite(renderer *r, const render_frame *frame, gpu_image *surface)
{
    gpu_pass *pass;
    gpu_format format = gpu_image_format(frame->host->colour);
    if (r->host_format != format) /* the device keeps the pipeline for the other format */
        gpu_pipeline_destroy(r->device, &r->pipelines[RENDER_HOST_COMPOSITE]);
    r->host_format = format;
    r->bound_images[RENDER_BIND_fluid] = surface;
    r->bound_images[RENDER_BIND_colour] = r->images.colour;
    WEIR_RETURN_IF_ERROR(append_fullscreen(r, RENDER_HOST_COMPOSITE, &pass));
    gpu_pass_attach(pass, frame->host->colour, NULL);
    return WEIR_OK;
}

/* Sets the bindings that are the same for all passes of the frame. */
static void bind_frame(renderer *r, const render_frame *frame)
{
    const render_images *m = &r->images;
    const render_shadow *s = &r->shadow;
    bool shadows = frame->view->shadows;
    memset(r->bound, 0, sizeof r->bound);
    memset(r->bound_images, 0, sizeof r->bound_images);
    r->bound[RENDER_BIND_params] = r->params[r->frame % RENDER_FRAMES_IN_FLIGHT];
    r->bound[RENDER_BIND_models] = r->models[r->frame % RENDER_FRAMES_IN_FLIGHT];
    r->bound[RENDER_BIND_slice] =
        frame->view->slice ? r->slices[r->frame % RENDER_FRAMES_IN_FLIGHT] : r->dummy;
    r->bound[RENDER_BIND_legend] = or_dummy(r, r->legends[r->frame % RENDER_FRAMES_IN_FLIGHT]);
    r->bound[RENDER_BIND_nearest] = r->nearest;
    r->bound[RENDER_BIND_thickness_sums] = r->thickness_sum;
    r->bound[RENDER_BIND_weighted_sums] = r->weighted_sum;
    if (frame->points) bind_points(r, frame);
    r->bound[RENDER_BIND_splat_lists] = r->splat_lists;
    r->bound[RENDER_BIND_inner_splats] = r->inner_splats;
    r->bound[RENDER_BIND_later_splats] = r->later_splats;
    gpu_image **images = r->bound_images;
    images[RENDER_BIND_layer_thickness] = m->layer_thickness;
    images[RENDER_BIND_optical_depth] = m->optical_depth;
    images[RENDER_BIND_surface_normals] = m->surface_normal;
    images[RENDER_BIND_solid_depth] = m->solid_depth;
    images[RENDER_BIND_solid_normal] = m->solid_normal;
    images[RENDER_BIND_solid_colour] = m->solid_colour;
    images[RENDER_BIND_background] = m->background;
    images[RENDER_BIND_sun_solid_depth] = shadows ? s->solid : r->dummy_depth;
    images[RENDER_BIND_sun_fluid_depth] = shadows ? s->fluid : r->dummy_image;
    images[RENDER_BIND_sun_thickness] = shadows ? s->thickness : r->dummy_image;
    images[RENDER_BIND_caustics] = shadows ? s->caustics : r->dummy_image;
    images[RENDER_BIND_environment] = r->environment;
}

weir_result render_build_passes(renderer *r, const render_frame *frame, gpu_image *target)
{
    const weir_camera *view = frame->view;
    const render_images *m = &r->images;
    gpu_image *shown = m->colour;
    uint32_t at = 0;
    bool mesh = shows_mesh(frame),
         has_triangles = r->solids.triangle_count > 0 || r->drawn_deformables;
    r->pass_count = 0;
    r->draft = view->draft && !mesh;
    r->light = (render_shade_variant){
        .solids = has_triangles || frame->mesh || frame->host,
        .shadowed = view->shadows,
        .image = r->look.environment != NULL,
        .slice_drawn = view->slice != NULL,
        .tank = r->look.tank_sides && !frame->host && !view->transparent,
        .parallel = frame->host && frame->host->parallel,
        .studio = !r->look.environment && r->look.lamp_radiance > 0.0f,
        .whitewater = render_draws_whitewater(frame),
        .spray = render_draws_spray(frame),
        .solids_drawn = has_triangles || frame->mesh || render_draws_opaque(view)};
    r->last_nearest = r->last_filtered = NULL;
    r->last_thickness = mesh              ? m->mesh_thickness
                        : r->uses_compute ? m->thickness_sum
                                          : m->thickness;
    r->filtered_thickness = r->last_thickness;
    bind_frame(r, frame);
    if (render_draws_ellipsoids(frame) && !r->reuse.shapes)
        r->pass_count = grid_anisotropy_passes(r->anisotropy, frame->points, r->passes);
    WEIR_RETURN_IF_ERROR(append_shadows(r, frame));
    WEIR_RETURN_IF_ERROR(frame->host ? append_host_background(r, frame)
                                     : append_background(r, frame));
    if (render_draws_opaque(view) || view->mode == WEIR_RENDER_MODE_MESH) {
        shown = m->background;
    } else {
        WEIR_RETURN_IF_ERROR(append_fluid(r, frame));
        r->last_nearest = m->surface[0];
        if (!mesh && view->mode != WEIR_RENDER_MODE_DEPTH) {
            WEIR_RETURN_IF_ERROR(append_waterline(r, view, &at));
            WEIR_RETURN_IF_ERROR(append_filters(r, view, &at));
        }
        r->last_filtered = m->surface[at];
        if (view->mode == WEIR_RENDER_MODE_SURFACE)
            WEIR_RETURN_IF_ERROR(
                append_shading(r, shade_pipeline(r, frame), m->surface[at], r->filtered_thickness));
        else
            WEIR_RETURN_IF_ERROR(
                append_shading(r, RENDER_DEBUG_VIEW, m->surface[at], r->last_thickness));
    }
    if (frame->host) return append_host_composite(r, frame, m->surface[at]);
    WEIR_RETURN_IF_ERROR(append_in_front(r, frame, m->surface[at], &shown));
    if (frame->exposures > 1) return append_exposure(r, frame, shown, target);
    return append_tonemap(r, frame, shown, target);
}
