// Averages what depends on attributes over the particles around each cell of the MAC grid: the viscosity,
// which replaces that of flip_p2g.comp, and the surface tension over the largest of its fluid. One workgroup
// per block.
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
WRITE_ANY(tension_ratios);
#include "poisson/level.glsl"
#include "mac/grid.glsl"
#include "mac/position.glsl"

vec3 material_sum; // x dynamic viscosities, Pa s; y surface tensions over the largest; z number of particles

// Returns the surface tension of a particle over the largest of its fluid.
float tension_ratio(uint j)
{
    float largest = params.fluids[TEXEL(sorted_positions, j).w].surface_tension;
    return largest > 0.0 ? particle_materials[j].y / largest : 1.0;
}

#define NEIGHBOUR_POSITION(j) fixed_to_metres(TEXEL(sorted_positions, j).xyz)
#define VISIT_NEIGHBOUR(j, offset, distance2)                                                              \
    material_sum += vec3(particle_materials[j].x, SURFACE_TENSION ? tension_ratio(j) : 0.0, 1.0)
#include "neighbours/neighbour_query.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        material_sum = vec3(0.0);
        neighbour_query(mac_cell_centre(at));
        vec2 mean = material_sum.xy / max(material_sum.z, 1.0);
        if (HAS_VISCOSITY && !UNIFORM_VISCOSITY)
            viscous_cells[i] = floatBitsToUint(mean.x / params.fluids[0].density);
        if (SURFACE_TENSION) tension_ratios[i] = material_sum.z > 0.0 ? mean.y : SIM_UNKNOWN_TENSION;
    }
}
