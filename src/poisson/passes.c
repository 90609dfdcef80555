/* Builds the passes of a solve. */
#include "poisson_internal.h"

static gpu_pass make_pass(const poisson *p, int shader, gpu_dispatch_size dispatch_size,
                          gpu_buffer *state)
{
    gpu_pass pass = gpu_pass_make(p->pipelines[shader], dispatch_size);
    gpu_buffer *bound[POISSON_BINDINGS] = {
#define EXTERNAL(name, type, amount, owner) [POISSON_BIND_##name] = owner,
#include "shared/poisson_buffers.def"
    };
    gpu_pass_bind_all(&pass, bound, POISSON_BINDINGS);
    gpu_pass_bind_all(&pass, p->buffers.all, POISSON_BINDINGS);
    return pass;
}

static gpu_dispatch_size level_dispatch_size(const poisson *p, uint32_t level)
{
    uint64_t most = p->params.tables[level].w;
    if (most > p->params.capacity) most = p->params.capacity;
    return (gpu_dispatch_size){.name = level == 0 ? "cells in blocks" : "coarser cells in blocks",
                               .count = most * POISSON_BLOCK_CELLS,
                               .arguments = p->buffers.solve,
                               .argument_offset = level * 12u,
                               .per_invocation = POISSON_CELLS_PER_INVOCATION};
}

gpu_dispatch_size poisson_blocks_dispatch_size(const poisson *p)
{
    gpu_dispatch_size dispatch_size = level_dispatch_size(p, 0);
    dispatch_size.argument_offset = POISSON_MAX_LEVELS * 12u;
    return dispatch_size;
}

static gpu_dispatch_size single_workgroup(void)
{
    return (gpu_dispatch_size){.name = "one workgroup", .count = POISSON_WORKGROUP};
}

static gpu_pass make_level_pass(const poisson *p, int shader, uint32_t level)
{
    gpu_pass pass = make_pass(p, shader, level_dispatch_size(p, level), NULL);
    pass.constant = level;
    return pass;
}

/* ---- blocks and coefficients ---------------------------------------------------------------- */

static gpu_dispatch_size entries_dispatch_size(const poisson *p)
{
    return (gpu_dispatch_size){.name = "blocks of the box", .count = p->params.entries + 1ull};
}

static bool numbers_in_one_workgroup(const poisson *p)
{
    return p->params.entries < POISSON_NUMBERED_ENTRIES;
}

/* Small tables are cleared by the pass that numbers their blocks. */
uint32_t poisson_clear_passes(const poisson *p, gpu_buffer *state, gpu_pass *passes)
{
    if (numbers_in_one_workgroup(p)) return 0;
    passes[0] = make_pass(p, POISSON_CLEAR_BLOCK_MARKS, entries_dispatch_size(p), state);
    return POISSON_CLEAR_PASSES;
}

uint32_t poisson_block_passes(const poisson *p, gpu_buffer *state, gpu_pass *passes)
{
    uint32_t n = 0;
    if (numbers_in_one_workgroup(p)) {
        passes[n++] = make_pass(p, POISSON_NUMBER_BLOCKS, single_workgroup(), state);
        passes[n++] = make_pass(p, POISSON_BUILD_BLOCK_LIST, entries_dispatch_size(p), state);
        return n;
    }
    const grid_scan_def scan = {
        .data = p->buffers.block_marks, .sums = p->mark_scan_sums, .count = p->params.entries + 1};
    gpu_dispatch_size finest = {.name = "finest blocks of the box", .count = p->params.tables[0].w};
    passes[n++] = make_pass(p, POISSON_MARK_PARENT_BLOCKS, finest, state);
    n += grid_scan_passes(p->scan, &scan, passes + n);
    passes[n] = make_pass(p, POISSON_BLOCK_DISPATCH_ARGS,
                          (gpu_dispatch_size){.name = "one", .count = 1}, state);
    gpu_pass_bind(&passes[n++], POISSON_BIND_block_numbers, p->buffers.block_marks);
    passes[n] = make_pass(p, POISSON_BUILD_BLOCK_LIST, entries_dispatch_size(p), state);
    gpu_pass_bind(&passes[n++], POISSON_BIND_block_numbers, p->buffers.block_marks);
    WEIR_ASSERT(n <= POISSON_BLOCK_PASSES);
    return n;
}

uint32_t poisson_setup_passes(const poisson *p, gpu_pass *passes)
{
    passes[0] = make_pass(p, POISSON_ASSEMBLE_MATRIX, level_dispatch_size(p, 0), NULL);
    for (uint32_t level = 1; level < p->params.levels; level++) {
        passes[level] = make_level_pass(p, POISSON_COARSEN_MATRIX, level);
    }
    return p->params.levels;
}

/* ---- the V-cycle ---------------------------------------------------------------------------- */

/* Builds the pass that restricts the residual of the next finer level to `level`. */
static gpu_pass make_restrict_pass(const poisson *p, uint32_t level)
{
    gpu_pass pass = make_level_pass(p, POISSON_RESTRICT_RESIDUAL, level - 1);
    pass.constant = level;
    return pass;
}

/* Returns the finest level that one workgroup solves together with all coarser ones. */
static uint32_t first_coarse_level(const poisson *p)
{
    uint32_t level = 0;
    while (p->params.tables[level].w > POISSON_COARSE_BLOCKS)
        level++;
    return level;
}

