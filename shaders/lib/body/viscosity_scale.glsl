// Scales the implicit solve for viscosity between fluid and bodies.
// Buffers: params, status.
#ifndef BODY_VISCOSITY_SCALE_GLSL
#define BODY_VISCOSITY_SCALE_GLSL

// Returns the unit of mass of the solve: particles count by volume, m3; faces of the MAC grid by the mass of
// a full cell of the first fluid, kg.
float viscous_unit()
{
    vec3 size = params.cell_size.xyz;
    float particle = params.fluids[0].mass / params.fluids[0].density;
    return MAC_GRID ? params.fluids[0].density * size.x * size.y * size.z : particle;
}

// Returns the factor from momentum in that unit to a body's impulse sum, which is impulse times the substep.
float viscous_impulse_scale() { return viscous_unit() * status.dt; }
#endif
