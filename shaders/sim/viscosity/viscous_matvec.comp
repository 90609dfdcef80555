// First of three passes of a conjugate gradient iteration for viscosity: multiplies the matrix by the scaled
// residual u, and writes two dot products per segment, residual . u and product . u. One invocation per
// particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_FLOAT_TEXELS(viscous_velocities);
READ_FLOAT_TEXELS(viscous_residuals);
WRITE_OWN(residual_products);
READ_TEXELS(iterated_positions);
READ_TEXELS(sorted_positions);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
BLOCK(grid);
READ_OWN(boundary_viscous_blocks);
READ_OWN(body_viscous_products);
WRITE_ANY(viscous_partials);
WORK_ESTIMATE(20, 26, 32);
#include "neighbours/pair.glsl"
#include "particles/viscosity.glsl"
#define SUM_TYPE vec2
#define SUM_LANES SIM_VISCOUS_WORKGROUP
#define SUM_SEGMENT SIM_VISCOUS_SEGMENT
#include "reduce/segment_sum.glsl"

vec3 scaled_residual(uint j)
{
    vec4 residual = FLOAT_TEXEL(viscous_residuals, j);
    return residual.xyz * residual.w;
}

float own_viscosity;

void add_pair(inout vec3 sum, ivec3 p, vec3 own, uint j, bool wanted)
{
    vec3 d = pair_offset(p, TEXEL(iterated_positions, j).xyz);
    float weight;
    vec3 pull = viscous_pair_force(d, pair_distance2(d, wanted), own - scaled_residual(j), weight);
    if (!UNIFORM_VISCOSITY)
        pull *= viscous_mean(own_viscosity, FLOAT_TEXEL(viscous_velocities, j).w);
    sum += pull;
}

vec3 apply_matrix(uint i, vec3 own)
{
    ivec3 p = TEXEL(iterated_positions, i).xyz;
    sim_fluid fluid = params.fluids[TEXEL(sorted_positions, i).w];
    uint header = neighbour_headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    own_viscosity = UNIFORM_VISCOSITY ? 0.0 : FLOAT_TEXEL(viscous_velocities, i).w;
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, p, own, j, wanted))
    float factor = UNIFORM_VISCOSITY ? fluid.viscous_coefficient : params.viscous_factor;
    vec3 product = fluid.density * own + status.dt * factor * sum;
    if ((header & SIM_NEAR_VISCOUS_BOUNDARY) != 0u)
        product += boundary_viscous_product(boundary_viscous_blocks[2u * i],
                                            boundary_viscous_blocks[2u * i + 1u], own);
    if (HAS_BODIES && (header & SIM_NEAR_BODY) != 0u) product += body_viscous_products[i].xyz;
    return product;
}

void main()
{
    uint i = pass.first + invocation_index();
    vec2 sum = vec2(0.0);
    if (i < state.live && state.flags == 0u) {
        vec4 residual = FLOAT_TEXEL(viscous_residuals, i);
        vec3 own = residual.xyz * residual.w, product = apply_matrix(i, own);
        residual_products[i] = vec4(product, 0.0);
        sum = vec2(dot(residual.xyz, own), dot(product, own));
    }
    sum = segment_sum(sum);
    uint segment = i / SIM_VISCOUS_SEGMENT;
    if (i % SIM_VISCOUS_SEGMENT == 0u && i < state.live) viscous_partials[segment] = sum;
}
