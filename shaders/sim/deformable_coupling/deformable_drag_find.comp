// Finds the nearest facet that drags fluid for each particle, the lowest index among equals, and counts the
// particles that each vertex drags; one invocation per particle. In the first iteration of a substep the
// accumulated drag is 0.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(iterated_positions);
READ_ANY(facet_drag_coefficients);
READ_ANY(deformable_states);
READ_ANY(deformable_displacements);
READ_ANY(deformable_facets);
READ_ANY(facet_bin_heads);
READ_ANY(facet_bin_links);
BLOCK(facet_bins);
ATOMIC(deformable_impulse_sums);
UPDATE_OWN(facet_drags);
WORK_ESTIMATE(40, 0, 0);
#include "deformable/facet_bins.glsl"
#include "deformable/facet.glsl"

bool facet_drags_fluid(uint facet)
{
    return facet_drag_coefficients[facet].x > 0.0 || facet_drag_coefficients[facet].y > 0.0;
}

void count_dragged_particle(uint vertex)
{
    atomicAdd(deformable_impulse_sums[vertex * DEFORMABLE_IMPULSE_WORDS + DEFORMABLE_IMPULSE_DRAGS], 1u);
}

void main()
{
    uint i = invocation_index();
    if (i >= state.live || state.flags != 0u || (HAS_TOLERANCE && status.iterations_done != 0u)) return;
    ivec3 at = iterated_positions[i].xyz;
    vec3 dragged = pass.inner == 0u ? vec3(0.0) : facet_drags[i].xyz;
    facet_drags[i] = vec4(dragged, -1.0);
    if (at.x == SIM_INVALID_POSITION) return;
    vec3 p = fixed_to_metres(at), half_edge = vec3(0.5 * facet_bins.low.w);
    uvec3 low = facet_bin_of(p - half_edge), n = facet_bin_of(p + half_edge) - low + 1u;
    uint found = DEFORMABLE_NONE, cells = n.x * n.y * n.z;
    float nearest = DEFORMABLE_DRAG_REACH * params.spacing;
    for (uint k = 0u; k < cells; k++) {
        uvec3 cell = low + uvec3(k % n.x, k / n.x % n.y, k / (n.x * n.y));
        uint f = facet_bin_heads[facet_bin_index(cell)];
        while (f != DEFORMABLE_NONE) {
            float far = find_drag_point(f, p).distance;
            if ((far < nearest || (far == nearest && f < found)) && facet_drags_fluid(f)) {
                nearest = far;
                found = f;
            }
            f = facet_bin_links[f];
        }
    }
    if (found == DEFORMABLE_NONE) return;
    facet_drags[i].w = float(found);
    uvec4 facet = deformable_facets[found];
    count_dragged_particle(facet.x);
    count_dragged_particle(facet.y);
    if (facet.z != facet.y) count_dragged_particle(facet.z);
}
