// What the compute splatter gathered, as the images that the later passes read; clears for the next frame.
// Reads and clears the three per-pixel buffers; writes 1/z and, in its own buffer's place, thickness.
#version 460
#include "pixels.glsl"
#include "render.h"

layout(std140, binding = RENDER_BIND_PARAMS) uniform params_block { render_params params; };
layout(std430, binding = RENDER_BIND_NEAREST) buffer nearest_block { uint nearest[]; };
layout(std430, binding = RENDER_BIND_SUMMED) buffer summed_block { uint summed[]; };
layout(std430, binding = RENDER_BIND_WEIGHTED) buffer weighted_block { uint weighted[]; };
layout(binding = RENDER_BIND_FLUID, r32f) writeonly uniform image2D fluid;
layout(binding = RENDER_BIND_TARGET, rgba32f) writeonly uniform image2D thickness;

void main()
{
    ivec2 size = imageSize(fluid), p = pixel_of(row_index(), size);
    if (pixel_outside(p, size)) return;
    int i = p.y * size.x + p.x;
    imageStore(fluid, p, vec4(uintBitsToFloat(nearest[i])));
    imageStore(thickness, p, vec4(float(summed[i]), float(weighted[i]), 0.0, 0.0) / params.fixed_point);
    nearest[i] = 0u;
    summed[i] = 0u;
    weighted[i] = 0u;
}
