// Friction of walls and solids against the pressure of the long-range correction, which carries most of the
// weight of deep fluid; one invocation per particle, after the correction of the motion, only in scenes with
// friction. The pressure p on a wall is shared by the particles within h of it: each takes
// p (1 - phi / h) 2 / h at the distance phi, so that layers of particles together take all of it.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(iterated_positions);
READ_OWN(sorted_positions);
BLOCK(multigrid);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(cells);
READ_ANY(cell_pressures);
READ_ANY(pressure_gradients);
READ_SOLIDS();
#include "boundary/boundary.glsl"
#include "mac/long_range_pressure.glsl"

// The pressure at a particle.
struct particle_pressure {
    float value; // m2
    vec3 move;   // m: -grad p
};

// Returns the displacement by which a wall at the distance phi carries the particle, m. The pressure is known
// from half a cell above the wall on; towards the wall it is continued.
float wall_push(particle_pressure pressure, float phi, vec3 normal)
{
    if (phi >= params.h) return 0.0;
    float below = max(phi, 0.5 * params.cell_size.x);
    float on_wall = max(pressure.value + below * dot(pressure.move, normal), 0.0);
    return on_wall * (1.0 - max(phi, 0.0) / params.h) * 2.0 / params.h;
}

// Returns the displacement by the friction of the domain's closed sides.
vec3 sides_friction(ivec3 p, particle_pressure pressure, vec3 before)
{
    boundary_sides sides = boundary_side_distances(p);
    vec3 push = vec3(0.0);
    for (uint axis = 0u; axis < 3u; axis++) {
        vec3 normal = vec3(0.0);
        normal[axis] = 1.0;
        push[axis] = wall_push(pressure, sides.low[axis], normal) +
                     wall_push(pressure, sides.high[axis], -normal);
    }
    return boundary_sides_friction(before, push);
}

// Returns the displacement by the friction of a solid.
vec3 solid_friction(uint item, vec3 at, particle_pressure pressure, vec3 before)
{
    item_surface surface;
    if (item_friction(item) == 0.0 || !item_find_surface(item, at, params.h, surface)) return vec3(0.0);
    float push = wall_push(pressure, surface.distance, surface.normal);
    vec3 slip = before - (at - surface.point_at_start);
    return boundary_friction(slip, surface.normal, push, item_friction(item));
}

void main()
{
    HELD_PARTICLE_OR_RETURN(i);
    ivec4 own = iterated_positions[i];
    if (own.x == SIM_INVALID_POSITION || (HAS_FIXED_PARTICLES && own.w == 0)) return;
    vec3 at = fixed_to_metres(own.xyz), cell = cell_coordinates(own.xyz);
    if (!boundary_near(own.xyz, params.h)) return;
    vec3 gradient = pressure_displacement(cell, closed_faces(vec3(0.0), 0.0));
    particle_pressure pressure = particle_pressure(interpolate_pressure(cell), gradient);
    vec3 before = fixed_offset(own.xyz, sorted_positions[i].xyz), moved = vec3(0.0);
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++)
        moved += solid_friction(item, at, pressure, before + moved);
    if (params.friction > 0.0) moved += sides_friction(own.xyz, pressure, before + moved);
    iterated_positions[i] = ivec4(own.xyz + fixed_from_offset(moved), own.w);
}
