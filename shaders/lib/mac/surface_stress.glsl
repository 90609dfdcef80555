// The change of face velocities by a surface tension that differs along the surface. mac/cell_state.glsl
// leaves it out, so pressures are read a little high or low within a cell of such a surface.
// Buffers: surface_stresses.
#ifndef MAC_SURFACE_STRESS_GLSL
#define MAC_SURFACE_STRESS_GLSL

// Returns by how much it changes the velocity of the lower face of cell i in the substep, m/s.
float mac_surface_stress_change(uint i, uint axis)
{
    return SURFACE_TENSION && MATERIAL_CURVES ? surface_stresses[i][axis] : 0.0;
}
#endif
