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

// Returns number `curve` of particle i: interpolated between the samples around the value of its attribute,
// and held beyond the ends; or `number`, if it has no curve.
float curve_number(uint curve, uint i, float number)
{
    uint component = material_curves.items[curve].component;
    if (component == SIM_NO_CURVE) return number;
    float value = attributes[ATTRIBUTE_VECTORS * sort_sources[i] + component / 4u][component % 4u];
    float at = (value - material_curves.items[curve].first) * material_curves.items[curve].per_value;
    at = clamp(at, 0.0, float(SIM_CURVE_SAMPLES - 1u));
    uint low = min(uint(at), SIM_CURVE_SAMPLES - 2u);
    return mix(material_curves.items[curve].samples[low], material_curves.items[curve].samples[low + 1u],
               at - float(low));
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    uint fluid = uint(clamp(sorted_positions[i].w, 0, 15));
    particle_materials[i] =
        vec2(curve_number(fluid, i, params.fluids[fluid].dynamic_viscosity),
             curve_number(SIM_MAX_FLUIDS + fluid, i, params.fluids[fluid].surface_tension));
}
