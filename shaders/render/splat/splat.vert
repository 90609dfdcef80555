// Draws all splats: a quad over the pixels that a splat covers.
#version 460
#include "render/splat_vertex.glsl"

void main() { place_corner(quad_index(), quad_index() < params.count, false); }
