// Draws a plane of cells over everything that is not in front of it.
// Buffers: params, slice, solid_depth.
#ifndef RENDER_SLICE_GLSL
#define RENDER_SLICE_GLSL
#include "render/camera.glsl"
#include "render/colour_map.glsl"

// Returns the colour and alpha of a sample with the plane drawn over it.
vec4 slice_blend(vec4 seen, ivec2 p)
{
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    vec3 direction = camera_to_world_direction(camera, camera_ray(camera, vec2(p) + 0.5).direction);
    vec3 normal = params.slice_plane.xyz;
    float depth = (params.slice_plane.w - dot(normal, camera.eye.xyz)) / dot(normal, direction);
    if (!(depth > 0.0 && depth < camera_decode_depth(camera, texelFetch(solid_depth, p, 0).x))) return seen;
    vec3 at = camera.eye.xyz + depth * direction;
    uvec4 cells = params.slice_cells;
    vec2 place = cells.z == 0u ? at.yz : cells.z == 1u ? at.xz : at.xy;
    ivec2 cell = ivec2(floor((place - params.slice_grid.xy) * params.slice_grid.zw));
    if (any(lessThan(cell, ivec2(0))) || any(greaterThanEqual(cell, ivec2(cells.xy)))) return seen;
    float value = slice[uint(cell.y) * cells.x + uint(cell.x)];
    if (value == RENDER_SLICE_NO_VALUE) return seen;
    float span = params.range_high - params.range_low;
    return vec4(colour_map((value - params.range_low) / (span > 0.0 ? span : 1.0)), 1.0);
}
#endif
