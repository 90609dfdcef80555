// Draws splats at half the resolution with the coefficients of absorption and scattering of each: those of
// its fluid, or, where an attribute colours the fluid, those with which white light takes on the attribute's
// colour over the absorption length.
#version 460
#include "render/splat_vertex.glsl"
#include "render/attribute_colour.glsl"

layout(location = 4) flat out vec4 absorption; // xyz 1/m; w scattering, 1/m

const float DARKEST = 0.02; // of a colour's components: black would absorb without limit

// Returns the coefficients with which white light takes on a colour over a path, 1/m.
vec3 absorption_of(vec3 colour, float path_m) { return -log(max(colour, vec3(DARKEST))) / path_m; }

void main()
{
    bool exists = quad_index() < params.count;
    uint splat = exists ? quad_index() : 0u;
    place_corner(splat, exists, true);
    uint fluid = min(word >> 24, RENDER_MAX_FLUIDS - 1u);
    absorption = params.fluids[fluid].absorption;
    if (params.colour_by == RENDER_COLOUR_BY_ATTRIBUTE && params.colour_attribute.z != 0u)
        absorption.xyz = absorption_of(attribute_colour(splat), uintBitsToFloat(params.colour_attribute.w));
    else if (has_colour_curve(fluid))
        absorption.xyz = absorption_of(curve_colour(splat, fluid), params.fluid_curves[fluid].path_m);
}
