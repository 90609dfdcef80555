// Moves every particle by -grad p of the coarse correction, which stands on the faces between cells and is
// linear between them; at most by the cap of a correction.
// Reads cells, pressures; writes a.
#version 460
#include "sim.glsl"

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_A) buffer a_block { ivec4 a[]; };
layout(std430, binding = SIM_BIND_CELLS) readonly buffer cells_block { uvec2 cells[]; };
layout(std430, binding = SIM_BIND_PRESSURES) readonly buffer pressures_block { float pressures[]; };
#include "coarse.glsl"

// -dp/dx at the face of cell `at` towards lower indices on `axis`; past the last cell that of its upper side.
float face(ivec3 at, uint axis)
{
    ivec3 step = ivec3(axis == 0u, axis == 1u, axis == 2u), low = at - step;
    bool first = low[axis] < 0;
    uint own = coarse_index(first ? at : low);
    if (coarse_is_solid(cells[own])) return 0.0;
    float drop = pressures[own] - coarse_find(first ? low : at, axis, own).pressure;
    return (first ? -drop : drop) / params.coarse_size[axis];
}

// Index on one axis of neighbour `step` (0 or 1) of the lower one, back within the domain.
int held(int index, uint axis)
{
    int count = int(params.coarse_cells[axis]);
    bool periodic = (params.sides >> (4u * axis) & 3u) == 2u;
    return periodic ? (index + count) % count : clamp(index, 0, count - 1);
}

float way(vec3 p, uint axis)
{
    vec3 at = (p - params.domain_min.xyz) / params.coarse_size.xyz;
    vec3 place = at - vec3(axis != 0u, axis != 1u, axis != 2u) * 0.5;
    ivec3 low = ivec3(floor(place));
    vec3 share = place - vec3(low);
    float sum = 0.0;
    for (uint corner = 0u; corner < 8u; corner++) {
        ivec3 step = ivec3(corner & 1u, corner >> 1 & 1u, corner >> 2), c = low + step;
        vec3 weights = mix(1.0 - share, share, vec3(step));
        for (uint other = 0u; other < 3u; other++)
            if (other != axis) c[other] = held(c[other], other);
        c[axis] = clamp(c[axis], 0, int(params.coarse_cells[axis]));
        sum += weights.x * weights.y * weights.z * face(c, axis);
    }
    return sum;
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 own = a[i];
    if (own.x == SIM_LOST) return;
    vec3 p = place_metres(own.xyz);
    vec3 move = vec3(way(p, 0u), way(p, 1u), params.planar != 0u ? 0.0 : way(p, 2u));
    float size = length(move);
    if (size > params.correction_cap) move *= params.correction_cap / size;
    a[i] = ivec4(own.xyz + place_step(move), own.w);
}
