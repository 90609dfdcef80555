// One iteration of conjugate gradients for viscosity on the MAC grid, first of three: the matrix times the
// scaled residual u, and two sums of each workgroup, residual . u and product . u.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(slots);
READ_ANY(viscous_cells);
READ_ANY(viscous_residuals);
WRITE_ANY(residual_products);
WRITE_ANY(viscous_partials);
vec3 viscous_faces(uint i) { return viscous_residuals[i].xyz * viscous_residuals[i].w; }
#include "mac/viscosity.glsl"
#include "reduce/workgroup_tree.glsl"

// The tile's memory, once all have read it: with lanes of their own a workgroup would share more than 16 KiB.
vec2 lane_sum(uint lane) { return uintBitsToFloat(tile[lane].xy); }
void put_lane(uint lane, vec2 sum) { tile[lane].xy = floatBitsToUint(sum); }

vec2 multiply(uint block, uint cell)
{
    uint i = block * POISSON_CELLS + cell, place = viscous_place(cell);
    uint axes = params.planar != 0u ? 2u : 3u;
    vec3 own = viscous_faces(i), product = vec3(0.0);
    for (uint axis = 0u; axis < axes; axis++)
        product[axis] = viscous_face_mass(place, axis) * own[axis] + viscous_face(place, axis).value;
    residual_products[i] = vec4(product, 0.0);
    return vec2(dot(viscous_residuals[i].xyz, own), dot(product, own));
}

void main()
{
    uint block = level_block(0u), lane = gl_LocalInvocationIndex;
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    viscous_fill_tile(block);
    vec2 sum = vec2(0.0);
    for (uint k = 0u; k < POISSON_EACH; k++) sum += multiply(block, lane + k * POISSON_WORKGROUP);
    barrier();
    put_lane(lane, sum);
    barrier();
    WORKGROUP_TREE(lane, POISSON_WORKGROUP, put_lane(lane, lane_sum(lane) + lane_sum(lane + half_count)))
    if (lane == 0u) viscous_partials[row_group()] = lane_sum(0u);
}
