// Starts the implicit viscous solve (Weiler and others 2018) for v in rho (v - v*) + dt K v = dt K_w v_w,
// where K sums over neighbours and walls, at the predicted velocity v*. Writes the residual, the inverse of
// the matrix's diagonal as preconditioner, and the matrix block of nearby walls. One invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_FLOAT_TEXELS(viscous_velocities);
WRITE_OWN(viscous_residuals);
READ_TEXELS(iterated_positions);
READ_TEXELS(sorted_positions);
READ_OWN(neighbour_lists);
UPDATE_OWN(neighbour_headers);
READ_OWN(sorted_clearances);
BLOCK(grid);
WRITE_OWN(boundary_viscous_blocks);
READ_SOLIDS();
WORK_ESTIMATE(30, 26, 32);
#include "boundary/boundary.glsl"
#include "neighbours/pair.glsl"
#include "particles/viscosity.glsl"

struct viscous_pair_sums {
    vec3 drag;
    float diagonal;
};

float own_viscosity, own_coefficient;

void add_pair(inout viscous_pair_sums sum, ivec3 p, vec3 velocity, uint j, bool wanted)
{
    vec3 d = pair_offset(p, TEXEL(iterated_positions, j).xyz);
    vec4 other = FLOAT_TEXEL(viscous_velocities, j);
    float r2 = pair_distance2(d, wanted), weight;
    vec3 pull = viscous_pair_force(d, r2, velocity - other.xyz, weight);
    float mean = own_coefficient;
    if (!UNIFORM_VISCOSITY) mean = params.viscous_factor * viscous_mean(own_viscosity, other.w);
    sum.drag += mean * pull;
    sum.diagonal += mean * weight * r2;
}

// Matrix block of the walls near a particle, and its product with the walls' own velocities.
struct boundary_matrix {
    vec3 diagonal, off, pull; // off: xy, xz, yz
};

void add_boundary(inout boundary_matrix sum, float q, vec3 normal, vec3 velocity, bool sticks)
{
    if (q >= 1.0) return;
    if (params.planar != 0u) normal.z = 0.0;
    vec2 drag = params.planar != 0u ? boundary_viscous_drag_2d(q) : boundary_viscous_drag(q);
    if (!sticks) drag.x = 0.0;
    vec3 across = (drag.y - drag.x) * normal;
    sum.diagonal += drag.x + across * normal;
    sum.off += across.xxy * normal.yzz;
    sum.pull += drag.x * velocity + across * dot(normal, velocity);
}

boundary_matrix find_boundaries(ivec3 p)
{
    boundary_matrix sum = boundary_matrix(vec3(0.0), vec3(0.0), vec3(0.0));
    boundary_sides sides = boundary_side_distances(p);
    for (uint side = 0u; side < 6u; side++) {
        float distance = (side & 1u) == 0u ? sides.low[side >> 1] : sides.high[side >> 1];
        add_boundary(sum, distance / params.h, boundary_side_normal(side), vec3(0.0), params.no_slip != 0u);
    }
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        item_surface surface;
        vec3 at = fixed_to_metres(p);
        if (!item_find_surface(item, at, params.h, surface)) continue;
        vec3 velocity = (at - surface.point_at_start) / status.dt;
        bool sticks = (items[item].flags & SOLID_ITEM_NO_SLIP) != 0u;
        add_boundary(sum, surface.distance / params.h, surface.normal, velocity, sticks);
    }
    return sum;
}

viscous_pair_sums sum_pairs(uint i, ivec3 p, vec3 velocity, uint count)
{
    viscous_pair_sums sum = viscous_pair_sums(vec3(0.0), 0.0);
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, p, velocity, j, wanted))
    return sum;
}

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterated_positions, i).xyz;
    boundary_solids_near = HAS_SOLIDS && sorted_clearances[i] < params.h;
    bool near = boundary_solids_near || boundary_near_side(p, params.h);
    // Evaluated before everything that only the pairs need, because the walls take many registers themselves.
    boundary_matrix walls = boundary_matrix(vec3(0.0), vec3(0.0), vec3(0.0));
    if (near) walls = find_boundaries(p);
    vec4 own = FLOAT_TEXEL(viscous_velocities, i);
    vec3 velocity = own.xyz;
    sim_fluid fluid = params.fluids[TEXEL(sorted_positions, i).w];
    vec3 axes = params.planar != 0u ? vec3(1.0, 1.0, 0.0) : vec3(1.0);
    float dimensions = axes.x + axes.y + axes.z;
    uint header = neighbour_headers[i];
    own_viscosity = own.w;
    own_coefficient = fluid.viscous_coefficient;
    if (near) {
        neighbour_headers[i] = header | SIM_NEAR_VISCOUS_BOUNDARY;
        float scale = status.dt * own_viscosity / (params.h * params.h);
        vec4 first = vec4(walls.diagonal, walls.off.x) * scale, second = vec4(walls.off.yz, 0.0, 0.0) * scale;
        boundary_viscous_blocks[2u * i] = first;
        boundary_viscous_blocks[2u * i + 1u] = second;
        walls.pull = walls.pull * scale - boundary_viscous_product(first, second, velocity);
        walls.diagonal.x = dot(walls.diagonal, axes) * scale / dimensions;
    }
    viscous_pair_sums sum = sum_pairs(i, p, velocity, header & GRID_COUNT_MASK);
    float diagonal = fluid.density + status.dt * sum.diagonal / dimensions;
    vec3 residual = -status.dt * sum.drag;
    if (near) {
        residual += walls.pull;
        diagonal += walls.diagonal.x;
    }
    viscous_residuals[i] = vec4(residual, 1.0 / diagonal);
}
