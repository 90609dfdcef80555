// Draws all splats into images at half the resolution.
#version 460
#include "render/splat_vertex.glsl"

void main() { place_corner(quad_index(), quad_index() < params.count, true); }
