// One invocation a vertex: moved out of solids and of the domain's closed sides to its radius at least, with
// friction (Coulomb).
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(softs);
READ_OWN(soft_states);
UPDATE_OWN(soft_moves);
READ_OWN(soft_owners);
#include "boundary/boundary.glsl"

// The push out of an item, with friction. `moved`: since the substep's start.
vec3 push_out(uint item, vec3 start, vec3 moved, float radius, float friction)
{
    wall_surface surface;
    vec3 at = start + moved;
    if (!wall_find_surface(item, at, radius, surface)) return vec3(0.0);
    float push = radius - surface.distance;
    if (push <= 0.0) return vec3(0.0);
    vec3 slip = moved - (at - surface.carried);
    float rubs = max(friction, items[item].friction);
    return surface.normal * push + wall_friction(slip, surface.normal, push, rubs);
}

vec3 push_in(vec3 start, vec3 moved, float radius, float friction)
{
    vec3 at = start + moved, out_of = vec3(0.0);
    vec3 low = radius - wall_closed(params.sides, at - fixed_metres(params.fixed_min.xyz));
    vec3 high = radius - wall_closed(params.sides >> 2u, fixed_metres(params.fixed_max.xyz) - at);
    for (uint axis = 0u; axis < 3u; axis++) {
        float push = max(low[axis], 0.0) - max(high[axis], 0.0);
        if (push == 0.0) continue;
        vec3 normal = vec3(0.0);
        normal[axis] = 1.0;
        out_of += normal * push +
                  wall_friction(moved, normal, abs(push), max(friction, params.friction));
    }
    return out_of;
}

void main()
{
    uint i = row_index(), solids = params.solid_count;
    RETURN_IF_SOLVED(i >= row.constant);
    vec4 moved = soft_moves[i];
    if (moved.w == 0.0) return;
    soft_make soft = softs[soft_owners[i]];
    vec3 start = soft_states[i].position.xyz;
    for (uint item = 0u; item < solids; item++)
        moved.xyz += push_out(item, start, moved.xyz, soft.radius, soft.friction);
    moved.xyz += push_in(start, moved.xyz, soft.radius, soft.friction);
    soft_moves[i] = moved;
}
