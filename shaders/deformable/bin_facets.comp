// Inserts each facet into the bin of its centroid, unless an edge of the facet has torn; one invocation per
// facet. The order of facets within a bin does not matter to
// shaders/sim/deformable_coupling/deformable_contact_find.comp.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
READ_ANY(deformable_states);
READ_ANY(deformable_displacements);
READ_OWN(deformable_facets);
ATOMIC(facet_bin_heads);
WRITE_OWN(facet_bin_links);
BLOCK(facet_bins);
READ_OWN(facet_tear_flags);
#include "deformable/facet_bins.glsl"
#include "deformable/torn.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= pass.constant);
    uvec4 f = deformable_facets[i];
    vec3 sum = deformable_states[f.x].position.xyz + deformable_displacements[f.x].xyz +
               deformable_states[f.y].position.xyz + deformable_displacements[f.y].xyz;
    vec3 middle = 0.5 * sum;
    if (f.z != f.y)
        middle = (sum + deformable_states[f.z].position.xyz + deformable_displacements[f.z].xyz) / 3.0;
    facet_bin_links[i] = DEFORMABLE_NONE;
    if (any(not_finite(middle))) return;
    if (facet_bins.has_tears != 0u) {
        uvec4 seam = facet_tear_flags[i];
        if (is_torn(seam.x) || is_torn(seam.y) || is_torn(seam.z)) return;
    }
    facet_bin_links[i] = atomicExchange(facet_bin_heads[facet_bin_index(facet_bin_of(middle))], i);
}
