// Finds the bin that lists the facets of cloths and ropes near a position.
// Buffers: facet_bins.
#ifndef DEFORMABLE_FACET_BINS_GLSL
#define DEFORMABLE_FACET_BINS_GLSL

uvec3 facet_bin_of(vec3 p)
{
    vec3 cell = (p - facet_bins.low.xyz) / facet_bins.low.w;
    return uvec3(clamp(cell, vec3(0.0), vec3(facet_bins.count.xyz) - 1.0));
}

uint facet_bin_index(uvec3 cell)
{
    return (cell.z * facet_bins.count.y + cell.y) * facet_bins.count.x + cell.x;
}
#endif
