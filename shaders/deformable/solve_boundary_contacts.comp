// Moves each vertex out of solids and of the domain's closed sides, to a distance of at least its radius,
// with Coulomb friction; one invocation per vertex.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(deformables);
READ_OWN(deformable_states);
UPDATE_OWN(deformable_displacements);
READ_OWN(vertex_owners);
#include "boundary/boundary.glsl"

// Returns the displacement out of an item, with friction. `moved`: displacement since the substep's start.
vec3 solid_correction(uint item, vec3 start, vec3 moved, float radius, float friction)
{
    item_surface surface;
    vec3 at = start + moved;
    if (!item_find_surface(item, at, radius, surface)) return vec3(0.0);
    float push = radius - surface.distance;
    if (push <= 0.0) return vec3(0.0);
    vec3 slip = moved - (at - surface.point_at_start);
    float rubs = max(friction, items[item].friction);
    return surface.normal * push + boundary_friction(slip, surface.normal, push, rubs);
}

vec3 side_correction(vec3 start, vec3 moved, float radius, float friction)
{
    vec3 at = start + moved, out_of = vec3(0.0);
    vec3 low = radius - boundary_closed_sides(params.sides, at - fixed_to_metres(params.fixed_min.xyz));
    vec3 high =
        radius - boundary_closed_sides(params.sides >> 2u, fixed_to_metres(params.fixed_max.xyz) - at);
    for (uint axis = 0u; axis < 3u; axis++) {
        float push = max(low[axis], 0.0) - max(high[axis], 0.0);
        if (push == 0.0) continue;
        vec3 normal = vec3(0.0);
        normal[axis] = 1.0;
        out_of += normal * push +
                  boundary_friction(moved, normal, abs(push), max(friction, params.friction));
    }
    return out_of;
}

void main()
{
    uint i = invocation_index(), solids = params.solid_count;
    RETURN_IF_SOLVED(i >= pass.constant);
    vec4 moved = deformable_displacements[i];
    if (moved.w == 0.0) return;
    deformable_properties deformable = deformables[vertex_owners[i]];
    vec3 start = deformable_states[i].position.xyz;
    for (uint item = 0u; item < solids; item++)
        moved.xyz += solid_correction(item, start, moved.xyz, deformable.radius, deformable.friction);
    moved.xyz += side_correction(start, moved.xyz, deformable.radius, deformable.friction);
    deformable_displacements[i] = moved;
}
