// Starts loop number pass.constant with the dispatch size of all particles; on ranks with that of the first
// layer of ghosts, too. One invocation.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
REDUCTION(loops);

void main()
{
    if (invocation_index() != 0u) return;
    bool runs = status.running != 0u && state.flags == 0u;
    uint at = GRID_ARGS_NEAR * 3u;
    loops[pass.constant] = gpu_loop(runs ? state.arguments[at] : 0u, state.arguments[at + 1u], 1u,
                                   runs ? GPU_LOOP_RUNS : 0u);
}
