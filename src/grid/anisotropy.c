/* Ellipsoids of points: Yu and Turk, "Reconstructing surfaces of particle-based fluids using
 * anisotropic kernels", 2013. The constants that the paper gives in its scenes' units come from a
 * full lattice at rest instead. */
#include "grid.h"

#include "shared/anisotropy.h"
#include "shared/grid.h"

static const uint32_t begin_words[] =
#include "grid/points_begin.comp.inc"
    ;
static const uint32_t sort_words[] =
#include "grid/points_sort.comp.inc"
    ;
static const uint32_t fit_words[] =
#include "grid/anisotropy.comp.inc"
    ;
static const uint32_t fit_texels_words[] =
#include "grid/anisotropy.texels.comp.inc"
    ;

struct grid_anisotropy {
    grid *cells;
    uint32_t capacity;
    gpu_kernel *begin, *sort, *fit;
    gpu_buffer *params, *order, *sorted, *centres, *shapes;
};

/* ---- the rest lattice ----------------------------------------------------------------------- */

typedef struct lattice_sums {
    double weight, variance; /* of a full cubic lattice */
    double flat_offset;      /* from a particle in a face of half of it to the mean */
} lattice_sums;

static lattice_sums sum_lattice(double spacing, double radius)
{
    lattice_sums sums = {0};
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

static struct anisotropy_params make_params(const grid_anisotropy_def *def)
{
    lattice_sums sums = sum_lattice((double)def->spacing_m, (double)def->radius_m);
    return (struct anisotropy_params){
        .inverse_radius = 1.0f / def->radius_m,
        .inverse_variance = (float)(1.0 / sums.variance),
        .inverse_weight = (float)(1.0 / sums.weight),
        .flat_offset = (float)sums.flat_offset,
        .smoothing = def->smoothing,
        .inverse_stretch = 1.0f / def->stretch,
    };
}

/* ---- creation ------------------------------------------------------------------------------- */

static weir_result create_grid(gpu_device *device, const grid_anisotropy_def *def,
                               grid_anisotropy *a)
{
    grid_def cells = {
        .min = def->min,
        .max = def->max,
        .radius = def->radius_m,
        .periodic = {def->periodic[0], def->periodic[1], def->periodic[2]},
        .texels = gpu_device_prefers_texels(device),
        /* Lists are never made; a segment that no point is in is never active. */
        .capacity = {.particles = a->capacity, .list = GRID_LIST_STEP, .segments = 1},
    };
    WEIR_NEED(grid_create(device, &cells, &a->cells));
    grid_capacity capacity = cells.capacity;
    uint32_t segments = grid_segment_count(a->cells) + 1;
    capacity.segments = segments < a->capacity ? segments : a->capacity;
    return grid_grow(device, a->cells, capacity);
}

static weir_result create_buffer(gpu_device *device, gpu_buffer_def def, gpu_buffer **buffer)
{
    return gpu_buffer_create(device, &def, buffer);
}

static weir_result create_buffers(gpu_device *device, grid_anisotropy *a)
{
    weir_result result;
    uint64_t n = a->capacity;
    uint32_t *order = base_alloc(a->capacity, sizeof *order);
    if (!order) return base_fail(gpu_device_log(device), WEIR_MEMORY, "no memory for an order");
    for (uint32_t i = 0; i < a->capacity; i++)
        order[i] = i;
    WEIR_TRY(create_buffer(device,
                           (gpu_buffer_def){.name = "anisotropy_params",
                                            .stride = sizeof(struct anisotropy_params),
                                            .count = 1},
                           &a->params));
    WEIR_TRY(create_buffer(device, (gpu_buffer_def){.name = "point_order", .stride = 4, .count = n},
                           &a->order));
    WEIR_TRY(create_buffer(device,
                           (gpu_buffer_def){.name = "sorted_points",
                                            .stride = 16,
                                            .count = n,
                                            .texels = gpu_device_prefers_texels(device)},
                           &a->sorted));
    WEIR_TRY(create_buffer(device,
                           (gpu_buffer_def){.name = "centres",
                                            .stride = 16,
                                            .count = n,
                                            .texels = gpu_device_prefers_texels(device)},
                           &a->centres));
    WEIR_TRY(create_buffer(device, (gpu_buffer_def){.name = "shapes", .stride = 32, .count = n},
                           &a->shapes));
    WEIR_TRY(gpu_buffer_upload(device, a->order, 0, order, n * sizeof *order));
fail:
    base_free(order);
    return result;
}

static weir_result create_kernels(gpu_device *device, const grid_anisotropy_def *def,
                                  grid_anisotropy *a)
{
    bool texels = gpu_device_prefers_texels(device);
    const uint32_t constants[] = {def->periodic[0] || def->periodic[1] || def->periodic[2],
                                  grid_is_dense(a->cells)};
    const gpu_kernel_def begin = {.name = "points_begin",
                                  .words = begin_words,
                                  .word_count = BASE_COUNT(begin_words),
                                  .workgroup = 1,
                                  .source = "grid/points_begin.comp"};
    const gpu_kernel_def sort = {.name = "points_sort",
                                 .words = sort_words,
                                 .word_count = BASE_COUNT(sort_words),
                                 .source = "grid/points_sort.comp"};
    const gpu_kernel_def fit = {
        .name = "anisotropy",
        .words = texels ? fit_texels_words : fit_words,
        .word_count = texels ? BASE_COUNT(fit_texels_words) : BASE_COUNT(fit_words),
        .constants = constants,
        .constant_count = BASE_COUNT(constants),
        .source = texels ? "grid/anisotropy.texels.comp" : "grid/anisotropy.comp",
    };
    WEIR_NEED(gpu_kernel_create(device, &begin, &a->begin));
    WEIR_NEED(gpu_kernel_create(device, &sort, &a->sort));
    return gpu_kernel_create(device, &fit, &a->fit);
}

weir_result grid_anisotropy_create(gpu_device *device, const grid_anisotropy_def *def,
                                   grid_anisotropy **out)
{
    weir_result result;
    *out = NULL;
    grid_anisotropy *a = base_alloc(1, sizeof *a);
    if (!a) return base_fail(gpu_device_log(device), WEIR_MEMORY, "no memory for anisotropy");
    a->capacity = def->capacity ? def->capacity : 1;
    const struct anisotropy_params params = make_params(def);
    WEIR_TRY(create_grid(device, def, a));
    WEIR_TRY(create_buffers(device, a));
    WEIR_TRY(create_kernels(device, def, a));
    WEIR_TRY(gpu_buffer_upload(device, a->params, 0, &params, sizeof params));
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
    gpu_buffer **buffers[] = {&a->params, &a->order, &a->sorted, &a->centres, &a->shapes};
    gpu_kernel **kernels[] = {&a->begin, &a->sort, &a->fit};
    grid_destroy(device, &a->cells);
    for (size_t i = 0; i < BASE_COUNT(buffers); i++)
        gpu_buffer_destroy(device, buffers[i]);
    for (size_t i = 0; i < BASE_COUNT(kernels); i++)
        gpu_kernel_destroy(device, kernels[i]);
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

/* ---- rows ----------------------------------------------------------------------------------- */

static void begin_row(const grid_anisotropy *a, uint32_t count, gpu_row *row)
{
    *row = (gpu_row){.kernel = a->begin, .domain = {.name = "one", .count = 1}, .constant = count};
    gpu_row_use(row, GRID_BIND_PARAMS, grid_params_buffer(a->cells), GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_STATE, grid_state_buffer(a->cells), GPU_REDUCE);
}

static void sort_row(const grid_anisotropy *a, gpu_buffer *positions, gpu_row *row)
{
    *row = (gpu_row){.kernel = a->sort, .domain = grid_live(a->cells)};
    gpu_row_use(row, GRID_BIND_STATE, grid_state_buffer(a->cells), GPU_BLOCK);
    gpu_row_use(row, ANISOTROPY_BIND_SOURCES, grid_sources(a->cells), GPU_GATHER);
    gpu_row_use(row, ANISOTROPY_BIND_POINTS, positions, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_POSITIONS, a->sorted, GPU_SCATTER);
}

static void fit_row(const grid_anisotropy *a, gpu_row *row)
{
    *row = (gpu_row){.kernel = a->fit, .domain = grid_live(a->cells)};
    gpu_row_use(row, GRID_BIND_PARAMS, grid_params_buffer(a->cells), GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_STATE, grid_state_buffer(a->cells), GPU_BLOCK);
    gpu_row_use(row, GRID_BIND_POSITIONS, a->sorted, GPU_GATHER);
    gpu_row_use(row, GRID_BIND_SEGMENTS, grid_segments(a->cells), GPU_GATHER);
    gpu_row_use(row, GRID_BIND_CELLS, grid_cells(a->cells), GPU_GATHER);
    gpu_row_use(row, ANISOTROPY_BIND_PARAMS, a->params, GPU_BLOCK);
    gpu_row_use(row, ANISOTROPY_BIND_SOURCES, grid_sources(a->cells), GPU_GATHER);
    gpu_row_use(row, ANISOTROPY_BIND_CENTRES, a->centres, GPU_SCATTER);
    gpu_row_use(row, ANISOTROPY_BIND_SHAPES, a->shapes, GPU_SCATTER);
}

uint32_t grid_anisotropy_rows(const grid_anisotropy *a, const grid_points *points, gpu_row *rows)
{
    uint32_t n = 0;
    WEIR_ASSERT(points->count <= a->capacity);
    begin_row(a, points->count, &rows[n++]);
    n += grid_sort_rows(a->cells, points->position, a->order, rows + n);
    sort_row(a, points->position, &rows[n++]);
    fit_row(a, &rows[n++]);
    WEIR_ASSERT(n <= GRID_ANISOTROPY_ROWS);
    return n;
}
