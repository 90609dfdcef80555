/* The rows of a substep that move bodies. */
#include "body_internal.h"

static gpu_domain find_domain(const body_set *set, int kernel)
{
    const gpu_domain samples = {.name = "samples of bodies", .count = set->samples.count};
    gpu_domain sifted = samples;
    sifted.name = "sifted samples";
    sifted.arguments = set->queues;
    sifted.argument_offset = BODY_QUEUE_SAMPLES * (uint32_t)sizeof(struct body_queue);
    switch (kernel) {
    case BODY_RECALL:
    case BODY_REMEMBER:
    case BODY_SIFT: return samples;
    case BODY_TOUCH:
    case BODY_PRESS: return sifted;
    case BODY_MARK_CELLS: return (gpu_domain){.name = "bodies", .count = set->count * BODY_MARKERS};
    case BODY_UNMARK_CELLS:
        return (gpu_domain){.name = "cells of bodies", .count = gpu_buffer_count(set->cell_words)};
    case BODY_DRAG: return (gpu_domain){.name = "one", .count = 1};
    default: return (gpu_domain){.name = "bodies", .count = set->count};
    }
}

static gpu_row make_row(const body_set *set, const body_binds *binds, int kernel)
{
    gpu_domain domain = find_domain(set, kernel);
    gpu_row row = gpu_row_make(set->kernels[kernel], domain);
    gpu_buffer *const buffers[BODY_BINDINGS] = {
        [BODY_BIND_params] = binds->params,
        [BODY_BIND_state] = binds->state,
        [BODY_BIND_status] = binds->status,
        [BODY_BIND_items] = solid_items(binds->solids),
        [BODY_BIND_solid_nodes] = solid_nodes(binds->solids),
        [BODY_BIND_solid_volumes] = solid_volumes(binds->solids),
        [BODY_BIND_poses] = binds->poses,
        [BODY_BIND_bodies] = set->bodies,
        [BODY_BIND_body_states] = set->states,
        [BODY_BIND_body_iterates] = set->iterates,
        [BODY_BIND_body_sums] = set->sums,
        [BODY_BIND_samples] = set->sample_buffer,
        [BODY_BIND_contacts] = set->contacts,
        [BODY_BIND_holds] = set->holds,
        [BODY_BIND_near] = set->near,
        [BODY_BIND_body_cells] = set->cell_words,
        [BODY_BIND_body_spheres] = set->spheres,
        [BODY_BIND_sifted] = set->sifted,
        [BODY_BIND_queues] = set->queues,
        [BODY_BIND_hand] = set->hand,
        [BODY_BIND_body_pushes] = set->pushes,
    };
    gpu_row_bind_all(&row, buffers, BODY_BINDINGS);
    row.constant = kernel == BODY_SHIFT ? BODY_SHIFT_CAPPED : (uint32_t)domain.count;
    return row;
}

uint32_t body_cell_rows(const body_set *set, const body_binds *binds, gpu_row *rows)
{
    rows[0] = make_row(set, binds, BODY_UNMARK_CELLS);
    rows[1] = make_row(set, binds, BODY_MARK_CELLS);
    return 2;
}

uint32_t body_begin_rows(const body_set *set, const body_binds *binds, gpu_row *rows)
{
    rows[0] = make_row(set, binds, BODY_FALL);
    rows[1] = make_row(set, binds, BODY_RECALL);
    rows[2] = make_row(set, binds, BODY_SHIFT);
    uint32_t n = 3 + body_cell_rows(set, binds, &rows[3]);
    rows[n++] = make_row(set, binds, BODY_NEAR_LIST);
    rows[n++] = make_row(set, binds, BODY_SIFT);
    return n;
}

uint32_t body_tally_rows(const body_set *set, const body_binds *binds, gpu_row *rows)
{
    rows[0] = make_row(set, binds, BODY_TALLY);
    return 1;
}

uint32_t body_solve_rows(const body_set *set, const body_binds *binds, gpu_row *rows)
{
    static const int sweep[] = {BODY_TOUCH, BODY_PRESS, BODY_SHIFT};
    uint32_t n = 0;
    for (uint32_t s = 0; s < BODY_SWEEPS; s++)
        for (size_t k = 0; k < BASE_COUNT(sweep); k++) {
            rows[n] = make_row(set, binds, sweep[k]);
            if (sweep[k] == BODY_PRESS) rows[n].constant = s;
            n++;
        }
    WEIR_ASSERT(n == BODY_SOLVE_ROWS);
    return n;
}

uint32_t body_shift_rows(const body_set *set, const body_binds *binds, gpu_row *rows)
{
    rows[0] = make_row(set, binds, BODY_SHIFT);
    rows[0].constant = BODY_SHIFT_WHOLE;
    return 1;
}

uint32_t body_end_rows(const body_set *set, const body_binds *binds, gpu_row *rows)
{
    rows[0] = make_row(set, binds, BODY_SETTLE);
    rows[1] = make_row(set, binds, BODY_REMEMBER);
    return 2;
}

gpu_row body_drag_row(const body_set *set, const body_binds *binds)
{
    return make_row(set, binds, BODY_DRAG);
}
