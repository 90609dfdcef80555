// Applies forces and predicts positions (Macklin and Mueller 2013, algorithm 1, lines 1 to 4), with a first
// collision; one invocation per particle. Marks the particles to remove: those beyond an open side, inside a
// sink, or with a non-finite state. Particles that an emitter leads (emit_particles.comp) move at its
// velocity, with an infinite mass.
// A particle's distance to solids changes by at most SIM_SDF_MAX_SLOPE times its displacement. Its clearance
// is the last computed distance minus all such changes; the distance is computed again only when the
// clearance becomes small.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
ATOMIC(status);
READ_OWN(positions);
READ_OWN(velocities);
WRITE_OWN(predicted_positions);
UPDATE_OWN(gauge_accumulators);
ATOMIC(solid_impulse_sums);
UPDATE_OWN(clearances);
READ_SOLIDS();
WORK_ESTIMATE(20, 0, 0);
#include "boundary/force_gauge.glsl"
#include "particles/external_forces.glsl"

float solid_clearance(uint i, ivec3 start, ivec3 p)
{
    float reach = boundary_solid_reach(), left = 0.0;
    if (STATIC_SOLIDS) left = clearances[i] - SIM_SDF_MAX_SLOPE * length(fixed_offset(start, p));
    return left < reach ? boundary_clearance(fixed_to_metres(p), reach) : left;
}

// Returns p moved out of the walls that contain it or are closer than the gap; the particle came from
// `start`.
ivec3 project_out_of_boundaries(uint i, ivec3 start, ivec3 p)
{
    float clear = HAS_SOLIDS ? solid_clearance(i, start, p) : 1e30;
    ivec3 free = p;
    boundary_solids_near = clear < params.boundary_gap;
    if (boundary_solids_near || boundary_near_side(p, params.boundary_gap)) p = boundary_project(p, start);
    // Counts the displacement out of walls twice, because update_velocity.comp does not subtract it.
    if (HAS_SOLIDS) clearances[i] = clear - 2.0 * SIM_SDF_MAX_SLOPE * length(fixed_offset(p, free));
    return p;
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.count);
    ivec4 start = positions[i];
    gauge_begin_predicted_particle(i, start.w);
    // of the particles emitted in this substep, which are on every rank, one rank counts
    bool counts = params.emitted_elsewhere == 0u || i < status.count;
    if (!counts) gauge_particle_mass = 0.0;
    bool capped;
    vec4 velocity = velocities[i];
    bool led = HAS_FIXED_PARTICLES && velocity.w > 0.0;
    vec3 displacement = predict_velocity(fixed_to_metres(start.xyz), velocity.xyz, capped) * status.dt;
    if (led) displacement = velocity.xyz * status.dt;
    if (capped && !led && counts) atomicAdd(status.clamped_speeds, 1u);
    float weight = led ? 0.0 : params.fluids[uint(clamp(start.w, 0, 15))].inverse_mass;
    bool lost = start.x == SIM_INVALID_POSITION || fixed_is_non_finite(displacement);
    ivec3 p = lost ? params.fixed_min.xyz : start.xyz + fixed_from_offset(displacement);
    if (lost) {
        weight = -1.0;
        if (counts) atomicAdd(status.non_finite, 1u);
    } else {
        p = project_out_of_boundaries(i, start.xyz, p);
        if (has_left_domain(p)) {
            weight = -1.0;
            if (counts) atomicAdd(status.escaped, 1u);
        } else if (is_in_sink(fixed_to_metres(p))) {
            weight = -1.0;
            if (counts) atomicAdd(status.removed_by_sinks, 1u);
        }
    }
    predicted_positions[i] = ivec4(p, floatBitsToInt(weight));
}
