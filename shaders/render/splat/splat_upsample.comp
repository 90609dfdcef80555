// Upsamples images at half the resolution; one invocation per pixel. A pixel that its texel samples is exact;
// others are interpolated (Kopf et al. 2007, "Joint bilateral upsampling"). Thickness is continuous also
// across silhouettes of fluid, where it goes to that of the fluid behind, or to 0, but not across those of
// solids; that of the first layer is continuous on one surface only.
// pass.constant, bits: 2: there are solids; RENDER_UPSAMPLE_LAYERS: x, y thickness and z that of the first
// layer; otherwise all four components. RENDER_LAYER_ESTIMATED: a draft, whose first layer is estimated.
#version 460
#include "bindings/render.glsl"
#include "render/camera.glsl"
#include "render/sampled_pixel.glsl"

BLOCK(params);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(half_thickness);
READ_IMAGE_ANY(occluder_depth);
READ_IMAGE_ANY(layer_thickness);
WRITE_OWN_IMAGE(target, rgba16f);

vec4 value_at(ivec2 texel)
{
    vec4 value = texelFetch(half_thickness, texel, 0);
    if ((pass.constant & RENDER_UPSAMPLE_LAYERS) != 0u) value.z = texelFetch(layer_thickness, texel, 0).x;
    return value;
}

// Returns 1/z of the solid at a pixel; 0 without one.
float solid_at(ivec2 p)
{
    if ((pass.constant & 2u) == 0u) return 0.0;
    float stored = texelFetch(occluder_depth, p, 0).x;
    return stored > 0.0 ? 1.0 / camera_decode_depth(params.cameras[pass.constant & 1u], stored) : 0.0;
}

// Returns whether two values of 1/z are those of one surface, or both of none.
bool is_same_surface(float a, float b) { return abs(a - b) <= params.filter_range_m * a * b; }

vec4 interpolate(ivec2 p, float w)
{
    ivec2 size = imageSize(target), own = p / 2, last = (size - 1) / 2;
    bool layers = (pass.constant & RENDER_UPSAMPLE_LAYERS) != 0u;
    vec4 sum = vec4(0.0), weight = vec4(0.0);
    float solid = solid_at(p);
    for (int k = 0; k < 4; k++) {
        ivec2 sampled, texel = clamp(own + ivec2(k & 1, k >> 1) * (2 * (p & 1) - 1), ivec2(0), last);
        float a = sampled_pixel(texel, sampled);
        if (sampled == p) return value_at(texel);
        if (a <= 0.0) sampled = clamp(p, 2 * texel, min(2 * texel + 1, size - 1)); // all its pixels are empty
        vec2 near = max(1.0 - 0.5 * abs(vec2(sampled - p)), vec2(0.0));
        vec4 g = vec4(is_same_surface(solid, solid_at(sampled)) ? near.x * near.y : 0.0);
        if (layers && a > 0.0 && !is_same_surface(a, w)) g.z = 0.0;
        if (a > 0.0 && g.x > 0.0) sum += g * value_at(texel);
        weight += g;
    }
    return mix(value_at(own), sum / max(weight, vec4(1e-9)), greaterThan(weight, vec4(0.0)));
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    float w = texelFetch(fluid, p, 0).x;
    vec4 value = w > 0.0 ? interpolate(p, w) : vec4(0.0);
    if ((pass.constant & RENDER_LAYER_ESTIMATED) != 0u)
        value.z = min(value.x, RENDER_LAYER_REACH * params.spacing);
    imageStore(target, p, value);
}
