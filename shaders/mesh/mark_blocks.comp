// Marks the blocks that a particle's search radius touches, and reports super blocks without room; one
// invocation per particle.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
READ_OWN(positions);
READ_ANY(super_blocks);
ATOMIC(children);
ATOMIC(state);
#include "mesh/distinct_range.glsl"

void main()
{
    uint i = pass.first + invocation_index();
    uvec3 low = uvec3(1u), high = uvec3(0u); // none
    if (i < params.particle_count) {
        vec3 q = mesh_to_lattice(params, positions[i - pass.first].xyz);
        if (mesh_lattice_contains(params, q)) {
            low = uvec3(mesh_min_block(params, q));
            high = uvec3(mesh_max_block(params, q));
        }
    }
    if (!range_is_distinct(low, high)) return;
    for (uint z = low.z; z <= high.z; z++)
        for (uint y = low.y; y <= high.y; y++)
            for (uint x = low.x; x <= high.x; x++) {
                uint of_super = super_blocks[mesh_super_block_index(params, uvec3(x, y, z) >> 3)];
                if (of_super < params.super_block_count)
                    atomicOr(children[of_super * MESH_BLOCKS_PER_SUPER_BLOCK +
                                      mesh_child_index(uvec3(x, y, z))],
                             1u);
                else
                    atomicOr(state.overflow, 1u);
            }
}
