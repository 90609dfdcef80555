// One invocation a facet: files it in the cell of its middle, unless an edge has torn. In what order those of
// a cell follow each other does not matter to shaders/sim/soft_touch.comp.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
READ_ANY(soft_states);
READ_ANY(soft_moves);
READ_OWN(soft_facets);
ATOMIC(soft_heads);
WRITE_OWN(soft_nexts);
BLOCK(soft_cells);
READ_OWN(soft_seams);
#include "deformable/facet_cells.glsl"
#include "deformable/torn.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= row.constant);
    uvec4 f = soft_facets[i];
    vec3 sum = soft_states[f.x].position.xyz + soft_moves[f.x].xyz + soft_states[f.y].position.xyz +
               soft_moves[f.y].xyz;
    vec3 middle = 0.5 * sum;
    if (f.z != f.y) middle = (sum + soft_states[f.z].position.xyz + soft_moves[f.z].xyz) / 3.0;
    soft_nexts[i] = SOFT_NONE;
    if (any(not_finite(middle))) return;
    if (soft_cells.tears != 0u) {
        uvec4 seam = soft_seams[i];
        if (is_torn(seam.x) || is_torn(seam.y) || is_torn(seam.z)) return;
    }
    soft_nexts[i] = atomicExchange(soft_heads[soft_cell_at(soft_cell_of(middle))], i);
}
