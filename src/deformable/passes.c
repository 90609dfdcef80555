/* Appends the passes of a substep that move deformables. */
#include "deformable_internal.h"

static gpu_dispatch_size find_dispatch_size(const deformable_set *set, int shader, uint32_t colour)
{
    const uint32_t *first = set->colours;
    uint64_t cells = gpu_buffer_count(set->buffers.facet_bin_heads);
    switch (shader) {
    case DEFORMABLE_DAMP_NONRIGID:
        return (gpu_dispatch_size){.name = "cloths and ropes in workgroups",
                                   .count = (uint64_t)set->count * DEFORMABLE_DAMP_WORKGROUP};
    case DEFORMABLE_CLEAR_FACET_BINS:
        return (gpu_dispatch_size){.name = "facet bins and vertices",
                                   .count = cells > set->masses.count ? cells : set->masses.count};
    case DEFORMABLE_BIN_FACETS:
        return (gpu_dispatch_size){.name = "facets", .count = set->facets.count};
    case DEFORMABLE_SHAPE_MATCH_FIT:
        return (gpu_dispatch_size){.name = "clusters in workgroups",
                                   .count = set->clusters.count * DEFORMABLE_MATCH_WORKGROUP};
    case DEFORMABLE_APPLY_PINS:
        return (gpu_dispatch_size){.name = "pins", .count = set->pins.count};
    case DEFORMABLE_TEAR_BENDING:
        return (gpu_dispatch_size){.name = "bend tears", .count = set->bend_tears.count};
    case DEFORMABLE_CLEAR_VERTEX_HASH:
        return (gpu_dispatch_size){.name = "hash buckets", .count = set->vertex_hash.buckets};
    case DEFORMABLE_RESET_MULTIPLIERS:
    case DEFORMABLE_TEAR_EDGES:
    case DEFORMABLE_SOLVE_JACOBI:
        return (gpu_dispatch_size){.name = "constraints", .count = set->constraints.count};
    case DEFORMABLE_SOLVE_GAUSS_SEIDEL:
        return (gpu_dispatch_size){.name = "constraints of a colour",
                                   .count = first[colour + 1] - first[colour]};
    default: return (gpu_dispatch_size){.name = "vertices", .count = set->masses.count};
    }
}

static gpu_pass make_pass(const deformable_set *set, const deformable_bindings *binds, int shader,
                          uint32_t colour)
{
    gpu_dispatch_size dispatch_size = find_dispatch_size(set, shader, colour);
    gpu_pass pass = gpu_pass_make(set->pipelines[shader], dispatch_size);
    gpu_buffer *bound[DEFORMABLE_BINDINGS] = {
#define EXTERNAL(name, type, amount, owner) [DEFORMABLE_BIND_##name] = owner,
#include "shared/deformable_buffers.def"
    };
    gpu_pass_bind_all(&pass, bound, DEFORMABLE_BINDINGS);
    gpu_pass_bind_all(&pass, set->buffers.all, DEFORMABLE_BINDINGS);
    pass.constant =
        shader == DEFORMABLE_SOLVE_GAUSS_SEIDEL ? colour : (uint32_t)dispatch_size.count;
    if (shader == DEFORMABLE_SHAPE_MATCH_FIT) pass.constant = (uint32_t)set->clusters.count;
    if (shader == DEFORMABLE_CLEAR_FACET_BINS) pass.constant = (uint32_t)set->masses.count;
    return pass;
}

static bool is_damped(const deformable_set *set)
{
    bool damped = false;
    for (uint32_t i = 0; i < set->count; i++)
        damped |= set->properties[i].damping > 0.0f;
    return damped;
}

uint32_t deformable_begin_passes(const deformable_set *set, const deformable_bindings *binds,
                                 gpu_pass *passes)
{
    uint32_t n = 0;
    passes[n++] = make_pass(set, binds, DEFORMABLE_PREDICT_VERTICES, 0);
    if (is_damped(set)) passes[n++] = make_pass(set, binds, DEFORMABLE_DAMP_NONRIGID, 0);
    if (set->pins.count) passes[n++] = make_pass(set, binds, DEFORMABLE_APPLY_PINS, 0);
    if (set->constraints.count)
        passes[n++] = make_pass(set, binds, DEFORMABLE_RESET_MULTIPLIERS, 0);
    return n;
}

