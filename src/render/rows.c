/* The frame's table: which passes run over which images. */
#include "render_internal.h"

static const float none[4] = {0};

/* Adds a row with what is bound now; `which` is its kernel. */
static weir_result add_row(renderer *r, render_kernel which, gpu_domain domain, gpu_row **row)
{
    const gpu_kernel *kernel;
    WEIR_NEED(render_kernel_get(r, which, &kernel));
    WEIR_ASSERT(r->row_count < RENDER_ROWS);
    *row = &r->rows[r->row_count++];
    **row = gpu_row_make(kernel, domain);
    gpu_row_bind_all(*row, r->bound, RENDER_BINDINGS);
    gpu_row_bind_images(*row, r->bound_images, RENDER_BINDINGS);
    return WEIR_OK;
}

/* All pixels of the image, in whole tiles. */
static gpu_domain pixels(const gpu_image *image)
{
    uint64_t x = (gpu_image_width(image) + 7) / 8, y = (gpu_image_height(image) + 7) / 8;
    return (gpu_domain){.name = "pixels", .count = x * y * 64};
}

static gpu_domain corners(const char *name, uint64_t count)
{
    return (gpu_domain){.name = name, .count = 1, .vertices = (uint32_t)count};
}

/* ---- splats --------------------------------------------------------------------------------- */

static gpu_buffer *or_nothing(const renderer *r, gpu_buffer *buffer)
{
    return buffer ? buffer : r->nothing;
}

static void bind_points(renderer *r, const render_frame *frame)
{
    const grid_points *points = frame->points;
    bool fits = render_fits(frame);
    r->bound[RENDER_BIND_centres] = fits ? grid_anisotropy_centres(r->anisotropy) : r->nothing;
    r->bound[RENDER_BIND_shapes] = fits ? grid_anisotropy_shapes(r->anisotropy) : r->nothing;
    r->bound[RENDER_BIND_positions] = points->position;
    r->bound[RENDER_BIND_velocities] = or_nothing(r, points->velocity);
    r->bound[RENDER_BIND_ids] = or_nothing(r, points->id);
    r->bound[RENDER_BIND_fluids] = or_nothing(r, points->fluid);
    r->bound[RENDER_BIND_densities] = or_nothing(r, points->density);
    r->bound[RENDER_BIND_lambdas] = or_nothing(r, points->has_lambda ? points->lambda : NULL);
}

static weir_result add_splats(renderer *r, const render_frame *frame, uint32_t camera)
{
    gpu_row *row;
    gpu_domain domain = {.name = "points", .count = frame->points->count};
    r->bound[RENDER_BIND_splats] = r->splats[camera];
    WEIR_NEED(add_row(r, RENDER_SPLATS, domain, &row));
    row->constant = camera;
    return WEIR_OK;
}

/* Where the splats of one camera go. */
typedef struct splat_target {
    uint32_t camera;
    uint64_t count;
    gpu_image *nearest, *thickness, *depth, *limit;
} splat_target;

static weir_result add_splat_draw(renderer *r, render_kernel which, const splat_target *target,
                                  gpu_row **row)
{
    r->bound[RENDER_BIND_splats] = r->splats[target->camera];
    r->bound_images[RENDER_BIND_splat_limits] = target->limit;
    WEIR_NEED(add_row(r, which, corners("splats", 6 * target->count), row));
    (*row)->constant = target->camera | (r->light.solids ? 2u : 0u);
    return WEIR_OK;
}

static weir_result draw_splats(renderer *r, const splat_target *target)
{
    gpu_row *row;
    if (r->blends) {
        WEIR_NEED(add_splat_draw(r, RENDER_SPLAT_BOTH, target, &row));
        gpu_row_attach(row, target->nearest, none);
        gpu_row_attach(row, target->thickness, none);
        return WEIR_OK;
    }
    WEIR_NEED(add_splat_draw(r, RENDER_SPLAT_DEPTH, target, &row));
    gpu_row_attach(row, target->nearest, none);
    gpu_row_attach(row, target->depth, none);
    WEIR_NEED(add_splat_draw(r, RENDER_SPLAT_THICKNESS, target, &row));
    gpu_row_attach(row, target->thickness, none);
    return WEIR_OK;
}

