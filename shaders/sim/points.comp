// Copies the particles into a slot for the renderer and the mesher (src/grid/grid.h: grid_points).
// Reads params, x, v, ids, density; writes position, velocity, id, fluid, density.
#version 460
#include "sim.glsl"

layout(std430, binding = SIM_BIND_X) readonly buffer x_block { ivec4 x[]; };
layout(std430, binding = SIM_BIND_V) readonly buffer v_block { vec4 v[]; };
layout(std430, binding = SIM_BIND_IDS) readonly buffer ids_block { uint ids[]; };
layout(std430, binding = SIM_BIND_DENSITY) readonly buffer density_block { float densities[]; };
layout(std430, binding = SIM_BIND_SLOT_POSITION) writeonly buffer position_block { vec4 positions[]; };
layout(std430, binding = SIM_BIND_SLOT_VELOCITY) writeonly buffer velocity_block { vec4 velocities[]; };
layout(std430, binding = SIM_BIND_SLOT_ID) writeonly buffer slot_ids_block { uint slot_ids[]; };
layout(std430, binding = SIM_BIND_SLOT_FLUID) writeonly buffer fluids_block { uint fluids[]; };
layout(std430, binding = SIM_BIND_SLOT_DENSITY) writeonly buffer rho_block { float rho[]; };

void main()
{
    uint i = row_index();
    if (i >= row.constant) return;
    ivec4 from = x[i];
    vec3 nowhere = vec3(uintBitsToFloat(0x7fc00000u));
    positions[i] = vec4(from.x == SIM_LOST ? nowhere : place_metres(from.xyz), 1.0);
    velocities[i] = vec4(v[i].xyz, 0.0);
    slot_ids[i] = ids[i];
    fluids[i] = uint(from.w);
    rho[i] = densities[i];
}
