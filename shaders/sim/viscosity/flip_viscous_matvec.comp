// First of three passes of a conjugate gradient iteration for viscosity on the MAC grid: multiplies the
// matrix by the scaled residual u, and writes two dot products per workgroup, residual . u and product . u.
// One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(viscous_cells);
READ_ANY(face_coefficients);
READ_ANY(viscous_face_bodies);
READ_ANY(body_viscous_states);
READ_ANY(viscous_residuals);
WRITE_ANY(residual_products);
WRITE_ANY(viscous_partials);
vec3 viscous_face_velocities(uint i) { return viscous_residuals[i].xyz * viscous_residuals[i].w; }
#include "mac/viscosity.glsl"
#include "reduce/workgroup_tree.glsl"

// The reduction reuses the tile's memory after all have read it: with separate lanes a workgroup would use
// more than 16 KiB of shared memory.
vec2 load_lane(uint lane) { return uintBitsToFloat(viscous_tile[lane].xy); }
void store_lane(uint lane, vec2 sum) { viscous_tile[lane].xy = floatBitsToUint(sum); }

vec2 apply_matrix(uint block, uint cell)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, place = viscous_tile_index(cell);
    uint axes = params.planar != 0u ? 2u : 3u;
    vec3 own = viscous_face_velocities(i), product = vec3(0.0);
    for (uint axis = 0u; axis < axes; axis++)
        product[axis] =
            viscous_face_mass(i, place, axis) * own[axis] + viscous_stress_divergence(place, axis).value;
    residual_products[i] = vec4(product, 0.0);
    return vec2(dot(viscous_residuals[i].xyz, own), dot(product, own));
}

void main()
{
    uint block = workgroup_block(0u), lane = gl_LocalInvocationIndex;
    if (block == POISSON_NONE) return; // uniform across the workgroup
    viscous_load_tile(block);
    vec2 sum = vec2(0.0);
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++)
        sum += apply_matrix(block, lane + k * POISSON_WORKGROUP);
    barrier();
    store_lane(lane, sum);
    barrier();
    WORKGROUP_TREE(lane, POISSON_WORKGROUP, store_lane(lane, load_lane(lane) + load_lane(lane + half_count)))
    if (lane == 0u) viscous_partials[workgroup_index()] = load_lane(0u);
}
