// Diffuses the attributes and stores them in the state (docs/equations.md); one invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_TEXELS(iterated_positions);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
BLOCK(grid);
READ_ANY(attribute_weights);
READ_ANY(sorted_attributes);
READ_OWN(positions);
WRITE_OWN(attributes);
WORK_ESTIMATE(8, 26, 36);
#include "neighbours/pair.glsl"
#include "attributes/exchange.glsl"
#include "attributes/advance.glsl"

vec4 own[SIM_MAX_ATTRIBUTE_VECTORS], change[SIM_MAX_ATTRIBUTE_VECTORS];

// A padded entry is the particle itself, so it changes nothing.
void add_pair(ivec3 p, float own_weights, uint j)
{
    vec3 d = pair_offset(p, TEXEL(iterated_positions, j).xyz);
    float weight = exchange_weight(dot(d, d)), sum = max(own_weights, attribute_weights[j]);
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        change[k] += exchange_fraction(params.attribute_rates[k], sum) * weight *
                     (sorted_attributes[ATTRIBUTE_VECTORS * j + k] - own[k]);
}

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterated_positions, i).xyz;
    uint count = neighbour_headers[i] & GRID_COUNT_MASK;
    float own_weights = attribute_weights[i];
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++) {
        own[k] = sorted_attributes[ATTRIBUTE_VECTORS * i + k];
        change[k] = vec4(0.0);
    }
    FOR_EACH_NEIGHBOUR(i, count, add_pair(p, own_weights, j))
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        attributes[ATTRIBUTE_VECTORS * i + k] = attributes_advance(own[k] + change[k], k, positions[i].xyz);
}
