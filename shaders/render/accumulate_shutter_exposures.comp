// Adds the light of a picture to that of the previous exposures; one invocation per pixel. pass.constant is 1
// for the first exposure.
#version 460
#include "bindings/render.glsl"

READ_IMAGE_ANY(colour);
UPDATE_OWN_IMAGE(exposure_sum, rgba32f);

void main()
{
    ivec2 size = imageSize(exposure_sum), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    vec4 sum = pass.constant != 0u ? vec4(0.0) : imageLoad(exposure_sum, p);
    imageStore(exposure_sum, p, sum + texelFetch(colour, p, 0));
}
