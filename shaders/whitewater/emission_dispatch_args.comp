// Computes the new number of whitewater particles and the dispatch size over the emitted ones; one
// invocation. If there is no room for all, `count` is the capacity needed, and the later passes write
// nothing.
#version 460
#define WORKGROUP 1
#include "bindings/whitewater.glsl"

BLOCK(state);
BLOCK(params);
READ_ANY(emission_offsets);
READ_ANY(survivor_offsets);
REDUCTION(counters);

void main()
{
    if (invocation_index() != 0u) return;
    uint births = params.point_count == 0u ? 0u : emission_offsets[state.live];
    counters.emission_count = births + params.emitter_particle_count;
    counters.survivors = survivor_offsets[params.particle_count];
    counters.count = counters.survivors + counters.emission_count;
    uint groups = counters.count > params.capacity
                      ? 0u
                      : (births + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP;
    uvec2 size = grid_dispatch(groups);
    counters.arguments[0] = size.x;
    counters.arguments[1] = size.y;
}
