// Transforms the corners of the overlay's triangles from pixels to the screen.
#version 460
#include "overlay.h"
#define BIND(name) OVERLAY_BIND_##name
#include "bindings/draw.glsl"

BLOCK(block);
READ_ANY(corners);
READ_ANY(clips);
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 colour;
layout(location = 2) flat out vec4 clip;

void main()
{
    overlay_corner corner = corners[gl_VertexIndex];
    gl_Position = vec4(2.0 * corner.point / block.picture - 1.0, 0.0, 1.0);
    uv = corner.uv * block.font - 0.5;
    colour = unpackUnorm4x8(corner.colour);
    clip = clips[corner.clip];
}