static uint32_t vertex_contact_passes(const deformable_set *set, const deformable_bindings *binds,
                                      gpu_pass *passes)
{
    passes[0] = make_pass(set, binds, DEFORMABLE_COUNT_VERTEX_CONTACTS, 0);
    passes[1] = make_pass(set, binds, DEFORMABLE_SOLVE_VERTEX_CONTACTS, 0);
    passes[2] = make_pass(set, binds, DEFORMABLE_APPLY_VERTEX_CONTACTS, 0);
    return 3;
}

uint32_t deformable_fluid_passes(const deformable_set *set, const deformable_bindings *binds,
                                 gpu_pass *passes)
{
    passes[0] = make_pass(set, binds, DEFORMABLE_APPLY_FLUID_IMPULSE, 0);
    return 1;
}

uint32_t deformable_solve_passes(const deformable_set *set, const deformable_bindings *binds,
                                 gpu_pass *passes)
{
    uint32_t n = deformable_fluid_passes(set, binds, passes);
    if (set->jacobi && set->constraints.count) {
        passes[n++] = make_pass(set, binds, DEFORMABLE_SOLVE_JACOBI, 0);
        passes[n++] = make_pass(set, binds, DEFORMABLE_APPLY_JACOBI, 0);
    } else {
        for (uint32_t c = 0; c < set->colour_count; c++)
            passes[n++] = make_pass(set, binds, DEFORMABLE_SOLVE_GAUSS_SEIDEL, c);
    }
    if (set->clusters.count) passes[n++] = make_pass(set, binds, DEFORMABLE_SHAPE_MATCH_FIT, 0);
    if (set->clusters.count) passes[n++] = make_pass(set, binds, DEFORMABLE_SHAPE_MATCH_APPLY, 0);
    if (set->rest_positions.count) n += vertex_contact_passes(set, binds, passes + n);
    if (set->attachments.count)
        passes[n++] = make_pass(set, binds, DEFORMABLE_FIND_BODY_CONTACTS, 0);
    if (set->attachments.count)
        passes[n++] = make_pass(set, binds, DEFORMABLE_SOLVE_BODY_CONTACTS, 0);
    passes[n++] = make_pass(set, binds, DEFORMABLE_SOLVE_BOUNDARY_CONTACTS, 0);
    return n;
}

uint32_t deformable_bin_passes(const deformable_set *set, const deformable_bindings *binds,
                               gpu_pass *passes)
{
    passes[0] = make_pass(set, binds, DEFORMABLE_CLEAR_FACET_BINS, 0);
    passes[1] = make_pass(set, binds, DEFORMABLE_BIN_FACETS, 0);
    if (set->rest_positions.count == 0) return 2;
    passes[2] = make_pass(set, binds, DEFORMABLE_CLEAR_VERTEX_HASH, 0);
    passes[3] = make_pass(set, binds, DEFORMABLE_HASH_VERTICES, 0);
    passes[4] = make_pass(set, binds, DEFORMABLE_FIND_VERTEX_CONTACT_CANDIDATES, 0);
    return 5;
}

uint32_t deformable_end_passes(const deformable_set *set, const deformable_bindings *binds,
                               gpu_pass *passes)
{
    uint32_t n = 0;
    if (set->facet_tear_flags.count) passes[n++] = make_pass(set, binds, DEFORMABLE_TEAR_EDGES, 0);
    if (set->bend_tears.count) passes[n++] = make_pass(set, binds, DEFORMABLE_TEAR_BENDING, 0);
    passes[n++] = make_pass(set, binds, DEFORMABLE_FINALIZE_VERTICES, 0);
    return n;
}

uint32_t deformable_pass_count(const deformable_set *set)
{
    uint32_t sweep = set->jacobi ? 4 : set->colour_count + 2;
    if (set->clusters.count) sweep += 2;
    if (set->attachments.count) sweep += 3;
    if (set->rest_positions.count) sweep += 3;
    if (deformable_set_has_drag(set)) sweep += 2;
    return 13 + set->iterations * (sweep + 1);
}
