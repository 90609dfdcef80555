// Resolves a picture for files of linear light: the mean of each pixel's samples and of the exposures, before
// exposure and tone curve, premultiplied by alpha; one invocation per pixel.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
READ_IMAGE_ANY(colour);
WRITE_OWN_IMAGE(hdr_output, rgba32f);

void main()
{
    ivec2 size = imageSize(hdr_output), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    int samples = int(params.samples);
    vec4 sum = vec4(0.0);
    for (int i = 0; i < samples * samples; i++) {
        vec4 c = params.background.w * texelFetch(colour, p * samples + ivec2(i % samples, i / samples), 0);
        float alpha = params.background.x != 0.0 ? c.a : 1.0;
        sum += vec4(c.rgb * alpha, alpha);
    }
    imageStore(hdr_output, p, sum / float(samples * samples));
}
