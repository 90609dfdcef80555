// Diffuses the attributes with FLIP and APIC, and stores them in the state (docs/equations.md). Pairs are
// those of the substep's start, in whose bins the particles are. One invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_TEXELS(sorted_positions);
READ_ANY(neighbour_headers);
BLOCK(grid);
READ_ANY(segments);
READ_ANY(bin_starts);
READ_ANY(attribute_weights);
READ_ANY(sorted_attributes);
READ_OWN(positions);
WRITE_OWN(attributes);
#include "attributes/exchange.glsl"
#include "attributes/advance.glsl"

float own_weights;
vec4 own[SIM_MAX_ATTRIBUTE_VECTORS], change[SIM_MAX_ATTRIBUTE_VECTORS];

// The particle itself is among those that are visited; it changes nothing.
void add_neighbour(uint j, float distance2)
{
    if (RESEED && (neighbour_headers[j] & SIM_RESEEDED) != 0u) return;
    float weight = exchange_weight(distance2 / grid.radius2), sum = max(own_weights, attribute_weights[j]);
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        change[k] += exchange_fraction(params.attribute_rates[k], sum) * weight *
                     (sorted_attributes[ATTRIBUTE_VECTORS * j + k] - own[k]);
}
#define NEIGHBOUR_POSITION(j) fixed_to_metres(TEXEL(sorted_positions, j).xyz)
#define VISIT_NEIGHBOUR(j, offset, distance2) add_neighbour(j, distance2)
#include "neighbours/neighbour_query.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    own_weights = attribute_weights[i];
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++) {
        own[k] = sorted_attributes[ATTRIBUTE_VECTORS * i + k];
        change[k] = vec4(0.0);
    }
    if (!RESEED || (neighbour_headers[i] & SIM_RESEEDED) == 0u) neighbour_query(NEIGHBOUR_POSITION(i));
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        attributes[ATTRIBUTE_VECTORS * i + k] = attributes_advance(own[k] + change[k], k, positions[i].xyz);
}
