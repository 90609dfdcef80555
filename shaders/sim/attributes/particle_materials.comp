// Evaluates the numbers of fluids that depend on attributes; one invocation per particle, in the sorted
// order.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(material_curves);
READ_OWN(sorted_positions);
READ_OWN(sort_sources);
READ_ANY(attributes);
WRITE_OWN(particle_materials);
WORK_ESTIMATE(12, 0, 0);

// Interpolates between the samples around a value, and holds the number beyond the ends.
float curve_number(sim_curve curve, float value)
{
    float at = clamp((value - curve.first) * curve.per_value, 0.0, float(SIM_CURVE_SAMPLES - 1u));
    uint low = min(uint(at), SIM_CURVE_SAMPLES - 2u);
    return mix(curve.samples[low], curve.samples[low + 1u], at - float(low));
}

float attribute_component(uint i, uint component)
{
    return attributes[ATTRIBUTE_VECTORS * sort_sources[i] + component / 4u][component % 4u];
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    uint fluid = uint(clamp(sorted_positions[i].w, 0, 15));
    vec2 numbers = vec2(params.fluids[fluid].dynamic_viscosity, params.fluids[fluid].surface_tension);
    uint viscosity = material_curves.viscosity[fluid].component;
    uint tension = material_curves.tension[fluid].component;
    if (viscosity != SIM_NO_CURVE)
        numbers.x = curve_number(material_curves.viscosity[fluid], attribute_component(i, viscosity));
    if (tension != SIM_NO_CURVE)
        numbers.y = curve_number(material_curves.tension[fluid], attribute_component(i, tension));
    particle_materials[i] = numbers;
}
