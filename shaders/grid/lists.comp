// Neighbour lists: for every particle all others within the support radius, in sorted order, so that
// every later sum runs in one fixed order. A list that does not fit raises a flag; nothing is dropped.
// Reads positions (sorted), segments, cells; writes lists and headers (the count).
#version 460
#include "row.glsl"
#include "grid.glsl"

layout(constant_id = 1) const uint PERIODIC = 0u;

layout(std430, binding = GRID_BIND_PARAMS) readonly buffer params_block { grid_params grid; };
layout(std430, binding = GRID_BIND_STATE) buffer state_block { grid_state state; };
layout(std430, binding = GRID_BIND_POSITIONS) readonly buffer positions_block { vec4 positions[]; };
layout(std430, binding = GRID_BIND_SEGMENTS) readonly buffer segments_block { uint segments[]; };
layout(std430, binding = GRID_BIND_CELLS) readonly buffer cells_block { uint cells[]; };
layout(std430, binding = GRID_BIND_LISTS) writeonly buffer lists_block { uint lists[]; };
layout(std430, binding = GRID_BIND_HEADERS) writeonly buffer headers_block { uint headers[]; };

// Particles before the first of cell x in a line; with `after`, before the first behind it.
uint line_start(uint line, uint x, uint after)
{
    uint segment = line + x / GRID_SEGMENT_CELLS;
    uint slot = segments[segment];
    bool occupied = segments[segment + 1u] != slot;
    return cells[slot * GRID_SEGMENT_CELLS + (occupied ? x % GRID_SEGMENT_CELLS + after : 0u)];
}

uint append_range(uint i, uint count, vec3 p, uint first, uint last)
{
    uint local = i - row.first;
    last = min(last, first + 65000u);
    for (uint j = first; j < last; j++) {
        vec3 d = p - positions[j].xyz;
        if (PERIODIC != 0u) d -= grid.period.xyz * round(d / max(grid.period.xyz, vec3(1e-30)));
        if (dot(d, d) < grid.radius2 && j != i) {
            if (count < grid.list_capacity) lists[grid_list_at(local, count, grid.list_capacity)] = j;
            count++;
        }
    }
    return count;
}

// A line of cells along x; on a periodic axis the range may fall into two.
uint append_line(uint i, uint count, vec3 p, int cx, int cy, int cz)
{
    ivec3 c = grid_inside(grid, ivec3(0, cy, cz));
    if (c.y != cy && grid.period.y == 0.0 || c.z != cz && grid.period.z == 0.0) return count;
    uint line = grid_segment(grid, 0u, uint(c.y), uint(c.z));
    int last = int(grid.cells_x) - 1;
    uint lo = uint(max(cx - 1, 0)), hi = uint(min(cx + 1, last));
    count = append_range(i, count, p, line_start(line, lo, 0u), line_start(line, hi, 1u));
    if (PERIODIC == 0u || grid.period.x == 0.0) return count;
    if (cx == 0)
        count = append_range(i, count, p, line_start(line, uint(last), 0u),
                             line_start(line, uint(last), 1u));
    if (cx == last) count = append_range(i, count, p, line_start(line, 0u, 0u), line_start(line, 0u, 1u));
    return count;
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live) return;
    vec3 p = positions[i].xyz;
    ivec3 c = grid_inside(grid, grid_cell(grid, p));
    uint count = 0u;
    for (int z = -1; z <= 1; z++)
        for (int y = -1; y <= 1; y++)
            count = append_line(i, count, p, c.x, c.y + y, c.z + z);
    headers[i] = min(count, grid.list_capacity);
    if (count > grid.list_capacity) {
        atomicOr(state.flags, GRID_OVERFLOW_LISTS);
        atomicMax(state.needed_list, count);
    }
}
