// Writes every particle's index and id into the range of its bin, in the order of the ranks; one invocation
// per particle.
#version 460
#include "bindings/grid.glsl"

BLOCK(state);
READ_OWN(bin_keys);
READ_OWN(bin_ranks);
READ_ANY(segments);
READ_ANY(bin_starts);
READ_OWN(ids); // not read if BY_INDEX: any buffer may be bound
WRITE_ANY(unsorted_entries);

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.count);
    uint key = bin_keys[i];
    uint cell = segments[key / GRID_SEGMENT_BINS] * GRID_SEGMENT_BINS + key % GRID_SEGMENT_BINS;
    unsorted_entries[bin_starts[cell] + bin_ranks[i]] = uvec2(i, BY_INDEX ? i : ids[i]);
}
