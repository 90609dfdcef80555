// Averages the viscosity of the particles around each cell of the MAC grid, where it depends on an attribute,
// and replaces that of flip_p2g.comp. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
BLOCK(grid);
READ_ANY(segments);
READ_ANY(bin_starts);
READ_TEXELS(sorted_positions);
READ_ANY(particle_materials);
WRITE_ANY(viscous_cells);
#include "poisson/level.glsl"
#include "mac/grid.glsl"

vec2 viscosity_sum; // x sum of dynamic viscosities, Pa s; y number of particles

#define NEIGHBOUR_POSITION(j) fixed_to_metres(TEXEL(sorted_positions, j).xyz)
#define VISIT_NEIGHBOUR(j, offset, distance2) viscosity_sum += vec2(particle_materials[j].x, 1.0)
#include "neighbours/neighbour_query.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        viscosity_sum = vec2(0.0);
        neighbour_query(params.domain_min.xyz + (vec3(at) + 0.5) * params.cell_size.xyz);
        float mean = viscosity_sum.x / max(viscosity_sum.y, 1.0);
        viscous_cells[i] = floatBitsToUint(mean / params.fluids[0].density);
    }
}
