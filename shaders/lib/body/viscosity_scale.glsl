// Scales the implicit solve for viscosity between fluid and bodies.
// Buffers: params, status.
#ifndef BODY_VISCOSITY_SCALE_GLSL
#define BODY_VISCOSITY_SCALE_GLSL

// Returns the volume of any particle, m3.
float viscous_particle_volume() { return params.fluids[0].mass / params.fluids[0].density; }

// Returns the factor from the force on a particle over its volume, times the substep, to a body's impulse
// sum, m3 s.
float viscous_impulse_scale() { return viscous_particle_volume() * status.dt; }
#endif
