// Applies the mouse joint at the start of a frame: pulls the joint's anchor on its body to the target by a
// damped spring. The spring force is that at the frame's end (implicit Euler), so no spring is too stiff for
// a frame. One invocation.
#version 460
#define WORKGROUP 1
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(bodies);
UPDATE_ANY(body_states);
BLOCK(mouse_joint);
#include "boundary/boundary.glsl"
#include "body/inertia.glsl"

// Returns the velocity change at `arm` due to an impulse that changes the velocity of the centre of mass by
// `n`.
vec3 velocity_response(body_state at, vec3 arm, vec3 n)
{
    vec3 turn = inverse_inertia_times(mouse_joint.body, at.rotation, cross(arm, n));
    return n + cross(turn, arm) / bodies[mouse_joint.body].centre.w;
}

// Returns s in (x y z) s = sum.
vec3 solve_3x3(vec3 x, vec3 y, vec3 z, vec3 sum)
{
    vec3 across = cross(y, z);
    return vec3(dot(across, sum), dot(cross(z, x), sum), dot(cross(x, y), sum)) / dot(x, across);
}

// Returns the velocity change of the centre of mass by the joint, m/s.
vec3 joint_velocity_change(body_state at, vec3 arm)
{
    float dt = params.frame_dt, heavy = length(params.gravity.xyz);
    float rate = max(BODY_JOINT_FREQUENCY, sqrt(heavy / params.spacing));
    float softness = 1.0 / (dt * rate * (2.0 + dt * rate));
    vec3 velocity = at.velocity.xyz +
                    cross(inverse_inertia_times(mouse_joint.body, at.rotation, at.angular_momentum.xyz), arm);
    vec3 target_change =
        velocity + dt * rate * rate * softness * (at.position.xyz + arm - mouse_joint.target.xyz);
    vec3 x = velocity_response(at, arm, vec3(1.0, 0.0, 0.0)) + vec3(softness, 0.0, 0.0);
    vec3 y = velocity_response(at, arm, vec3(0.0, 1.0, 0.0)) + vec3(0.0, softness, 0.0);
    vec3 z = velocity_response(at, arm, vec3(0.0, 0.0, 1.0)) + vec3(0.0, 0.0, softness);
    vec3 change = -solve_3x3(x, y, z, target_change);
    float size = length(change), most = dt * (BODY_JOINT_MAX_ACCELERATION + heavy);
    return size > most ? change * (most / size) : change;
}

void main()
{
    RETURN_IF_BROKEN(invocation_index() != 0u);
    body_state at = body_states[mouse_joint.body];
    if (at.position.w != 0.0) return;
    vec3 arm = quat_rotate(at.rotation, mouse_joint.anchor.xyz), change = joint_velocity_change(at, arm);
    at.velocity = vec4(at.velocity.xyz + change, 0.0);
    vec3 spin = at.angular_momentum.xyz + cross(arm, change) / bodies[mouse_joint.body].centre.w;
    at.angular_momentum = vec4(spin / (1.0 + params.frame_dt * BODY_JOINT_SPIN_DAMPING), 0.0);
    body_states[mouse_joint.body] = at;
}
