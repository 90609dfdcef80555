/* The rows of a solve. */
#include "poisson_internal.h"

static gpu_row make_row(const poisson *p, int kernel, gpu_domain domain, gpu_buffer *state)
{
    gpu_row row = gpu_row_make(p->kernels[kernel], domain);
    gpu_buffer *const buffers[POISSON_BINDINGS] = {
        [POISSON_BIND_multigrid] = p->params_buffer,
        [POISSON_BIND_solve] = p->solve,
        [POISSON_BIND_state] = state,
        [POISSON_BIND_marks] = p->marks,
        [POISSON_BIND_blocks] = p->blocks,
        [POISSON_BIND_cells] = p->cells,
        [POISSON_BIND_coefficients] = p->coefficients,
        [POISSON_BIND_sources] = p->sources,
        [POISSON_BIND_guesses] = p->guesses,
        [POISSON_BIND_swept] = p->swept,
        [POISSON_BIND_solutions] = p->solutions,
        [POISSON_BIND_directions] = p->directions,
        [POISSON_BIND_products] = p->products,
        [POISSON_BIND_partials] = p->partials,
        [POISSON_BIND_links] = p->links,
        [POISSON_BIND_slots] = p->slots,
        [POISSON_BIND_ties] = p->ties,
        [POISSON_BIND_tie_turns] = p->tie_turns,
        [POISSON_BIND_rigids] = p->rigids,
        [POISSON_BIND_rigid_sums] = p->rigid_sums,
    };
    gpu_row_bind_all(&row, buffers, POISSON_BINDINGS);
    return row;
}

static gpu_domain level_domain(const poisson *p, uint32_t level)
{
    uint64_t most = p->params.tables[level].w;
    if (most > p->params.capacity) most = p->params.capacity;
    return (gpu_domain){.name = level == 0 ? "cells in blocks" : "coarser cells in blocks",
                        .count = most * POISSON_CELLS,
                        .arguments = p->solve,
                        .argument_offset = level * 12u,
                        .per_invocation = POISSON_EACH};
}

gpu_domain poisson_blocks_domain(const poisson *p)
{
    gpu_domain domain = level_domain(p, 0);
    domain.argument_offset = POISSON_LEVELS * 12u;
    return domain;
}

static gpu_domain one_group(void)
{
    return (gpu_domain){.name = "one workgroup", .count = POISSON_WORKGROUP};
}

/* ---- blocks and coefficients ---------------------------------------------------------------- */

static gpu_domain entries(const poisson *p)
{
    return (gpu_domain){.name = "blocks of the box", .count = p->params.entries + 1ull};
}

uint32_t poisson_clear_rows(const poisson *p, gpu_buffer *state, gpu_row *rows)
{
    rows[0] = make_row(p, POISSON_CLEAR_MARKS, entries(p), state);
    return POISSON_CLEAR_ROWS;
}

uint32_t poisson_block_rows(const poisson *p, gpu_buffer *state, gpu_row *rows)
{
    uint32_t n = 0;
    const grid_scan_def scan = {
        .data = p->marks, .sums = p->mark_sums, .count = p->params.entries + 1};
    gpu_domain finest = {.name = "finest blocks of the box", .count = p->params.tables[0].w};
    rows[n++] = make_row(p, POISSON_MARK_LEVELS, finest, state);
    n += grid_scan_rows(p->scan, &scan, rows + n);
    rows[n++] = make_row(p, POISSON_COUNT_BLOCKS, (gpu_domain){.name = "one", .count = 1}, state);
    rows[n++] = make_row(p, POISSON_LIST_BLOCKS, entries(p), state);
    WEIR_ASSERT(n == POISSON_BLOCK_ROWS);
    return n;
}

uint32_t poisson_setup_rows(const poisson *p, gpu_row *rows)
{
    rows[0] = make_row(p, POISSON_ASSEMBLE, level_domain(p, 0), NULL);
    for (uint32_t level = 1; level < p->params.levels; level++) {
        rows[level] = make_row(p, POISSON_COARSEN, level_domain(p, level), NULL);
        rows[level].constant = level;
    }
    return p->params.levels;
}

/* ---- the V-cycle ---------------------------------------------------------------------------- */

typedef struct cycle {
    const poisson *p;
    gpu_row *rows;
    uint32_t count;
    gpu_buffer *guesses, *swept; /* the newer guesses, and what the next row may overwrite */
} cycle;

