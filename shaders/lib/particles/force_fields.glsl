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

// Fields are read where they are needed: a copy would cost a GPU registers.
#define FORCE_FIELD(i) force_fields.items[i]

bool force_field_acts_at(uint i, vec3 p)
{
    vec4 low = FORCE_FIELD(i).low;
    vec3 way = p - low.xyz;
    if (low.w > 0.0) return dot(way, way) <= low.w * low.w;
    return clamp(p, low.xyz, FORCE_FIELD(i).high.xyz) == p;
}

// Returns the acceleration of noise a time t after the start of the frame, m/s2.
vec3 noise_acceleration(uint i, vec3 p, float t)
{
    vec4 shift = FORCE_FIELD(i).shift, drift = FORCE_FIELD(i).drift;
    vec3 at = (p - shift.xyz - t * drift.xyz) * shift.w;
    vec4 turns = FORCE_FIELD(i).turns + t * drift.w * vec4(SIM_NOISE_RATES);
    return FORCE_FIELD(i).amplitude *
           curl_noise(at, FORCE_FIELD(i).octaves, FORCE_FIELD(i).seed, turns, params.planar != 0u);
}

// Interpolates the nodes at p: the pull and its weight; the direction.
void sample_force_field(uint i, vec3 p, out vec4 pull, out vec3 direction)
{
    uvec4 nodes = FORCE_FIELD(i).nodes;
    uvec3 last = nodes.xyz - 1u;
    vec3 at = (p - FORCE_FIELD(i).origin.xyz) * FORCE_FIELD(i).nodes_per_metre.xyz;
    at = clamp(at, vec3(0.0), vec3(last));
    uvec3 low = min(uvec3(at), max(last, 1u) - 1u);
    vec3 f = at - vec3(low);
    pull = vec4(0.0);
    direction = vec3(0.0);
    for (uint corner = 0u; corner < 8u; corner++) {
        uvec3 upper = uvec3(corner, corner >> 1, corner >> 2) & 1u, node = min(low + upper, last);
        vec3 w = mix(1.0 - f, f, equal(upper, uvec3(1u)));
        uint index = 2u * (nodes.w + (node.z * nodes.y + node.y) * nodes.x + node.x);
        pull += w.x * w.y * w.z * force_field_nodes[index];
        direction += w.x * w.y * w.z * force_field_nodes[index + 1u].xyz;
    }
}

void add_sampled_field(uint i, vec3 p, inout force_field_sum sum)
{
    vec4 pull;
    vec3 direction;
    sample_force_field(i, p, pull, direction);
    // A pull towards a curve fades with the distance; one towards a shape is the same everywhere.
    float fade = FORCE_FIELD(i).kind == SIM_FIELD_CURVE ? pull.w : 1.0, rate = FORCE_FIELD(i).rate * pull.w;
    vec3 velocity = FORCE_FIELD(i).speed * direction - FORCE_FIELD(i).swirl * cross(direction, pull.xyz);
    sum.acceleration += FORCE_FIELD(i).strength * fade * pull.xyz;
    sum.drive += rate * velocity;
    sum.rate += rate;
}

// Returns what the fields do at p, a time t after the start of the frame.
force_field_sum force_fields_at(vec3 p, float t)
{
    force_field_sum sum = force_field_sum(vec3(0.0), vec3(0.0), 0.0);
    uint n = force_fields.count;
    for (uint i = 0u; i < n; i++) {
        if (!force_field_acts_at(i, p)) continue;
        if (FORCE_FIELD(i).kind == SIM_FIELD_NOISE)
            sum.acceleration += noise_acceleration(i, p, t);
        else
            add_sampled_field(i, p, sum);
    }
    return sum;
}
#endif
