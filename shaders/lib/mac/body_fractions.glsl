// What bodies leave open of a block's cells. The share of a face is that of the volume of a cell about it
// (Batty, Bertails and Bridson 2007, section 4): the sum of the force of a pressure that grows evenly is then
// that of the body's volume, and changes evenly while the body sinks in. Each cell is sampled at the middles
// of its eighths. Needs wall.glsl and body_walk.glsl.
#ifndef MAC_BODY_FRACTIONS_GLSL
#define MAC_BODY_FRACTIONS_GLSL
#include "body/query.glsl"
#include "boundary/boundary.glsl"

const uint CUT_SAMPLES = 2u * POISSON_EDGE + 2u; // along an axis, with one on both sides of the block
const uint CUT_WORDS = (CUT_SAMPLES + 3u) / 4u;

shared uint cut_closed[CUT_WORDS * CUT_SAMPLES * CUT_SAMPLES]; // 8 bits each
shared uint cut_seen;

struct cut_cell {
    vec3 low, high; // open shares of its faces
    float share;    // and of itself
    bool closed;    // is a part of any of them?
};

struct cut_near {
    float distance; // m
    uint body;
};

// The nearest body; `reach` and BODY_NONE where none is nearer.
cut_near cut_nearest(vec3 p, float reach)
{
    cut_near found = cut_near(reach, BODY_NONE);
    body_walk walk = walk_begin(p);
    uint body = walk_next_near(walk, p, reach);
    while (body != BODY_NONE) {
        float distance = wall_item_distance(params.solid_count + body, p, found.distance);
        if (distance < found.distance) found = cut_near(distance, body);
        body = walk_next_near(walk, p, found.distance);
    }
    return found;
}

float cut_sample_at(uvec3 first, uvec3 sample_)
{
    vec3 cells = vec3(first) + 0.5 * (vec3(sample_) - 0.5);
    float edge = 0.5 * min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z));
    vec3 p = params.domain_min.xyz + cells * params.cell_size.xyz;
    return clamp(0.5 - cut_nearest(p, 0.5 * edge).distance / edge, 0.0, 1.0);
}

// Samples the block whose first cell it is; false where no body is near. Alike in the whole workgroup.
bool cut_find(uvec3 first)
{
    vec3 middle = params.domain_min.xyz + (vec3(first) + 0.5 * float(POISSON_EDGE)) * params.cell_size.xyz;
    float reach = 0.5 * float(POISSON_EDGE + 2u) * length(params.cell_size.xyz);
    uint bodies = wall_bodies();
    if (gl_LocalInvocationIndex == 0u) cut_seen = 0u;
    barrier();
    for (uint body = gl_LocalInvocationIndex; body < bodies; body += POISSON_WORKGROUP)
        if (!walk_is_far(body, middle, reach)) atomicOr(cut_seen, 1u);
    barrier();
    if (cut_seen == 0u) return false;
    const uint words = CUT_WORDS * CUT_SAMPLES * CUT_SAMPLES;
    for (uint i = gl_LocalInvocationIndex; i < words; i += POISSON_WORKGROUP) {
        uvec3 at = uvec3(4u * (i % CUT_WORDS), i / CUT_WORDS % CUT_SAMPLES, i / (CUT_WORDS * CUT_SAMPLES));
        vec4 four;
        for (uint k = 0u; k < 4u; k++) four[k] = cut_sample_at(first, at + uvec3(k, 0u, 0u));
        cut_closed[i] = packUnorm4x8(four);
    }
    return true;
}

// The open share of the eight samples from one on.
float cut_eight(uvec3 low)
{
    uint closed = 0u;
    for (uint k = 0u; k < 8u; k++) {
        uvec3 at = low + (uvec3(k, k >> 1, k >> 2) & 1u);
        uint word = cut_closed[at.x / 4u + CUT_WORDS * (at.y + CUT_SAMPLES * at.z)];
        closed += word >> (8u * (at.x % 4u)) & 0xffu;
    }
    return 1.0 - float(closed) / (8.0 * 255.0);
}

cut_cell cut_shares(uvec3 local)
{
    cut_cell own;
    own.share = cut_eight(2u * local + 1u);
    own.closed = own.share < 1.0;
    for (uint axis = 0u; axis < 3u; axis++) {
        uvec3 low = 2u * local + 1u, high = low;
        low[axis]--;
        high[axis]++;
        own.low[axis] = cut_eight(low);
        own.high[axis] = cut_eight(high);
        own.closed = own.closed || own.low[axis] < 1.0 || own.high[axis] < 1.0;
    }
    return own;
}
#endif
