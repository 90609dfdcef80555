// Composites whitewater over the shaded picture: one layer in front of the fluid's surface, and one behind
// it, tinted by the fluid in between. One invocation per pixel. Alpha is 1 where there is something to see.
#version 460
#include "bindings/render.glsl"
#include "render/sky.glsl"
#include "render/surface.glsl"

READ_IMAGE_ANY(colour);
READ_IMAGE_ANY(whitewater_layers);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(solid_depth);
WRITE_OWN_IMAGE(target, rgba16f);

// Less than the albedo of thick foam, 0.9, because foam shadows itself.
const vec3 ALBEDO = vec3(0.76, 0.78, 0.80);
// Optical depth below which the layer in front thins out: dense foam stays, single specks vanish.
const float FILM_DEPTH = 0.35;

float inverse_depth_at(ivec2 p)
{
    bool outside = any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, textureSize(fluid, 0)));
    return outside ? 0.0 : texelFetch(fluid, p, 0).x;
}

// Returns the fluid's normal in world space, from slopes two pixels wide.
vec3 normal_at(ivec2 p, float w, render_camera camera)
{
    ivec2 x = ivec2(2, 0), y = ivec2(0, 2);
    vec2 slope = 0.5 * vec2(surface_slope(0.0, inverse_depth_at(p - x), w, inverse_depth_at(p + x), 0.0,
                                          params.filter_range_m),
                            surface_slope(0.0, inverse_depth_at(p - y), w, inverse_depth_at(p + y), 0.0,
                                          params.filter_range_m));
    vec2 ray = camera_ray(camera, vec2(p) + 0.5).direction.xy;
    vec2 pixel = 2.0 * vec2(camera.right.w, camera.up.w) * camera.frame.zw;
    return camera_to_world_direction(camera, surface_normal(slope, ray, w, pixel));
}

// Returns the light on foam, which has no single side: the sky's light from above, and the sun's on a slope
// between halfway to the sun and the fluid's own.
vec3 light_at(ivec2 p)
{
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    float w = texelFetch(fluid, p, 0).x;
    float z = w > 0.0 ? 1.0 / w : camera_decode_depth(camera, texelFetch(solid_depth, p, 0).x);
    vec3 up = vec3(0.0, 1.0, 0.0), n = normalize(up + params.sun_direction.xyz);
    if (z >= RENDER_FAR) return ALBEDO * (sky_ambient(up) + 0.3 * params.sun_colour.xyz);
    if (w > 0.0) n = normalize(n + 0.6 * normal_at(p, w, camera));
    view_ray ray = camera_ray(camera, vec2(p) + 0.5);
    return sky_shade_diffuse(ALBEDO, n, camera_view_to_world(camera, ray.origin + ray.direction * z));
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    vec4 c = texelFetch(colour, p, 0), layers = texelFetch(whitewater_layers, p, 0);
    layers.x *= layers.x / (layers.x + FILM_DEPTH);
    if (layers.x + layers.y > 0.0) {
        vec3 light = light_at(p);
        vec3 passed = exp(-layers.z / max(layers.y, 1e-6) * params.fluids[0].absorption.xyz);
        c.rgb = mix(c.rgb, 0.8 * light * passed, 1.0 - exp(-layers.y));
        c = mix(c, vec4(light, 1.0), 1.0 - exp(-layers.x));
    }
    imageStore(target, p, c);
}
