/* The frame's table: which passes run over which images. */
#include "render_internal.h"

static const float none[4] = {0};

/* A row to fill; `which` is its kernel. */
static weir_result add_row(renderer *r, render_kernel which, gpu_domain domain, gpu_row **row)
{
    const gpu_kernel *kernel;
    weir_result result = render_kernel_get(r, which, &kernel);
    if (result != WEIR_OK) return result;
    WEIR_ASSERT(r->row_count < RENDER_ROWS);
    *row = &r->rows[r->row_count++];
    **row = (gpu_row){.kernel = kernel, .domain = domain};
    gpu_row_use(*row, RENDER_BIND_PARAMS, r->params[r->frame % RENDER_RING], GPU_BLOCK);
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

static weir_result add_splats(renderer *r, const render_frame *frame, uint32_t camera)
{
    gpu_row *row;
    const grid_points *points = frame->points;
    bool fits = render_fits(frame);
    gpu_domain domain = {.name = "points", .count = points->count};
    weir_result result = add_row(r, RENDER_SPLATS, domain, &row);
    if (result != WEIR_OK) return result;
    row->constant = camera;
    gpu_row_use(row, RENDER_BIND_CENTRES,
                fits ? grid_anisotropy_centres(r->anisotropy) : r->nothing, GPU_GATHER);
    gpu_row_use(row, RENDER_BIND_SHAPES, fits ? grid_anisotropy_shapes(r->anisotropy) : r->nothing,
                GPU_GATHER);
    gpu_row_use(row, RENDER_BIND_POSITIONS, points->position, GPU_GATHER);
    gpu_row_use(row, RENDER_BIND_VELOCITIES, or_nothing(r, points->velocity), GPU_GATHER);
    gpu_row_use(row, RENDER_BIND_IDS, or_nothing(r, points->id), GPU_GATHER);
    gpu_row_use(row, RENDER_BIND_FLUIDS, or_nothing(r, points->fluid), GPU_GATHER);
    gpu_row_use(row, RENDER_BIND_DENSITIES, or_nothing(r, points->density), GPU_GATHER);
    gpu_row_use(row, RENDER_BIND_LAMBDAS, or_nothing(r, points->has_lambda ? points->lambda : NULL),
                GPU_GATHER);
    gpu_row_use(row, RENDER_BIND_SPLATS, r->splats[camera], GPU_SCATTER);
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
    weir_result result = add_row(r, which, corners("splats", 6 * target->count), row);
    if (result != WEIR_OK) return result;
    (*row)->constant = target->camera | (r->index_count ? 2u : 0u);
    gpu_row_use(*row, RENDER_BIND_SPLATS, r->splats[target->camera], GPU_GATHER);
    if (which != RENDER_SPLAT_SOLID)
        gpu_row_image(*row, RENDER_BIND_LIMIT, target->limit, GPU_GATHER);
    return WEIR_OK;
}

static weir_result draw_splats(renderer *r, const splat_target *target)
{
    weir_result result;
    gpu_row *row;
    if (r->blends) {
        WEIR_TRY(add_splat_draw(r, RENDER_SPLAT_BOTH, target, &row));
        gpu_row_attach(row, target->nearest, none);
        gpu_row_attach(row, target->thickness, none);
        return WEIR_OK;
    }
    WEIR_TRY(add_splat_draw(r, RENDER_SPLAT_DEPTH, target, &row));
    gpu_row_attach(row, target->nearest, none);
    gpu_row_attach(row, target->depth, none);
    WEIR_TRY(add_splat_draw(r, RENDER_SPLAT_THICKNESS, target, &row));
    gpu_row_attach(row, target->thickness, none);
fail:
    return result;
}

static weir_result compute_splats(renderer *r, const splat_target *target)
{
    weir_result result;
    gpu_row *row;
    gpu_domain splats = {.name = "splats", .count = 64 * target->count};
    WEIR_TRY(add_row(r, RENDER_SPLAT_COMPUTE, splats, &row));
    gpu_row_use(row, RENDER_BIND_SPLATS, r->splats[RENDER_EYE], GPU_GATHER);
    gpu_row_use(row, RENDER_BIND_NEAREST, r->nearest, GPU_ATOMIC);
    gpu_row_use(row, RENDER_BIND_SUMMED, r->summed, GPU_ATOMIC);
    gpu_row_use(row, RENDER_BIND_WEIGHTED, r->weighted, GPU_ATOMIC);
    gpu_row_image(row, RENDER_BIND_LIMIT, target->limit, GPU_GATHER);
    WEIR_TRY(add_row(r, RENDER_SPLAT_RESOLVE, pixels(target->nearest), &row));
    gpu_row_use(row, RENDER_BIND_NEAREST, r->nearest, GPU_OWN_UPDATE);
    gpu_row_use(row, RENDER_BIND_SUMMED, r->summed, GPU_OWN_UPDATE);
    gpu_row_use(row, RENDER_BIND_WEIGHTED, r->weighted, GPU_OWN_UPDATE);
    gpu_row_image(row, RENDER_BIND_FLUID, target->nearest, GPU_OWN_WRITE);
    gpu_row_image(row, RENDER_BIND_TARGET, target->thickness, GPU_OWN_WRITE);
fail:
    return result;
}

/* ---- triangles ------------------------------------------------------------------------------ */

typedef struct triangles {
    gpu_buffer *vertices, *normals, *indices;
    uint32_t index_count;
} triangles;

static triangles solids_of(const renderer *r)
{
    return (triangles){r->vertices, r->normals, r->indices, r->index_count};
}

static triangles mesh_of(const render_mesh *mesh)
{
    return (triangles){mesh->vertices, mesh->normals, mesh->indices, 3 * mesh->triangle_count};
}

static weir_result add_triangles(renderer *r, render_kernel which, triangles t, gpu_row **row)
{
    weir_result result = add_row(r, which, corners("corners", t.index_count), row);
    if (result != WEIR_OK) return result;
    gpu_row_use(*row, RENDER_BIND_VERTICES, t.vertices, GPU_GATHER);
    gpu_row_use(*row, RENDER_BIND_NORMALS, t.normals, GPU_GATHER);
    gpu_row_use(*row, RENDER_BIND_INDICES, t.indices, GPU_GATHER);
    gpu_row_use(*row, RENDER_BIND_MODELS, r->models[r->frame % RENDER_RING], GPU_BLOCK);
    return WEIR_OK;
}

/* `clear` NULL draws onto what is there. */
static weir_result draw_opaque(renderer *r, triangles t, const float *clear)
{
    gpu_row *row;
    weir_result result = add_triangles(r, RENDER_SOLID, t, &row);
    if (result != WEIR_OK) return result;
    gpu_row_attach(row, r->images.solid_normal, clear);
    gpu_row_attach(row, r->images.solid_colour, clear);
    gpu_row_attach(row, r->images.solid_depth, clear);
    return WEIR_OK;
}

static weir_result draw_shadow(renderer *r, triangles t, const float *clear)
{
    gpu_row *row;
    weir_result result = add_triangles(r, RENDER_SOLID_SHADOW, t, &row);
    if (result != WEIR_OK) return result;
    row->constant = RENDER_SUN;
    gpu_row_attach(row, r->shadow.solid, clear);
    return WEIR_OK;
}

static weir_result draw_mesh(renderer *r, const render_mesh *mesh)
{
    weir_result result;
    gpu_row *row;
    WEIR_TRY(add_triangles(r, RENDER_MESH_FRONT, mesh_of(mesh), &row));
    gpu_row_image(row, RENDER_BIND_LIMIT, r->images.solid_depth, GPU_GATHER);
    gpu_row_attach(row, r->images.surface[0], none);
    gpu_row_attach(row, r->images.surface_normal, none);
    gpu_row_attach(row, r->images.splat_depth, none);
    WEIR_TRY(add_triangles(r, RENDER_MESH_THICKNESS, mesh_of(mesh), &row));
    gpu_row_image(row, RENDER_BIND_LIMIT, r->images.solid_depth, GPU_GATHER);
    gpu_row_attach(row, r->images.thickness, none);
fail:
    return result;
}

/* ---- the passes in their order -------------------------------------------------------------- */

static bool draws_mesh(const render_frame *frame)
{
    return frame->mesh && frame->mesh->triangle_count > 0;
}

static weir_result add_shadows(renderer *r, const render_frame *frame)
{
    weir_result result = WEIR_OK;
    const render_shadow *s = &r->shadow;
    if (!frame->view->shadows) return WEIR_OK;
    WEIR_TRY(draw_shadow(r, solids_of(r), none));
    if (draws_mesh(frame)) WEIR_TRY(draw_shadow(r, mesh_of(frame->mesh), NULL));
    if (frame->points) WEIR_TRY(add_splats(r, frame, RENDER_SUN));
    const splat_target target = {RENDER_SUN,     frame->points ? frame->points->count : 0,
                                 s->fluid,       s->thickness,
                                 s->splat_depth, s->solid};
    WEIR_TRY(draw_splats(r, &target));
fail:
    return result;
}

/* What the light reaches: three images of the sun's, and the surroundings. */
static void use_light(const renderer *r, const render_frame *frame, gpu_row *row)
{
    bool shadows = frame->view->shadows;
    const render_shadow *s = &r->shadow;
    gpu_row_image(row, RENDER_BIND_SHADOW_SOLID, shadows ? s->solid : r->nothing_depth, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_SHADOW_FLUID, shadows ? s->fluid : r->nothing_image, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_SHADOW_THICKNESS, shadows ? s->thickness : r->nothing_image,
                  GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_ENVIRONMENT, r->environment, GPU_GATHER);
}

static weir_result add_background(renderer *r, const render_frame *frame)
{
    weir_result result;
    gpu_row *row;
    const render_images *m = &r->images;
    WEIR_TRY(draw_opaque(r, solids_of(r), none));
    if (draws_mesh(frame) && frame->view->mode == WEIR_MODE_MESH)
        WEIR_TRY(draw_opaque(r, mesh_of(frame->mesh), NULL));
    if (frame->points) WEIR_TRY(add_splats(r, frame, RENDER_EYE));
    if (frame->points && render_opaque(frame->view)) {
        const splat_target target = {.camera = RENDER_EYE, .count = frame->points->count};
        WEIR_TRY(add_splat_draw(r, RENDER_SPLAT_SOLID, &target, &row));
        gpu_row_attach(row, m->solid_normal, NULL);
        gpu_row_attach(row, m->solid_colour, NULL);
        gpu_row_attach(row, m->solid_depth, NULL);
    }
    WEIR_TRY(add_row(r, RENDER_BACKGROUND_PASS, pixels(m->background), &row));
    gpu_row_image(row, RENDER_BIND_SOLID_DEPTH, m->solid_depth, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_SOLID_NORMAL, m->solid_normal, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_SOLID_COLOUR, m->solid_colour, GPU_GATHER);
    use_light(r, frame, row);
    gpu_row_image(row, RENDER_BIND_TARGET, m->background, GPU_OWN_WRITE);
fail:
    return result;
}

static weir_result add_fluid(renderer *r, const render_frame *frame)
{
    weir_result result;
    gpu_row *row;
    const render_images *m = &r->images;
    if (draws_mesh(frame)) return draw_mesh(r, frame->mesh);
    const splat_target target = {RENDER_EYE,     frame->points ? frame->points->count : 0,
                                 m->surface[0],  r->computes ? m->summed : m->thickness,
                                 m->splat_depth, m->solid_depth};
    WEIR_TRY(r->computes ? compute_splats(r, &target) : draw_splats(r, &target));
    if (r->liquid_count < 2) return WEIR_OK;
    WEIR_TRY(add_splat_draw(r, RENDER_SPLAT_MIXED, &target, &row));
    gpu_row_attach(row, m->mixed, none);
fail:
    return result;
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
    weir_result result = add_row(r, which, domain, &row);
    if (result != WEIR_OK) return result;
    row->constant = constant;
    gpu_row_image(row, RENDER_BIND_FLUID, source, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_TARGET, target, GPU_SCATTER);
    if (which == RENDER_FILTER_LINE) {
        gpu_image *smooth = r->images.smooth[constant & 1u];
        gpu_row_image(row, RENDER_BIND_THICKNESS, r->smooth_thickness, GPU_GATHER);
        gpu_row_image(row, RENDER_BIND_SMOOTH, smooth, GPU_SCATTER);
        r->smooth_thickness = smooth;
    } else {
        gpu_row_image(row, RENDER_BIND_THICKNESS, r->last_thickness, GPU_GATHER);
    }
    *from = 1 - *from;
    return WEIR_OK;
}

#define FLOW_STEPS 60u
#define MOST_FLOW_STEPS 64u

static weir_result add_filters(renderer *r, const weir_view *view, uint32_t *at)
{
    weir_result result = WEIR_OK;
    if (view->filter == WEIR_FILTER_NONE || view->filter_size == 0.0f) return WEIR_OK;
    if (view->filter == WEIR_FILTER_CURVATURE_FLOW) {
        uint32_t steps = view->filter_passes ? view->filter_passes : FLOW_STEPS;
        for (uint32_t i = 0; i < steps && i < MOST_FLOW_STEPS; i++)
            WEIR_TRY(add_filter(r, RENDER_FILTER_FLOW, 0, at));
        WEIR_TRY(add_filter(r, RENDER_FILTER_LINE, 4u, at)); /* thickness alone */
        return add_filter(r, RENDER_FILTER_LINE, 5u, at);
    }
    uint32_t kind = view->filter == WEIR_FILTER_BILATERAL ? 2u : 0u;
    uint32_t passes = view->filter_passes ? view->filter_passes : 1;
    for (uint32_t i = 0; i < passes && i < 8; i++) {
        WEIR_TRY(add_filter(r, RENDER_FILTER_LINE, kind, at));
        WEIR_TRY(add_filter(r, RENDER_FILTER_LINE, kind | 1u, at));
    }
    WEIR_TRY(add_filter(r, RENDER_FILTER_CLEAN, 0, at));
fail:
    return result;
}

static weir_result add_shade(renderer *r, const render_frame *frame, gpu_image *surface)
{
    gpu_row *row;
    const render_images *m = &r->images;
    render_kernel which = draws_mesh(frame)     ? RENDER_SHADE_MESH
                          : r->liquid_count > 1 ? RENDER_SHADE_MIXED
                                                : RENDER_SHADE;
    weir_result result = add_row(r, which, pixels(m->colour), &row);
    if (result != WEIR_OK) return result;
    gpu_row_image(row, RENDER_BIND_FLUID, surface, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_THICKNESS, r->smooth_thickness, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_MIXED, m->mixed, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_SURFACE_NORMAL, m->surface_normal, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_SOLID_DEPTH, m->solid_depth, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_BACKGROUND, m->background, GPU_GATHER);
    use_light(r, frame, row);
    gpu_row_image(row, RENDER_BIND_TARGET, m->colour, GPU_OWN_WRITE);
    return WEIR_OK;
}

static weir_result add_channel(renderer *r, const render_frame *frame, gpu_image *surface)
{
    gpu_row *row;
    const render_images *m = &r->images;
    weir_result result = add_row(r, RENDER_CHANNEL, pixels(m->colour), &row);
    if (result != WEIR_OK) return result;
    gpu_row_image(row, RENDER_BIND_FLUID, surface, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_THICKNESS, r->last_thickness, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_BACKGROUND, m->background, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_SHADOW_THICKNESS,
                  frame->view->shadows ? r->shadow.thickness : r->nothing_image, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_TARGET, m->colour, GPU_OWN_WRITE);
    return WEIR_OK;
}

static weir_result add_tonemap(renderer *r, gpu_image *colour, gpu_image *target)
{
    gpu_row *row;
    weir_result result = add_row(r, RENDER_TONEMAP, pixels(target), &row);
    if (result != WEIR_OK) return result;
    gpu_row_image(row, RENDER_BIND_COLOUR, colour, GPU_GATHER);
    gpu_row_image(row, RENDER_BIND_TARGET, target, GPU_OWN_WRITE);
    return WEIR_OK;
}

weir_result render_rows_make(renderer *r, const render_frame *frame, gpu_image *target)
{
    weir_result result;
    const weir_view *view = frame->view;
    const render_images *m = &r->images;
    gpu_image *shown = m->colour;
    uint32_t at = 0;
    bool mesh = draws_mesh(frame);
    r->row_count = 0;
    r->light = (render_light){.solids = r->index_count > 0 || frame->mesh,
                              .shadowed = view->shadows,
                              .image = r->look.environment != NULL,
                              .seen = r->index_count > 0 || frame->mesh || render_opaque(view)};
    r->last_nearest = r->last_filtered = NULL;
    r->last_thickness = r->computes && !mesh ? m->summed : m->thickness;
    r->smooth_thickness = r->last_thickness;
    if (render_fits(frame))
        r->row_count = grid_anisotropy_rows(r->anisotropy, frame->points, r->rows);
    WEIR_TRY(add_shadows(r, frame));
    WEIR_TRY(add_background(r, frame));
    if (render_opaque(view) || view->mode == WEIR_MODE_MESH) {
        shown = m->background;
    } else {
        WEIR_TRY(add_fluid(r, frame));
        r->last_nearest = m->surface[0];
        if (!mesh && view->mode != WEIR_MODE_DEPTH) WEIR_TRY(add_filters(r, view, &at));
        r->last_filtered = m->surface[at];
        if (view->mode == WEIR_MODE_SURFACE)
            WEIR_TRY(add_shade(r, frame, m->surface[at]));
        else
            WEIR_TRY(add_channel(r, frame, m->surface[at]));
    }
    WEIR_TRY(add_tonemap(r, shown, target));
fail:
    return result;
}
