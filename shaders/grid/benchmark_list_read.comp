// Reads neighbour lists to compare wide and compact ones (src/grid/autotune_lists.c): computes the poly6 sum
// over each list, in the same loop as the solver's densities; one invocation per particle.
#version 460
#include "bindings/grid.glsl"

BLOCK(grid);
BLOCK(state);
READ_TEXELS(sorted_positions);
READ_OWN(list_vectors);
READ_OWN(neighbour_headers);
WRITE_OWN(densities);
WORK_ESTIMATE(4, 15, 16);
#define neighbour_lists list_vectors
#include "neighbours/neighbour_list.glsl"

float inverse_near2;

float poly6(ivec3 p, uint j, bool wanted)
{
    vec3 way = vec3(p - TEXEL(sorted_positions, j).xyz);
    float t = wanted ? max(1.0 - dot(way, way) * inverse_near2, 0.0) : 0.0;
    return t * t * t;
}

void main()
{
    uint i = pass.first + invocation_index();
    if (i >= state.live) return;
    ivec3 p = TEXEL(sorted_positions, i).xyz;
    uint count = neighbour_headers[i] & GRID_COUNT_MASK;
    uint at = grid_list_index(i - pass.first, 0u, grid.list_capacity);
    float density = 1.0;
    inverse_near2 = 1.0 / grid.radius2_units;
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_INTERLEAVE) {
        uvec4 j = neighbour_indices(i, k, at);
        density += poly6(p, j.x, true);
        density += poly6(p, j.y, k + 1u < count);
        density += poly6(p, j.z, k + 2u < count);
        density += poly6(p, j.w, k + 3u < count);
    }
    densities[i] = density;
}
