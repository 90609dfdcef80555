// Converts positions to cells of the finest level of the Poisson solver (shaders/shared/poisson.h), which
// tile the domain. PERIODIC is a constant.
// Buffers: params, multigrid.
#ifndef MAC_CELLS_GLSL
#define MAC_CELLS_GLSL
#include "math/fixed_point.glsl"

// Returns a position in cells from the domain's lower corner. `precise`, so that the pass that marks a cell's
// block and the pass that adds to the cell round alike.
vec3 cell_coordinates(ivec3 p)
{
    precise vec3 offset = fixed_to_metres(p) - params.domain_min.xyz, cells = offset / params.cell_size.xyz;
    return cells;
}

// Returns a cell inside the domain: wrapped on periodic axes, clamped on the others.
ivec3 cell_inside_domain(ivec3 at)
{
    ivec3 count = ivec3(multigrid.cells[0].xyz), held = clamp(at, ivec3(0), count - 1);
    if (!PERIODIC) return held;
    ivec3 wrapped = at - count * ivec3(floor(vec3(at) / vec3(count)));
    return mix(held, wrapped, greaterThan(params.period.xyz, vec3(0.0)));
}
#endif
