// BODY_MARKERS invocations a body: mark the cells from which a particle can meet it where it is now. A cell
// has a bit for each body, so that it does not matter which invocation comes first.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
WRITE_ANY(body_spheres);
ATOMIC(body_cells);
#include "boundary/boundary.glsl"
#include "body/cells.glsl"

// The squared distance from p to a cell, m2.
float distance2(uvec3 cell, vec3 p)
{
    vec3 low = params.domain_min.xyz + vec3(cell) * params.domain_min.w;
    vec3 off = p - clamp(p, low, low + params.domain_min.w);
    return dot(off, off);
}

void main()
{
    uint i = row_index() / BODY_MARKERS, item = params.solid_count + i;
    RETURN_IF_BROKEN(i >= wall_bodies());
    uint pose = wall_pose_range(item).y, bit = 1u << (i % BODY_GROUP);
    vec4 bound = items[item].bound;
    vec3 centre = wall_rotate(poses[pose].rotation, bound.xyz) + poses[pose].position.xyz;
    float radius = bound.w + BODY_CELL_SLACK * params.spacing, reach = radius + body_acts_within();
    if (row_index() % BODY_MARKERS == 0u) body_spheres[i] = vec4(centre, radius);
    if (any(not_finite(centre))) return; // it is lost, and acts on nothing
    uvec3 low = body_cell_of(centre - reach), n = body_cell_of(centre + reach) - low + 1u;
    vec3 size = vec3(params.body_counts.xyz) * params.domain_min.w;
    vec3 inside = clamp(centre, params.domain_min.xyz, params.domain_min.xyz + size);
    uint count = n.x * n.y * n.z;
    for (uint k = row_index() % BODY_MARKERS; k < count; k += BODY_MARKERS) {
        uvec3 cell = low + uvec3(k % n.x, k / n.x % n.y, k / (n.x * n.y));
        uint at = body_cell_at(cell);
        if (distance2(cell, inside) > reach * reach) continue;
        atomicOr(body_cells[at], 1u << (i / BODY_GROUP));
        atomicOr(body_cells[at + 1u + i / BODY_GROUP], bit);
    }
}
