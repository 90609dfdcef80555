/* The rows of a substep that move cloths and ropes. */
#include "soft_internal.h"

static gpu_domain find_domain(const soft_set *set, int kernel, uint32_t colour)
{
    const uint32_t *first = set->colours;
    uint64_t cells = set->heads ? gpu_buffer_count(set->heads) : 0;
    switch (kernel) {
    case SOFT_DAMP:
        return (gpu_domain){.name = "cloths and ropes in workgroups",
                            .count = (uint64_t)set->count * SOFT_DAMP_WORKGROUP};
    case SOFT_CLEAR_CELLS:
        return (gpu_domain){.name = "cells of facets, and vertices",
                            .count = cells > set->masses.count ? cells : set->masses.count};
    case SOFT_FILE_FACETS: return (gpu_domain){.name = "facets", .count = set->facets.count};
    case SOFT_MATCH:
        return (gpu_domain){.name = "clusters in workgroups",
                            .count = set->clusters.count * SOFT_MATCH_WORKGROUP};
    case SOFT_HOLD: return (gpu_domain){.name = "pins", .count = set->pins.count};
    case SOFT_FRAY: return (gpu_domain){.name = "bonds that fray", .count = set->frays.count};
    case SOFT_CLEAR_BUCKETS:
        return (gpu_domain){.name = "buckets of cells", .count = set->crowd.buckets};
    case SOFT_RELAX:
    case SOFT_TEAR:
    case SOFT_WEIGH: return (gpu_domain){.name = "bonds", .count = set->bonds.count};
    case SOFT_PULL:
        return (gpu_domain){.name = "bonds of a colour",
                            .count = first[colour + 1] - first[colour]};
    default: return (gpu_domain){.name = "vertices", .count = set->masses.count};
    }
}

static gpu_row make_row(const soft_set *set, const soft_binds *binds, int kernel, uint32_t colour)
{
    gpu_domain domain = find_domain(set, kernel, colour);
    gpu_row row = gpu_row_make(set->kernels[kernel], domain);
    gpu_buffer *const buffers[SOFT_BINDINGS] = {
        [SOFT_BIND_params] = binds->params,
        [SOFT_BIND_state] = binds->state,
        [SOFT_BIND_status] = binds->status,
        [SOFT_BIND_items] = solid_items(binds->solids),
        [SOFT_BIND_solid_nodes] = solid_nodes(binds->solids),
        [SOFT_BIND_solid_volumes] = solid_volumes(binds->solids),
        [SOFT_BIND_poses] = binds->poses,
        [SOFT_BIND_softs] = set->soft_buffer,
        [SOFT_BIND_soft_states] = set->states,
        [SOFT_BIND_soft_moves] = set->moves,
        [SOFT_BIND_soft_owners] = set->owner_buffer,
        [SOFT_BIND_soft_pins] = set->pin_buffer,
        [SOFT_BIND_soft_bonds] = set->bond_buffer,
        [SOFT_BIND_soft_lambdas] = set->lambdas,
        [SOFT_BIND_soft_colours] = set->colour_buffer,
        [SOFT_BIND_soft_pushes] = set->pushes,
        [SOFT_BIND_soft_firsts] = set->first_buffer,
        [SOFT_BIND_soft_entries] = set->entry_buffer,
        [SOFT_BIND_soft_facets] = set->facet_buffer,
        [SOFT_BIND_soft_heads] = set->heads,
        [SOFT_BIND_soft_nexts] = set->nexts,
        [SOFT_BIND_soft_cells] = set->cell_buffer,
        [SOFT_BIND_soft_sums] = set->sums,
        [SOFT_BIND_bodies] = binds->bodies,
        [SOFT_BIND_body_iterates] = binds->body_iterates,
        [SOFT_BIND_body_sums] = binds->body_sums,
        [SOFT_BIND_soft_ties] = set->tie_buffer,
        [SOFT_BIND_soft_meets] = set->meets,
        [SOFT_BIND_soft_seams] = set->seam_buffer,
        [SOFT_BIND_soft_frays] = set->fray_buffer,
        [SOFT_BIND_soft_buckets] = set->buckets,
        [SOFT_BIND_soft_bins] = set->bins,
        [SOFT_BIND_soft_rests] = set->rest_buffer,
        [SOFT_BIND_soft_nears] = set->nears,
        [SOFT_BIND_soft_bears] = set->bears,
        [SOFT_BIND_soft_shoves] = set->shoves,
        [SOFT_BIND_soft_crowd] = set->crowd_buffer,
        [SOFT_BIND_soft_clusters] = set->cluster_buffer,
        [SOFT_BIND_soft_members] = set->member_buffer,
        [SOFT_BIND_soft_fits] = set->fits,
        [SOFT_BIND_soft_weights] = set->weight_buffer,
        [SOFT_BIND_soft_part_firsts] = set->part_first_buffer,
        [SOFT_BIND_soft_parts] = set->part_buffer,
    };
    gpu_row_bind_all(&row, buffers, SOFT_BINDINGS);
    row.constant = kernel == SOFT_PULL ? colour : (uint32_t)domain.count;
    if (kernel == SOFT_MATCH) row.constant = (uint32_t)set->clusters.count;
    if (kernel == SOFT_CLEAR_CELLS) row.constant = (uint32_t)set->masses.count;
    return row;
}

