// Performs one step of the implicit viscous solve for a body; one invocation per body. pass.constant
// (SIM_BODY_CG_*) selects the step: initial velocity, residual, matrix product and dot products, update, or
// the final impulse by which shaders/body/apply_impulses.comp moves the body. A body at rest acts as a wall.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
BLOCK(viscous_cg);
READ_SOLIDS();
READ_ANY(bodies);
READ_OWN(body_iterated_states);
UPDATE_ANY(body_impulse_sums);
UPDATE_OWN(body_viscous_states);
WRITE_ANY(viscous_partials);
#include "boundary/boundary.glsl"
#include "body/impulse.glsl"
#include "body/inertia.glsl"
#include "body/viscosity_scale.glsl"
#define SUM_TYPE vec2
#define SUM_LANES SIM_VISCOUS_WORKGROUP
#define SUM_SEGMENT SIM_VISCOUS_SEGMENT
#include "reduce/segment_sum.glsl"

float take_body_sum(uint at)
{
    float value = integer_value(uvec2(body_impulse_sums[at], body_impulse_sums[at + 1u]));
    body_impulse_sums[at] = body_impulse_sums[at + 1u] = 0u;
    return value * body_impulse_unit() / viscous_impulse_scale();
}

vec3 take_body_vector(uint at)
{
    return vec3(take_body_sum(at), take_body_sum(at + 2u), take_body_sum(at + 4u));
}

vec3 angular_velocity(uint i, vec3 spin)
{
    return inverse_inertia_times(i, body_iterated_states[i].rotation, spin);
}

// With a MAC grid, adds the impulse of the predicted pressure (flip_viscous_predict.comp), which the body
// itself does not take.
void init_body(uint i)
{
    body_state at = body_iterated_states[i];
    if (MAC_GRID && at.position.w == 0.0) {
        float scale = viscous_impulse_scale() / status.dt;
        at.velocity.xyz += scale * bodies[i].centre.w * take_body_vector(i * BODY_IMPULSE_WORDS);
        at.angular_momentum.xyz += scale * params.spacing * take_body_vector(i * BODY_IMPULSE_WORDS + 6u);
    }
    body_viscous_states[i].centre = at.position;
    body_viscous_states[i].velocity = vec4(at.velocity.xyz, 1.0);
    body_viscous_states[i].angular_velocity.xyz = angular_velocity(i, at.angular_momentum.xyz);
    body_viscous_states[i].start = body_viscous_states[i].velocity;
    body_viscous_states[i].angular_start = body_viscous_states[i].angular_velocity;
}

// Sets the velocities that the next matrix product multiplies.
void use_scaled_residual(uint i, inout body_viscous_state flow)
{
    flow.velocity.xyz = flow.residual.xyz * flow.residual.w;
    flow.angular_velocity.xyz = angular_velocity(i, flow.angular_residual.xyz * flow.angular_residual.w);
}

// Computes the initial residual. A scalar approximates the body's block of the matrix's diagonal; the angular
// drag is taken at the body's radius.
void init_residual(uint i)
{
    uint at = i * BODY_IMPULSE_WORDS;
    vec3 drag = take_body_vector(at), moment = take_body_vector(at + 6u) * params.spacing;
    float weight = take_body_sum(at + BODY_IMPULSE_VISCOUS_DIAGONAL), reach = bodies[i].inertia.w;
    vec3 inverse = bodies[i].inertia.xyz;
    float mean = (inverse.x + inverse.y + inverse.z) / 3.0;
    float lightness = bodies[i].centre.w * viscous_unit();
    float turn = mean / viscous_unit() + mean * mean * weight * reach * reach;
    bool rests =
        body_iterated_states[i].position.w != 0.0 || body_iterated_states[i].angular_momentum.w != 0.0;
    body_viscous_state flow = body_viscous_states[i];
    flow.residual = flow.angular_residual = vec4(0.0);
    if (!rests) {
        flow.residual = vec4(-drag, 1.0 / (1.0 / lightness + weight));
        flow.angular_residual = vec4(-angular_velocity(i, moment), 1.0 / turn);
    }
    flow.product = flow.angular_product = flow.direction = flow.angular_direction = vec4(0.0);
    flow.direction_product = flow.angular_direction_product = flow.change = flow.angular_change = vec4(0.0);
    use_scaled_residual(i, flow);
    body_viscous_states[i] = flow;
}

