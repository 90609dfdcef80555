// One invocation, once at a frame's start: the hand pulls the grip of its body to the target, by a damped
// spring whose force is that at the frame's end (implicit Euler's method), so that no spring is too stiff for
// a frame.
#version 460
#define WORKGROUP 1
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(bodies);
UPDATE_ANY(body_states);
BLOCK(hand);
#include "boundary/boundary.glsl"
#include "body/inertia.glsl"

// By how much an impulse that changes the velocity of the centre of mass by `n` changes that at `arm`.
vec3 give(body_state at, vec3 arm, vec3 n)
{
    vec3 turn = turn_by_inertia(hand.body, at.rotation, cross(arm, n));
    return n + cross(turn, arm) / bodies[hand.body].centre.w;
}

// The solution of (x y z) s = sum.
vec3 solve(vec3 x, vec3 y, vec3 z, vec3 sum)
{
    vec3 across = cross(y, z);
    return vec3(dot(across, sum), dot(cross(z, x), sum), dot(cross(x, y), sum)) / dot(x, across);
}

// What the pull changes the velocity of the centre of mass by, m/s.
vec3 pull(body_state at, vec3 arm)
{
    float dt = params.frame_dt, heavy = length(params.gravity.xyz);
    float rate = max(BODY_HAND_RATE, sqrt(heavy / params.spacing));
    float soft = 1.0 / (dt * rate * (2.0 + dt * rate));
    vec3 velocity = at.velocity.xyz + cross(turn_by_inertia(hand.body, at.rotation, at.spin.xyz), arm);
    vec3 wanted = velocity + dt * rate * rate * soft * (at.position.xyz + arm - hand.target.xyz);
    vec3 x = give(at, arm, vec3(1.0, 0.0, 0.0)) + vec3(soft, 0.0, 0.0);
    vec3 y = give(at, arm, vec3(0.0, 1.0, 0.0)) + vec3(0.0, soft, 0.0);
    vec3 z = give(at, arm, vec3(0.0, 0.0, 1.0)) + vec3(0.0, 0.0, soft);
    vec3 change = -solve(x, y, z, wanted);
    float size = length(change), most = dt * (BODY_HAND_MOST + heavy);
    return size > most ? change * (most / size) : change;
}

void main()
{
    RETURN_IF_BROKEN(row_index() != 0u);
    body_state at = body_states[hand.body];
    if (at.position.w != 0.0) return;
    vec3 arm = wall_rotate(at.rotation, hand.grip.xyz), change = pull(at, arm);
    at.velocity = vec4(at.velocity.xyz + change, 0.0);
    vec3 spin = at.spin.xyz + cross(arm, change) / bodies[hand.body].centre.w;
    at.spin = vec4(spin / (1.0 + params.frame_dt * BODY_HAND_STILLS), 0.0);
    body_states[hand.body] = at;
}
