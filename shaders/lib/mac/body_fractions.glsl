// Computes the open fractions of a block's cells and faces that bodies cover. The fraction of a face is that
// of the volume of a cell around it (Batty, Bertails and Bridson 2007, section 4): the total force of a
// linear pressure then equals that on the body's volume, and changes smoothly while the body sinks in. Each
// cell is sampled at the centres of its eight octants.
// Buffers: those of body/query.glsl and boundary/boundary.glsl.
#ifndef MAC_BODY_FRACTIONS_GLSL
#define MAC_BODY_FRACTIONS_GLSL
#include "body/query.glsl"
#include "boundary/boundary.glsl"

// samples along an axis, including one on both sides of the block
const uint COVERAGE_SAMPLES = 2u * POISSON_BLOCK_EDGE + 2u;
const uint COVERAGE_WORDS = (COVERAGE_SAMPLES + 3u) / 4u;

shared uint coverage_samples[COVERAGE_WORDS * COVERAGE_SAMPLES * COVERAGE_SAMPLES]; // 8 bits each
shared uint body_is_near;

struct open_fractions {
    vec3 low, high; // open fractions of the cell's lower and upper faces
    float share;    // open fraction of the cell
    bool closed;    // true if any of these is less than 1
};

struct nearest_body {
    float distance; // m
    uint body;
};

// Returns the nearest body to p; `reach` and BODY_NONE if none is nearer than `reach`.
nearest_body find_nearest_body(vec3 p, float reach)
{
    nearest_body found = nearest_body(reach, BODY_NONE);
    body_iterator walk = body_iterator_begin(p);
    uint body = body_iterator_next_near(walk, p, reach);
    while (body != BODY_NONE) {
        float distance = item_distance(params.solid_count + body, p, found.distance);
        if (distance < found.distance) found = nearest_body(distance, body);
        body = body_iterator_next_near(walk, p, found.distance);
    }
    return found;
}

float sample_body_coverage(uvec3 first, uvec3 sample_)
{
    vec3 cells = vec3(first) + 0.5 * (vec3(sample_) - 0.5);
    float edge = 0.5 * min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z));
    vec3 p = params.domain_min.xyz + cells * params.cell_size.xyz;
    return clamp(0.5 - find_nearest_body(p, 0.5 * edge).distance / edge, 0.0, 1.0);
}

// Samples the block whose first cell is `first`. Returns whether a body is near; uniform across the
// workgroup.
bool sample_block_coverage(uvec3 first)
{
    vec3 middle =
        params.domain_min.xyz + (vec3(first) + 0.5 * float(POISSON_BLOCK_EDGE)) * params.cell_size.xyz;
    float reach = 0.5 * float(POISSON_BLOCK_EDGE + 2u) * length(params.cell_size.xyz);
    uint bodies = boundary_body_count();
    if (gl_LocalInvocationIndex == 0u) body_is_near = 0u;
    barrier();
    for (uint body = gl_LocalInvocationIndex; body < bodies; body += POISSON_WORKGROUP)
        if (!body_is_beyond(body, middle, reach)) atomicOr(body_is_near, 1u);
    barrier();
    if (body_is_near == 0u) return false;
    const uint words = COVERAGE_WORDS * COVERAGE_SAMPLES * COVERAGE_SAMPLES;
    for (uint i = gl_LocalInvocationIndex; i < words; i += POISSON_WORKGROUP) {
        uvec3 at = uvec3(4u * (i % COVERAGE_WORDS), i / COVERAGE_WORDS % COVERAGE_SAMPLES,
                         i / (COVERAGE_WORDS * COVERAGE_SAMPLES));
        vec4 four;
        for (uint k = 0u; k < 4u; k++) four[k] = sample_body_coverage(first, at + uvec3(k, 0u, 0u));
        coverage_samples[i] = packUnorm4x8(four);
    }
    return true;
}

// Returns the open fraction of the 2 x 2 x 2 samples from `low` on.
float open_fraction_of_samples(uvec3 low)
{
    uint closed = 0u;
    for (uint k = 0u; k < 8u; k++) {
        uvec3 at = low + (uvec3(k, k >> 1, k >> 2) & 1u);
        uint word = coverage_samples[at.x / 4u + COVERAGE_WORDS * (at.y + COVERAGE_SAMPLES * at.z)];
        closed += word >> (8u * (at.x % 4u)) & 0xffu;
    }
    return 1.0 - float(closed) / (8.0 * 255.0);
}

open_fractions cell_open_fractions(uvec3 local)
{
    open_fractions own;
    own.share = open_fraction_of_samples(2u * local + 1u);
    own.closed = own.share < 1.0;
    for (uint axis = 0u; axis < 3u; axis++) {
        uvec3 low = 2u * local + 1u, high = low;
        low[axis]--;
        high[axis]++;
        own.low[axis] = open_fraction_of_samples(low);
        own.high[axis] = open_fraction_of_samples(high);
        own.closed = own.closed || own.low[axis] < 1.0 || own.high[axis] < 1.0;
    }
    return own;
}
#endif
