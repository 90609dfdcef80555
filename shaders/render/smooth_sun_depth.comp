// Smooths the depth of the fluid's surface from the sun, to remove the bumps of single particles: one line of
// a Gaussian filter, along x or y (pass.constant bit 0); one invocation per texel. The first pass, along x,
// reads the splats' 1/z at every fourth texel.
#version 460
#include "bindings/render.glsl"
#include "render/camera.glsl"

BLOCK(params);
READ_IMAGE_ANY(sun_fluid_depth);
READ_IMAGE_ANY(smoothed_sun_depth);
WRITE_OWN_IMAGE(target, r32f);

const int MAX_RADIUS = 24; // texels

float sun_depth_at(ivec2 p, ivec2 size, bool first)
{
    if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size))) return 0.0;
    if (!first) return texelFetch(smoothed_sun_depth, p, 0).x;
    float w = texelFetch(sun_fluid_depth, RENDER_CAUSTICS_SCALE * p, 0).x;
    return w > 0.0 ? 1.0 / w : 0.0;
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    render_camera sun = params.cameras[RENDER_CAMERA_SUN];
    bool along_x = (pass.constant & 1u) == 0u;
    ivec2 along = along_x ? ivec2(1, 0) : ivec2(0, 1);
    float texel = along_x ? 2.0 * sun.right.w / float(size.x) : 2.0 * sun.up.w / float(size.y);
    float sigma = 1.5 * params.spacing / texel, middle = sun_depth_at(p, size, along_x), sum = 0.0,
          weight = 0.0;
    int reach = min(int(ceil(2.5 * sigma)), MAX_RADIUS);
    for (int i = -reach; i <= reach && middle > 0.0; i++) {
        float z = sun_depth_at(p + i * along, size, along_x);
        float g = exp(-0.5 * float(i * i) / max(sigma * sigma, 1e-6));
        if (z <= 0.0 || abs(z - middle) > 4.0 * params.spacing) continue;
        sum += g * z;
        weight += g;
    }
    imageStore(target, p, vec4(weight > 0.0 ? sum / weight : 0.0));
}
