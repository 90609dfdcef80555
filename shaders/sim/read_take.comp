// A field of the particles in the order of their ids, as weir_sim_read gives it: row.constant is the
// field, and SIM_READ_WHOLE.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(id_order);
READ_ANY(positions);
READ_ANY(velocities);
READ_ANY(ids);
READ_ANY(densities);
WRITE_ANY(packed);

void store(uint at, vec3 v)
{
    packed[3u * at] = floatBitsToUint(v.x);
    packed[3u * at + 1u] = floatBitsToUint(v.y);
    packed[3u * at + 2u] = floatBitsToUint(v.z);
}

void main()
{
    uint index = row_index(), field = row.constant & ~SIM_READ_WHOLE;
    if (index >= status.count) return;
    bool whole = field != row.constant;
    uint i = whole ? index : id_order[index], at = whole ? ids[index] : index;
    ivec4 p = positions[i];
    vec3 nowhere = vec3(uintBitsToFloat(0x7fc00000u));
    if (field == SIM_READ_POSITION)
        store(at, p.x == SIM_LOST ? nowhere : fixed_metres(p.xyz));
    else if (field == SIM_READ_VELOCITY)
        store(at, velocities[i].xyz);
    else
        packed[at] = field == SIM_READ_ID      ? ids[i]
                     : field == SIM_READ_FLUID ? uint(p.w)
                                               : floatBitsToUint(densities[i]);
}
