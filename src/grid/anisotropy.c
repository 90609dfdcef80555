/* Fits ellipsoids to particles: Yu and Turk, "Reconstructing surfaces of particle-based fluids
 * using anisotropic kernels", 2013. Constants that the paper gives in the units of its scenes are
 * computed from a full lattice at rest instead. */
#include "grid.h"

#include "grid/shaders.h"
#include "shared/anisotropy.h"
#include "shared/grid.h"

/* Ids of the specialization constants. */
#define IS(id, name) GRID_CONSTANT_##name = (id),
enum { GRID_CONSTANTS(IS, IS) };

struct grid_anisotropy {
    grid *cells;
    uint32_t capacity;
    gpu_pipeline *sort, *fit, *sheets; /* `sheets` NULL: no wider search */
    gpu_buffer *params, *sorted, *centres, *shapes;
};

/* ---- the rest lattice ----------------------------------------------------------------------- */

typedef struct full_lattice_sums {
    double weight, variance; /* of a full cubic lattice */
    /* from a particle in the face of a half lattice to the weighted mean */
    double flat_offset;
} full_lattice_sums;

static full_lattice_sums sum_full_lattice(double spacing, double radius)
{
    full_lattice_sums sums = {0};
    double flat_weight = 0.0, flat_first = 0.0;
    int reach = (int)ceil(radius / spacing);
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double d = spacing * sqrt((double)(x * x + y * y + z * z)), s = d / radius;
                if (d >= radius) continue;
                double w = 1.0 - s * s * s, offset = spacing * x;
                sums.weight += w;
                sums.variance += w * offset * offset;
                flat_weight += x <= 0 ? w : 0.0;
                flat_first += x <= 0 ? -w * offset : 0.0;
            }
    sums.variance /= sums.weight;
    sums.flat_offset = flat_first / flat_weight;
    return sums;
}

static struct anisotropy_params fill_params(const grid_anisotropy_def *def)
{
    full_lattice_sums sums = sum_full_lattice((double)def->spacing_m, (double)def->radius_m);
    return (struct anisotropy_params){
        .inverse_radius = 1.0f / def->radius_m,
        .inverse_variance = (float)(1.0 / sums.variance),
        .inverse_weight = (float)(1.0 / sums.weight),
        .flat_offset = (float)sums.flat_offset,
        .smoothing = def->smoothing,
        .inverse_stretch = 1.0f / def->stretch,
        .sheet_reach = def->sheet_reach,
    };
}

/* ---- creation ------------------------------------------------------------------------------- */

static weir_result create_grid(gpu_device *device, const grid_anisotropy_def *def,
                               grid_anisotropy *a)
{
    const grid_def cells = {
        .min = def->min,
        .max = def->max,
        .radius = def->radius_m,
        .periodic = {def->periodic[0], def->periodic[1], def->periodic[2]},
        .by_index = true,
        .capacity.particles = a->capacity,
    };
    return grid_create(device, &cells, &a->cells);
}

static weir_result create_buffer(gpu_device *device, const char *name, uint32_t stride,
                                 uint64_t count, gpu_buffer **buffer)
{
    gpu_buffer_def def = {.name = name,
                          .stride = stride,
                          .count = count,
                          .texels = stride == sizeof(vec4) ? GPU_TEXELS_VEC4 : GPU_TEXELS_NONE};
    return gpu_buffer_create(device, &def, buffer);
}

static weir_result create_buffers(gpu_device *device, grid_anisotropy *a)
{
    uint64_t n = a->capacity;
    uint32_t params = sizeof(struct anisotropy_params);
    WEIR_RETURN_IF_ERROR(create_buffer(device, "anisotropy_params", params, 1, &a->params));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "sorted_points", 16, n, &a->sorted));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "centres", 16, n, &a->centres));
    return create_buffer(device, "shapes", 32, n, &a->shapes);
}

/* Reports whether the wider search runs. Around a short periodic axis it would find points twice,
 * in bins at both of its ends, since a bin is less than two radii wide. */
static bool searches_sheets(const grid_anisotropy_def *def)
{
    const vec3 size = vec3_sub(def->max, def->min);
    const float sizes[3] = {size.x, size.y, size.z};
    for (int axis = 0; axis < 3; axis++)
        if (def->periodic[axis] && sizes[axis] < (2.0f * def->sheet_reach + 2.0f) * def->radius_m)
            return false;
    return def->sheet_reach > 1.0f;
}

