// Draws two triangles over the pixels that a splat covers; splat i has vertices 6 i to 6 i + 5.
#version 460
#include "render/splat_vertex.glsl"

void main() { place_corner(uint(gl_VertexIndex) / 6u, uint(gl_VertexIndex) % 6u); }
