// Reports to the host whether this rank can complete the substep, and how many blocks of cells it has; one
// invocation.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"
#include "ranks.h"

BLOCK(state);
BLOCK(solve);
REDUCTION(halo_report);

void main()
{
    if (invocation_index() != 0u) return;
    halo_report.flags = state.flags;
    halo_report.blocks = solve.firsts[1];
}