vec2 apply_matrix(uint i)
{
    uint at = i * BODY_IMPULSE_WORDS;
    vec3 drag = take_body_vector(at), moment = take_body_vector(at + 6u) * params.spacing;
    vec4 residual = body_viscous_states[i].residual;
    vec4 angular_residual = body_viscous_states[i].angular_residual;
    vec3 own = residual.xyz * residual.w, spin = angular_residual.xyz * angular_residual.w;
    vec3 product = own / (bodies[i].centre.w * viscous_unit()) + drag;
    vec3 angular_product = angular_velocity(i, spin / viscous_unit() + moment);
    body_viscous_states[i].product.xyz = product;
    body_viscous_states[i].angular_product.xyz = angular_product;
    return vec2(dot(residual.xyz, own) + dot(angular_residual.xyz, spin),
                dot(product, own) + dot(angular_product, spin));
}

void reduce_dot_products(uint i, vec2 sum)
{
    sum = segment_sum(sum);
    if (i % SIM_VISCOUS_SEGMENT != 0u || i >= boundary_body_count()) return;
    uint segments = (boundary_body_count() + SIM_VISCOUS_SEGMENT - 1u) / SIM_VISCOUS_SEGMENT;
    viscous_partials[viscous_cg.partial_count - segments + i / SIM_VISCOUS_SEGMENT] = sum;
}

// Updates the direction, the change and the residual as viscous_cg_step does for particles.
void cg_step(uint i)
{
    body_viscous_state flow = body_viscous_states[i];
    float keep = pass.inner > 0u ? viscous_cg.beta : 0.0;
    flow.direction.xyz = flow.residual.xyz * flow.residual.w + keep * flow.direction.xyz;
    flow.angular_direction.xyz =
        flow.angular_residual.xyz * flow.angular_residual.w + keep * flow.angular_direction.xyz;
    flow.direction_product.xyz = flow.product.xyz + keep * flow.direction_product.xyz;
    flow.angular_direction_product.xyz = flow.angular_product.xyz + keep * flow.angular_direction_product.xyz;
    flow.change.xyz += viscous_cg.alpha * flow.direction.xyz;
    flow.angular_change.xyz += viscous_cg.alpha * flow.angular_direction.xyz;
    flow.residual.xyz -= viscous_cg.alpha * flow.direction_product.xyz;
    flow.angular_residual.xyz -= viscous_cg.alpha * flow.angular_direction_product.xyz;
    use_scaled_residual(i, flow);
    body_viscous_states[i] = flow;
}

void write_body_sum(uint at, vec3 value)
{
    for (uint axis = 0u; axis < 3u; axis++) {
        uvec2 words = integer_words(value[axis] / body_impulse_unit());
        body_impulse_sums[at + 2u * axis] = words.x;
        body_impulse_sums[at + 2u * axis + 1u] = words.y;
    }
}

// With a MAC grid, the body also gets back the momentum that the unconverged residual has lost, as the faces
// do (flip_viscous_apply.comp), and its new velocity is kept for flip_viscous_body_faces.comp.
void apply_impulse(uint i)
{
    uint at = i * BODY_IMPULSE_WORDS;
    if (status.viscous_iterations == 0u) return;
    vec3 lost = body_viscous_states[i].residual.xyz * bodies[i].centre.w * viscous_unit();
    vec3 change = (body_viscous_states[i].change.xyz + (MAC_GRID ? lost : vec3(0.0))) * status.dt;
    vec3 turn = body_viscous_states[i].angular_change.xyz * status.dt;
    if (any(not_finite(change)) || any(not_finite(turn))) return;
    write_body_sum(at, change / bodies[i].centre.w);
    write_body_sum(at + 6u, turn / params.spacing);
    if (!MAC_GRID) return;
    body_viscous_states[i].velocity.xyz = body_viscous_states[i].start.xyz + change / status.dt;
    body_viscous_states[i].angular_velocity.xyz =
        body_viscous_states[i].angular_start.xyz + angular_velocity(i, turn / status.dt);
}

void main()
{
    uint i = invocation_index();
    bool wanted = i < boundary_body_count() && state.flags == 0u && status.running != 0u;
    bool goes_on = viscous_cg.loop.groups_x != 0u;
    if (pass.constant == SIM_BODY_CG_MATVEC) {
        vec2 sum = vec2(0.0);
        if (wanted && goes_on) sum = apply_matrix(i);
        if (goes_on) reduce_dot_products(i, sum);
    } else if (wanted) {
        if (pass.constant == SIM_BODY_CG_INIT) init_body(i);
        if (pass.constant == SIM_BODY_CG_RESIDUAL) init_residual(i);
        if (pass.constant == SIM_BODY_CG_STEP && goes_on) cg_step(i);
        if (pass.constant == SIM_BODY_CG_STEP && !goes_on) body_viscous_states[i].velocity.w = 0.0;
        if (pass.constant == SIM_BODY_CG_APPLY) apply_impulse(i);
    }
}
