// Writes the dispatch sizes of the passes over levels.
// Buffers: solve (written).
#ifndef POISSON_DISPATCH_GLSL
#define POISSON_DISPATCH_GLSL
#include "neighbours/grid_bins.glsl"

void set_level_dispatch_args(uint which, uint level)
{
    uvec2 size = grid_dispatch(solve.firsts[level + 1u] - solve.firsts[level]);
    solve.arguments[which * 3u] = size.x;
    solve.arguments[which * 3u + 1u] = size.y;
    solve.arguments[which * 3u + 2u] = 1u;
}

void set_all_dispatch_args()
{
    for (uint level = 0u; level < POISSON_MAX_LEVELS; level++) set_level_dispatch_args(level, level);
}
#endif
