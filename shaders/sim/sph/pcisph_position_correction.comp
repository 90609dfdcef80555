// PCISPH: moves the prediction by the pressure forces, with the gradients at the substep's start; one
// invocation per particle. In scenes without solids it finally projects the particle out of the domain's
// sides; in others boundary_project.comp does this.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
ATOMIC(status);
READ_TEXELS(start_pressures);
UPDATE_OWN(iterated_positions);
READ_OWN(sorted_predicted_positions);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
READ_OWN(boundary_sums);
BLOCK(grid);
WORK_ESTIMATE(28, 20, 16);
#include "boundary/boundary_density.glsl"
#include "neighbours/pair.glsl"

void add_pair(inout vec3 sum, ivec4 own, ivec4 other)
{
    vec3 d = pair_offset_steps(own.xyz, other.xyz);
    float r2 = pair_distance2_steps(d);
    float inverse, g = kernel_one_minus_r(r2, inverse);
    sum -= d * kernel_gradient_factor(intBitsToFloat(own.w) + intBitsToFloat(other.w), g, inverse);
}

void main()
{
    UNSOLVED_PARTICLE_OR_RETURN(i);
    ivec4 own = TEXEL(start_pressures, i);
    float weight = intBitsToFloat(iterated_positions[i].w);
    uint header = neighbour_headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, own, TEXEL(start_pressures, j)))
    vec3 push = sum * pair_step_over_h * params.kernel_gradient;
    bool near_wall = (header & SIM_NEAR_BOUNDARY) != 0u;
    vec3 wall_push = vec3(0.0);
    if (near_wall) wall_push = intBitsToFloat(own.w) * boundary_gradient_density(i, own.xyz).xyz;
    push += wall_push;
    bool was_lost = iterated_positions[i].x == SIM_INVALID_POSITION;
    bool lost = was_lost || fixed_is_non_finite(push);
    ivec3 p = lost ? ivec3(SIM_INVALID_POSITION)
                   : sorted_predicted_positions[i].xyz + fixed_from_offset(weight * push);
    if (!HAS_SOLIDS && near_wall && !lost) p = boundary_project_sides(p, own.xyz, weight * wall_push);
    // counts a particle only once
    if (lost && (pass.inner == 0u || !was_lost)) atomicAdd(status.solve_non_finite, 1u);
    iterated_positions[i] = ivec4(p, floatBitsToInt(weight));
}
