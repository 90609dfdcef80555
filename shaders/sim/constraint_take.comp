// The density constraint alone: takes a caller's particles, in place of predict.comp. Their positions are
// predictions already, so each is given the start from which its velocity leads there. What cannot be solved
// counts as dead: a number that is not finite, an inverse mass below 0, a place beyond an open side.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
ATOMIC(taken);
READ_ANY(given_positions);
READ_ANY(given_velocities);
READ_ANY(given_masses);
WRITE_OWN(positions);
WRITE_OWN(velocities);
WRITE_OWN(predictions);
WRITE_OWN(ids);
#include "boundary/domain_sides.glsl"
#include "particles/removal.glsl"

ivec3 place(vec3 x)
{
    ivec3 p = fixed_of(x);
    if (PERIODIC) p = fixed_wrapped(p);
    if (params.planar != 0u) p.z = params.fixed_min.w;
    return p;
}

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= state.count);
    uint at = i * (row.constant & SIM_GIVEN_WORDS);
    vec3 x = vec3(given_positions[at], given_positions[at + 1u], given_positions[at + 2u]);
    vec3 v = vec3(given_velocities[at], given_velocities[at + 1u], given_velocities[at + 2u]);
    float weight = (row.constant & SIM_GIVEN_MASSES) != 0u ? given_masses[i] : 1.0;
    vec3 displacement = v * status.dt;
    bool known = !any(not_finite(x)) && !any(not_finite(displacement)) && !not_finite(weight);
    ivec3 p = ivec3(SIM_LOST), start = p;
    if (known && weight >= 0.0) {
        p = place(x);
        start = p - fixed_step(displacement);
        if (weight == 0.0) {
            weight = 0.0; // not -0, whose bits are those of a dead one
            atomicAdd(taken.held, 1u);
        } else {
            if (wall_near_side(p, params.wall_gap)) p = wall_leave_sides(p, start);
            if (gone_through_side(p)) weight = -1.0;
        }
    } else {
        weight = -1.0;
    }
    if (weight < 0.0) {
        p = ivec3(SIM_LOST);
        atomicAdd(taken.left, 1u);
    }
    positions[i] = ivec4(start, 0);
    velocities[i] = vec4(v, 0.0);
    predictions[i] = ivec4(p, floatBitsToInt(weight));
    ids[i] = i;
}
