// Shades the picture: the reflection of the fluid's surface, and the scene through it - refracted, absorbed
// over the metres of fluid (Beer's law), with some light scattered inside. One invocation per pixel. Alpha is
// 1 where there is fluid or a solid.
#version 460
#include "bindings/render.glsl"
#include "render/glass.glsl"

READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(thickness);
READ_IMAGE_ANY(layer_thickness);
#include "render/layer_thickness.glsl"
READ_IMAGE_ANY(optical_depth);
READ_IMAGE_ANY(surface_normals);
READ_IMAGE_ANY(solid_depth);
READ_IMAGE_ANY(background);
WRITE_OWN_IMAGE(target, rgba16f);

float inverse_depth_at(ivec2 p, ivec2 size)
{
    bool outside = any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size));
    return outside ? 0.0 : texelFetch(fluid, p, 0).x;
}

vec3 normal_at(ivec2 p, ivec2 size, render_camera camera, vec2 ray, float w)
{
    if (FROM_MESH) {
        vec3 n = camera_to_view(camera, texelFetch(surface_normals, p, 0).xyz);
        return normalize(dot(n, vec3(ray, 1.0)) > 0.0 ? -n : n);
    }
    ivec2 x = ivec2(1, 0), y = ivec2(0, 1);
    float range = params.filter_range_m;
    vec2 slope = vec2(surface_slope(inverse_depth_at(p - 2 * x, size), inverse_depth_at(p - x, size), w,
                                    inverse_depth_at(p + x, size), inverse_depth_at(p + 2 * x, size), range),
                      surface_slope(inverse_depth_at(p - 2 * y, size), inverse_depth_at(p - y, size), w,
                                    inverse_depth_at(p + y, size), inverse_depth_at(p + 2 * y, size), range));
    return surface_normal(slope, ray, w, 2.0 * vec2(camera.right.w, camera.up.w) * camera.frame.zw);
}

struct light_behind {
    vec3 light;
    vec4 optical; // optical depth: red, green, blue, scattering
};

vec4 optical_depth_at(ivec2 p, float metres)
{
    return MULTI_FLUID ? texelFetch(optical_depth, p, 0) : metres * params.fluids[0].absorption;
}

// Returns a point in the world, lifted above the floor: splats reach slightly below it, and a ray that starts
// there would miss it.
vec3 lift_above_floor(render_camera camera, vec3 view)
{
    vec3 p = camera_view_to_world(camera, view);
    float height = params.floor_light.w;
    if (params.floor_dark.w > 0.0 && camera.eye.y > height) p.y = max(p.y, height + 1e-3 * params.spacing);
    return p;
}

// Returns 1/z of the fluid's far side: the near side plus the metres of fluid.
float far_inverse_depth(ivec2 p, ivec2 size, render_camera camera)
{
    float w = inverse_depth_at(p, size);
    if (w <= 0.0) return 0.0;
    float metres_per_depth = length(camera_ray(camera, vec2(p) + 0.5).direction);
    return 1.0 / (1.0 / w + texelFetch(thickness, p, 0).x / metres_per_depth);
}

// Returns the slope of the far side along one axis (x), and how many of its two taps hit fluid (y).
vec2 far_slope(ivec2 p, ivec2 step, float w, ivec2 size, render_camera camera)
{
    float a = far_inverse_depth(p - step, size, camera), b = far_inverse_depth(p + step, size, camera);
    float sum = (b > 0.0 ? b - w : 0.0) + (a > 0.0 ? w - a : 0.0), taps = float(a > 0.0) + float(b > 0.0);
    return vec2(sum / (float(step.x + step.y) * max(taps, 1.0)), taps);
}

// Returns the normal of the far side, out of the fluid (Wyman 2005), from slopes as wide as the filter,
// because the thickness is no smoother. At a rim, where few taps hit fluid, and before a gap with more fluid
// behind it (`single` below 1), it returns the ray's own direction, so that the ray goes straight on.
vec3 far_normal(ivec2 p, ivec2 size, render_camera camera, vec3 inside, float single)
{
    float w = far_inverse_depth(p, size, camera), scale = 0.5 * camera.frame.y / camera.up.w;
    int step = clamp(int(params.filter_sigma_m * (PARALLEL_RAYS ? 1.0 : w) * scale), 1, 24);
    vec2 x = far_slope(p, ivec2(step, 0), w, size, camera), y = far_slope(p, ivec2(0, step), w, size, camera);
    vec2 ray = camera_ray(camera, vec2(p) + 0.5).direction.xy;
    vec2 pixel = 2.0 * vec2(camera.right.w, camera.up.w) * camera.frame.zw;
    vec3 n = -surface_normal(vec2(x.x, y.x), ray, w, pixel);
    float known = 0.25 * (x.y + y.y) * single;
    return normalize(mix(inside, n, known * known));
}

