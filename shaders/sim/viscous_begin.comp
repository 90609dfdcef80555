// Implicit viscosity (Weiler and others 2018): the solve for v, rho (v - v*) + dt K v = dt K_w v_w, where K
// sums over neighbours and walls, begins at the predicted velocity v*. Writes the residual, the inverse of
// the matrix's diagonal, which scales it, and the drag of walls near by.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_FLOAT_TEXELS(viscous_velocities);
WRITE_OWN(viscous_residuals);
READ_TEXELS(iterates);
READ_TEXELS(starts);
READ_OWN(lists);
UPDATE_OWN(headers);
READ_OWN(sorted_clearances);
BLOCK(grid);
WRITE_OWN(wall_drags);
READ_SOLIDS();
WORK(30, 26, 32);
#include "boundary/boundary.glsl"
#include "neighbours/pair.glsl"
#include "particles/viscosity.glsl"

struct viscous_sum {
    vec3 drag;
    float diagonal;
};

float own_drag;

void add_pair(inout viscous_sum sum, ivec3 p, vec3 velocity, uint j, bool wanted)
{
    vec3 d = pair_offset(p, TEXEL(iterates, j).xyz);
    float r2 = pair_distance2(d, wanted), weight;
    vec3 pull = viscous_pull(d, r2, velocity - FLOAT_TEXEL(viscous_velocities, j).xyz, weight);
    float mean = own_drag;
    if (!ONE_VISCOSITY) mean = viscous_mean(own_drag, params.fluids[TEXEL(starts, j).w].drag);
    sum.drag += mean * pull;
    sum.diagonal += mean * weight * r2;
}

// Walls as they act on the particle: their matrix, and what it makes of their own velocity.
struct viscous_walls {
    vec3 diagonal, off, pull; // off: xy, xz, yz
};

void add_wall(inout viscous_walls sum, float q, vec3 normal, vec3 velocity, bool sticks)
{
    if (q >= 1.0) return;
    if (params.planar != 0u) normal.z = 0.0;
    vec2 drag = params.planar != 0u ? kernel_wall_drag_planar(q) : kernel_wall_drag(q);
    if (!sticks) drag.x = 0.0;
    vec3 across = (drag.y - drag.x) * normal;
    sum.diagonal += drag.x + across * normal;
    sum.off += across.xxy * normal.yzz;
    sum.pull += drag.x * velocity + across * dot(normal, velocity);
}

viscous_walls find_walls(ivec3 p)
{
    viscous_walls sum = viscous_walls(vec3(0.0), vec3(0.0), vec3(0.0));
    wall_sides sides = wall_find_sides(p);
    for (uint side = 0u; side < 6u; side++) {
        float distance = (side & 1u) == 0u ? sides.low[side >> 1] : sides.high[side >> 1];
        add_wall(sum, distance / params.h, wall_side_normal(side), vec3(0.0), params.no_slip != 0u);
    }
    uint solids = wall_solids();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        wall_surface surface;
        vec3 at = fixed_metres(p);
        if (!wall_find_surface(item, at, params.h, surface)) continue;
        vec3 velocity = (at - surface.carried) / status.dt;
        bool sticks = (items[item].flags & SOLID_ITEM_STICKS) != 0u;
        add_wall(sum, surface.distance / params.h, surface.normal, velocity, sticks);
    }
    return sum;
}

viscous_sum sum_pairs(uint i, ivec3 p, vec3 velocity, uint count)
{
    viscous_sum sum = viscous_sum(vec3(0.0), 0.0);
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, p, velocity, j, wanted))
    return sum;
}

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterates, i).xyz;
    wall_solids_near = HAS_SOLIDS && sorted_clearances[i] < params.h;
    bool near = wall_solids_near || wall_near_side(p, params.h);
    // Before all that only the pairs need: the walls take many registers themselves.
    viscous_walls walls = viscous_walls(vec3(0.0), vec3(0.0), vec3(0.0));
    if (near) walls = find_walls(p);
    vec3 velocity = FLOAT_TEXEL(viscous_velocities, i).xyz;
    sim_fluid fluid = params.fluids[TEXEL(starts, i).w];
    vec3 axes = params.planar != 0u ? vec3(1.0, 1.0, 0.0) : vec3(1.0);
    float dimensions = axes.x + axes.y + axes.z;
    uint header = headers[i];
    own_drag = fluid.drag;
    if (near) {
        headers[i] = header | SIM_VISCOUS_WALL;
        float scale = status.dt * fluid.dynamic_viscosity / (params.h * params.h);
        vec4 first = vec4(walls.diagonal, walls.off.x) * scale, second = vec4(walls.off.yz, 0.0, 0.0) * scale;
        wall_drags[2u * i] = first;
        wall_drags[2u * i + 1u] = second;
        walls.pull = walls.pull * scale - viscous_wall_drag(first, second, velocity);
        walls.diagonal.x = dot(walls.diagonal, axes) * scale / dimensions;
    }
    viscous_sum sum = sum_pairs(i, p, velocity, header & GRID_COUNT_MASK);
    float diagonal = fluid.density + status.dt * sum.diagonal / dimensions;
    vec3 residual = -status.dt * sum.drag;
    if (near) {
        residual += walls.pull;
        diagonal += walls.diagonal.x;
    }
    viscous_residuals[i] = vec4(residual, 1.0 / diagonal);
}
