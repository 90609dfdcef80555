// Describes the layer of fluid at a body: the faces of the MAC grid that the body closes and particles use.
// Buffers: params, cells, face_velocities, face_velocity_changes, face_masses, rigid_coupling,
// body_iterated_states, blocks, multigrid.
#ifndef MAC_BODY_LAYER_GLSL
#define MAC_BODY_LAYER_GLSL
#include "mac/closed_faces.glsl"
#include "mac/coupled_body.glsl"

float body_layer_edge() { return min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z)); } // m

// Returns 1 + the body whose layer the lower face of a cell across an axis belongs to; 0: none.
uint mac_layer_body(uint block, uint cell, uint axis)
{
    uint body = mac_closing_body(block, cell, axis), i = block * POISSON_BLOCK_CELLS + cell;
    return body != 0u && mac_face_is_known(i, axis) && !mac_face_is_open(i, axis) ? body : 0u;
}

// Returns the vector from the centre of a body to p in cells, turned so that x is along `axis`.
vec3 body_layer_arm(uint body, vec3 p, uint axis)
{
    vec3 arm = (p - body_iterated_states[body].position.xyz) / body_layer_edge();
    return axis == 0u ? arm : axis == 1u ? arm.yzx : arm.zxy;
}
#endif