// Returns the light of sky and floor through the fluid, as the weighted light of three rays. The fluid ends
// at the floor where the straight ray reaches the floor, even if the refracted ray, of the same length, does
// not; between one and three spacings above it the floor fades to what is behind the far side.
//
// At the far side a part of the ray is refracted and goes on, and the rest is mirrored, all of it beyond the
// critical angle: downwards it hits the floor; upwards it hits the top, whose Snell's window shows the whole
// sky, and the floor around the window. No image stores where the fluid ends on this path, so the window's
// rim is soft. A body of fluid is a lens that shrinks the scene behind it, by about its distance over its
// depth.
vec3 environment_through_fluid(ivec2 p, ivec2 size, render_camera camera, vec3 point, vec3 inside,
                               float metres, float single)
{
    vec3 along = PARALLEL_RAYS ? vec3(0.0, 0.0, 1.0) : normalize(point), end = point + inside * metres;
    float lowest = min(camera_view_to_world(camera, point + metres * along).y,
                       camera_view_to_world(camera, end).y);
    float above = (lowest - params.floor_light.w) / params.spacing;
    bool ground = params.floor_dark.w > 0.0 && camera.eye.y > params.floor_light.w;
    float pixel = 2.0 * camera.up.w * camera.frame.w, lens = 1.0;
    vec3 weight = vec3(0.0, 0.0, ground ? 1.0 - smoothstep(1.0, 3.0, above) : 0.0), light = vec3(0.0);
    vec3 straight = camera_to_world_direction(camera, inside), n = straight;
    weight.x = 1.0 - weight.z;
    if (weight.x > 0.0 && inverse_depth_at(p, size) > 0.0) {
        n = camera_to_world_direction(camera, far_normal(p, size, camera, inside, single));
        float kept = surface_fresnel(max(dot(straight, n), 1e-3), 1.0 / params.refraction) * weight.x;
        float up = smoothstep(0.3, 1.0, reflect(straight, n).y);
        light = kept * up * sky_ambient(vec3(0.0, 1.0, 0.0));
        weight.xy = vec2(weight.x - kept, kept - kept * up);
        lens = clamp(5.0 * point.z / max(metres, 1e-6), 2.0, 120.0);
    }
    for (int i = 0; i < 3; i++) { // a loop, because three copies are twice the code
        float share = i == 0 ? weight.x : i == 1 ? weight.y : weight.z;
        if (share < 0.01) continue;
        vec3 ray = i == 0 ? refract(straight, -n, params.refraction) : straight;
        if (i == 1) ray = reflect(straight, n);
        // A mirrored ray along the floor would show the dark horizon as a line.
        if (i > 0) ray.y = i == 1 ? min(-abs(ray.y), -0.25) : min(ray.y, -0.05);
        float wide = i == 0 ? lens : i == 1 ? 4.0 * lens : 1.0;
        light += share * sky_surroundings(lift_above_floor(camera, i == 2 ? point : end), ray, wide * pixel);
    }
    return light;
}

// Returns the light of the scene through the fluid. The refracted ray goes through the first layer only: the
// thickness counts all layers and no gaps, so with several layers the end point would be wrong. The
// background image shows the solid where the ray leaves; a point outside the image takes the pixel at its
// rim. If that pixel shows something in front of the fluid, the pixel straight behind is used. Without a
// solid the ray goes on. All layers absorb.
light_behind light_through_fluid(ivec2 p, ivec2 size, render_camera camera, vec3 point, vec3 inside,
                                 float metres)
{
    float first = first_layer_depth(p, params.spacing);
    vec3 leave = point + inside * first;
    vec2 straight = vec2(p) + 0.5, exit = camera_project(camera, leave);
    exit = leave.z > camera.eye.w ? clamp(exit, vec2(0.5), vec2(size) - 0.5) : straight;
    float behind = camera_decode_depth(camera, texelFetch(solid_depth, ivec2(exit), 0).x);
    if (behind <= point.z) exit = straight;
    float there = texelFetch(thickness, ivec2(exit), 0).x;
    vec4 solid = SOLID_SHADOWS ? sky_bilinear(background, exit) : vec4(0.0);
    vec3 light = environment_through_fluid(ivec2(exit), size, camera, point, inside, metres, first / metres);
    light_behind seen = light_behind(mix(light, solid.xyz, solid.a), optical_depth_at(p, metres));
    if (there > metres) seen.optical = optical_depth_at(ivec2(exit), there);
    return seen;
}

// Returns the fluid's own colour: white light after half of its brightest part is absorbed.
vec3 transmission_tint(vec4 optical)
{
    float least = min(optical.x, min(optical.y, optical.z));
    return exp(-(optical.xyz - least) / max(0.35 * (optical.x + optical.y + optical.z), 1e-6));
}

