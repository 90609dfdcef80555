// One invocation a vertex: it is pulled to its point of the body that it hangs on, or moved out of the body
// that it meets, with friction (Coulomb). The body gets the opposite impulse, exactly. All act at once: each
// takes the body as so much lighter as it bears vertices (mass splitting, Tonge and others 2012).
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(softs);
READ_OWN(soft_states);
UPDATE_OWN(soft_moves);
READ_OWN(soft_owners);
READ_ANY(bodies);
READ_ANY(body_iterates);
ATOMIC(body_sums);
READ_OWN(soft_ties);
READ_OWN(soft_meets);
#include "boundary/boundary.glsl"
#include "body/impulse.glsl"
#include "body/inertia.glsl"

// How far a push of 1 kg m at `arm` along each axis moves a vertex and the point of the body apart, 1/kg.
mat3 weights(uint body, vec3 arm, float own)
{
    float count = float(body_sums[body * BODY_SUM_WORDS + BODY_SUM_CONTACTS]);
    mat3 sum;
    for (uint axis = 0u; axis < 3u; axis++) {
        vec3 n = vec3(0.0);
        n[axis] = 1.0;
        vec3 turn = turn_by_inertia(body, body_iterates[body].rotation, cross(arm, n));
        sum[axis] = own * n + count * (bodies[body].centre.w * n + cross(turn, arm));
    }
    return sum;
}

// From the point of the body to the vertex that hangs on it, m.
vec3 tie_gap(soft_tie tie, vec3 at)
{
    body_state body = body_iterates[tie.body];
    vec3 arm = wall_rotate(body.rotation, vec3(tie.x, tie.y, tie.z) - bodies[tie.body].centre.xyz);
    return (at - body.position.xyz) - arm;
}

vec3 contact_impulse(wall_surface surface, float friction, vec3 at, vec3 moved, mat3 weight, soft_make soft)
{
    vec3 n = surface.normal, slip = moved - (at - surface.carried);
    float push = max(soft.radius - surface.distance, 0.0) / dot(n, weight * n);
    vec3 along = slip - n * dot(slip, n);
    float size = length(along), most = max(soft.friction, friction) * push;
    if (!(size > 0.0)) return n * push;
    vec3 t = along / size;
    return n * push - t * min(size / dot(t, weight * t), most);
}

void main()
{
    uint i = row_index();
    RETURN_IF_SOLVED(i >= row.constant);
    uint body = soft_meets[i];
    if (body == SOFT_NONE) return;
    vec4 moved = soft_moves[i];
    vec3 at = soft_states[i].position.xyz + moved.xyz;
    uint item = params.solid_count + body;
    wall_surface surface;
    bool tied = soft_ties[i].body != SOFT_NONE;
    bool near = !tied && wall_find_surface(item, at, softs[soft_owners[i]].radius, surface);
    vec3 impulse = vec3(0.0), arm = at - body_iterates[body].position.xyz;
    mat3 weight = weights(body, arm, moved.w); // not before the distance, which would hold its nine numbers
    if (tied)
        impulse = -(inverse(weight) * tie_gap(soft_ties[i], at));
    else if (near)
        impulse =
            contact_impulse(surface, items[item].friction, at, moved.xyz, weight, softs[soft_owners[i]]);
    if (any(not_finite(impulse))) return;
    soft_moves[i].xyz += moved.w * impulse;
    atomicOr(body_sums[body * BODY_SUM_WORDS + BODY_SUM_TOUCHED], BODY_STIRRED);
    impulse_add(body, arm, -impulse);
}
