// Copies the host's picture as the background of the fluid: its colours, made linear, and its depth in the
// renderer's encoding.
#version 460
#include "bindings/render_draw.glsl"
#include "render/camera.glsl"
#include "render/colours.glsl"

BLOCK(params);
READ_IMAGE_ANY(host_colour);
READ_IMAGE_ANY(host_depth);
layout(location = 0) out vec4 background;

void main()
{
    ivec2 p = ivec2(gl_FragCoord.xy);
    render_camera camera = params.cameras[RENDER_CAMERA_EYE];
    vec3 colour = texelFetch(host_colour, p, 0).rgb;
    float over = texelFetch(host_depth, p, 0).x + params.host.y, stored;
    if (camera.forward.w != 0.0) // parallel rays
        stored = camera_encode_depth(camera, over * params.host.x);
    else // an infinite far plane gives a division by 0 or nearly so: depth there is as far as possible
        stored = over * params.host.x > 0.0 ? camera.eye.w * over / params.host.x : 0.0;
    background = vec4(params.host.z != 0.0 ? srgb_decode(colour) : colour, 1.0);
    gl_FragDepth = clamp(stored, 0.0, 1.0);
}
