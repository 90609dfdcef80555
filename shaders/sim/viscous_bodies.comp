// One invocation a body, in the implicit solve for viscosity: by row.constant how it moves, its first
// residual, its part of the matrix's product and of the two sums, its step, and at the end the impulse of all
// that has dragged on it, by which shaders/body/shift.comp moves it. A body that rests is a wall.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
BLOCK(viscous);
READ_SOLIDS();
READ_ANY(bodies);
READ_OWN(body_iterates);
UPDATE_ANY(body_sums);
UPDATE_OWN(body_flows);
WRITE_ANY(viscous_partials);
#include "boundary/boundary.glsl"
#include "body/impulse.glsl"
#include "body/inertia.glsl"
#include "body/viscosity_scale.glsl"
#define SUM_TYPE vec2
#define SUM_LANES SIM_VISCOUS_GROUP
#define SUM_COUNT GROUP
#include "reduce/workgroup_sum.glsl"

float take(uint at)
{
    float value = whole_value(uvec2(body_sums[at], body_sums[at + 1u]));
    body_sums[at] = body_sums[at + 1u] = 0u;
    return value * impulse_unit() / flow_share();
}

vec3 take_sum(uint at) { return vec3(take(at), take(at + 2u), take(at + 4u)); }

vec3 turning(uint i, vec3 spin) { return turn_by_inertia(i, body_iterates[i].rotation, spin); }

void open(uint i)
{
    body_state at = body_iterates[i];
    body_flows[i].centre = at.position;
    body_flows[i].velocity = vec4(at.velocity.xyz, 1.0);
    body_flows[i].rate.xyz = turning(i, at.spin.xyz);
}

// What the next product is of.
void drag_by_residual(uint i, inout body_flow flow)
{
    flow.velocity.xyz = flow.residual.xyz * flow.residual.w;
    flow.rate.xyz = turning(i, flow.turn_residual.xyz * flow.turn_residual.w);
}

// A scalar stands for the matrix's diagonal of a body, and the turning's drag is taken as at its reach.
void begin(uint i)
{
    uint at = i * BODY_SUM_WORDS;
    vec3 drag = take_sum(at), moment = take_sum(at + 6u) * params.spacing;
    float weight = take(at + BODY_SUM_DRAG), reach = bodies[i].inertia.w;
    vec3 inverse = bodies[i].inertia.xyz;
    float mean = (inverse.x + inverse.y + inverse.z) / 3.0, lightness = bodies[i].centre.w * flow_volume();
    float turn = mean / flow_volume() + mean * mean * weight * reach * reach;
    bool rests = body_iterates[i].position.w != 0.0 || body_iterates[i].spin.w != 0.0;
    body_flow flow = body_flows[i];
    flow.residual = flow.turn_residual = vec4(0.0);
    if (!rests) {
        flow.residual = vec4(-drag, 1.0 / (1.0 / lightness + weight));
        flow.turn_residual = vec4(-turning(i, moment), 1.0 / turn);
    }
    flow.product = flow.turn_product = flow.direction = flow.turn_direction = vec4(0.0);
    flow.direction_product = flow.turn_direction_product = flow.change = flow.turn_change = vec4(0.0);
    drag_by_residual(i, flow);
    body_flows[i] = flow;
}

vec2 multiply(uint i)
{
    uint at = i * BODY_SUM_WORDS;
    vec3 drag = take_sum(at), moment = take_sum(at + 6u) * params.spacing;
    vec4 residual = body_flows[i].residual, turn_residual = body_flows[i].turn_residual;
    vec3 own = residual.xyz * residual.w, spin = turn_residual.xyz * turn_residual.w;
    vec3 product = own / (bodies[i].centre.w * flow_volume()) + drag;
    vec3 turn_product = turning(i, spin / flow_volume() + moment);
    body_flows[i].product.xyz = product;
    body_flows[i].turn_product.xyz = turn_product;
    return vec2(dot(residual.xyz, own) + dot(turn_residual.xyz, spin),
                dot(product, own) + dot(turn_product, spin));
}

void sum_up(uint i, vec2 sum)
{
    uint lane = gl_LocalInvocationIndex;
    sum = workgroup_sum(sum);
    uint bodies_before = (wall_bodies() + GROUP - 1u) / GROUP;
    if (lane == 0u) viscous_partials[viscous.partials - bodies_before + i / GROUP] = sum;
}

// As viscous_take_step does it for particles.
void take_step(uint i)
{
    body_flow flow = body_flows[i];
    float keep = row.inner > 0u ? viscous.keep : 0.0;
    flow.direction.xyz = flow.residual.xyz * flow.residual.w + keep * flow.direction.xyz;
    flow.turn_direction.xyz = flow.turn_residual.xyz * flow.turn_residual.w + keep * flow.turn_direction.xyz;
    flow.direction_product.xyz = flow.product.xyz + keep * flow.direction_product.xyz;
    flow.turn_direction_product.xyz = flow.turn_product.xyz + keep * flow.turn_direction_product.xyz;
    flow.change.xyz += viscous.step * flow.direction.xyz;
    flow.turn_change.xyz += viscous.step * flow.turn_direction.xyz;
    flow.residual.xyz -= viscous.step * flow.direction_product.xyz;
    flow.turn_residual.xyz -= viscous.step * flow.turn_direction_product.xyz;
    drag_by_residual(i, flow);
    body_flows[i] = flow;
}

void put(uint at, vec3 value)
{
    for (uint axis = 0u; axis < 3u; axis++) {
        uvec2 words = whole_words(value[axis] / impulse_unit());
        body_sums[at + 2u * axis] = words.x;
        body_sums[at + 2u * axis + 1u] = words.y;
    }
}

void end(uint i)
{
    uint at = i * BODY_SUM_WORDS;
    if (status.viscous_iterations == 0u) return;
    vec3 change = body_flows[i].change.xyz * status.dt, turn = body_flows[i].turn_change.xyz * status.dt;
    if (any(not_finite(change)) || any(not_finite(turn))) return;
    put(at, change / bodies[i].centre.w);
    put(at + 6u, turn / params.spacing);
}

void main()
{
    uint i = row_index();
    bool wanted = i < wall_bodies() && state.flags == 0u && status.running != 0u;
    bool goes_on = viscous.loop.groups_x != 0u;
    if (row.constant == SIM_FLOW_PRODUCT) {
        vec2 sum = vec2(0.0);
        if (wanted && goes_on) sum = multiply(i);
        if (goes_on) sum_up(i, sum);
    } else if (wanted) {
        if (row.constant == SIM_FLOW_OPEN) open(i);
        if (row.constant == SIM_FLOW_FIRST) begin(i);
        if (row.constant == SIM_FLOW_STEP && goes_on) take_step(i);
        if (row.constant == SIM_FLOW_STEP && !goes_on) body_flows[i].velocity.w = 0.0;
        if (row.constant == SIM_FLOW_END) end(i);
    }
}
