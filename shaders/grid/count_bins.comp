// Counts the particles in every active bin; one invocation per particle. The counter's old value is the
// particle's rank in its bin; this order differs from run to run until sort_within_bins.comp replaces it.
#version 460
#include "bindings/grid.glsl"

BLOCK(state);
READ_OWN(bin_keys);
WRITE_OWN(bin_ranks);
READ_ANY(segments);
ATOMIC(bin_starts);

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.count);
    uint key = bin_keys[i];
    uint cell = segments[key / GRID_SEGMENT_BINS] * GRID_SEGMENT_BINS + key % GRID_SEGMENT_BINS;
    bin_ranks[i] = atomicAdd(bin_starts[cell], 1u);
}
