// Gathers a field of the particles in the order of their ids for weir_sim_read_field; one invocation per
// particle. pass.constant: the field, SIM_READ_COMPLETE, and the components of an attribute.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(id_order);
READ_ANY(positions);
READ_ANY(velocities);
READ_ANY(ids);
READ_ANY(densities);
READ_ANY(attributes);
WRITE_ANY(packed_field);

void store_vector(uint at, vec3 v)
{
    packed_field[3u * at] = floatBitsToUint(v.x);
    packed_field[3u * at + 1u] = floatBitsToUint(v.y);
    packed_field[3u * at + 2u] = floatBitsToUint(v.z);
}

void store_attribute(uint at, uint i)
{
    uint first = pass.constant >> SIM_READ_FIRST_SHIFT & 0xffu;
    uint components = pass.constant >> SIM_READ_COMPONENTS_SHIFT;
    for (uint k = 0u; k < components; k++) {
        vec4 four = attributes[ATTRIBUTE_VECTORS * i + (first + k) / 4u];
        packed_field[components * at + k] = floatBitsToUint(four[(first + k) % 4u]);
    }
}

void main()
{
    uint index = invocation_index(), field = pass.constant & SIM_READ_FIELD_MASK;
    if (index >= status.count) return;
    bool complete = (pass.constant & SIM_READ_COMPLETE) != 0u;
    uint i = complete ? index : id_order[index], at = complete ? ids[index] : index;
    ivec4 p = positions[i];
    vec3 nowhere = vec3(uintBitsToFloat(0x7fc00000u));
    if (field == SIM_READ_POSITION)
        store_vector(at, p.x == SIM_INVALID_POSITION ? nowhere : fixed_to_metres(p.xyz));
    else if (field == SIM_READ_VELOCITY)
        store_vector(at, velocities[i].xyz);
    else if (field == SIM_READ_ATTRIBUTE)
        store_attribute(at, i);
    else
        packed_field[at] = field == SIM_READ_ID      ? ids[i]
                     : field == SIM_READ_FLUID ? uint(p.w)
                                               : floatBitsToUint(densities[i]);
}
