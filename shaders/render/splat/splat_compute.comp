// Draws splats without the rasterizer, for devices whose fragment stage is slow; one workgroup per splat.
// Depth is an integer maximum (positive floats sort like their bits), thickness is fixed-point, so the order
// does not matter.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
#include "render/splat.glsl"
READ_ANY(splats);
ATOMIC(nearest);
ATOMIC(thickness_sums);
ATOMIC(weighted_sums);
READ_IMAGE_ANY(occluder_depth);

void main()
{
    uint splat = invocation_index() / 64u;
    int lane = int(gl_LocalInvocationID.x);
    if (splat >= params.count) return;
    render_splat s = splats[splat];
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    int width = int(camera.frame.x), bottom = int(s.bounds.w), right = int(s.bounds.z);
    for (int y = int(s.bounds.y) + lane / 8; y < bottom; y += 8)
        for (int x = int(s.bounds.x) + lane % 8; x < right; x += 8) {
            view_ray ray = camera_ray(camera, vec2(x, y) + 0.5);
            float limit = camera_decode_depth(camera, texelFetch(occluder_depth, ivec2(x, y), 0).x);
            splat_hit hit = drops_intersect(s, ray, camera, limit);
            if (!hit.found) continue;
            float units = (hit.far - hit.near) * length(ray.direction) * s.rest.y * params.fixed_point;
            int p = y * width + x;
            atomicMax(nearest[p], floatBitsToUint(1.0 / hit.near));
            atomicAdd(thickness_sums[p], uint(units + 0.5));
            atomicAdd(weighted_sums[p], uint(units * s.rest.z + 0.5));
        }
}
