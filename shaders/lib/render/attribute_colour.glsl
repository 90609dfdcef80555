// Colours points by an attribute.
// Buffers: params, attribute_values.
#ifndef RENDER_ATTRIBUTE_COLOUR_GLSL
#define RENDER_ATTRIBUTE_COLOUR_GLSL
#include "render/colour_map.glsl"
READ_ANY(attribute_values);

// Returns whether the colour of a fluid depends on an attribute that the points have.
bool has_colour_curve(uint fluid) { return params.fluid_curves[fluid].vectors != 0u; }

// Returns the colour of a point of such a fluid, between the samples around the value of the attribute.
vec3 curve_colour(uint i, uint fluid)
{
    uint component = params.fluid_curves[fluid].component;
    float value = attribute_values[params.fluid_curves[fluid].vectors * i + component / 4u][component % 4u];
    float at = (value - params.fluid_curves[fluid].first) * params.fluid_curves[fluid].per_value;
    at = clamp(at, 0.0, float(RENDER_CURVE_SAMPLES - 1u));
    uint low = min(uint(at), RENDER_CURVE_SAMPLES - 2u);
    return mix(params.fluid_curves[fluid].colours[low].xyz, params.fluid_curves[fluid].colours[low + 1u].xyz,
               at - float(low));
}

// Returns a component of the attribute that colours show.
float attribute_component(uint i, uint k)
{
    uint at = params.colour_attribute.y + k;
    return attribute_values[params.colour_attribute.x * i + at / 4u][at % 4u];
}

// Returns the place of a quantity on the colour scale.
vec3 scale_colour(float quantity)
{
    float width = params.range_high - params.range_low;
    return colour_map((quantity - params.range_low) / (width > 0.0 ? width : 1.0));
}

// Returns the colour of a point by its attribute: the attribute itself if it has three components or more.
vec3 attribute_colour(uint i)
{
    if (params.colour_attribute.z < 3u) return scale_colour(attribute_component(i, 0u));
    return clamp(vec3(attribute_component(i, 0u), attribute_component(i, 1u), attribute_component(i, 2u)),
                 0.0, 1.0);
}
#endif