static weir_result compute_splats(renderer *r, const splat_target *target)
{
    gpu_row *row;
    gpu_domain splats = {.name = "splats", .count = 64 * target->count};
    r->bound[RENDER_BIND_splats] = r->splats[RENDER_EYE];
    r->bound_images[RENDER_BIND_splat_limits] = target->limit;
    r->bound_images[RENDER_BIND_fluid] = target->nearest;
    r->bound_images[RENDER_BIND_target] = target->thickness;
    WEIR_NEED(add_row(r, RENDER_SPLAT_COMPUTE, splats, &row));
    return add_row(r, RENDER_SPLAT_RESOLVE, pixels(target->nearest), &row);
}

/* ---- triangles ------------------------------------------------------------------------------ */

static weir_result add_triangles(renderer *r, render_kernel which, const render_mesh *mesh,
                                 gpu_row **row)
{
    r->bound[RENDER_BIND_vertices] = mesh->vertices;
    r->bound[RENDER_BIND_normals] = mesh->normals;
    r->bound[RENDER_BIND_indices] = mesh->indices;
    return add_row(r, which, corners("corners", 3ull * mesh->triangle_count), row);
}

/* `clear` NULL draws onto what is there. */
static weir_result draw_opaque(renderer *r, const render_mesh *mesh, const float *clear)
{
    gpu_row *row;
    WEIR_NEED(add_triangles(r, RENDER_SOLID, mesh, &row));
    gpu_row_attach(row, r->images.solid_normal, clear);
    gpu_row_attach(row, r->images.solid_colour, clear);
    gpu_row_attach(row, r->images.solid_depth, clear);
    return WEIR_OK;
}

static weir_result draw_shadow(renderer *r, const render_mesh *mesh, const float *clear)
{
    gpu_row *row;
    WEIR_NEED(add_triangles(r, RENDER_SOLID_SHADOW, mesh, &row));
    row->constant = RENDER_SUN;
    gpu_row_attach(row, r->shadow.solid, clear);
    return WEIR_OK;
}

static weir_result draw_mesh(renderer *r, const render_mesh *mesh)
{
    gpu_row *row;
    r->bound_images[RENDER_BIND_splat_limits] = r->images.solid_depth;
    WEIR_NEED(add_triangles(r, RENDER_MESH_FRONT, mesh, &row));
    gpu_row_attach(row, r->images.surface[0], none);
    gpu_row_attach(row, r->images.surface_normal, none);
    gpu_row_attach(row, r->images.splat_depth, none);
    WEIR_NEED(add_triangles(r, RENDER_MESH_THICKNESS, mesh, &row));
    gpu_row_attach(row, r->images.thickness, none);
    return WEIR_OK;
}

/* ---- the passes in their order -------------------------------------------------------------- */

static bool draws_mesh(const render_frame *frame)
{
    return frame->mesh && frame->mesh->triangle_count > 0;
}

/* What the fluid's surface does to the sun's light, from the splats that it sees. */
static weir_result add_caustics(renderer *r)
{
    gpu_row *row;
    const render_shadow *s = &r->shadow;
    for (uint32_t i = 0; i < 2; i++) {
        r->bound_images[RENDER_BIND_sun_depths] = s->depths[1 - i];
        r->bound_images[RENDER_BIND_target] = s->depths[i];
        WEIR_NEED(add_row(r, RENDER_SUN_SMOOTH, pixels(s->depths[i]), &row));
        row->constant = i;
    }
    r->bound_images[RENDER_BIND_sun_depths] = s->depths[1];
    r->bound_images[RENDER_BIND_target] = s->caustics;
    return add_row(r, RENDER_CAUSTICS, pixels(s->caustics), &row);
}

