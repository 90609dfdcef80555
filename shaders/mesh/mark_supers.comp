// Marks the super blocks that a particle's search radius touches; tells of particles off the lattice.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
READ_OWN(positions);
ATOMIC(supers);
ATOMIC(state);

void main()
{
    uint i = row.first + row_index();
    if (i >= params.particle_count) return;
    vec3 q = mesh_lattice(params, positions[i - row.first].xyz);
    if (!mesh_holds(params, q)) {
        atomicOr(state.astray, 1u);
        return;
    }
    uvec3 low = uvec3(mesh_low_block(params, q)) >> 3, high = uvec3(mesh_high_block(params, q)) >> 3;
    for (uint z = low.z; z <= high.z; z++)
        for (uint y = low.y; y <= high.y; y++)
            for (uint x = low.x; x <= high.x; x++)
                atomicOr(supers[mesh_super(params, uvec3(x, y, z))], 1u);
}
