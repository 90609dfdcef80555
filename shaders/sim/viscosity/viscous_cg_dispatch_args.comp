// Sets the dispatch sizes of the viscous solve, which runs until viscous_cg_scalars.comp ends it; one
// invocation.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(viscous_cg);

uint segment_count(uint n) { return (n + SIM_VISCOUS_SEGMENT - 1u) / SIM_VISCOUS_SEGMENT; }

void main()
{
    if (invocation_index() != 0u) return;
    uint live = state.flags == 0u ? state.live : 0u;
    uint groups = (live + PARTICLE_WORKGROUP - 1u) / PARTICLE_WORKGROUP;
    uint bodies = HAS_BODIES ? params.sink_first - params.solid_count : 0u;
    uvec2 size = grid_dispatch(groups);
    uint one = live == 0u ? 0u : 1u;
    gpu_loop loop = gpu_loop(size.x, size.y, one, one == 0u ? 0u : GPU_LOOP_RUNS);
    viscous_cg = sim_viscous_cg(loop, one, one, one, 0.0, 0.0, 0.0, 0.0,
                          segment_count(live) + segment_count(bodies));
}
