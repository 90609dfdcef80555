// Marks the broad-phase cells from which a particle can reach each body at its current pose;
// BODY_INSERT_INVOCATIONS invocations per body. A cell has one bit per body, so the order of invocations does
// not matter.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
WRITE_ANY(body_spheres);
ATOMIC(broad_phase_cells);
#include "boundary/boundary.glsl"
#include "body/cells.glsl"

// Returns the squared distance from p to a cell, m2.
float cell_distance2(uvec3 cell, vec3 p)
{
    vec3 low = params.domain_min.xyz + vec3(cell) * params.domain_min.w;
    vec3 off = p - clamp(p, low, low + params.domain_min.w);
    return dot(off, off);
}

void main()
{
    uint i = invocation_index() / BODY_INSERT_INVOCATIONS, item = params.solid_count + i;
    RETURN_IF_BROKEN(i >= boundary_body_count());
    uint pose = item_pose_range(item).y, bit = 1u << (i % BODY_BITS_PER_WORD);
    vec4 bound = items[item].bound;
    vec3 centre = quat_rotate(poses[pose].rotation, bound.xyz) + poses[pose].position.xyz;
    float radius = bound.w + BODY_BROAD_PHASE_SLACK * params.spacing;
    float reach = radius + body_influence_radius();
    if (invocation_index() % BODY_INSERT_INVOCATIONS == 0u) body_spheres[i] = vec4(centre, radius);
    if (any(not_finite(centre))) return; // a body with a non-finite pose acts on nothing
    uvec3 low = broad_phase_cell_of(centre - reach), n = broad_phase_cell_of(centre + reach) - low + 1u;
    vec3 size = vec3(params.body_counts.xyz) * params.domain_min.w;
    vec3 inside = clamp(centre, params.domain_min.xyz, params.domain_min.xyz + size);
    uint count = n.x * n.y * n.z;
    for (uint k = invocation_index() % BODY_INSERT_INVOCATIONS; k < count; k += BODY_INSERT_INVOCATIONS) {
        uvec3 cell = low + uvec3(k % n.x, k / n.x % n.y, k / (n.x * n.y));
        uint at = broad_phase_cell_index(cell);
        if (cell_distance2(cell, inside) > reach * reach) continue;
        atomicOr(broad_phase_cells[at], 1u << (i / BODY_BITS_PER_WORD));
        atomicOr(broad_phase_cells[at + 1u + i / BODY_BITS_PER_WORD], bit);
    }
}
