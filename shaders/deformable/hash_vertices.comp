// Inserts each vertex into the hash bucket of the cell that contains the middle of its path through the
// substep; one invocation per vertex. The order within a bucket does not matter to
// shaders/deformable/find_vertex_contact_candidates.comp.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
READ_OWN(deformable_states);
READ_OWN(deformable_displacements);
ATOMIC(vertex_hash_heads);
WRITE_OWN(vertex_hash_links);
BLOCK(vertex_hash);
#include "deformable/vertex_hash.glsl"

const float MAX_CELL = 1e9; // cells; fits an integer

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= pass.constant);
    vec3 middle =
        (deformable_states[i].position.xyz + 0.5 * deformable_displacements[i].xyz) / vertex_hash.edge;
    if (any(not_finite(middle))) middle = vec3(MAX_CELL);
    ivec3 cell = ivec3(floor(clamp(middle, vec3(-MAX_CELL), vec3(MAX_CELL))));
    uint next = atomicExchange(vertex_hash_heads[vertex_hash_bucket(cell)], i);
    vertex_hash_links[i] = ivec4(cell, int(next));
}
