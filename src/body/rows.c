/* The rows of a substep that move bodies. */
#include "body_internal.h"

static gpu_row make_row(const body_set *set, const body_binds *binds, int kernel)
{
    gpu_domain domain = {.name = "bodies", .count = set->count};
    bool sampled = kernel == BODY_TOUCH || kernel == BODY_PRESS || kernel == BODY_RECALL ||
                   kernel == BODY_REMEMBER;
    if (sampled) domain = (gpu_domain){.name = "samples of bodies", .count = set->samples.count};
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
    };
    gpu_row_bind_all(&row, buffers, BODY_BINDINGS);
    row.constant = (uint32_t)set->samples.count;
    return row;
}

uint32_t body_begin_rows(const body_set *set, const body_binds *binds, gpu_row *rows)
{
    rows[0] = make_row(set, binds, BODY_FALL);
    rows[1] = make_row(set, binds, BODY_RECALL);
    rows[2] = make_row(set, binds, BODY_SHIFT);
    return 3;
}

uint32_t body_solve_rows(const body_set *set, const body_binds *binds, const gpu_row *like,
                         gpu_row *rows)
{
    static const int sweep[] = {BODY_TOUCH, BODY_PRESS, BODY_SHIFT};
    uint32_t n = 1;
    rows[0] = make_row(set, binds, BODY_NEAR_LIST);
    for (uint32_t s = 0; s < BODY_SWEEPS; s++)
        for (size_t k = 0; k < BASE_COUNT(sweep); k++) {
            rows[n] = make_row(set, binds, sweep[k]);
            if (sweep[k] == BODY_PRESS) rows[n].constant = rows[n].constant * BODY_SWEEPS + s;
            n++;
        }
    for (uint32_t i = 0; i < n; i++) {
        rows[i].group = like->group;
        rows[i].repeat = like->repeat;
    }
    WEIR_ASSERT(n == BODY_SOLVE_ROWS);
    return n;
}

uint32_t body_end_rows(const body_set *set, const body_binds *binds, gpu_row *rows)
{
    rows[0] = make_row(set, binds, BODY_SETTLE);
    rows[1] = make_row(set, binds, BODY_REMEMBER);
    return 2;
}
