// One iteration of conjugate gradients for viscosity, first of three: the matrix times the scaled residual u,
// and two sums of each workgroup, residual . u and product . u.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
FETCH_FLOATS(viscous_residuals);
OWN_WRITE(residual_products);
FETCH(iterates);
FETCH(starts);
OWN_READ(lists);
OWN_READ(headers);
BLOCK(grid);
OWN_READ(wall_drags);
OWN_READ(body_pulls);
SCATTER(viscous_partials);
WORK(20, 26, 32);
#include "pairs.glsl"
#include "listed.glsl"
#include "viscous.glsl"

shared vec2 lanes[SIM_VISCOUS_GROUP];

vec3 scaled(uint j)
{
    vec4 residual = FETCHED_FLOATS(viscous_residuals, j);
    return residual.xyz * residual.w;
}

float own_drag;

void add_pair(inout vec3 sum, ivec3 p, vec3 own, uint j, bool wanted)
{
    vec3 d = pair_offset(p, FETCHED(iterates, j).xyz);
    float weight;
    vec3 pull = viscous_pull(d, pair_distance2(d, wanted), own - scaled(j), weight);
    if (!ONE_VISCOSITY) pull *= viscous_mean(own_drag, params.fluids[FETCHED(starts, j).w].drag);
    sum += pull;
}

vec3 multiply(uint i, vec3 own)
{
    ivec3 p = FETCHED(iterates, i).xyz;
    sim_fluid fluid = params.fluids[FETCHED(starts, i).w];
    uint header = headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    own_drag = fluid.drag;
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        add_pair(sum, p, own, j.x, true);
        add_pair(sum, p, own, j.y, k + 1u < count);
        add_pair(sum, p, own, j.z, k + 2u < count);
        add_pair(sum, p, own, j.w, k + 3u < count);
    }
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
        vec4 residual = FETCHED_FLOATS(viscous_residuals, i);
        vec3 own = residual.xyz * residual.w, product = multiply(i, own);
        residual_products[i] = vec4(product, 0.0);
        sum = vec2(dot(residual.xyz, own), dot(product, own));
    }
    lanes[lane] = sum;
    barrier();
    for (uint half_count = GROUP / 2u; half_count > 0u; half_count /= 2u) {
        if (lane < half_count) lanes[lane] += lanes[lane + half_count];
        barrier();
    }
    if (lane == 0u) viscous_partials[i / GROUP] = lanes[0];
}
