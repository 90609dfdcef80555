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

// The emitter and the site of a release, read in place: copies would take registers.
#define EMITTER(member) emitters[emitter].member
#define SITE(member) emitter_sites[site].member

// Returns the fluctuation of the velocity of a release, m/s. Eddies move with the mean flow; they are those
// of the flow's plane in two dimensions.
vec3 fluctuation(uint emitter, uint site, float way_m)
{
    bool planar = params.planar != 0u;
    vec3 at = (EMITTER(up).w * SITE(at).xyz - way_m * SITE(direction).xyz) * EMITTER(turbulence).y;
    vec3 v = curl_noise(planar ? vec3(at.zy, 0.0) : at, 2u, uint(EMITTER(turbulence).z), vec4(0.0), planar);
    if (planar) v = vec3(0.0, v.y, v.x);
    v *= EMITTER(turbulence).x;
    return (EMITTER(across).xyz * v.x + EMITTER(up).xyz * v.y) / EMITTER(up).w + EMITTER(forward).xyz * v.z;
}

// Returns the velocity of a release in the space of its emitter, m/s.
vec3 release_velocity(uint emitter, uint site)
{
    vec3 sideways = EMITTER(across).xyz * SITE(direction).x + EMITTER(up).xyz * SITE(direction).y;
    return EMITTER(forward).xyz * (EMITTER(forward).w * SITE(direction).z) +
           sideways * (EMITTER(forward).w / EMITTER(up).w) + EMITTER(drift).xyz;
}

void main()
{
    uint k = invocation_index();
    if (state.flags != 0u || status.running == 0u || k >= status.emitted_count) return;
    uint base = emissions[status.first_emission].particles_before;
    uint e = status.first_emission, last = status.last_emission;
    for (uint next = e + 1u; next < last; next++)
        if (emissions[next].particles_before - base <= k) e = next;
    uint number = k - (emissions[e].particles_before - base);
    uint emitter = emissions[e].emitter, site = emissions[e].first_site + number;
    vec3 turbulence = vec3(0.0);
    if (EMITTER(turbulence).x > 0.0) turbulence = fluctuation(emitter, site, emissions[e].way_m);
    // Time since the release, s, at the start of the substep; negative before the release.
    float age = float(pass.outer) * status.dt - emissions[e].time;
    vec3 velocity = release_velocity(emitter, site) + turbulence;
    vec3 p = EMITTER(corner).xyz + EMITTER(across).xyz * SITE(at).x + EMITTER(up).xyz * SITE(at).y +
             EMITTER(forward).xyz * (EMITTER(up).w * SITE(at).z);
    if (HAS_BODIES && EMITTER(drift).w > 0.0)
        release_from_body(uint(EMITTER(drift).w) - 1u, age, p, velocity);
    else
        p += velocity * age;
    float lead = emissions[e].lead * (EMITTER(across).w > 0.0 ? SITE(at).w : 1.0);
    uint i = status.count + k;
    positions[i] = ivec4(fixed_from_metres(p), int(EMITTER(corner).w));
    velocities[i] = vec4(velocity, max(lead - age, 0.0));
    ids[i] = emissions[e].first_id + number;
    if (HAS_SOLIDS) clearances[i] = 0.0; // unknown: 0 makes the next pass query the solids
    if (APIC)
        for (uint k = 0u; k < 3u; k++) velocity_gradients[3u * i + k] = vec4(0.0);
    uint source = ATTRIBUTE_VECTORS * uint(EMITTER(turbulence).z);
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        attributes[ATTRIBUTE_VECTORS * i + k] =
            attributes_set_rest(attribute_sources[source + k], k, params.rest_positions.x, p);
}
