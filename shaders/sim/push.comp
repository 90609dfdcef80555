// PCISPH: moves the prediction by the pressure forces, with the gradients of the substep's start; last, where
// there are no solids, the particle is moved out of the domain's sides: else wall_collide.comp does it.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
ATOMIC(status);
READ_TEXELS(start_pressures);
UPDATE_OWN(iterates);
READ_OWN(sorted_predictions);
READ_OWN(lists);
READ_OWN(headers);
READ_OWN(wall_sums);
BLOCK(grid);
WORK(28, 20, 16);
#include "boundary/boundary_density.glsl"
#include "neighbours/pair.glsl"

void add_pair(inout vec3 sum, ivec4 own, ivec4 other)
{
    vec3 d = pair_steps(own.xyz, other.xyz);
    float r2 = pair_steps2(d);
    float inverse, g = kernel_g(r2, inverse);
    sum -= d * kernel_slope(intBitsToFloat(own.w) + intBitsToFloat(other.w), g, inverse);
}

void main()
{
    UNSOLVED_PARTICLE_OR_RETURN(i);
    ivec4 own = TEXEL(start_pressures, i);
    float weight = intBitsToFloat(iterates[i].w);
    uint header = headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, own, TEXEL(start_pressures, j)))
    vec3 push = sum * pair_unit * params.slope;
    bool near_wall = (header & SIM_NEAR_WALL) != 0u;
    if (near_wall) push += intBitsToFloat(own.w) * wall_at(i, own.xyz).xyz;
    bool was_lost = iterates[i].x == SIM_LOST, lost = was_lost || fixed_is_lost(push);
    ivec3 p = lost ? ivec3(SIM_LOST) : sorted_predictions[i].xyz + fixed_step(weight * push);
    if (!HAS_SOLIDS && near_wall && !lost) p = wall_leave_sides(p, own.xyz);
    if (lost && (row.inner == 0u || !was_lost)) atomicAdd(status.broken, 1u); // once
    iterates[i] = ivec4(p, floatBitsToInt(weight));
}
