// Writes the sums of the compute splatter into the images that the later passes read, 1/z and thickness, and
// clears the sums for the next frame.
#version 460
#include "bindings/render.glsl"

UNIFORM(params);
UPDATE_OWN(nearest);
UPDATE_OWN(summed);
UPDATE_OWN(weighted);
WRITE_OWN_IMAGE(fluid, r32f);
WRITE_OWN_IMAGE(target, rgba32f);

void main()
{
    ivec2 size = imageSize(fluid), p = pixel_of(row_index(), size);
    if (pixel_outside(p, size)) return;
    int i = p.y * size.x + p.x;
    imageStore(fluid, p, vec4(uintBitsToFloat(nearest[i])));
    imageStore(target, p, vec4(float(summed[i]), float(weighted[i]), 0.0, 0.0) / params.fixed_point);
    nearest[i] = 0u;
    summed[i] = 0u;
    weighted[i] = 0u;
}
