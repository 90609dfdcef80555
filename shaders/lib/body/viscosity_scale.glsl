// Scales the implicit solve for viscosity between fluid and bodies.
// Buffers: params, status.
#ifndef BODY_VISCOSITY_SCALE_GLSL
#define BODY_VISCOSITY_SCALE_GLSL

float viscous_particle_volume() { return params.fluids[0].mass / params.fluids[0].density; } // m3, of any particle

// What a force over a particle's volume, times the substep, is to a body's sums: m3 s.
float viscous_impulse_scale() { return viscous_particle_volume() * status.dt; }
#endif
