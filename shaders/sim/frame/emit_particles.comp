// Appends the particles that emitters release in the running substep; one invocation per new particle. An
// emission is one layer of a lattice, which has moved on since its release. Until the next layer supports
// it, or until it leaves the emitter's shape, the emitter leads it: it moves at the emitter's velocity,
// and nothing pushes it back towards the opening. The w of a velocity is the time for which its particle
// is still led, s. An emitter that a body carries has its numbers in the body's space, and adds the
// velocity of the body's point to the particle's.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
WRITE_ANY(positions);
WRITE_ANY(velocities);
READ_ANY(emissions);
READ_ANY(emitters);
READ_ANY(emitter_sites);
WRITE_ANY(ids);
WRITE_ANY(clearances);
WRITE_ANY(velocity_gradients);
READ_ANY(attribute_sources);
WRITE_ANY(attributes);
READ_ANY(poses);
#include "attributes/advance.glsl"
#include "math/curl_noise.glsl"
#include "math/rotation.glsl"
#include "sdf/pose_range.glsl"

// Moves a release from the space of a body to the world: the position at the substep's start, and the
// velocity.
void release_from_body(uint body, float age, inout vec3 p, inout vec3 velocity)
{
    uvec2 range = item_pose_range(params.solid_count + body);
    solid_pose from = poses[range.x], to = poses[range.y];
    vec3 flow = quat_rotate(from.last_rotation, velocity);
    vec3 at_start = quat_rotate(from.last_rotation, p) + from.last_position.xyz;
    vec3 at_end = quat_rotate(to.rotation, p) + to.position.xyz;
    velocity = flow + (at_end - at_start) / status.dt;
    p = at_start + flow * age;
}

// Returns the fluctuation of the velocity of a release, m/s. Eddies move with the mean flow; they are those
// of the flow's plane in two dimensions.
vec3 fluctuation(sim_emitter emitter, sim_emitter_site from, float way_m)
{
    bool planar = params.planar != 0u;
    vec3 at = (emitter.up.w * from.at.xyz - way_m * from.direction.xyz) * emitter.turbulence.y;
    vec3 v = emitter.turbulence.x * curl_noise(planar ? vec3(at.zy, 0.0) : at, 2u,
                                               uint(emitter.turbulence.z), vec4(0.0), planar);
    if (planar) v = vec3(0.0, v.y, v.x);
    return (emitter.across.xyz * v.x + emitter.up.xyz * v.y) / emitter.up.w + emitter.forward.xyz * v.z;
}

void main()
{
    uint k = invocation_index();
    if (state.flags != 0u || status.running == 0u || k >= status.emitted_count) return;
    uint base = emissions[status.first_emission].particles_before;
    uint e = status.first_emission, last = status.last_emission;
    for (uint next = e + 1u; next < last; next++)
        if (emissions[next].particles_before - base <= k) e = next;
    uint site = k - (emissions[e].particles_before - base);
    sim_emitter emitter = emitters[emissions[e].emitter];
    sim_emitter_site from = emitter_sites[emissions[e].first_site + site];
    // Time since the release, s, at the start of the substep; negative before the release.
    float age = float(pass.outer) * status.dt - emissions[e].time;
    float speed = emitter.forward.w, spacing = emitter.up.w;
    vec3 sideways = emitter.across.xyz * from.direction.x + emitter.up.xyz * from.direction.y;
    vec3 velocity = emitter.forward.xyz * (speed * from.direction.z) + sideways * (speed / spacing) +
                    emitter.drift.xyz;
    if (emitter.turbulence.x > 0.0) velocity += fluctuation(emitter, from, emissions[e].way_m);
    vec3 p = emitter.corner.xyz + emitter.across.xyz * from.at.x + emitter.up.xyz * from.at.y +
             emitter.forward.xyz * (spacing * from.at.z);
    if (HAS_BODIES && emitter.drift.w > 0.0)
        release_from_body(uint(emitter.drift.w) - 1u, age, p, velocity);
    else
        p += velocity * age;
    float lead = emissions[e].lead * (emitter.across.w > 0.0 ? from.at.w : 1.0);
    uint i = status.count + k;
    positions[i] = ivec4(fixed_from_metres(p), int(emitter.corner.w));
    velocities[i] = vec4(velocity, max(lead - age, 0.0));
    ids[i] = emissions[e].first_id + site;
    if (HAS_SOLIDS) clearances[i] = 0.0; // unknown: 0 makes the next pass query the solids
    if (APIC)
        for (uint k = 0u; k < 3u; k++) velocity_gradients[3u * i + k] = vec4(0.0);
    uint source = ATTRIBUTE_VECTORS * emissions[e].source;
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        attributes[ATTRIBUTE_VECTORS * i + k] =
            attributes_set_rest(attribute_sources[source + k], k, params.rest_positions.x, p);
}
