// The pressure jumps of surface tension between cells of the MAC grid (docs/equations.md).
// Buffers: cells, surface_pressures.
#ifndef MAC_SURFACE_TENSION_GLSL
#define MAC_SURFACE_TENSION_GLSL
#include "poisson/blocks.glsl"

// Returns what surface tension adds to the pressure of the cell `other` as the fluid cell i next to it sees
// it, p dt / rho with the first fluid's density, m2/s: in air, where p is 0, the pressure of the surface; in
// another fluid, that of the interface.
float mac_pressure_jump(uint i, uint other)
{
    vec2 own = surface_pressures[i];
    if (other == POISSON_NONE) return own.x * own.y;
    vec2 beside = surface_pressures[other];
    float level = uintBitsToFloat(cells[other].w);
    if (level < 0.0) return UNIFORM_TENSION ? 0.0 : 0.5 * (own.x + beside.x) * (own.y - beside.y);
    return own.y * mix(own.x, beside.x, poisson_surface_fraction(uintBitsToFloat(cells[i].w), level));
}
#endif