static weir_result add_shadows(renderer *r, const render_frame *frame)
{
    const render_shadow *s = &r->shadow;
    if (!frame->view->shadows) return WEIR_OK;
    WEIR_NEED(draw_shadow(r, &r->solids, none));
    if (r->drawn_softs) WEIR_NEED(draw_shadow(r, r->drawn_softs, NULL));
    if (draws_mesh(frame)) WEIR_NEED(draw_shadow(r, frame->mesh, NULL));
    if (frame->points) WEIR_NEED(add_splats(r, frame, RENDER_SUN));
    const splat_target target = {RENDER_SUN,     frame->points ? frame->points->count : 0,
                                 s->fluid,       s->thickness,
                                 s->splat_depth, s->solid};
    WEIR_NEED(draw_splats(r, &target));
    return add_caustics(r);
}

static weir_result add_background(renderer *r, const render_frame *frame)
{
    gpu_row *row;
    const render_images *m = &r->images;
    WEIR_NEED(draw_opaque(r, &r->solids, none));
    if (r->drawn_softs) WEIR_NEED(draw_opaque(r, r->drawn_softs, NULL));
    if (draws_mesh(frame) && frame->view->mode == WEIR_MODE_MESH)
        WEIR_NEED(draw_opaque(r, frame->mesh, NULL));
    if (frame->points) WEIR_NEED(add_splats(r, frame, RENDER_EYE));
    if (frame->points && render_opaque(frame->view)) {
        const splat_target target = {.camera = RENDER_EYE, .count = frame->points->count};
        WEIR_NEED(add_splat_draw(r, RENDER_SPLAT_SOLID, &target, &row));
        gpu_row_attach(row, m->solid_normal, NULL);
        gpu_row_attach(row, m->solid_colour, NULL);
        gpu_row_attach(row, m->solid_depth, NULL);
    }
    r->bound_images[RENDER_BIND_target] = m->background;
    return add_row(r, RENDER_BACKGROUND_PASS, pixels(m->background), &row);
}

static weir_result add_fluid(renderer *r, const render_frame *frame)
{
    gpu_row *row;
    const render_images *m = &r->images;
    if (draws_mesh(frame)) return draw_mesh(r, frame->mesh);
    const splat_target target = {RENDER_EYE,     frame->points ? frame->points->count : 0,
                                 m->surface[0],  r->computes ? m->summed : m->thickness,
                                 m->splat_depth, m->solid_depth};
    WEIR_NEED(r->computes ? compute_splats(r, &target) : draw_splats(r, &target));
    if (frame->view->mode == WEIR_MODE_SURFACE) {
        r->bound_images[RENDER_BIND_fluid] = m->surface[0];
        WEIR_NEED(add_splat_draw(r, RENDER_SPLAT_FRONT, &target, &row));
        gpu_row_attach(row, m->front, none);
    }
    if (r->liquid_count < 2) return WEIR_OK;
    WEIR_NEED(add_splat_draw(r, RENDER_SPLAT_MIXED, &target, &row));
    gpu_row_attach(row, m->mixed, none);
    return WEIR_OK;
}

/* The first line of the filter puts the front beside the thickness. */
static uint32_t front_apart(const renderer *r)
{
    return r->smooth_thickness == r->last_thickness ? RENDER_FRONT_APART : 0u;
}

