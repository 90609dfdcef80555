// Writes attributes of the particles in sorted order, xyz velocity, w a scalar, or four components of
// attributes, which are then bound as `velocities`; one invocation per particle. pass.constant: MESH_PACK_*.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_OWN(sort_sources);
READ_ANY(velocities);
READ_ANY(scalars);
WRITE_OWN(particle_values);

void main()
{
    uint t = pass.first + invocation_index();
    if (t >= params.particle_count || state.block_count == 0u) return;
    if ((pass.constant & MESH_PACK_ATTRIBUTES) != 0u) {
        uint vectors = pass.constant >> MESH_PACK_VECTORS_SHIFT;
        uint vector = pass.constant >> MESH_PACK_VECTOR_SHIFT & 0xffu;
        particle_values[t - pass.first] = velocities[vectors * sort_sources[t] + vector];
        return;
    }
    uint from = sort_sources[t], word = scalars[(pass.constant & MESH_PACK_SCALAR) != 0u ? from : 0u];
    vec3 velocity = vec3(0.0);
    if ((pass.constant & MESH_PACK_VELOCITY) != 0u) velocity = velocities[from].xyz;
    float number = (pass.constant & MESH_PACK_INTEGER) != 0u ? float(word) : uintBitsToFloat(word);
    particle_values[t - pass.first] = vec4(velocity, (pass.constant & MESH_PACK_SCALAR) != 0u ? number : 0.0);
}
