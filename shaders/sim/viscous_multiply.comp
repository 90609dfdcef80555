// One iteration of conjugate gradients for viscosity, first of three: the matrix times the scaled residual u,
// and two sums of each workgroup, residual . u and product . u.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_FLOAT_TEXELS(viscous_residuals);
WRITE_OWN(residual_products);
READ_TEXELS(iterates);
READ_TEXELS(starts);
READ_OWN(lists);
READ_OWN(headers);
BLOCK(grid);
READ_OWN(wall_drags);
READ_OWN(body_pulls);
WRITE_ANY(viscous_partials);
WORK(20, 26, 32);
#include "neighbours/pair.glsl"
#include "particles/viscosity.glsl"
#define SUM_TYPE vec2
#define SUM_LANES SIM_VISCOUS_GROUP
#define SUM_COUNT GROUP
#include "reduce/workgroup_sum.glsl"

vec3 scaled(uint j)
{
    vec4 residual = FLOAT_TEXEL(viscous_residuals, j);
    return residual.xyz * residual.w;
}

float own_drag;

void add_pair(inout vec3 sum, ivec3 p, vec3 own, uint j, bool wanted)
{
    vec3 d = pair_offset(p, TEXEL(iterates, j).xyz);
    float weight;
    vec3 pull = viscous_pull(d, pair_distance2(d, wanted), own - scaled(j), weight);
    if (!ONE_VISCOSITY) pull *= viscous_mean(own_drag, params.fluids[TEXEL(starts, j).w].drag);
    sum += pull;
}

vec3 multiply(uint i, vec3 own)
{
    ivec3 p = TEXEL(iterates, i).xyz;
    sim_fluid fluid = params.fluids[TEXEL(starts, i).w];
    uint header = headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    own_drag = fluid.drag;
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, p, own, j, wanted))
    vec3 product = fluid.density * own + status.dt * (ONE_VISCOSITY ? fluid.drag : 1.0) * sum;
    if ((header & SIM_VISCOUS_WALL) != 0u)
        product += viscous_wall_drag(wall_drags[2u * i], wall_drags[2u * i + 1u], own);
    if (HAS_BODIES && (header & SIM_NEAR_BODY) != 0u) product += body_pulls[i].xyz;
    return product;
}

void main()
{
    uint lane = gl_LocalInvocationIndex, i = row.first + row_index();
    vec2 sum = vec2(0.0);
    if (i < state.live && state.flags == 0u) {
        vec4 residual = FLOAT_TEXEL(viscous_residuals, i);
        vec3 own = residual.xyz * residual.w, product = multiply(i, own);
        residual_products[i] = vec4(product, 0.0);
        sum = vec2(dot(residual.xyz, own), dot(product, own));
    }
    sum = workgroup_sum(sum);
    if (lane == 0u) viscous_partials[i / GROUP] = sum;
}
