// Composites whitewater and the spray of lone particles over the shaded picture: first what is behind the
// fluid's surface, tinted by the fluid in between, then foam on the surface, then spray in front of it. One
// invocation per pixel. Alpha is 1 where something covers the pixel.
#version 460
#include "bindings/render.glsl"
#include "render/sky.glsl"
#include "render/surface.glsl"

READ_IMAGE_ANY(colour);
READ_IMAGE_ANY(whitewater_layers);
READ_IMAGE_ANY(foam);
READ_IMAGE_ANY(spray);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(solid_depth);
READ_IMAGE_ANY(thickness);
WRITE_OWN_IMAGE(target, rgba16f);

// Less than the albedo of thick foam, 0.9, because foam shadows itself.
const vec3 ALBEDO = vec3(0.76, 0.78, 0.80);
// Optical depth below which the foam in front thins out: dense foam stays, single specks vanish.
const float FILM_DEPTH = 0.35;
// Optical depths of the film between which it gradually replaces the specks.
const float SPECKS_END = 0.3, FILM_BEGINS = 1.5;
// Thickness of the film per optical depth, spacings: the relief of dense foam.
const float FILM_THICKNESS = 1.0;

float inverse_depth_at(ivec2 p)
{
    bool outside = any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, textureSize(fluid, 0)));
    return outside ? 0.0 : texelFetch(fluid, p, 0).x;
}

// Returns the optical depth of the film at a pixel.
float film_at(vec2 pixel) { return sky_bilinear(foam, 0.5 * pixel).x; }

// Returns the fluid's normal in world space, from slopes two pixels wide, with the relief of the film.
vec3 normal_at(ivec2 p, float w, render_camera camera)
{
    ivec2 x = ivec2(2, 0), y = ivec2(0, 2);
    vec2 slope = 0.5 * vec2(surface_slope(0.0, inverse_depth_at(p - x), w, inverse_depth_at(p + x), 0.0,
                                          params.filter_range_m),
                            surface_slope(0.0, inverse_depth_at(p - y), w, inverse_depth_at(p + y), 0.0,
                                          params.filter_range_m));
    vec2 ray = camera_ray(camera, vec2(p) + 0.5).direction.xy;
    vec2 pixel = 2.0 * vec2(camera.right.w, camera.up.w) * camera.frame.zw;
    vec3 n = surface_normal(slope, ray, w, pixel);
    vec2 at = vec2(p) + 0.5, metres = pixel / (PARALLEL_RAYS ? 1.0 : w);
    vec2 relief = vec2(film_at(at - vec2(2.0, 0.0)) - film_at(at + vec2(2.0, 0.0)),
                       film_at(at + vec2(0.0, 2.0)) - film_at(at - vec2(0.0, 2.0)));
    n.xy += FILM_THICKNESS * params.spacing * relief / (4.0 * metres);
    return camera_to_world_direction(camera, normalize(n));
}

// Returns the light on drops in the air, which scatter it in all directions.
vec3 light_on_spray() { return ALBEDO * (sky_ambient(vec3(0.0, 1.0, 0.0)) + 0.3 * params.sun_colour.xyz); }

// Returns the light on foam, which faces no single direction: shaded with a normal between the fluid's and
// the bisector of the vertical and the sun's direction.
vec3 light_on_foam(ivec2 p)
{
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    float w = texelFetch(fluid, p, 0).x;
    float z = w > 0.0 ? 1.0 / w : camera_decode_depth(camera, texelFetch(solid_depth, p, 0).x);
    vec3 up = vec3(0.0, 1.0, 0.0), n = normalize(up + params.sun_direction.xyz);
    if (z >= RENDER_FAR) return light_on_spray();
    vec2 t = texelFetch(thickness, p, 0).xy;
    float whole = smoothstep(0.1, 0.35, t.y / max(t.x, 1e-12)); // 0 on drops, whose normals are noise
    if (w > 0.0) n = normalize(n + 0.7 * whole * normal_at(p, w, camera));
    view_ray ray = camera_ray(camera, vec2(p) + 0.5);
    return sky_shade_diffuse(ALBEDO, n, camera_view_to_world(camera, ray.origin + ray.direction * z));
}

// Returns the optical depth of foam: of specks where it is sparse, and of the film where it is dense.
float foam_depth(float specks, float film)
{
    float depth = mix(specks, film, smoothstep(SPECKS_END, FILM_BEGINS, film));
    return depth * depth / (depth + FILM_DEPTH);
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    vec4 c = texelFetch(colour, p, 0), layers = vec4(0.0), drops = vec4(0.0);
    float film = 0.0;
    if (DRAW_WHITEWATER) {
        layers = texelFetch(whitewater_layers, p, 0);
        film = film_at(vec2(p) + 0.5);
    }
    if (DRAW_SPRAY) drops = texelFetch(spray, p, 0);
    if (layers.x + layers.y + film > 0.0) {
        vec3 light = light_on_foam(p);
        vec3 passed = exp(-layers.z / max(layers.y, 1e-6) * params.fluids[0].absorption.xyz);
        c.rgb = mix(c.rgb, 0.8 * light * passed, 1.0 - exp(-layers.y));
        c = mix(c, vec4(light, 1.0), 1.0 - exp(-foam_depth(layers.x, film)));
    }
    drops += layers.w;
    if (drops.a > 0.0) c = mix(c, vec4(light_on_spray() * drops.rgb / drops.a, 1.0), 1.0 - exp(-drops.a));
    imageStore(target, p, c);
}
