// Computes the curvature of the surface near each cell from the smoothed fill: minus the divergence of the
// unit normals at the corners of the cell, carried along the normal to the surface (docs/equations.md). One
// workgroup per block. Runs while `cells` has the open fractions of the cells.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(cells);
READ_ANY(fill_fractions);
READ_ANY(face_coefficients);
WRITE_ANY(curvatures);
WRITE_ANY(surface_pressures);

#define TILE_MARGIN 2u
#include "mac/surface_fill.glsl"

// Returns the gradient of the fill at the upper corner of a cell, 1/m.
vec3 corner_slope(ivec3 local)
{
    uint count = params.planar != 0u ? 4u : 8u;
    vec3 slope = vec3(0.0);
    for (uint k = 0u; k < count; k++) {
        ivec3 upper = ivec3(uvec3(k, k >> 1, k >> 2) & 1u);
        slope += fill_at(local + upper) * vec3(2 * upper - 1);
    }
    if (params.planar != 0u) slope.z = 0.0;
    return 2.0 / float(count) * slope / params.cell_size.xyz;
}

// Returns the mean surface tension of the fluid in a cell over the largest, or of that around it if the cell
// has none.
float mean_tension(uint block, uint cell)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, sides = params.planar != 0u ? 4u : 6u;
    if (UNIFORM_TENSION) return 1.0;
    vec2 sum = vec2(tense_fill(i), fill_fractions[i]);
    for (uint side = 0u; side < sides && !(sum.y > SIM_MAC_MIN_WEIGHT); side++) {
        uint other = poisson_neighbour_cell(block, cell, side);
        if (other != POISSON_NONE) sum += vec2(tense_fill(other), fill_fractions[other]);
    }
    return sum.y > 0.0 ? sum.x / sum.y : 0.0;
}

// Returns x the curvature times its weight, 1/m; y the weight.
vec2 weighted_curvature(uint block, uint cell, float tension)
{
    ivec3 local = ivec3(poisson_cell_coordinates(cell));
    uint corners = params.planar != 0u ? 4u : 8u;
    float divergence = 0.0, directions = params.planar != 0u ? 1.0 : 2.0;
    vec3 sum = vec3(0.0);
    for (uint k = 0u; k < corners; k++) {
        ivec3 upper = ivec3(uvec3(k, k >> 1, k >> 2) & 1u), low = local - 1 + upper;
        if (params.planar != 0u) low.z = 0;
        vec3 slope = corner_slope(low);
        float size = length(slope);
        if (size > 0.0) divergence += dot(slope / size, vec3(2 * upper - 1) / params.cell_size.xyz);
        sum += slope;
    }
    float edge = min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z));
    float size = length(sum) / float(corners), most = directions / edge;
    if (size * edge < SIM_SURFACE_MIN_SLOPE) return vec2(0.0);
    float curvature = clamp(-2.0 / float(corners) * divergence, -most, most);
    float weight = size * edge;
    // between two fluids, the level of the surface is not known
    if (UNIFORM_TENSION || is_near_air(block, cell)) {
        if (!(tension > 0.0)) return vec2(0.0);
        float fill = fill_at(local), outside = clamp((0.5 * tension - fill) / size, -2.0 * edge, 2.0 * edge);
        curvature /= max(1.0 - outside * curvature / directions, 0.5);
        weight *= max(4.0 * fill * (tension - fill) / (tension * tension), 0.0);
    }
    return weight * weight * vec2(curvature, 1.0);
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    load_smoothed_tile(block);
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        bool unused_layer = params.planar != 0u && poisson_cell_coordinates(cell).z > 0u;
        float tension = mean_tension(block, cell);
        curvatures[i] = unused_layer ? vec2(0.0) : weighted_curvature(block, cell, tension);
        surface_pressures[i] = vec2(0.0, tension);
    }
}