/* One pass of a filter from one surface to the other. */
static weir_result add_filter(renderer *r, render_kernel which, uint32_t constant, uint32_t *from)
{
    gpu_row *row;
    gpu_image *source = r->images.surface[*from], *target = r->images.surface[1 - *from];
    gpu_domain domain = pixels(source);
    if (which == RENDER_FILTER_LINE) {
        uint64_t width = gpu_image_width(source), height = gpu_image_height(source);
        domain = (gpu_domain){.name = "lines",
                              .count = constant & 1u ? (height + 63) / 64 * 64 * width
                                                     : (width + 63) / 64 * 64 * height};
    }
    gpu_image *smooth = r->images.smooth[constant & 1u];
    r->bound_images[RENDER_BIND_fluid] = source;
    r->bound_images[RENDER_BIND_target] = target;
    r->bound_images[RENDER_BIND_smooth_thickness] = smooth;
    r->bound_images[RENDER_BIND_thickness] =
        which == RENDER_FILTER_LINE ? r->smooth_thickness : r->last_thickness;
    WEIR_NEED(add_row(r, which, domain, &row));
    row->constant = constant | front_apart(r);
    if (which == RENDER_FILTER_LINE) r->smooth_thickness = smooth;
    *from = 1 - *from;
    return WEIR_OK;
}

#define FLOW_STEPS 60u
#define MOST_FLOW_STEPS 64u

static weir_result add_filters(renderer *r, const weir_view *view, uint32_t *at)
{
    if (view->filter == WEIR_FILTER_NONE || view->filter_size == 0.0f) return WEIR_OK;
    if (view->filter == WEIR_FILTER_CURVATURE_FLOW) {
        uint32_t steps = view->filter_passes ? view->filter_passes : FLOW_STEPS;
        for (uint32_t i = 0; i < steps && i < MOST_FLOW_STEPS; i++)
            WEIR_NEED(add_filter(r, RENDER_FILTER_FLOW, 0, at));
        WEIR_NEED(add_filter(r, RENDER_FILTER_LINE, 4u, at)); /* thickness alone */
        return add_filter(r, RENDER_FILTER_LINE, 5u, at);
    }
    uint32_t kind = view->filter == WEIR_FILTER_BILATERAL ? 2u : 0u;
    uint32_t passes = view->filter_passes ? view->filter_passes : 1;
    for (uint32_t i = 0; i < passes && i < 8; i++) {
        WEIR_NEED(add_filter(r, RENDER_FILTER_LINE, kind, at));
        WEIR_NEED(add_filter(r, RENDER_FILTER_LINE, kind | 1u, at));
    }
    return add_filter(r, RENDER_FILTER_CLEAN, 0, at);
}

/* The surface ends where it meets solids, with its thickness; before the filter. */
static weir_result add_waterline(renderer *r, const weir_view *view, uint32_t *at)
{
    gpu_row *row;
    const render_images *m = &r->images;
    if (!r->light.solids || view->filter == WEIR_FILTER_NONE || view->filter_size == 0.0f)
        return WEIR_OK;
    r->bound_images[RENDER_BIND_fluid] = m->surface[*at];
    r->bound_images[RENDER_BIND_target] = m->surface[1 - *at];
    r->bound_images[RENDER_BIND_thickness] = r->smooth_thickness;
    r->bound_images[RENDER_BIND_smooth_thickness] = m->smooth[1];
    WEIR_NEED(add_row(r, RENDER_FILTER_MEET, pixels(m->surface[0]), &row));
    row->constant = front_apart(r);
    r->smooth_thickness = m->smooth[1];
    *at = 1 - *at;
    return WEIR_OK;
}

/* Shades the surface; `thickness` is what lies behind it. */
static weir_result add_shown(renderer *r, render_kernel which, gpu_image *surface,
                             gpu_image *thickness)
{
    gpu_row *row;
    r->bound_images[RENDER_BIND_fluid] = surface;
    r->bound_images[RENDER_BIND_thickness] = thickness;
    r->bound_images[RENDER_BIND_target] = r->images.colour;
    WEIR_NEED(add_row(r, which, pixels(r->images.colour), &row));
    row->constant = front_apart(r);
    return WEIR_OK;
}

static render_kernel shader_of(const renderer *r, const render_frame *frame)
{
    if (draws_mesh(frame)) return RENDER_SHADE_MESH;
    return r->liquid_count > 1 ? RENDER_SHADE_MIXED : RENDER_SHADE;
}

