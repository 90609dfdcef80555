// What the compute splatter gathered, as the images that the later passes read; clears for the next frame.
// Reads and clears the three per-pixel buffers; writes 1/z and, in its own buffer's place, target.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "pixels.glsl"

UNIFORM(params);
OWN_UPDATE(nearest);
OWN_UPDATE(summed);
OWN_UPDATE(weighted);
OWN_WRITE_IMAGE(fluid, r32f);
OWN_WRITE_IMAGE(target, rgba32f);

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