/* A row on one level that reads the guesses and writes, if it does, the swept ones. */
static void add(cycle *c, int kernel, uint32_t level, uint32_t sweep)
{
    gpu_row *row = &c->rows[c->count++];
    *row = make_row(c->p, kernel, level_domain(c->p, level), NULL);
    row->constant = level | sweep << POISSON_SWEEP_SHIFT;
    for (uint32_t u = 0; u < row->use_count; u++) {
        if (row->uses[u].binding == POISSON_BIND_guesses) row->uses[u].buffer = c->guesses;
        if (row->uses[u].binding == POISSON_BIND_swept) row->uses[u].buffer = c->swept;
    }
}

static void turn(cycle *c)
{
    gpu_buffer *newer = c->swept;
    c->swept = c->guesses;
    c->guesses = newer;
}

/* Down: every level is smoothed from 0. Up: the correction of the level above, then the same sweeps
 * in reverse, so that the cycle is symmetric. */
uint32_t poisson_cycle_rows(const poisson *p, gpu_row *rows)
{
    cycle c = {.p = p, .rows = rows, .guesses = p->guesses, .swept = p->swept};
    uint32_t bottom = p->params.levels - 1;
    static_assert(POISSON_SWEEPS % 2 == 0, "the sweeps must end in the guesses");
    for (uint32_t level = 0; level < bottom; level++) {
        add(&c, POISSON_FIRST_SWEEP, level, 0);
        turn(&c);
        for (uint32_t sweep = 1; sweep < POISSON_SWEEPS; sweep++, turn(&c))
            add(&c, POISSON_SMOOTH, level, sweep);
        add(&c, POISSON_RESTRICT, level + 1, 0);
    }
    add(&c, POISSON_SOLVE_BOTTOM, bottom, 0);
    for (uint32_t level = bottom; level-- > 0;) {
        add(&c, POISSON_PROLONG, level, 0);
        for (uint32_t sweep = POISSON_SWEEPS; sweep-- > 0; turn(&c))
            add(&c, POISSON_SMOOTH, level, sweep);
    }
    WEIR_ASSERT(c.guesses == p->guesses && c.count <= POISSON_CYCLE_ROWS);
    return c.count;
}

/* ---- conjugate gradients -------------------------------------------------------------------- */

static gpu_row converge(const poisson *p, uint32_t what)
{
    gpu_row row = make_row(p, POISSON_CONVERGE, one_group(), NULL);
    row.constant = what;
    return row;
}

/* What rigids add to the product of the matrix and the direction. */
static uint32_t answer_rows(const poisson *p, gpu_row *rows)
{
    gpu_domain rigids = {.name = "rigids", .count = p->rigid_count};
    rows[0] = make_row(p, POISSON_TIE_SUM, level_domain(p, 0), NULL);
    rows[1] = make_row(p, POISSON_TIE_ANSWER, rigids, NULL);
    rows[1].constant = p->rigid_count;
    rows[2] = make_row(p, POISSON_TIE_MULTIPLY, level_domain(p, 0), NULL);
    return 3;
}

static uint32_t solve_rows(const poisson *p, uint32_t iterations, bool tied, gpu_row *rows)
{
    gpu_domain cells = level_domain(p, 0);
    uint32_t n = 0;
    rows[n++] = make_row(p, POISSON_TALLY_SOURCES, poisson_blocks_domain(p), NULL);
    rows[n++] = converge(p, POISSON_SOURCE);
    rows[n++] = make_row(p, POISSON_FIRST_RESIDUAL, poisson_blocks_domain(p), NULL);
    uint32_t first = n;
    n += poisson_cycle_rows(p, rows + n);
    rows[n++] = make_row(p, POISSON_DOT_PRODUCT, cells, NULL);
    rows[n++] = converge(p, POISSON_PRODUCT);
    rows[n++] = make_row(p, POISSON_NEXT_DIRECTION, cells, NULL);
    rows[n++] = make_row(p, POISSON_MULTIPLY, cells, NULL);
    if (tied) n += answer_rows(p, rows + n);
    rows[n++] = converge(p, POISSON_CURVATURE);
    rows[n++] = make_row(p, POISSON_TAKE_STEP, cells, NULL);
    rows[n++] = converge(p, POISSON_ERROR);
    for (uint32_t i = first; i < n; i++)
        rows[i].group = "conjugate gradients";
    rows[first].repeat = iterations;
    WEIR_ASSERT(n <= (tied ? POISSON_TIED_ROWS : POISSON_SOLVE_ROWS));
    return n;
}

uint32_t poisson_solve_rows(const poisson *p, uint32_t iterations, gpu_row *rows)
{
    return solve_rows(p, iterations, false, rows);
}

uint32_t poisson_tied_rows(const poisson *p, uint32_t iterations, gpu_row *rows)
{
    return solve_rows(p, iterations, true, rows);
}