/* Whitewater over the shaded picture, which it leaves in *shown. */
static weir_result add_whitewater(renderer *r, const render_frame *frame, gpu_image *surface,
                                  gpu_image **shown)
{
    gpu_row *row;
    const render_images *m = &r->images;
    r->bound[RENDER_BIND_whitewater] = frame->whitewater;
    r->bound_images[RENDER_BIND_fluid] = surface;
    WEIR_NEED(
        add_row(r, RENDER_WHITEWATER, corners("whitewater", 6ull * frame->whitewater_count), &row));
    gpu_row_attach(row, m->whitewater, none);
    r->bound_images[RENDER_BIND_whitewater_layers] = m->whitewater;
    r->bound_images[RENDER_BIND_colour] = *shown;
    r->bound_images[RENDER_BIND_target] = *shown = m->background; /* which is of no more use */
    return add_row(r, RENDER_WHITEWATER_OVER, pixels(m->background), &row);
}

static weir_result add_tonemap(renderer *r, const render_frame *frame, gpu_image *colour,
                               gpu_image *target)
{
    gpu_row *row;
    r->bound_images[RENDER_BIND_colour] = colour;
    r->bound_images[RENDER_BIND_light] = frame->light;
    if (frame->light) WEIR_NEED(add_row(r, RENDER_LIGHT, pixels(target), &row));
    r->bound_images[RENDER_BIND_target] = target;
    return add_row(r, RENDER_TONEMAP, pixels(target), &row);
}

/* The mean of several pictures is shown with the last of them. */
static weir_result add_exposure(renderer *r, const render_frame *frame, gpu_image *colour,
                                gpu_image *target)
{
    gpu_row *row;
    r->bound_images[RENDER_BIND_colour] = colour;
    r->bound_images[RENDER_BIND_exposed] = r->images.exposed;
    WEIR_NEED(add_row(r, RENDER_EXPOSE, pixels(colour), &row));
    row->constant = frame->exposure == 0;
    if (frame->exposure + 1 < frame->exposures) return WEIR_OK;
    return add_tonemap(r, frame, r->images.exposed, target);
}

/* ---- a host's picture ------------------------------------------------------------------------ */

static weir_result add_screen(renderer *r, render_kernel which, gpu_row **row)
{
    return add_row(r, which, corners("screen", 3), row);
}

/* What the host has drawn takes the place of solids and surroundings. */
static weir_result add_behind(renderer *r, const render_frame *frame)
{
    gpu_row *row;
    const render_images *m = &r->images;
    if (frame->points) WEIR_NEED(add_splats(r, frame, RENDER_EYE));
    r->bound_images[RENDER_BIND_host_colour] = frame->host->colour;
    r->bound_images[RENDER_BIND_host_depth] = frame->host->depth;
    WEIR_NEED(add_screen(r, RENDER_HOST_BEHIND, &row));
    gpu_row_attach(row, m->background, NULL);
    gpu_row_attach(row, m->solid_depth, NULL);
    return WEIR_OK;
}

static weir_result add_over(renderer *r, const render_frame *frame, gpu_image *surface)
{
    gpu_row *row;
    gpu_format format = gpu_image_format(frame->host->colour);
    if (r->host_format != format) /* the device keeps the pipeline of the other format */
        gpu_kernel_destroy(r->device, &r->kernels[RENDER_HOST_OVER]);
    r->host_format = format;
    r->bound_images[RENDER_BIND_fluid] = surface;
    r->bound_images[RENDER_BIND_colour] = r->images.colour;
    WEIR_NEED(add_screen(r, RENDER_HOST_OVER, &row));
    gpu_row_attach(row, frame->host->colour, NULL);
    return WEIR_OK;
}

