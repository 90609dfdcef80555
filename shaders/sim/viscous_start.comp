// One invocation: sets the dispatch sizes of the viscous solve, which runs until viscous_decide ends it.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(viscous);

void main()
{
    if (row_index() != 0u) return;
    uint live = state.flags == 0u ? state.live : 0u;
    uint groups = (live + GROUP - 1u) / GROUP;
    uint bodies = HAS_BODIES ? params.sink_first - params.solid_count : 0u;
    uvec2 size = grid_dispatch(groups);
    uint one = live == 0u ? 0u : 1u;
    gpu_loop loop = gpu_loop(size.x, size.y, one, one == 0u ? 0u : GPU_LOOP_RUNS);
    viscous = sim_viscous(loop, one, one, one, 0.0, 0.0, 0.0, 0.0,
                          groups + (bodies + GROUP - 1u) / GROUP);
}
