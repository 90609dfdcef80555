// One invocation for each question: the fluid at a place, by sums over the particles near it with the kernel
// W = f (1 - r2/h2)^3 (Mueller and others 2003), and how far above it the fluid of its column ends.
#version 460
#include "bindings/probe.glsl"

BLOCK(grid);
BLOCK(params);
READ_TEXELS(sorted_points);
READ_TEXELS(sorted_flows);
READ_ANY(segments);
READ_ANY(cell_starts);
READ_OWN(questions);
WRITE_OWN(answers);

float weight;
vec4 flows; // weight times velocity and density
bool counts_flows;

void add_particle(uint j, float distance2)
{
    float w = 1.0 - distance2 * params.inverse_h2;
    w *= w * w;
    weight += w;
    if (counts_flows) flows += w * TEXEL(sorted_flows, j);
}
#define AROUND_PARTICLE(j, offset, distance2) add_particle(j, distance2)
#include "neighbours/neighbour_query.glsl"

// The share of the space around a place that fluid fills.
float fill_at(vec3 p)
{
    weight = 0.0;
    if (params.planar != 0u) p.z = params.plane;
    if (params.point_count != 0u) around_add(p);
    return params.scale * weight;
}

// Down the column from the domain's top to the first fluid.
float surface_above(vec3 p)
{
    vec3 up = params.up.xyz, inset = params.inset.xyz;
    float start = dot(up, p);
    p = clamp(p, params.domain_min.xyz + inset, params.domain_max.xyz - inset);
    vec3 to_min = (params.domain_min.xyz - p) * up, to_max = (params.domain_max.xyz - p) * up;
    vec3 farthest = max(to_min, to_max), nearest = min(to_min, to_max);
    float top = farthest.x + farthest.y + farthest.z, bottom = nearest.x + nearest.y + nearest.z;
    float above = 0.0, height = top;
    uint steps = min(uint(ceil((top - bottom) / params.step)) + 1u, PROBE_STEPS_MOST);
    for (uint k = 0u; k < steps; k++, height -= params.step) {
        float fill = fill_at(p + height * up);
        if (fill >= PROBE_SURFACE_FILL)
            return min(height + params.step * (fill - PROBE_SURFACE_FILL) / max(fill - above, 1e-6), top) +
                   dot(up, p) - start;
        above = fill;
    }
    return PROBE_NO_SURFACE;
}

void main()
{
    uint i = row_index();
    if (i >= params.question_count) return;
    vec3 p = questions[i].xyz;
    counts_flows = true;
    flows = vec4(0.0);
    float fill = fill_at(p);
    vec4 flow = flows / max(weight, 1e-30);
    counts_flows = false;
    answers[i] = probe_answer(vec4(flow.xyz, 0.0), fill, flow.w, surface_above(p), 0.0);
}
