// Sums the weights of a particle's pairs for the diffusion of attributes; one invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_TEXELS(iterated_positions);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
BLOCK(grid);
WRITE_OWN(attribute_weights);
WORK_ESTIMATE(2, 14, 16);
#include "neighbours/pair.glsl"
#include "attributes/exchange.glsl"

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterated_positions, i).xyz;
    uint count = neighbour_headers[i] & GRID_COUNT_MASK;
    float sum = 0.0;
    FOR_EACH_NEIGHBOUR(i, count,
                       sum += exchange_weight(pair_distance2(
                           pair_offset(p, TEXEL(iterated_positions, j).xyz), wanted)))
    attribute_weights[i] = sum;
}
