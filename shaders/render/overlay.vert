// Corners of the overlay's triangles, from pixels to the screen.
// Reads block, corners, clips.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "overlay.h"

layout(std430, binding = OVERLAY_BIND_BLOCK) readonly buffer overlay_bytes { overlay_block block; };
layout(std430, binding = OVERLAY_BIND_CORNERS) readonly buffer corners_block { overlay_corner corners[]; };
layout(std430, binding = OVERLAY_BIND_CLIPS) readonly buffer clips_block { vec4 clips[]; };
layout(location = 0) out vec2 uv;
layout(location = 1) out vec4 colour;
layout(location = 2) flat out vec4 clip;

void main()
{
    overlay_corner corner = corners[gl_VertexIndex];
    gl_Position = vec4(2.0 * corner.place / block.picture - 1.0, 0.0, 1.0);
    uv = corner.uv * block.font - 0.5;
    colour = unpackUnorm4x8(corner.colour);
    clip = clips[corner.clip];
}
