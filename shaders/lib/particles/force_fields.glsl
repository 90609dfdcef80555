// Sampled fields of acceleration: curl noise, and lattices of nodes with the pull towards a curve or a shape,
// or the velocities of a file (src/sim/input/force_fields.c).
// Buffers: params, force_fields, force_field_nodes.
#ifndef PARTICLES_FORCE_FIELDS_GLSL
#define PARTICLES_FORCE_FIELDS_GLSL
#include "math/curl_noise.glsl"

// What the fields do to a particle: dv/dt = acceleration + drive - rate v.
struct force_field_sum {
    vec3 acceleration; // m/s2
    vec3 drive;        // m/s2: the velocities of the fields times their rates
    float rate;        // 1/s
};

bool force_field_acts_at(sim_force_field field, vec3 p)
{
    vec3 way = p - field.low.xyz;
    if (field.low.w > 0.0) return dot(way, way) <= field.low.w * field.low.w;
    return clamp(p, field.low.xyz, field.high.xyz) == p;
}

// Returns the acceleration of noise a time t after the start of the frame, m/s2.
vec3 noise_acceleration(sim_force_field field, vec3 p, float t)
{
    vec3 at = (p - field.shift.xyz - t * field.drift.xyz) * field.shift.w;
    vec4 turns = field.turns + t * field.drift.w * CURL_NOISE_RATES;
    return field.amplitude * curl_noise(at, field.octaves, field.seed, turns, params.planar != 0u);
}

// Interpolates the nodes at p: the pull and its weight; the direction.
void sample_force_field(sim_force_field field, vec3 p, out vec4 pull, out vec3 direction)
{
    uvec3 last = field.nodes.xyz - 1u;
    vec3 at = clamp((p - field.origin.xyz) * field.nodes_per_metre.xyz, vec3(0.0), vec3(last));
    uvec3 low = min(uvec3(at), max(last, 1u) - 1u);
    vec3 f = at - vec3(low);
    pull = vec4(0.0);
    direction = vec3(0.0);
    for (uint corner = 0u; corner < 8u; corner++) {
        uvec3 upper = uvec3(corner, corner >> 1, corner >> 2) & 1u, node = min(low + upper, last);
        vec3 w = mix(1.0 - f, f, equal(upper, uvec3(1u)));
        uint index = 2u * (field.nodes.w + (node.z * field.nodes.y + node.y) * field.nodes.x + node.x);
        pull += w.x * w.y * w.z * force_field_nodes[index];
        direction += w.x * w.y * w.z * force_field_nodes[index + 1u].xyz;
    }
}

void add_sampled_field(sim_force_field field, vec3 p, inout force_field_sum sum)
{
    vec4 pull;
    vec3 direction;
    sample_force_field(field, p, pull, direction);
    // A pull towards a curve fades with the distance; one towards a shape is the same everywhere.
    float fade = field.kind == SIM_FIELD_CURVE ? pull.w : 1.0;
    vec3 velocity = field.speed * direction - field.swirl * cross(direction, pull.xyz);
    sum.acceleration += field.strength * fade * pull.xyz;
    sum.drive += field.rate * pull.w * velocity;
    sum.rate += field.rate * pull.w;
}

// Returns what the fields do at p, a time t after the start of the frame.
force_field_sum force_fields_at(vec3 p, float t)
{
    force_field_sum sum = force_field_sum(vec3(0.0), vec3(0.0), 0.0);
    uint n = force_fields.count;
    for (uint i = 0u; i < n; i++) {
        sim_force_field field = force_fields.items[i];
        if (!force_field_acts_at(field, p)) continue;
        if (field.kind == SIM_FIELD_NOISE)
            sum.acceleration += noise_acceleration(field, p, t);
        else
            add_sampled_field(field, p, sum);
    }
    return sum;
}
#endif
