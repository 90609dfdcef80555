// Draws the splats of a list; pass.constant: RENDER_LATER_SPLATS, or the outer ones.
#version 460
#include "render/splat_vertex.glsl"
READ_ANY(listed_splats);
BLOCK(splat_lists);

void main()
{
    bool later = (pass.constant & RENDER_LATER_SPLATS) != 0u;
    bool exists = quad_index() < (later ? splat_lists.later_count : splat_lists.outer_count);
    place_corner(exists ? listed_splats[quad_index()] : 0u, exists, false);
}
