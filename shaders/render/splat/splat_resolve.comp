// Writes the sums of splat_compute.comp into the images that the later passes read, 1/z and thickness, and
// clears the sums for the next frame; one invocation per pixel.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
UPDATE_OWN(nearest);
UPDATE_OWN(thickness_sums);
UPDATE_OWN(weighted_sums);
WRITE_OWN_IMAGE(fluid, r32f);
WRITE_OWN_IMAGE(target, rgba32f);

void main()
{
    ivec2 size = imageSize(fluid), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    int i = p.y * size.x + p.x;
    imageStore(fluid, p, vec4(uintBitsToFloat(nearest[i])));
    imageStore(target, p,
               vec4(float(thickness_sums[i]), float(weighted_sums[i]), 0.0, 0.0) / params.fixed_point);
    nearest[i] = 0u;
    thickness_sums[i] = 0u;
    weighted_sums[i] = 0u;
}
