// Moves particles out of walls and solids at the end of an iteration, where there are solids: with their
// distances in the same kernel the loops over pairs of correct, push and accelerate would wait for registers.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(iterates);
READ_OWN(starts);
READ_OWN(multipliers); // or the start's pressures: both begin with the position that the walls acted on
READ_OWN(headers);
READ_OWN(wall_sums);
UPDATE_OWN(measured);
ATOMIC(solid_sums);
READ_SOLIDS();
WORK(10, 0, 0);
#include "boundary/force_gauge.glsl"

// `factor` times the constraint's gradient towards each measured solid, shared as wall_add shares it;
// `density` is that of all walls at p.
void measure_constraint(ivec3 p, float density, float factor)
{
    uint solids = PUSHES && params.wall_density != 0u ? wall_solids() : 0u;
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        if (!FORCES && items[item].flags >> SOLID_ITEM_FORCE_SHIFT == 0u) continue;
        wall_surface surface;
        if (!wall_find_surface(item, fixed_metres(p), params.h, surface)) continue;
        wall_sum own = wall_none();
        wall_add(own, surface.distance, surface.normal, vec3(0.0));
        float others = (1.0 - density) / max(1.0 - own.density, 1e-6);
        measure_push(item, fixed_metres(p), factor * others * own.gradient);
    }
}

void main()
{
    UNSOLVED_PARTICLE_OR_RETURN(i);
    uint header = headers[i];
    if ((header & SIM_NEAR_WALL) == 0u) return;
    ivec4 own = iterates[i], start = starts[i];
    if (own.x == SIM_LOST) return;
    wall_solids_near = (header & SIM_AT_SOLID) != 0u;
    if (PUSHES) measure_begin(i, start.w);
    if (PUSHES) measure_constraint(multipliers[i].xyz, wall_sums[i].w, wall_sums[i].x);
    iterates[i] = ivec4(wall_project(own.xyz, start.xyz), own.w);
}
