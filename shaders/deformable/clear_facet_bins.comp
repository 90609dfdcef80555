// Empties the facet bins and clears the particle counts of the vertices; invocation i clears bin i and vertex
// i.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
WRITE_ANY(facet_bin_heads);
BLOCK(facet_bins);
WRITE_ANY(deformable_impulse_sums);

void main()
{
    uint i = invocation_index(), cells = facet_bins.count.x * facet_bins.count.y * facet_bins.count.z;
    if (state.flags != 0u) return;
    if (i < cells) facet_bin_heads[i] = DEFORMABLE_NONE;
    if (i >= pass.constant) return;
    deformable_impulse_sums[i * DEFORMABLE_IMPULSE_WORDS + DEFORMABLE_IMPULSE_CONTACTS] = 0u;
    deformable_impulse_sums[i * DEFORMABLE_IMPULSE_WORDS + DEFORMABLE_IMPULSE_DRAGS] = 0u;
}
