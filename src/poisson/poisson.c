/* Creates a solver: the levels of its grid, its buffers and pipelines. */
#include "poisson_internal.h"

/* Bounds of the eigenvalues of the diagonally scaled matrix that the smoother must damp; coarser
 * levels handle the rest. The sweeps use the roots of the Chebyshev polynomial of degree
 * POISSON_SWEEPS on this interval. */
#define SMOOTH_LOW 0.5
#define SMOOTH_HIGH 2.0
#define PI 3.14159265358979323846

/* Maximum number of entries in the tables of blocks; clearing and scanning more would take longer
 * than the solve. */
#define MAX_BLOCK_ENTRIES (1u << 24)

static void fill_smoother_steps(struct poisson_params *params)
{
    float lengths[4] = {0};
    for (uint32_t k = 0; k < POISSON_SWEEPS; k++) {
        double angle = PI * (2.0 * k + 1.0) / (2.0 * POISSON_SWEEPS);
        double root =
            0.5 * (SMOOTH_HIGH + SMOOTH_LOW) + 0.5 * (SMOOTH_HIGH - SMOOTH_LOW) * cos(angle);
        lengths[k] = (float)(1.0 / root);
    }
    params->sweeps = (vec4){lengths[0], lengths[1], lengths[2], lengths[3]};
}

static uint32_t blocks_along(uint32_t cells)
{
    return (cells + POISSON_BLOCK_EDGE - 1) / POISSON_BLOCK_EDGE;
}

/* Adds levels until a level fits in one block. */
static weir_result choose_levels(gpu_device *device, const poisson_def *def,
                                 struct poisson_params *params)
{
    uint32_t n[3] = {def->cells[0], def->cells[1], def->cells[2]};
    uint64_t entries = 0;
    for (uint32_t level = 0;; level++) {
        uint64_t all = 1;
        uint32_t blocks[3];
        for (int axis = 0; axis < 3; axis++)
            all *= blocks[axis] = blocks_along(n[axis]);
        if (level == POISSON_MAX_LEVELS || entries + all > MAX_BLOCK_ENTRIES)
            return base_fail(
                gpu_device_log(device), WEIR_ERROR_ARGUMENT,
                "a grid of %u x %u x %u cells needs %llu blocks of %u cells, and at most %u fit, "
                "with "
                "%u cells along an axis: make the domain smaller or the spacing larger",
                def->cells[0], def->cells[1], def->cells[2], (unsigned long long)(entries + all),
                POISSON_BLOCK_CELLS, MAX_BLOCK_ENTRIES,
                POISSON_BLOCK_EDGE << (POISSON_MAX_LEVELS - 1));
        params->cells[level] = (uvec4){n[0], n[1], n[2], (uint32_t)entries};
        params->tables[level] = (uvec4){blocks[0], blocks[1], blocks[2], (uint32_t)all};
        entries += all;
        params->levels = level + 1;
        if (all == 1) break;
        for (int axis = 0; axis < 3; axis++)
            n[axis] = (n[axis] + 1) / 2;
    }
    params->entries = (uint32_t)entries;
    return WEIR_OK;
}

static weir_result fill_params(gpu_device *device, const poisson_def *def,
                               struct poisson_params *params)
{
    float least = fminf(def->sizes_m[0], fminf(def->sizes_m[1], def->sizes_m[2]));
    float weights[3];
    for (uint32_t axis = 0; axis < 3; axis++) {
        float share = least / def->sizes_m[axis];
        weights[axis] = share * share;
        params->periodic |= (def->periodic[axis] ? 1u : 0u) << axis;
    }
    params->weights = (vec4){weights[0], weights[1], weights[2], 0.0f};
    params->tolerance = def->tolerance;
    params->capacity = def->capacity;
    fill_smoother_steps(params);
    return choose_levels(device, def, params);
}

typedef enum buffer_count {
    COUNT_ONE,
    COUNT_ENTRIES, /* blocks of all levels, active or not, and one more */
    COUNT_RIGIDS,
    COUNT_RIGID_WORDS,
    COUNT_BLOCKS, /* from here on: as many as the capacity in blocks allows */
    COUNT_CELLS,
    COUNT_RIGID_CELLS,
    COUNT_VARIABLE_CELLS,
    COUNTS
} buffer_count;

static const struct {
    const char *name;
    uint32_t stride; /* 0: memory of the caller */
    buffer_count count;
} rows[POISSON_BINDINGS] = {
#define BUFFER(name, type, count) [POISSON_BIND_##name] = {#name, sizeof(type), COUNT_##count},
#include "shared/poisson_buffers.def"
};

static bool is_counted(size_t row, buffer_count first, buffer_count last)
{
    return rows[row].stride && rows[row].count >= first && rows[row].count <= last;
}

