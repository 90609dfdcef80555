// Gathers a field of the particles in the order of their ids for weir_sim_read_field; one invocation per
// particle. pass.constant: the field, and SIM_READ_COMPLETE.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(id_order);
READ_ANY(positions);
READ_ANY(velocities);
READ_ANY(ids);
READ_ANY(densities);
WRITE_ANY(packed_field);

void store_vector(uint at, vec3 v)
{
    packed_field[3u * at] = floatBitsToUint(v.x);
    packed_field[3u * at + 1u] = floatBitsToUint(v.y);
    packed_field[3u * at + 2u] = floatBitsToUint(v.z);
}

void main()
{
    uint index = invocation_index(), field = pass.constant & ~SIM_READ_COMPLETE;
    if (index >= status.count) return;
    bool complete = field != pass.constant;
    uint i = complete ? index : id_order[index], at = complete ? ids[index] : index;
    ivec4 p = positions[i];
    vec3 nowhere = vec3(uintBitsToFloat(0x7fc00000u));
    if (field == SIM_READ_POSITION)
        store_vector(at, p.x == SIM_INVALID_POSITION ? nowhere : fixed_to_metres(p.xyz));
    else if (field == SIM_READ_VELOCITY)
        store_vector(at, velocities[i].xyz);
    else
        packed_field[at] = field == SIM_READ_ID      ? ids[i]
                     : field == SIM_READ_FLUID ? uint(p.w)
                                               : floatBitsToUint(densities[i]);
}
