// Adds the light of a picture to that of the exposures before it. row.constant is 1 for the first one.
#version 460
#include "bindings/render.glsl"

SAMPLED(colour);
UPDATE_OWN_IMAGE(exposed, rgba32f);

void main()
{
    ivec2 size = imageSize(exposed), p = pixel_of(row_index(), size);
    if (pixel_outside(p, size)) return;
    vec4 sum = row.constant != 0u ? vec4(0.0) : imageLoad(exposed, p);
    imageStore(exposed, p, sum + texelFetch(colour, p, 0));
}
