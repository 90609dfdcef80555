// Writes attributes of the particles in sorted order: xyz velocity, w a scalar. row.constant: MESH_PACK_*.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_OWN(sources);
READ_ANY(velocities);
READ_ANY(scalars);
WRITE_OWN(values);

void main()
{
    uint t = row.first + row_index();
    if (t >= params.particle_count || state.block_count == 0u) return;
    uint from = sources[t], word = scalars[(row.constant & MESH_PACK_SCALAR) != 0u ? from : 0u];
    vec3 velocity = vec3(0.0);
    if ((row.constant & MESH_PACK_VELOCITY) != 0u) velocity = velocities[from].xyz;
    float number = (row.constant & MESH_PACK_WHOLE) != 0u ? float(word) : uintBitsToFloat(word);
    values[t - row.first] = vec4(velocity, (row.constant & MESH_PACK_SCALAR) != 0u ? number : 0.0);
}
