// Moves particles out of walls and solids at the end of an iteration; one invocation per particle, only in
// scenes with solids. It is kept out of position_correction, pcisph_position_correction and wcsph_forces
// because the distance queries would raise the register pressure of their loops over pairs.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(iterated_positions);
READ_OWN(sorted_positions);
READ_OWN(multipliers); // or the start's pressures; both begin with the position at which the walls acted
READ_OWN(neighbour_headers);
READ_OWN(boundary_sums);
UPDATE_OWN(gauge_accumulators);
ATOMIC(solid_impulse_sums);
READ_SOLIDS();
WORK_ESTIMATE(10, 0, 0);
#include "boundary/force_gauge.glsl"

// How the density of walls has carried a particle in the last move.
struct wall_load {
    ivec3 at;      // position at which the walls acted
    float density; // of all walls
    float factor;  // m2: times the gradient of the walls' density it is the displacement by all walls
};

wall_load load_of_walls(uint i, float weight)
{
    // PCISPH reads the gradient in x again in the next iteration
    float factor = PCISPH ? intBitsToFloat(multipliers[i].w) * weight : boundary_sums[i].x;
    return wall_load(multipliers[i].xyz, boundary_sums[i].w, factor);
}

// Returns the displacement by walls of which `part` is the sum; the gradient is split as in
// boundary_add_plane.
vec3 load_on_walls(wall_load load, boundary_sum part)
{
    return load.factor * (1.0 - load.density) / max(1.0 - part.density, 1e-6) * part.gradient;
}

bool item_has_force_gauge(uint item)
{
    return RECORD_SOLID_FORCES || items[item].flags >> SOLID_ITEM_FORCE_SHIFT != 0u;
}

// Returns the displacement by the friction of a solid that carries the particle, and records the impulses of
// both. `before`: displacement since the substep's start.
vec3 solid_load_friction(uint item, wall_load load, vec3 before)
{
    vec3 at = fixed_to_metres(load.at);
    item_surface surface;
    if (!item_find_surface(item, at, params.h, surface)) return vec3(0.0);
    boundary_sum own = boundary_none();
    boundary_add_plane(own, surface.distance, surface.normal, vec3(0.0));
    vec3 push = load_on_walls(load, own), slip = before - (at - surface.point_at_start);
    vec3 friction = boundary_friction(slip, surface.normal, length(push), item_friction(item));
    if (RECORD_SOLID_PUSHES && item_has_force_gauge(item)) record_solid_push(item, at, push + friction);
    return friction;
}

// Returns the displacement by the friction of all walls whose density carries the particle.
vec3 load_friction(wall_load load, ivec3 p, ivec3 start)
{
    vec3 before = fixed_offset(p, start), moved = vec3(0.0);
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        if (item_friction(item) == 0.0 && !(RECORD_SOLID_PUSHES && item_has_force_gauge(item))) continue;
        moved += solid_load_friction(item, load, before + moved);
    }
    if (params.friction == 0.0) return moved;
    vec3 push = load_on_walls(load, boundary_sides_density(load.at));
    return moved + boundary_sides_friction(before + moved, push);
}

void main()
{
    UNSOLVED_PARTICLE_OR_RETURN(i);
    uint header = neighbour_headers[i];
    if ((header & SIM_NEAR_BOUNDARY) == 0u) return;
    ivec4 own = iterated_positions[i], start = sorted_positions[i];
    if (own.x == SIM_INVALID_POSITION) return;
    boundary_solids_near = (header & SIM_SOLID_ACTIVE) != 0u;
    if (RECORD_SOLID_PUSHES) gauge_begin_particle(i, start.w);
    if (solids_need_wall_factor() && params.boundary_density != 0u) {
        wall_load load = load_of_walls(i, intBitsToFloat(own.w));
        own.xyz += fixed_from_offset(load_friction(load, own.xyz, start.xyz));
    }
    iterated_positions[i] = ivec4(boundary_project(own.xyz, start.xyz), own.w);
}
