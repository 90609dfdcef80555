// Lets each body take its layer of fluid along. flip_closed_face_velocity.comp has stopped the fluid that
// would flow through the faces that the body closes; the pressure of the cells in front of them does not push
// the body by that. Body and layer change their velocity together, as in a plastic impact: (W^-1 + A) x = -b,
// W the body's inverse mass and inertia, A the layer's mass and inertia, b the stopped momentum. So a light
// body follows the fluid, a heavy one stops it, and the momentum of both is kept. The position of the body
// stays that of the pressure solve, which fits the fluid. Lengths in cells, masses in full cells, times in
// substeps. One invocation per body.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(bodies);
UPDATE_ANY(body_iterated_states);
READ_ANY(body_layer_sums);
WRITE_ANY(body_layer_changes);
UPDATE_ANY(body_fluid_impulses);
#include "boundary/boundary.glsl"
#include "body/inertia.glsl"
#include "reduce/fixed_sum.glsl"

// What belongs to the faces of one axis, with components turned so that x is along it; m is the mass of a
// face and r its arm.
struct body_layer_axis {
    vec3 mass;    // sums of m, m r.y, m r.z
    vec3 square;  // sums of m r.y r.y, m r.z r.z, m r.y r.z
    vec3 stopped; // sums of m s, m s r.y, m s r.z; s the change of the face beyond that of the fluid there
};

struct motion { // velocity and angular velocity, or momentum and angular momentum
    vec3 linear, angular;
};

vec3 layer_sum(uint at)
{
    vec3 sum;
    for (uint k = 0u; k < 3u; k++, at += 2u)
        sum[k] = integer_value(uvec2(body_layer_sums[at], body_layer_sums[at + 1u])) * SIM_BODY_LAYER_UNIT;
    return sum;
}

body_layer_axis read_axis(uint body, uint axis)
{
    uint at = body * SIM_BODY_LAYER_WORDS + 18u * axis;
    return body_layer_axis(layer_sum(at), layer_sum(at + 6u), layer_sum(at + 12u));
}

vec3 turned(vec3 v, uint axis) { return axis == 0u ? v : axis == 1u ? v.yzx : v.zxy; }
vec3 turned_back(vec3 v, uint axis) { return axis == 0u ? v : axis == 1u ? v.zxy : v.yzx; }

// Returns the momentum of the layer when it moves with `x`: a face along x moves at v.x + w.y r.z - w.z r.y.
motion layer_momentum(uint body, motion x)
{
    motion sum = motion(vec3(0.0), vec3(0.0));
    for (uint axis = 0u; axis < 3u; axis++) {
        body_layer_axis layer = read_axis(body, axis);
        float v = turned(x.linear, axis).x;
        vec3 w = turned(x.angular, axis);
        vec3 moved = layer.mass * v + w.y * vec3(layer.mass.z, layer.square.zy) -
                     w.z * vec3(layer.mass.y, layer.square.xz);
        sum.linear[axis] = moved.x;
        sum.angular += turned_back(vec3(0.0, moved.z, -moved.y), axis);
    }
    return sum;
}

motion stopped_momentum(uint body)
{
    motion sum = motion(vec3(0.0), vec3(0.0));
    for (uint axis = 0u; axis < 3u; axis++) {
        vec3 stopped = read_axis(body, axis).stopped;
        sum.linear[axis] = stopped.x;
        sum.angular += turned_back(vec3(0.0, stopped.z, -stopped.y), axis);
    }
    return sum;
}

motion combine(float a, motion x, float b, motion y)
{
    return motion(a * x.linear + b * y.linear, a * x.angular + b * y.angular);
}

float product(motion x, motion y) { return dot(x.linear, y.linear) + dot(x.angular, y.angular); }

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= boundary_body_count());
    body_state at = body_iterated_states[i];
    vec3 size = params.cell_size.xyz;
    float edge = min(size.x, min(size.y, size.z)), mass = params.fluids[0].density * size.x * size.y * size.z;
    bool free = at.position.w == 0.0 && at.angular_momentum.w == 0.0; // neither held nor asleep
    float moves = free ? mass : 0.0, turns = edge * edge * moves;
    // conjugate gradients with the preconditioner W: for six unknowns, six iterations are exact
    motion none = motion(vec3(0.0), vec3(0.0)), change = none, way = none, way_momentum = none;
    motion stopped = stopped_momentum(i), left = combine(-1.0, stopped, 0.0, none);
    float before = 0.0;
    for (uint k = 0u; k < SIM_BODY_LAYER_ITERATIONS; k++) {
        motion step = motion(moves * bodies[i].centre.w * left.linear,
                             inverse_inertia_times(i, at.rotation, turns * left.angular));
        float now = product(left, step);
        if (!(now > 0.0)) break;
        float kept = k == 0u ? 0.0 : now / before;
        way = combine(1.0, step, kept, way);
        way_momentum = combine(1.0, left, kept, way_momentum);
        motion all = combine(1.0, layer_momentum(i, way), 1.0, way_momentum);
        float far = now / product(way, all);
        change = combine(1.0, change, far, way);
        left = combine(1.0, left, -far, all);
        before = now;
    }
    body_layer_changes[2u * i] = vec4(change.linear * (edge / status.dt), 0.0);
    body_layer_changes[2u * i + 1u] = vec4(change.angular / status.dt, 0.0);
    motion taken = combine(-mass * edge, stopped, -mass * edge, layer_momentum(i, change));
    if (!free) return;
    taken.angular *= edge;
    at.velocity.xyz += taken.linear * (bodies[i].centre.w / status.dt);
    at.angular_momentum.xyz += taken.angular / status.dt;
    body_iterated_states[i] = at;
    body_fluid_impulses[i].impulse.xyz += taken.linear;
    body_fluid_impulses[i].angular_impulse.xyz += taken.angular;
}
