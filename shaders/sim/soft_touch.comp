// The facet of a cloth or a rope that a particle is deepest in, of equal ones the first; and how many
// particles each vertex bears.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(iterates);
READ_OWN(starts);
READ_ANY(soft_states);
READ_ANY(soft_moves);
READ_ANY(soft_facets);
READ_ANY(soft_heads);
READ_ANY(soft_nexts);
BLOCK(soft_cells);
ATOMIC(soft_sums);
WRITE_OWN(soft_contacts);
WORK(40, 0, 0);
#include "deformable/facet_cells.glsl"
#include "deformable/facet.glsl"

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u || (TOLERANT && status.solved != 0u)) return;
    ivec3 at = iterates[i].xyz;
    soft_contacts[i] = SOFT_NONE;
    if (at.x == SIM_LOST) return;
    vec3 p = fixed_metres(at), start = fixed_metres(starts[i].xyz), half_edge = vec3(0.5 * soft_cells.low.w);
    uvec3 low = soft_cell_of(p - half_edge), n = soft_cell_of(p + half_edge) - low + 1u;
    uint found = SOFT_NONE, count = n.x * n.y * n.z;
    float deepest = 0.0;
    for (uint k = 0u; k < count; k++) {
        uvec3 cell = low + uvec3(k % n.x, k / n.x % n.y, k / (n.x * n.y));
        uint f = soft_heads[soft_cell_at(cell)];
        while (f != SOFT_NONE) {
            uint next = soft_nexts[f];
            float depth = facet_meet(f, p, start).depth;
            float most = soft_cells.reach + uintBitsToFloat(soft_facets[f].w);
            bool deeper = depth > deepest || (depth == deepest && f < found);
            if (depth > 0.0 && depth <= most && deeper) {
                deepest = depth;
                found = f;
            }
            f = next;
        }
    }
    soft_contacts[i] = found;
    if (found == SOFT_NONE) return;
    uvec4 facet = soft_facets[found];
    atomicAdd(soft_sums[facet.x * SOFT_SUM_WORDS + SOFT_SUM_CONTACTS], 1u);
    atomicAdd(soft_sums[facet.y * SOFT_SUM_WORDS + SOFT_SUM_CONTACTS], 1u);
    if (facet.z != facet.y) atomicAdd(soft_sums[facet.z * SOFT_SUM_WORDS + SOFT_SUM_CONTACTS], 1u);
}
