// Computes the slip of a particle through the mixture of fluids in the cells around it. The grid moves all
// fluids of a cell alike; a particle that is mostly surrounded by other fluids moves through them like a drop
// of its volume, at its terminal speed (docs/equations.md).
// Buffers: params.
#ifndef MAC_SLIP_GLSL
#define MAC_SLIP_GLSL

// Returns the terminal speed of a drop of a particle's volume, m/s, with the drag coefficient 24 / Re + 0.44.
// `contrast` is the difference of the densities over that of the mixture, `acceleration` that of the mixture
// by the pressure, m/s2, `nu` the kinematic viscosity, m2/s.
float drop_terminal_speed(float contrast, float acceleration, float nu)
{
    float diameter = SIM_DROP_DIAMETER * params.spacing;
    float viscous = 24.0 * nu / diameter, driving = 4.0 / 3.0 * diameter * contrast * acceleration;
    return 2.0 * driving / (viscous + sqrt(viscous * viscous + 4.0 * SIM_DROP_DRAG * driving));
}

// Returns the velocity of a particle of density `own` relative to the mixture, m/s; densities in kg/m3.
// `pressure` is the mixture's acceleration by the pressure, m/s2.
vec3 drop_slip(float own, float mixture, vec3 pressure, float nu)
{
    bool light = own < mixture;
    float contrast = light ? params.max_density - own : own - params.min_density, size = length(pressure);
    float others = abs(mixture - own) / max(contrast, 1e-5 * own); // past rounding
    if (others <= 0.5 || size == 0.0) return vec3(0.0);
    float speed = min(2.0 * others - 1.0, 1.0) * drop_terminal_speed(contrast / mixture, size, nu);
    return (light ? speed : -speed) / size * pressure;
}
#endif
