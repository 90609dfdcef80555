// The facet nearest to a particle of those that drag fluid, of equally near ones the first; and how many
// particles each vertex drags. In the first iteration of a substep no particle has been dragged.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(iterates);
READ_ANY(soft_skins);
READ_ANY(soft_states);
READ_ANY(soft_moves);
READ_ANY(soft_facets);
READ_ANY(soft_heads);
READ_ANY(soft_nexts);
BLOCK(soft_cells);
ATOMIC(soft_sums);
UPDATE_OWN(soft_drags);
WORK(40, 0, 0);
#include "deformable/facet_cells.glsl"
#include "deformable/facet.glsl"

bool drags(uint facet) { return soft_skins[facet].x > 0.0 || soft_skins[facet].y > 0.0; }

void count(uint vertex) { atomicAdd(soft_sums[vertex * SOFT_SUM_WORDS + SOFT_SUM_DRAGS], 1u); }

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u || (TOLERANT && status.solved != 0u)) return;
    ivec3 at = iterates[i].xyz;
    vec3 dragged = row.inner == 0u ? vec3(0.0) : soft_drags[i].xyz;
    soft_drags[i] = vec4(dragged, -1.0);
    if (at.x == SIM_LOST) return;
    vec3 p = fixed_metres(at), half_edge = vec3(0.5 * soft_cells.low.w);
    uvec3 low = soft_cell_of(p - half_edge), n = soft_cell_of(p + half_edge) - low + 1u;
    uint found = SOFT_NONE, cells = n.x * n.y * n.z;
    float nearest = SOFT_DRAGGED * params.spacing;
    for (uint k = 0u; k < cells; k++) {
        uvec3 cell = low + uvec3(k % n.x, k / n.x % n.y, k / (n.x * n.y));
        uint f = soft_heads[soft_cell_at(cell)];
        while (f != SOFT_NONE) {
            float far = drag_meet(f, p).far;
            if ((far < nearest || (far == nearest && f < found)) && drags(f)) {
                nearest = far;
                found = f;
            }
            f = soft_nexts[f];
        }
    }
    if (found == SOFT_NONE) return;
    soft_drags[i].w = float(found);
    uvec4 facet = soft_facets[found];
    count(facet.x);
    count(facet.y);
    if (facet.z != facet.y) count(facet.z);
}
