// Moves every particle by -grad p of the coarse correction. The slopes are known on the faces between cells
// and linear between faces. The cap of a correction limits the move.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
OWN_UPDATE(iterates);
GATHER(slopes);

// The index of a face on its own axis, or of a cell on another axis, brought back into the domain.
int held(int index, uint axis, bool own)
{
    int count = int(params.coarse_cells[axis]);
    if (own) return clamp(index, 0, count);
    bool periodic = (params.sides >> (4u * axis) & 3u) == 2u;
    return periodic ? (index + count) % count : clamp(index, 0, count - 1);
}

float between(ivec2 x, int row, float share, uint axis)
{
    return mix(slopes[3u * uint(x.x + row) + axis], slopes[3u * uint(x.y + row) + axis], share);
}

// The displacement along one axis, m; `at` in cells.
float displacement(vec3 at, uint axis)
{
    bvec3 own = equal(uvec3(axis), uvec3(0u, 1u, 2u));
    vec3 local = at - mix(vec3(0.5), vec3(0.0), own);
    ivec3 low = ivec3(floor(local));
    vec3 share = local - vec3(low);
    int row = int(params.coarse_cells.x) + 1, layer = row * (int(params.coarse_cells.y) + 1);
    ivec2 x = ivec2(held(low.x, 0u, own.x), held(low.x + 1, 0u, own.x));
    ivec2 y = row * ivec2(held(low.y, 1u, own.y), held(low.y + 1, 1u, own.y));
    ivec2 z = layer * ivec2(held(low.z, 2u, own.z), held(low.z + 1, 2u, own.z));
    float near = mix(between(x, y.x + z.x, share.x, axis), between(x, y.y + z.x, share.x, axis), share.y);
    float far = mix(between(x, y.x + z.y, share.x, axis), between(x, y.y + z.y, share.x, axis), share.y);
    return mix(near, far, share.z);
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 own = iterates[i];
    if (own.x == SIM_LOST) return;
    vec3 at = (fixed_metres(own.xyz) - params.domain_min.xyz) / params.coarse_size.xyz;
    float deep = params.planar != 0u ? 0.0 : displacement(at, 2u);
    vec3 move = vec3(displacement(at, 0u), displacement(at, 1u), deep);
    float size = length(move);
    if (size > params.correction_cap) move *= params.correction_cap / size;
    iterates[i] = ivec4(own.xyz + fixed_step(move), own.w);
}
