// Renders the background of the fluid: lit solids, the floor and the sky, with the tank's far pane over them;
// one invocation per pixel. Alpha is 1 on a solid.
#version 460
#include "bindings/render.glsl"
#include "render/glass.glsl"

READ_IMAGE_ANY(solid_depth);
READ_IMAGE_ANY(solid_normal);
READ_IMAGE_ANY(solid_colour);
WRITE_OWN_IMAGE(target, rgba16f);

vec4 solid_at(ivec2 p, render_camera camera, vec3 direction, float depth)
{
    vec3 n = texelFetch(solid_normal, p, 0).xyz, world = camera.eye.xyz + depth * direction;
    n = normalize(dot(n, direction) > 0.0 ? -n : n);
    vec3 albedo = texelFetch(solid_colour, p, 0).xyz, sun = params.sun_direction.xyz;
    float shine = pow(max(dot(n, normalize(sun - normalize(direction))), 0.0), 40.0);
    vec3 glint = vec3(0.0);
    if (shine > 1e-3)
        glint = 0.05 * shine * sky_sunlight(world + 1e-3 * params.spacing * n, n, sky_fluid_above(world));
    return vec4(sky_shade_diffuse(albedo, n, world) + glint, 1.0);
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    vec3 direction = camera_to_world_direction(camera, camera_ray(camera, vec2(p) + 0.5).direction);
    float depth = camera_decode_depth(camera, texelFetch(solid_depth, p, 0).x), t;
    float pixel = 2.0 * camera.up.w * camera.frame.w;
    bool floor_first = sky_intersect_floor(camera.eye.xyz, direction, t) && t < depth;
    vec4 c = DRAW_SOLIDS && depth < RENDER_FAR && !floor_first
                 ? solid_at(p, camera, direction, depth)
                 : vec4(sky_background(camera.eye.xyz, normalize(direction), pixel), 0.0);
    if (DRAW_TANK) c.rgb = glass_far_pane(camera.eye.xyz, direction, floor_first ? t : depth, pixel, c.rgb);
    imageStore(target, p, c);
}