/* The coarsest level has one block as long as the solve lasts, and so does the pass. */
static gpu_pass make_coarse_pass(const poisson *p, uint32_t level)
{
    gpu_pass pass = make_level_pass(p, POISSON_SOLVE_COARSE_LEVELS, p->params.levels - 1);
    pass.constant = level;
    return pass;
}

/* Builds the V-cycle after the first sweeps of the finest level, if there are any. Down: every
 * level is smoothed starting from 0. Up: the correction from the next coarser level, then the same
 * sweeps in reverse order, so that the cycle is symmetric. */
static uint32_t rest_of_vcycle(const poisson *p, gpu_pass *passes)
{
    static_assert(POISSON_SWEEPS == 2, "the passes of a level perform two sweeps");
    uint32_t n = 0, coarse = first_coarse_level(p);
    for (uint32_t level = 1; level <= coarse; level++) {
        passes[n++] = make_restrict_pass(p, level);
        if (level < coarse) passes[n++] = make_level_pass(p, POISSON_SMOOTH_TWICE_FROM_ZERO, level);
    }
    passes[n++] = make_coarse_pass(p, coarse);
    for (uint32_t level = coarse; level-- > 0;) {
        int shader = level ? POISSON_PROLONG_AND_SMOOTH_TWICE : POISSON_PROLONG_AND_SMOOTH;
        passes[n++] = make_level_pass(p, shader, level);
    }
    if (coarse > 0) passes[n++] = make_level_pass(p, POISSON_SMOOTH_LAST, 0);
    return n;
}

/* Appends the first two sweeps of the finest level, if it is not solved with the coarse ones. */
static uint32_t first_sweeps(const poisson *p, gpu_pass *passes)
{
    if (first_coarse_level(p) == 0) return 0;
    passes[0] = make_level_pass(p, POISSON_SMOOTH_TWICE_FROM_ZERO, 0);
    return 1;
}

uint32_t poisson_vcycle_passes(const poisson *p, gpu_pass *passes)
{
    uint32_t n = first_sweeps(p, passes);
    n += rest_of_vcycle(p, passes + n);
    WEIR_ASSERT(n <= POISSON_VCYCLE_PASSES);
    return n;
}

/* ---- conjugate gradients -------------------------------------------------------------------- */

/* Appends the passes that add the rigid bodies' contribution to the matrix-vector product. */
static uint32_t rigid_matvec_passes(const poisson *p, gpu_pass *passes)
{
    gpu_dispatch_size rigids = {.name = "rigids", .count = p->rigid_count};
    passes[0] = make_pass(p, POISSON_RIGID_COUPLING_SUM, level_dispatch_size(p, 0), NULL);
    passes[1] = make_pass(p, POISSON_RIGID_COUPLING_RESPONSE, rigids, NULL);
    passes[1].constant = p->rigid_count;
    passes[2] = make_pass(p, POISSON_RIGID_COUPLING_MATVEC, level_dispatch_size(p, 0), NULL);
    return 3;
}

static uint32_t iteration_passes(const poisson *p, uint32_t iterations, bool has_rigids,
                                 gpu_pass *passes)
{
    gpu_dispatch_size cells = level_dispatch_size(p, 0);
    uint32_t sweeps = first_sweeps(p, passes), first = sweeps;
    if (sweeps) passes[0].constant |= POISSON_START_FLAG;
    uint32_t n = first + rest_of_vcycle(p, passes + first);
    if (sweeps) passes[first].constant |= POISSON_RESIDUAL_FLAG;
    passes[n - 1].constant |= POISSON_DOT_FLAG;
    passes[n] = make_pass(p, POISSON_CG_MATVEC, cells, NULL);
    passes[n++].constant = has_rigids ? POISSON_RIGIDS_FOLLOW : 0;
    if (has_rigids) n += rigid_matvec_passes(p, passes + n);
    passes[n] = make_pass(p, POISSON_CG_UPDATE, cells, NULL);
    passes[n++].constant = sweeps ? POISSON_SMOOTHS : 0;
    for (uint32_t i = first; i < n; i++)
        passes[i].group = "conjugate gradients";
    passes[first].repeat = iterations;
    return n;
}

static uint32_t solve_passes(const poisson *p, uint32_t iterations, bool has_rigids,
                             gpu_pass *passes)
{
    passes[0] = make_pass(p, POISSON_CG_START, poisson_blocks_dispatch_size(p), NULL);
    uint32_t n = 1 + iteration_passes(p, iterations, has_rigids, passes + 1);
    WEIR_ASSERT(n <= (has_rigids ? POISSON_RIGID_SOLVE_PASSES : POISSON_SOLVE_PASSES));
    return n;
}

uint32_t poisson_solve_passes(const poisson *p, uint32_t iterations, gpu_pass *passes)
{
    return solve_passes(p, iterations, false, passes);
}

uint32_t poisson_started_solve_passes(const poisson *p, uint32_t iterations, gpu_pass *passes)
{
    return iteration_passes(p, iterations, false, passes);
}

uint32_t poisson_rigid_solve_passes(const poisson *p, uint32_t iterations, gpu_pass *passes)
{
    return solve_passes(p, iterations, true, passes);
}