/* Creates the buffers whose counts are between `first` and `last`. */
static weir_result create_buffers(gpu_device *device, poisson *p, buffer_count first,
                                  buffer_count last)
{
    const uint64_t blocks = p->params.capacity, cells = blocks * POISSON_BLOCK_CELLS;
    const uint64_t counts[COUNTS] = {
        [COUNT_ONE] = 1,
        [COUNT_ENTRIES] = p->params.entries + 1ull,
        [COUNT_RIGIDS] = p->rigid_count,
        [COUNT_RIGID_WORDS] = (uint64_t)p->rigid_count * POISSON_RIGID_WORDS,
        [COUNT_BLOCKS] = blocks,
        [COUNT_CELLS] = cells,
        [COUNT_RIGID_CELLS] = p->rigid_count ? cells : 0,
        [COUNT_VARIABLE_CELLS] = p->has_variable_coefficients ? cells : 0};
    gpu_buffer_row made[POISSON_BINDINGS] = {0};
    for (size_t i = 0; i < POISSON_BINDINGS; i++)
        if (is_counted(i, first, last))
            made[i] = (gpu_buffer_row){rows[i].name, rows[i].stride, counts[rows[i].count], NULL};
    return gpu_buffers_create(device, made, POISSON_BINDINGS, p->buffers.all);
}

static weir_result create_cell_buffers(gpu_device *device, poisson *p)
{
    WEIR_RETURN_IF_ERROR(create_buffers(device, p, COUNT_BLOCKS, COUNT_VARIABLE_CELLS));
    return gpu_buffer_upload(device, p->buffers.multigrid, 0, &p->params, sizeof p->params);
}

/* Ids of the specialization constants. */
#define IS(id, name) CONSTANT_##name = (id),
enum { POISSON_CONSTANTS(IS) CONSTANTS };
#undef IS

static weir_result create_pipelines(gpu_device *device, poisson *p)
{
    const uint32_t constants[CONSTANTS] = {[CONSTANT_VARIABLE_COEFFICIENTS] =
                                               p->has_variable_coefficients};
    const gpu_pipeline_def def = {
        .shader = poisson_shaders, .constants = constants, .constant_count = CONSTANTS};
    return gpu_pipelines_create(device, &def, POISSON_SHADERS, p->pipelines);
}

weir_result poisson_create(gpu_device *device, const poisson_def *def, poisson **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    *out = NULL;
    poisson *p = base_alloc(1, sizeof *p);
    if (!p)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "not enough memory for a Poisson solver");
    WEIR_GOTO_IF_ERROR(fill_params(device, def, &p->params));
    const gpu_buffer_def sums = {.name = "mark_scan_sums",
                                 .stride = 4,
                                 .count = (p->params.entries + 1ull) / GRID_SCAN_TILE + 1};
    p->rigid_count = def->rigids;
    p->has_variable_coefficients = def->variable_coefficients;
    WEIR_GOTO_IF_ERROR(create_buffers(device, p, COUNT_ONE, COUNT_RIGID_WORDS));
    WEIR_GOTO_IF_ERROR(gpu_buffer_create(device, &sums, &p->mark_scan_sums));
    WEIR_GOTO_IF_ERROR(create_cell_buffers(device, p));
    WEIR_GOTO_IF_ERROR(create_pipelines(device, p));
    WEIR_GOTO_IF_ERROR(grid_scan_create(device, &p->scan));
    *out = p;
    return WEIR_OK;
fail:
    poisson_destroy(device, &p);
    return result;
}

void poisson_destroy(gpu_device *device, poisson **pointer)
{
    poisson *p = *pointer;
    if (!p) return;
    gpu_buffers_destroy(device, p->buffers.all, POISSON_BINDINGS);
    gpu_buffer_destroy(device, &p->mark_scan_sums);
    gpu_pipelines_destroy(device, p->pipelines, POISSON_SHADERS);
    grid_scan_destroy(device, &p->scan);
    base_free(p);
    *pointer = NULL;
}

weir_result poisson_grow(gpu_device *device, poisson *p, uint32_t capacity)
{
    for (size_t i = 0; i < POISSON_BINDINGS; i++)
        if (is_counted(i, COUNT_BLOCKS, COUNT_VARIABLE_CELLS))
            gpu_buffer_destroy(device, &p->buffers.all[i]);
    p->params.capacity = capacity;
    return create_cell_buffers(device, p);
}

uint32_t poisson_capacity(const poisson *p)
{
    return p->params.capacity;
}

uint64_t poisson_bytes(const poisson *p)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < POISSON_BINDINGS; i++)
        if (is_counted(i, COUNT_BLOCKS, COUNT_VARIABLE_CELLS))
            bytes += gpu_buffer_size(p->buffers.all[i]);
    return bytes;
}

uint32_t poisson_table_entries(const poisson *p)
{
    return p->params.tables[0].w;
}

uint32_t poisson_levels(const poisson *p)
{
    return p->params.levels;
}

const poisson_buffers *poisson_get_buffers(const poisson *p)
{
    return &p->buffers;
}