// Returns the light that leaves the fluid at a pixel, without reflections: the light from behind, and
// scattered light.
vec3 transmitted_light(light_behind seen)
{
    vec3 passed = exp(-seen.optical.xyz);
    float scattered = 1.0 - exp(-seen.optical.w);
    vec3 down = sky_ambient(vec3(0.0, 1.0, 0.0)) + 0.25 * params.sun_colour.xyz;
    vec3 glow = 0.35 * scattered * sqrt(passed) * transmission_tint(seen.optical) * down;
    return (1.0 - scattered) * passed * seen.light + glow;
}

// Returns the reflected light: that of the surroundings, unless the ray soon passes behind more fluid, as at
// the rim of a drop in front of a wave.
vec3 reflected_light(ivec2 size, render_camera camera, vec3 point, vec3 direction)
{
    for (float reach = 2.0; reach < 20.0 && direction.z > 0.0; reach *= 3.0) {
        vec3 p = point + direction * (reach * params.spacing);
        ivec2 q = ivec2(floor(camera_project(camera, p)));
        float w = inverse_depth_at(q, size);
        if (w * p.z > 1.0 && w * point.z < 1.0) {
            float metres = texelFetch(thickness, q, 0).x;
            return transmitted_light(
                light_behind(texelFetch(background, q, 0).xyz, optical_depth_at(q, metres)));
        }
    }
    float pixel = 8.0 * camera.up.w * camera.frame.w;
    return sky_surroundings(lift_above_floor(camera, point), camera_to_world_direction(camera, direction),
                          pixel);
}

// Returns the colour of spray: most of its drops are too small to look through, and scatter light forwards.
// `seen` is the colour of a large drop.
vec3 shade_spray(ivec2 p, vec3 up, float metres, vec3 seen)
{
    vec3 glow = sky_ambient(up) + 0.3 * params.sun_colour.xyz;
    float large = smoothstep(0.1, 0.7, metres / params.spacing);
    return mix(mix(texelFetch(background, p, 0).xyz, seen, large), glow, 0.35 - 0.2 * large);
}

vec3 fluid_colour(ivec2 p, ivec2 size, float w)
{
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    view_ray ray = camera_ray(camera, vec2(p) + 0.5);
    vec3 direction = ray.direction, view = normalize(direction);
    vec3 point = PARALLEL_RAYS ? vec3(ray.origin.xy, 1.0 / w) : direction / w;
    vec3 n = normal_at(p, size, camera, direction.xy, w);
    if (DRAW_TANK)
        n = camera_to_view(
            camera,
            glass_contact_normal(camera.eye.xyz, camera_to_world_direction(camera, direction),
                                 camera_view_to_world(camera, point), camera_to_world_direction(camera, n)));
    vec2 t = texelFetch(thickness, p, 0).xy;
    float metres = t.x, cosine = clamp(-dot(n, view), 0.0, 1.0);
    float reflected = surface_fresnel(cosine, params.refraction);
    vec3 inside = refract(view, n, 1.0 / params.refraction);
    vec3 seen = transmitted_light(light_through_fluid(p, size, camera, point, inside, metres));
    vec3 drops = shade_spray(p, camera_to_world_direction(camera, n), metres, seen);
    float whole = smoothstep(0.1, 0.35, t.y / max(t.x, 1e-12));
    seen = mix(drops, seen, whole);
    reflected *= mix(0.25, 1.0, whole); // drops are too small to mirror the lamps in one piece
    vec3 light = mix(seen, reflected_light(size, camera, point, reflect(view, n)), reflected);
    return mix(texelFetch(background, p, 0).xyz, light, mix(0.7, 1.0, whole)); // drops fill a part of a splat
}

// Blends the near pane over a pixel. Splats at a pane reach through it by less than a spacing.
vec3 blend_near_pane(ivec2 p, float w, vec3 light)
{
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    vec3 direction = camera_to_world_direction(camera, camera_ray(camera, vec2(p) + 0.5).direction);
    float depth = camera_decode_depth(camera, texelFetch(solid_depth, p, 0).x), t;
    if (w > 0.0)
        depth = 1.0 / w + params.spacing;
    else if (sky_intersect_floor(camera.eye.xyz, direction, t))
        depth = min(depth, t);
    return glass_near_pane(camera.eye.xyz, direction, depth, 2.0 * camera.up.w * camera.frame.w, light);
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    float w = texelFetch(fluid, p, 0).x;
    vec4 c = texelFetch(background, p, 0);
    if (w > 0.0) c = vec4(fluid_colour(p, size, w), 1.0);
    if (DRAW_TANK) c.rgb = blend_near_pane(p, w, c.rgb);
    imageStore(target, p, c);
}