static weir_result create_pipelines(gpu_device *device, const grid_anisotropy_def *def,
                                    grid_anisotropy *a)
{
    const uint32_t constants[] = {
        [GRID_CONSTANT_PERIODIC] = def->periodic[0] || def->periodic[1] || def->periodic[2],
        [GRID_CONSTANT_DENSE] = grid_is_dense(a->cells),
        [GRID_CONSTANT_PARTICLE_WORKGROUP] = gpu_device_workgroup(device),
    };
    gpu_pipeline_def pipeline = {.constants = constants, .constant_count = BASE_COUNT(constants)};
    pipeline.shader = &grid_shaders[GRID_GATHER_SORTED_POINTS];
    WEIR_RETURN_IF_ERROR(gpu_pipeline_create(device, &pipeline, &a->sort));
    pipeline.shader = &grid_shaders[GRID_FIT_ELLIPSOIDS];
    WEIR_RETURN_IF_ERROR(gpu_pipeline_create(device, &pipeline, &a->fit));
    if (!searches_sheets(def)) return WEIR_OK;
    pipeline.shader = &grid_shaders[GRID_FIT_SHEET_DISCS];
    return gpu_pipeline_create(device, &pipeline, &a->sheets);
}

weir_result grid_anisotropy_create(gpu_device *device, const grid_anisotropy_def *def,
                                   grid_anisotropy **out)
{
    weir_result result;
    *out = NULL;
    grid_anisotropy *a = base_alloc(1, sizeof *a);
    if (!a)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "not enough memory for anisotropy");
    a->capacity = def->capacity ? def->capacity : 1;
    const struct anisotropy_params params = fill_params(def);
    WEIR_GOTO_IF_ERROR(create_grid(device, def, a));
    WEIR_GOTO_IF_ERROR(create_buffers(device, a));
    WEIR_GOTO_IF_ERROR(create_pipelines(device, def, a));
    WEIR_GOTO_IF_ERROR(gpu_buffer_upload(device, a->params, 0, &params, sizeof params));
    *out = a;
    return WEIR_OK;
fail:
    grid_anisotropy_destroy(device, &a);
    return result;
}

void grid_anisotropy_destroy(gpu_device *device, grid_anisotropy **pointer)
{
    grid_anisotropy *a = *pointer;
    if (!a) return;
    gpu_buffer **buffers[] = {&a->params, &a->sorted, &a->centres, &a->shapes};
    gpu_pipeline **pipelines[] = {&a->sort, &a->fit, &a->sheets};
    grid_destroy(device, &a->cells);
    for (size_t i = 0; i < BASE_COUNT(buffers); i++)
        gpu_buffer_destroy(device, buffers[i]);
    for (size_t i = 0; i < BASE_COUNT(pipelines); i++)
        gpu_pipeline_destroy(device, pipelines[i]);
    base_free(a);
    *pointer = NULL;
}

gpu_buffer *grid_anisotropy_centres(const grid_anisotropy *a)
{
    return a->centres;
}
gpu_buffer *grid_anisotropy_shapes(const grid_anisotropy *a)
{
    return a->shapes;
}

/* ---- passes --------------------------------------------------------------------------------- */

static gpu_pass make_pass(const grid_anisotropy *a, const gpu_pipeline *pipeline,
                          gpu_dispatch_size dispatch_size, const particle_view *points)
{
    gpu_pass pass = gpu_pass_make(pipeline, dispatch_size);
    gpu_buffer *const bound[GRID_BINDINGS] = {
        [GRID_BIND_grid] = grid_params_buffer(a->cells),
        [GRID_BIND_state] = grid_state_buffer(a->cells),
        [GRID_BIND_segments] = grid_segment_buffer(a->cells),
        [GRID_BIND_bin_starts] = grid_bin_starts(a->cells),
        [GRID_BIND_sort_sources] = grid_sort_sources(a->cells),
        [GRID_BIND_points] = points->position,
        [GRID_BIND_sorted_points] = a->sorted,
        [GRID_BIND_fit] = a->params,
        [GRID_BIND_centres] = a->centres,
        [GRID_BIND_shapes] = a->shapes,
    };
    gpu_pass_bind_all(&pass, bound, GRID_BINDINGS);
    return pass;
}

uint32_t grid_anisotropy_passes(const grid_anisotropy *a, const particle_view *points,
                                gpu_pass *passes)
{
    uint32_t n = 0;
    gpu_dispatch_size live = grid_live_dispatch_size(a->cells);
    n += grid_point_passes(a->cells, points, passes);
    passes[n++] = make_pass(a, a->sort, live, points);
    passes[n++] = make_pass(a, a->fit, live, points);
    if (a->sheets) passes[n++] = make_pass(a, a->sheets, live, points);
    WEIR_ASSERT(n <= GRID_ANISOTROPY_PASSES);
    return n;
}
