// Samples the fluid at each given point: the kernel sums over the particles nearby with W = f (1 - r2/h2)^3
// (Mueller and others 2003), and the height of the fluid's surface above the point in its column. One
// invocation per point.
#version 460
#include "bindings/probe.glsl"

BLOCK(grid);
BLOCK(params);
READ_TEXELS(sorted_points);
READ_TEXELS(sorted_attributes);
READ_ANY(segments);
READ_ANY(bin_starts);
READ_OWN(sample_points);
WRITE_OWN(samples);

float weight;
vec4 attribute_sums; // weight times velocity (xyz) and density (w)
bool sums_attributes;

void add_particle(uint j, float distance2)
{
    float w = 1.0 - distance2 * params.inverse_h2;
    w *= w * w;
    weight += w;
    if (sums_attributes) attribute_sums += w * TEXEL(sorted_attributes, j);
}
#define VISIT_NEIGHBOUR(j, offset, distance2) add_particle(j, distance2)
#include "neighbours/neighbour_query.glsl"

// Returns the fraction of the space around a point that fluid fills.
float fluid_fraction_at(vec3 p)
{
    weight = 0.0;
    if (params.planar != 0u) p.z = params.plane;
    if (params.point_count != 0u) neighbour_query(p);
    return params.scale * weight;
}

// Returns the height of the surface above p, m: walks down the column from the domain's top to the first
// fluid.
float surface_height_above(vec3 p)
{
    vec3 up = params.up.xyz, inset = params.inset.xyz;
    float start = dot(up, p);
    p = clamp(p, params.domain_min.xyz + inset, params.domain_max.xyz - inset);
    vec3 to_min = (params.domain_min.xyz - p) * up, to_max = (params.domain_max.xyz - p) * up;
    vec3 farthest = max(to_min, to_max), nearest = min(to_min, to_max);
    float top = farthest.x + farthest.y + farthest.z, bottom = nearest.x + nearest.y + nearest.z;
    float above = 0.0, height = top;
    uint steps = min(uint(ceil((top - bottom) / params.step)) + 1u, PROBE_MAX_STEPS);
    for (uint k = 0u; k < steps; k++, height -= params.step) {
        float fill = fluid_fraction_at(p + height * up);
        if (fill >= PROBE_SURFACE_FRACTION)
            return min(height + params.step * (fill - PROBE_SURFACE_FRACTION) / max(fill - above, 1e-6),
                       top) +
                   dot(up, p) - start;
        above = fill;
    }
    return PROBE_NO_SURFACE;
}

void main()
{
    uint i = invocation_index();
    if (i >= params.sample_count) return;
    vec3 p = sample_points[i].xyz;
    sums_attributes = true;
    attribute_sums = vec4(0.0);
    float fill = fluid_fraction_at(p);
    vec4 flow = attribute_sums / max(weight, 1e-30);
    sums_attributes = false;
    samples[i] = probe_sample(vec4(flow.xyz, 0.0), fill, flow.w, surface_height_above(p), 0.0);
}
