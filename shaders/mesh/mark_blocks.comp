// Marks the blocks that a particle's search radius touches; tells of super blocks without room.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
READ_OWN(positions);
READ_ANY(supers);
ATOMIC(children);
ATOMIC(state);

void main()
{
    uint i = row.first + row_index();
    if (i >= params.particle_count) return;
    vec3 q = mesh_lattice(params, positions[i - row.first].xyz);
    if (!mesh_holds(params, q)) return;
    uvec3 low = uvec3(mesh_low_block(params, q)), high = uvec3(mesh_high_block(params, q));
    for (uint z = low.z; z <= high.z; z++)
        for (uint y = low.y; y <= high.y; y++)
            for (uint x = low.x; x <= high.x; x++) {
                uint of_super = supers[mesh_super(params, uvec3(x, y, z) >> 3)];
                if (of_super < params.super_count)
                    atomicOr(children[of_super * MESH_CHILDREN + mesh_child(uvec3(x, y, z))], 1u);
                else
                    atomicOr(state.astray, 1u);
            }
}
