// Finds the facet of a deformable that each particle penetrates most deeply, the lowest index among equals,
// and counts the particles that each vertex bears. One invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(iterated_positions);
READ_OWN(sorted_positions);
READ_ANY(deformable_states);
READ_ANY(deformable_displacements);
READ_ANY(deformable_facets);
READ_ANY(facet_bin_heads);
READ_ANY(facet_bin_links);
BLOCK(facet_bins);
ATOMIC(deformable_impulse_sums);
WRITE_OWN(facet_contacts);
WORK_ESTIMATE(40, 0, 0);
#include "deformable/facet_bins.glsl"
#include "deformable/facet.glsl"

void main()
{
    uint i = invocation_index();
    if (i >= state.live || state.flags != 0u || (HAS_TOLERANCE && status.iterations_done != 0u)) return;
    ivec3 at = iterated_positions[i].xyz;
    facet_contacts[i] = DEFORMABLE_NONE;
    if (at.x == SIM_INVALID_POSITION) return;
    vec3 p = fixed_to_metres(at), start = fixed_to_metres(sorted_positions[i].xyz);
    vec3 half_edge = vec3(0.5 * facet_bins.low.w);
    uvec3 low = facet_bin_of(p - half_edge), n = facet_bin_of(p + half_edge) - low + 1u;
    uint found = DEFORMABLE_NONE, count = n.x * n.y * n.z;
    float deepest = 0.0;
    for (uint k = 0u; k < count; k++) {
        uvec3 cell = low + uvec3(k % n.x, k / n.x % n.y, k / (n.x * n.y));
        uint f = facet_bin_heads[facet_bin_index(cell)];
        while (f != DEFORMABLE_NONE) {
            uint next = facet_bin_links[f];
            float depth = find_facet_contact(f, p, start).depth;
            float most = facet_bins.reach + uintBitsToFloat(deformable_facets[f].w);
            bool deeper = depth > deepest || (depth == deepest && f < found);
            if (depth > 0.0 && depth <= most && deeper) {
                deepest = depth;
                found = f;
            }
            f = next;
        }
    }
    facet_contacts[i] = found;
    if (found == DEFORMABLE_NONE) return;
    uvec4 facet = deformable_facets[found];
    atomicAdd(deformable_impulse_sums[facet.x * DEFORMABLE_IMPULSE_WORDS + DEFORMABLE_IMPULSE_CONTACTS], 1u);
    atomicAdd(deformable_impulse_sums[facet.y * DEFORMABLE_IMPULSE_WORDS + DEFORMABLE_IMPULSE_CONTACTS], 1u);
    if (facet.z != facet.y)
        atomicAdd(deformable_impulse_sums[facet.z * DEFORMABLE_IMPULSE_WORDS + DEFORMABLE_IMPULSE_CONTACTS],
                  1u);
}
