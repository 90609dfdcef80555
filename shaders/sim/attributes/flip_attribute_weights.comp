// Sums the weights of a particle's pairs for the diffusion of attributes with FLIP and APIC, which have no
// neighbour lists; one invocation per particle. Particles that solver.reseed has moved are no longer in the
// bins of their positions, and exchange nothing in this substep.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_TEXELS(sorted_positions);
READ_ANY(neighbour_headers);
BLOCK(grid);
READ_ANY(segments);
READ_ANY(bin_starts);
WRITE_OWN(attribute_weights);
#include "attributes/exchange.glsl"

uint own_index;
float weight_sum;

void add_neighbour(uint j, float distance2)
{
    if (j == own_index || (RESEED && (neighbour_headers[j] & SIM_RESEEDED) != 0u)) return;
    weight_sum += exchange_weight(distance2 / grid.radius2);
}
#define NEIGHBOUR_POSITION(j) fixed_to_metres(TEXEL(sorted_positions, j).xyz)
#define VISIT_NEIGHBOUR(j, offset, distance2) add_neighbour(j, distance2)
#include "neighbours/neighbour_query.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    own_index = i;
    weight_sum = 0.0;
    neighbour_query(NEIGHBOUR_POSITION(i));
    attribute_weights[i] = weight_sum;
}
