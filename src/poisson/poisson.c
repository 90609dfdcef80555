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

static weir_result create_buffer(gpu_device *device, const char *name, uint32_t stride,
                                 uint64_t count, gpu_buffer **buffer)
{
    const gpu_buffer_def def = {.name = name, .stride = stride, .count = count};
    return gpu_buffer_create(device, &def, buffer);
}

static weir_result create_cell_buffers(gpu_device *device, poisson *p)
{
    uint64_t blocks = p->params.capacity, cells = blocks * POISSON_BLOCK_CELLS;
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "blocks", sizeof(struct poisson_block), blocks, &p->blocks));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "cells", 16, cells, &p->cells));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "coefficients", 16, cells, &p->coefficients));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "sources", 4, cells, &p->right_sides));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "guesses", 4, cells, &p->vcycle_solutions));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "swept", 4, cells, &p->smoothed));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "solutions", 4, cells, &p->solutions));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "directions", 4, cells, &p->cg_directions));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "products", 4, cells, &p->matvec_products));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "links", 16, cells, &p->air_coefficients));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "partials", 16, blocks, &p->block_sums));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "ties", 16, p->rigid_count ? cells : 1, &p->rigid_coupling));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "rigid_coupling_angular", 16,
                                       p->rigid_count ? cells : 1, &p->rigid_coupling_angular));
    return gpu_buffer_upload(device, p->params_buffer, 0, &p->params, sizeof p->params);
}

static void destroy_cell_buffers(gpu_device *device, poisson *p)
{
    gpu_buffer **all[] = {&p->blocks,
                          &p->air_coefficients,
                          &p->cells,
                          &p->coefficients,
                          &p->right_sides,
                          &p->vcycle_solutions,
                          &p->smoothed,
                          &p->solutions,
                          &p->cg_directions,
                          &p->matvec_products,
                          &p->block_sums,
                          &p->rigid_coupling,
                          &p->rigid_coupling_angular};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(device, all[i]);
}

static weir_result create_rigids(gpu_device *device, poisson *p, uint32_t count)
{
    uint64_t room = count ? count : 1;
    p->rigid_count = count;
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "rigids", sizeof(struct poisson_rigid), room, &p->rigids));
    return create_buffer(device, "rigid_projections", 4, room * POISSON_RIGID_WORDS,
                         &p->rigid_projections);
}

static weir_result create_pipelines(gpu_device *device, poisson *p)
{
    for (int i = 0; i < POISSON_SHADERS; i++) {
        const gpu_pipeline_def def = {.shader = &poisson_shaders[i]};
        WEIR_RETURN_IF_ERROR(gpu_pipeline_create(device, &def, &p->pipelines[i]));
    }
    return WEIR_OK;
}

weir_result poisson_create(gpu_device *device, const poisson_def *def, poisson **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    *out = NULL;
    poisson *p = base_alloc(1, sizeof *p);
    if (!p)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "no memory for a Poisson solver");
    WEIR_GOTO_IF_ERROR(fill_params(device, def, &p->params));
    uint64_t entries = p->params.entries + 1ull, tiles = entries / GRID_SCAN_TILE + 1;
    WEIR_GOTO_IF_ERROR(
        create_buffer(device, "poisson_params", sizeof p->params, 1, &p->params_buffer));
    WEIR_GOTO_IF_ERROR(
        create_buffer(device, "poisson_state", sizeof(struct poisson_state), 1, &p->solve));
    WEIR_GOTO_IF_ERROR(create_buffer(device, "marks", 4, entries, &p->block_marks));
    WEIR_GOTO_IF_ERROR(create_buffer(device, "mark_scan_sums", 4, tiles, &p->mark_scan_sums));
    WEIR_GOTO_IF_ERROR(create_buffer(device, "slots", 4, entries, &p->block_slots));
    WEIR_GOTO_IF_ERROR(create_rigids(device, p, def->rigids));
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
    destroy_cell_buffers(device, p);
    gpu_buffer_destroy(device, &p->params_buffer);
    gpu_buffer_destroy(device, &p->solve);
    gpu_buffer_destroy(device, &p->block_marks);
    gpu_buffer_destroy(device, &p->mark_scan_sums);
    gpu_buffer_destroy(device, &p->block_slots);
    gpu_buffer_destroy(device, &p->rigids);
    gpu_buffer_destroy(device, &p->rigid_projections);
    for (int i = 0; i < POISSON_SHADERS; i++)
        gpu_pipeline_destroy(device, &p->pipelines[i]);
    grid_scan_destroy(device, &p->scan);
    base_free(p);
    *pointer = NULL;
}

weir_result poisson_grow(gpu_device *device, poisson *p, uint32_t capacity)
{
    destroy_cell_buffers(device, p);
    p->params.capacity = capacity;
    return create_cell_buffers(device, p);
}

uint32_t poisson_capacity(const poisson *p)
{
    return p->params.capacity;
}

uint64_t poisson_bytes(const poisson *p)
{
    const gpu_buffer *all[] = {p->blocks,
                               p->air_coefficients,
                               p->cells,
                               p->coefficients,
                               p->right_sides,
                               p->vcycle_solutions,
                               p->smoothed,
                               p->solutions,
                               p->cg_directions,
                               p->matvec_products,
                               p->block_sums,
                               p->rigid_coupling,
                               p->rigid_coupling_angular};
    uint64_t bytes = 0;
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        bytes += gpu_buffer_size(all[i]);
    return bytes;
}

uint32_t poisson_levels(const poisson *p)
{
    return p->params.levels;
}

gpu_buffer *poisson_params_buffer(const poisson *p)
{
    return p->params_buffer;
}
gpu_buffer *poisson_state_buffer(const poisson *p)
{
    return p->solve;
}
gpu_buffer *poisson_block_marks(const poisson *p)
{
    return p->block_marks;
}
gpu_buffer *poisson_block_slots(const poisson *p)
{
    return p->block_slots;
}
gpu_buffer *poisson_blocks(const poisson *p)
{
    return p->blocks;
}
gpu_buffer *poisson_cells(const poisson *p)
{
    return p->cells;
}
gpu_buffer *poisson_coefficients(const poisson *p)
{
    return p->coefficients;
}
gpu_buffer *poisson_air_coefficients(const poisson *p)
{
    return p->air_coefficients;
}
gpu_buffer *poisson_rhs(const poisson *p)
{
    return p->right_sides;
}
gpu_buffer *poisson_vcycle_solutions(const poisson *p)
{
    return p->vcycle_solutions;
}
gpu_buffer *poisson_solutions(const poisson *p)
{
    return p->solutions;
}
gpu_buffer *poisson_rigid_coupling(const poisson *p)
{
    return p->rigid_coupling;
}
gpu_buffer *poisson_rigid_coupling_moments(const poisson *p)
{
    return p->rigid_coupling_angular;
}
gpu_buffer *poisson_rigids(const poisson *p)
{
    return p->rigids;
}
gpu_buffer *poisson_rigid_coupling_sums(const poisson *p)
{
    return p->rigid_projections;
}
