// Sets the dispatch sizes of the viscous solve on the MAC grid, which runs until viscous_cg_scalars.comp ends
// it; one invocation.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(solve);
REDUCTION(viscous_cg);

void main()
{
    if (invocation_index() != 0u) return;
    uint count = state.flags == 0u ? solve.firsts[1] : 0u, one = min(count, 1u);
    uvec2 size = grid_dispatch(count);
    gpu_loop loop = gpu_loop(size.x, size.y, one, one == 0u ? 0u : GPU_LOOP_RUNS);
    // one sum for each block and for each segment of bodies
    uint bodies = HAS_BODIES ? params.sink_first - params.solid_count : 0u;
    uint sums = count + (bodies + SIM_VISCOUS_SEGMENT - 1u) / SIM_VISCOUS_SEGMENT;
    viscous_cg = sim_viscous_cg(loop, one, one, one, 0.0, 0.0, 0.0, 0.0, sums);
}
