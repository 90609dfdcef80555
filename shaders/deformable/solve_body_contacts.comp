// Pulls each attached vertex to its point on the body, or moves a vertex out of the body that it touches,
// with Coulomb friction; one invocation per vertex. The body receives exactly the opposite impulse. Contacts
// are solved in parallel (Jacobi): each divides the body's mass by the number of vertices that it bears (mass
// splitting, Tonge and others 2012).
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(deformables);
READ_OWN(deformable_states);
UPDATE_OWN(deformable_displacements);
READ_OWN(vertex_owners);
READ_ANY(bodies);
READ_ANY(body_iterated_states);
ATOMIC(body_impulse_sums);
READ_OWN(attachments);
READ_OWN(contact_bodies);
#include "boundary/boundary.glsl"
#include "body/impulse.glsl"
#include "body/inertia.glsl"

// Returns the relative displacement of a vertex and the body's point at `arm` for an impulse of 1 kg m along
// each axis, 1/kg.
mat3 inverse_mass_matrix(uint body, vec3 arm, float own)
{
    float count = float(body_impulse_sums[body * BODY_IMPULSE_WORDS + BODY_IMPULSE_CONTACTS]);
    mat3 sum;
    for (uint axis = 0u; axis < 3u; axis++) {
        vec3 n = vec3(0.0);
        n[axis] = 1.0;
        vec3 turn = inverse_inertia_times(body, body_iterated_states[body].rotation, cross(arm, n));
        sum[axis] = own * n + count * (bodies[body].centre.w * n + cross(turn, arm));
    }
    return sum;
}

// Returns the vector from the body's point to the vertex attached to it, m.
vec3 attachment_gap(deformable_attachment attachment, vec3 at)
{
    body_state body = body_iterated_states[attachment.body];
    vec3 arm = quat_rotate(body.rotation, vec3(attachment.x, attachment.y, attachment.z) -
                                              bodies[attachment.body].centre.xyz);
    return (at - body.position.xyz) - arm;
}

vec3 contact_impulse(item_surface surface, float friction, vec3 at, vec3 moved, mat3 weight,
                     deformable_properties deformable)
{
    vec3 n = surface.normal, slip = moved - (at - surface.point_at_start);
    float push = max(deformable.radius - surface.distance, 0.0) / dot(n, weight * n);
    vec3 along = slip - n * dot(slip, n);
    float size = length(along), most = max(deformable.friction, friction) * push;
    if (!(size > 0.0)) return n * push;
    vec3 t = along / size;
    return n * push - t * min(size / dot(t, weight * t), most);
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_SOLVED(i >= pass.constant);
    uint body = contact_bodies[i];
    if (body == DEFORMABLE_NONE) return;
    vec4 moved = deformable_displacements[i];
    vec3 at = deformable_states[i].position.xyz + moved.xyz;
    uint item = params.solid_count + body;
    item_surface surface;
    bool attached = attachments[i].body != DEFORMABLE_NONE;
    bool near = !attached && item_find_surface(item, at, deformables[vertex_owners[i]].radius, surface);
    vec3 impulse = vec3(0.0), arm = at - body_iterated_states[body].position.xyz;
    // after the distance query, during which its nine numbers would take registers
    mat3 weight = inverse_mass_matrix(body, arm, moved.w);
    if (attached)
        impulse = -(inverse(weight) * attachment_gap(attachments[i], at));
    else if (near)
        impulse = contact_impulse(surface, items[item].friction, at, moved.xyz, weight,
                                  deformables[vertex_owners[i]]);
    if (any(not_finite(impulse))) return;
    deformable_displacements[i].xyz += moved.w * impulse;
    atomicOr(body_impulse_sums[body * BODY_IMPULSE_WORDS + BODY_IMPULSE_FLAGS], BODY_WOKEN);
    add_body_impulse(body, arm, -impulse);
}
