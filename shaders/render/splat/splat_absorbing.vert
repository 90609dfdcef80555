// Draws splats with the coefficients of absorption and scattering of each: those of its fluid, or, where an
// attribute colours the fluid, those with which white light takes on the attribute's colour over the
// absorption length.
#version 460
#include "render/splat_vertex.glsl"
#include "render/attribute_colour.glsl"

layout(location = 4) flat out vec4 absorption; // xyz 1/m; w scattering, 1/m

const float DARKEST = 0.02; // of a colour's components: black would absorb without limit

void main()
{
    uint splat = uint(gl_VertexIndex) / 6u;
    place_corner(splat, uint(gl_VertexIndex) % 6u);
    absorption = params.fluids[min(word >> 24, RENDER_MAX_FLUIDS - 1u)].absorption;
    if (params.colour_by == RENDER_COLOUR_BY_ATTRIBUTE && params.colour_attribute.z != 0u)
        absorption.xyz = -log(max(attribute_colour(splat), vec3(DARKEST))) /
                         uintBitsToFloat(params.colour_attribute.w);
}
