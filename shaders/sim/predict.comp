// Forces and prediction (Macklin and Mueller 2013, algorithm 1, lines 1 to 4) and a first collision. Finds
// the particles that are dead: outside an open side, in a sink, or not a finite number. A particle's distance
// to solids changes by at most SIM_SOLID_SLOPE times its displacement. Its clearance is the last computed
// distance less such changes, and the distance is computed again only when the clearance gets small.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
ATOMIC(status);
READ_OWN(positions);
READ_OWN(velocities);
WRITE_OWN(predictions);
UPDATE_OWN(measured);
ATOMIC(solid_sums);
UPDATE_OWN(clearances);
READ_SOLIDS();
WORK(20, 0, 0);
#include "boundary/force_gauge.glsl"
#include "particles/external_forces.glsl"

float clearance(uint i, ivec3 start, ivec3 p)
{
    float reach = wall_solid_reach(), left = 0.0;
    if (STEADY) left = clearances[i] - SIM_SOLID_SLOPE * length(fixed_offset(start, p));
    return left < reach ? wall_clearance(fixed_metres(p), reach) : left;
}

// p moved out of the walls that it is in or too near to; the particle came from `start`.
ivec3 project(uint i, ivec3 start, ivec3 p)
{
    float clear = HAS_SOLIDS ? clearance(i, start, p) : 1e30;
    ivec3 free = p;
    wall_solids_near = clear < params.wall_gap;
    if (wall_solids_near || wall_near_side(p, params.wall_gap)) p = wall_project(p, start);
    // The push out of walls counts twice, because velocity.comp will not subtract it.
    if (HAS_SOLIDS) clearances[i] = clear - 2.0 * SIM_SOLID_SLOPE * length(fixed_offset(p, free));
    return p;
}

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= state.count);
    ivec4 start = positions[i];
    measure_begin(i, start.w);
    measure_clear();
    bool capped;
    vec3 displacement = predict_velocity(fixed_metres(start.xyz), velocities[i].xyz, capped) * status.dt;
    if (capped) atomicAdd(status.speed_caps, 1u);
    float weight = params.fluids[uint(clamp(start.w, 0, 15))].inverse_mass;
    bool lost = start.x == SIM_LOST || fixed_is_lost(displacement);
    ivec3 p = lost ? params.fixed_min.xyz : start.xyz + fixed_step(displacement);
    if (lost) {
        weight = -1.0;
        atomicAdd(status.non_finite, 1u);
    } else {
        p = project(i, start.xyz, p);
        if (gone_through_side(p)) {
            weight = -1.0;
            atomicAdd(status.escaped, 1u);
        } else if (gone_down_sink(fixed_metres(p))) {
            weight = -1.0;
            atomicAdd(status.sunk, 1u);
        }
    }
    predictions[i] = ivec4(p, floatBitsToInt(weight));
}