/* What stays the same for all rows of the frame. */
static void bind_frame(renderer *r, const render_frame *frame)
{
    const render_images *m = &r->images;
    const render_shadow *s = &r->shadow;
    bool shadows = frame->view->shadows;
    memset(r->bound, 0, sizeof r->bound);
    memset(r->bound_images, 0, sizeof r->bound_images);
    r->bound[RENDER_BIND_params] = r->params[r->frame % RENDER_RING];
    r->bound[RENDER_BIND_models] = r->models[r->frame % RENDER_RING];
    r->bound[RENDER_BIND_slice] =
        frame->view->slice ? r->slices[r->frame % RENDER_RING] : r->nothing;
    r->bound[RENDER_BIND_nearest] = r->nearest;
    r->bound[RENDER_BIND_summed] = r->summed;
    r->bound[RENDER_BIND_weighted] = r->weighted;
    if (frame->points) bind_points(r, frame);
    gpu_image **images = r->bound_images;
    images[RENDER_BIND_front] = m->front;
    images[RENDER_BIND_mixed] = m->mixed;
    images[RENDER_BIND_surface_normals] = m->surface_normal;
    images[RENDER_BIND_solid_depth] = m->solid_depth;
    images[RENDER_BIND_solid_normal] = m->solid_normal;
    images[RENDER_BIND_solid_colour] = m->solid_colour;
    images[RENDER_BIND_background] = m->background;
    images[RENDER_BIND_shadow_solid] = shadows ? s->solid : r->nothing_depth;
    images[RENDER_BIND_shadow_fluid] = shadows ? s->fluid : r->nothing_image;
    images[RENDER_BIND_shadow_thickness] = shadows ? s->thickness : r->nothing_image;
    images[RENDER_BIND_caustics] = shadows ? s->caustics : r->nothing_image;
    images[RENDER_BIND_environment] = r->environment;
}

weir_result render_rows_make(renderer *r, const render_frame *frame, gpu_image *target)
{
    const weir_view *view = frame->view;
    const render_images *m = &r->images;
    gpu_image *shown = m->colour;
    uint32_t at = 0;
    bool mesh = draws_mesh(frame), has_triangles = r->solids.triangle_count > 0 || r->drawn_softs;
    r->row_count = 0;
    r->light = (render_light){.solids = has_triangles || frame->mesh || frame->host,
                              .shadowed = view->shadows,
                              .image = r->look.environment != NULL,
                              .sliced = view->slice != NULL,
                              .tank = r->look.tank_sides && !frame->host && !view->transparent,
                              .parallel = frame->host && frame->host->parallel,
                              .seen = has_triangles || frame->mesh || render_opaque(view)};
    r->last_nearest = r->last_filtered = NULL;
    r->last_thickness = r->computes && !mesh ? m->summed : m->thickness;
    r->smooth_thickness = r->last_thickness;
    bind_frame(r, frame);
    if (render_fits(frame))
        r->row_count = grid_anisotropy_rows(r->anisotropy, frame->points, r->rows);
    WEIR_NEED(add_shadows(r, frame));
    WEIR_NEED(frame->host ? add_behind(r, frame) : add_background(r, frame));
    if (render_opaque(view) || view->mode == WEIR_MODE_MESH) {
        shown = m->background;
    } else {
        WEIR_NEED(add_fluid(r, frame));
        r->last_nearest = m->surface[0];
        if (!mesh && view->mode != WEIR_MODE_DEPTH) {
            WEIR_NEED(add_waterline(r, view, &at));
            WEIR_NEED(add_filters(r, view, &at));
        }
        r->last_filtered = m->surface[at];
        if (view->mode == WEIR_MODE_SURFACE)
            WEIR_NEED(add_shown(r, shader_of(r, frame), m->surface[at], r->smooth_thickness));
        else
            WEIR_NEED(add_shown(r, RENDER_CHANNEL, m->surface[at], r->last_thickness));
    }
    if (frame->host) return add_over(r, frame, m->surface[at]);
    if (render_foams(frame)) WEIR_NEED(add_whitewater(r, frame, m->surface[at], &shown));
    if (frame->exposures > 1) return add_exposure(r, frame, shown, target);
    return add_tonemap(r, frame, shown, target);
}
