// Shows an intermediate image (params.show) in display colours; one invocation per pixel.
#version 460
#include "bindings/render.glsl"
#include "render/camera.glsl"
#include "render/surface.glsl"

BLOCK(params);
#include "render/colour_map.glsl"
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(thickness);
READ_IMAGE_ANY(background);
READ_IMAGE_ANY(sun_thickness);
WRITE_OWN_IMAGE(target, rgba16f);

float inverse_depth_at(ivec2 p)
{
    bool outside = any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, textureSize(fluid, 0)));
    return outside ? 0.0 : texelFetch(fluid, p, 0).x;
}

float shadow_at(ivec2 p, ivec2 size)
{
    return texelFetch(sun_thickness, p * textureSize(sun_thickness, 0) / size, 0).x;
}

vec3 normal_colour(ivec2 p, float w)
{
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    float range = params.filter_range_m;
    ivec2 x = ivec2(1, 0), y = ivec2(0, 1);
    vec2 slope = vec2(surface_slope(inverse_depth_at(p - 2 * x), inverse_depth_at(p - x), w,
                                    inverse_depth_at(p + x), inverse_depth_at(p + 2 * x), range),
                      surface_slope(inverse_depth_at(p - 2 * y), inverse_depth_at(p - y), w,
                                    inverse_depth_at(p + y), inverse_depth_at(p + 2 * y), range));
    vec2 ray = camera_ray(camera, vec2(p) + 0.5).direction.xy;
    vec3 n = surface_normal(slope, ray, w, 2.0 * vec2(camera.right.w, camera.up.w) * camera.frame.zw);
    return srgb_decode(0.5 + 0.5 * vec3(n.xy, -n.z));
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    float w = inverse_depth_at(p), width = params.range_high - params.range_low;
    vec3 c = vec3(0.0);
    if (params.show == RENDER_SHOW_BACKGROUND)
        c = min(texelFetch(background, p, 0).xyz, vec3(1.0));
    else if (params.show == RENDER_SHOW_SHADOW)
        c = colour_map(shadow_at(p, size) / params.range_high);
    else if (params.show == RENDER_SHOW_THICKNESS)
        c = colour_map(texelFetch(thickness, p, 0).x / params.range_high);
    else if (w > 0.0)
        c = params.show == RENDER_SHOW_NORMALS
                ? normal_colour(p, w)
                : colour_map(1.0 - (1.0 / w - params.range_low) / width);
    imageStore(target, p, vec4(c, 1.0));
}
