// Whitewater over the shaded picture: a layer before the fluid's surface, and one behind it, which the fluid
// between tints. Alpha is 1 where something is.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "pixels.glsl"
#include "sky_in.glsl"

SAMPLED(colour);
SAMPLED(whitewater_layers);
SAMPLED(fluid);
SAMPLED(solid_depth);
OWN_WRITE_IMAGE(target, rgba16f);

const vec3 ALBEDO = vec3(0.88, 0.9, 0.92);

// Foam has no one side: it takes the sky's light from above, and the sun's on a slope that faces halfway.
vec3 light_at(ivec2 p)
{
    render_camera camera = params.cameras[RENDER_EYE];
    float w = texelFetch(fluid, p, 0).x;
    float z = w > 0.0 ? 1.0 / w : camera_depth(camera, texelFetch(solid_depth, p, 0).x);
    vec3 up = vec3(0.0, 1.0, 0.0), n = normalize(up + params.sun_direction.xyz);
    if (z >= RENDER_FAR) return ALBEDO * (sky_ambient(up) + 0.3 * params.sun_colour.xyz);
    view_ray ray = camera_ray(camera, vec2(p) + 0.5);
    return sky_lit(ALBEDO, n, camera_world(camera, ray.origin + ray.direction * z));
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_of(row_index(), size);
    if (pixel_outside(p, size)) return;
    vec4 c = texelFetch(colour, p, 0), layers = texelFetch(whitewater_layers, p, 0);
    if (layers.x + layers.y > 0.0) {
        vec3 light = light_at(p);
        vec3 passed = exp(-layers.z / max(layers.y, 1e-6) * params.fluids[0].absorption.xyz);
        c.rgb = mix(c.rgb, 0.8 * light * passed, 1.0 - exp(-layers.y));
        c = mix(c, vec4(light, 1.0), 1.0 - exp(-layers.x));
    }
    imageStore(target, p, c);
}