static bool is_damped(const soft_set *set)
{
    bool damped = false;
    for (uint32_t i = 0; i < set->count; i++)
        damped |= set->makes[i].damping > 0.0f;
    return damped;
}

uint32_t soft_begin_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows)
{
    uint32_t n = 0;
    rows[n++] = make_row(set, binds, SOFT_DRIFT, 0);
    if (is_damped(set)) rows[n++] = make_row(set, binds, SOFT_DAMP, 0);
    if (set->pins.count) rows[n++] = make_row(set, binds, SOFT_HOLD, 0);
    if (set->bonds.count) rows[n++] = make_row(set, binds, SOFT_RELAX, 0);
    return n;
}

static uint32_t contact_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows)
{
    rows[0] = make_row(set, binds, SOFT_COUNT_CONTACTS, 0);
    rows[1] = make_row(set, binds, SOFT_SHOVE, 0);
    rows[2] = make_row(set, binds, SOFT_GIVE_WAY, 0);
    return 3;
}

uint32_t soft_take_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows)
{
    rows[0] = make_row(set, binds, SOFT_TAKE, 0);
    return 1;
}

uint32_t soft_sweep_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows)
{
    uint32_t n = soft_take_rows(set, binds, rows);
    if (set->jacobi && set->bonds.count) {
        rows[n++] = make_row(set, binds, SOFT_WEIGH, 0);
        rows[n++] = make_row(set, binds, SOFT_GATHER, 0);
    } else {
        for (uint32_t c = 0; c < set->colour_count; c++)
            rows[n++] = make_row(set, binds, SOFT_PULL, c);
    }
    if (set->clusters.count) rows[n++] = make_row(set, binds, SOFT_MATCH, 0);
    if (set->clusters.count) rows[n++] = make_row(set, binds, SOFT_CONFORM, 0);
    if (set->rests.count) n += contact_rows(set, binds, rows + n);
    if (set->ties.count) rows[n++] = make_row(set, binds, SOFT_FIND_BODY, 0);
    if (set->ties.count) rows[n++] = make_row(set, binds, SOFT_PUSH_BODY, 0);
    rows[n++] = make_row(set, binds, SOFT_COLLIDE, 0);
    return n;
}

uint32_t soft_file_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows)
{
    rows[0] = make_row(set, binds, SOFT_CLEAR_CELLS, 0);
    rows[1] = make_row(set, binds, SOFT_FILE_FACETS, 0);
    if (set->rests.count == 0) return 2;
    rows[2] = make_row(set, binds, SOFT_CLEAR_BUCKETS, 0);
    rows[3] = make_row(set, binds, SOFT_FILE_VERTICES, 0);
    rows[4] = make_row(set, binds, SOFT_FIND_NEAR, 0);
    return 5;
}

uint32_t soft_end_rows(const soft_set *set, const soft_binds *binds, gpu_row *rows)
{
    uint32_t n = 0;
    if (set->seams.count) rows[n++] = make_row(set, binds, SOFT_TEAR, 0);
    if (set->frays.count) rows[n++] = make_row(set, binds, SOFT_FRAY, 0);
    rows[n++] = make_row(set, binds, SOFT_SETTLE, 0);
    return n;
}

uint32_t soft_row_count(const soft_set *set)
{
    uint32_t sweep = set->jacobi ? 4 : set->colour_count + 2;
    if (set->clusters.count) sweep += 2;
    if (set->ties.count) sweep += 3;
    if (set->rests.count) sweep += 3;
    if (soft_set_drags(set)) sweep += 2;
    return 13 + set->sweeps * (sweep + 1);
}
