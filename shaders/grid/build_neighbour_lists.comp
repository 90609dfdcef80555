// Builds the neighbour list of every particle: all others within the support radius, in sorted order, so that
// every later sum runs in one fixed order; one invocation per particle. A list that does not fit raises a
// flag; no neighbour is dropped silently.
#version 460
#include "bindings/grid.glsl"

BLOCK(grid);
ATOMIC(state);
READ_TEXELS(sorted_positions);
READ_ANY(segments);
READ_ANY(bin_starts);
WRITE_OWN(list_vectors);
WRITE_OWN(neighbour_headers);
BLOCK(parts);
// 2.5 candidates per neighbour: a sphere with a radius of two half-wide bins touches 84 bins (its Minkowski
// sum with a bin) and fills 33.5. Eight operations and 16 bytes each.
WORK_ESTIMATE(60, 20, 40);

#include "neighbours/bin_ranges.glsl"
#include "neighbours/grid_parts.glsl"

uint capacity, list_start; // of this particle's list; its first vector

// The last four words of the list. Neighbours are stored a vector at a time, because a store of one word
// takes as long: a GPU writes at least 32 bytes to its cache.
uvec4 words;

// State of a compact list: the particle, its other base (the particle itself: none yet), the half word of the
// last even neighbour, the range of a base, and whether a neighbour was out of range of both bases.
uint own_index, other_base, even_half, compact_reach;
bool too_far;

// Branchless, because some lane of a wave would take the branch nearly always.
void write_compact_neighbour(uint k, uint j)
{
    bool far = j - own_index + compact_reach >= 2u * compact_reach;
    other_base = far && other_base == own_index ? j : other_base;
    uint offset = j - (far ? other_base : own_index);
    too_far = too_far || offset + compact_reach >= 2u * compact_reach;
    uint mark = far ? GRID_COMPACT_OTHER_BASE : 0u;
    uint half_word = mark | ((offset + GRID_COMPACT_OFFSET) & (GRID_COMPACT_OTHER_BASE - 1u));
    if (k % 2u != 0u) words = uvec4(words.yzw, even_half | half_word << 16);
    if (k % GRID_COMPACT_STEP == GRID_COMPACT_STEP - 1u && k < capacity)
        list_vectors[list_start + k / GRID_COMPACT_STEP * GRID_LIST_INTERLEAVE] = words;
    even_half = half_word;
}

void write_neighbour(uint k, uint j)
{
    if (COMPACT) {
        write_compact_neighbour(k, j);
        return;
    }
    words = uvec4(words.yzw, j);
    if (k % GRID_LIST_STEP == GRID_LIST_STEP - 1u && k < capacity)
        list_vectors[list_start + k / GRID_LIST_STEP * GRID_LIST_INTERLEAVE] = words;
}

// Fills the last four entries of a list of `count` neighbours with the particle itself. Stores what is left
// of a compact list, and its other base.
void end_list(uint i, uint count)
{
    uint k = count;
    for (; k % GRID_LIST_STEP != 0u; k++) write_neighbour(k, i);
    if (!COMPACT) return;
    uint last = list_start + (grid.list_capacity / GRID_COMPACT_STEP - 1u) * GRID_LIST_INTERLEAVE;
    bool half_vector = k % GRID_COMPACT_STEP != 0u && k <= capacity;
    uint at = half_vector ? list_start + k / GRID_COMPACT_STEP * GRID_LIST_INTERLEAVE : last;
    uvec4 left = uvec4(words.zw, 0u, other_base);
    list_vectors[at] = left;
    if (at != last) list_vectors[last] = left;
}

// Read once: a compiler that suspects aliasing would read the block for every candidate.
float radius2_units; // in position units squared; offsets are in position units
ivec3 period;
vec3 turns; // 1 / period, 0 on non-periodic axes

uint append_if_near(uint i, uint count, ivec3 p, uint j)
{
    ivec3 offset = p - TEXEL(sorted_positions, j).xyz;
    if (PERIODIC) offset -= period * ivec3(roundEven(vec3(offset) * turns));
    // Contracting products and sums would round differently in the variant for ranks: CUT.
    vec3 d = vec3(offset);
    precise float distance2 = (d.x * d.x + d.y * d.y) + d.z * d.z;
    if (distance2 < radius2_units && j != i) write_neighbour(count++, j);
    return count;
}

uint append_range(uint i, uint count, ivec3 p, uvec2 range)
{
    uint last = min(range.y, range.x + 65000u);
    for (uint j = range.x; j < last; j++) count = append_if_near(i, count, p, j);
    return count;
}

// How the parts of the bins around a particle are found. On CPUs, searching them for every line takes longer
// than all else, also for lanes that do not need it; hence variants of the whole search.
const uint ONE_PART = 0u;    // all are in `here`
const uint THREE_PARTS = 1u; // they are in `here`, `below` and `above`; parts are a support radius thick
const uint ANY_PART = 2u;
grid_part here, below, above; // their `end` is 0 if the rank does not hold them

grid_part load_part(uint plane)
{
    uint k = grid_part_of(plane);
    grid_part found = parts.items[min(k, parts.held - 1u)];
    if (k == parts.held) found.end = 0u;
    return found;
}

grid_part find_part(uint plane, uint way)
{
    grid_part found = here;
    if (way == ANY_PART) found = load_part(plane);
    if (way == THREE_PARTS && plane < here.first) found = below;
    if (way == THREE_PARTS && plane >= here.end) found = above;
    return found;
}

// Appends the neighbours in bins x to `last` of the line of bins through `bin`, part by part.
uint append_bins(uint i, uint count, ivec3 p, uvec2 bin, uvec2 range, uint way)
{
    if (!CUT) {
        uint line = grid_segment_index(grid, 0u, bin.x, bin.y);
        return append_range(i, count, p, bin_line_range(line, range.x, range.y));
    }
    bool crosses = way != ONE_PART && parts.axis == 0u;
    uint x = range.x;
    // Of a `break` at the end of this loop GPU-assisted validation 1.3.239 makes invalid code.
    while (x <= range.y) {
        grid_part part = find_part(grid_plane(uvec3(x, bin)), way);
        // Only of a ghost at the border of the outermost bins, which is too far from own particles to matter.
        if (way != ONE_PART && part.end == 0u) break;
        uint shift = grid_part_shift(part), end = crosses ? min(range.y, part.end - 1u) : range.y;
        uint line = grid_part_line(part, uvec3(x, bin));
        count = append_range(i, count, p, bin_line_range(line, x - shift, end - shift));
        x = end + 1u;
    }
    return count;
}

// Appends the neighbours in bins lo to hi of one line, which the support sphere touches. On a periodic axis
// the line continues at its other end. `bin`: y and z of the line.
uint append_line(uint i, uint count, ivec3 p, uvec2 bin, ivec2 range, uint way)
{
    int n = int(grid.bins_x);
    uvec2 inner = uvec2(clamp(range, 0, n - 1));
    if (PERIODIC && grid.period.x > 0.0 && range.x < 0)
        count = append_bins(i, count, p, bin, uvec2(range.x + n, n - 1), way);
    count = append_bins(i, count, p, bin, inner, way);
    if (PERIODIC && grid.period.x > 0.0 && range.y >= n)
        count = append_bins(i, count, p, bin, uvec2(0, range.y - n), way);
    return count;
}

// Appends all neighbours of a particle at p, in position units. `cell`: its bin; `inside`: its place there.
uint append_neighbours(uint i, ivec3 p, ivec3 cell, vec3 inside, uint way)
{
    vec3 size = 1.0 / grid.inverse_bin_size.xyz, held = bin_line_inside(inside);
    int span = int(grid.subdivision);
    // Rounding must not lose a bin; append_if_near tests the distance exactly.
    float radius2 = grid.radius2 * 1.00001;
    uint count = 0u;
    for (int z = -span; z <= span; z++) {
        int cz = bin_line_wrap(cell.z + z, grid.bins_z, grid.period.z);
        float gap_z = bin_line_gap(z, held.z) * size.z, rest2_z = radius2 - gap_z * gap_z;
        if (cz < 0) continue;
        for (int y = -span; y <= span; y++) {
            int cy = bin_line_wrap(cell.y + y, grid.bins_y, grid.period.y);
            float gap_y = bin_line_gap(y, held.y) * size.y, rest2 = rest2_z - gap_y * gap_y;
            if (cy < 0 || rest2 <= 0.0) continue;
            float half_line = sqrt(rest2) * grid.inverse_bin_size.x + 1e-3;
            int lo = cell.x + int(floor(inside.x - half_line));
            int hi = cell.x + int(floor(inside.x + half_line));
            count = append_line(i, count, p, uvec2(cy, cz), ivec2(lo, hi), way);
        }
    }
    return count;
}

// Appends the neighbours on a rank of several. A line along x may reach one bin farther than the support
// radius, by rounding, if the particle is at the border of its bin.
uint append_on_rank(uint i, ivec3 p, ivec3 cell, vec3 inside)
{
    bool at_border = parts.axis == 0u && abs(inside.x - 0.5) > 0.495;
    uint plane = grid_plane(uvec3(cell)), reach = grid.subdivision + (at_border ? 1u : 0u);
    uint planes = grid_plane(uvec3(grid.bins_x, grid.bins_y, grid.bins_z));
    here = load_part(plane);
    bool ends_below = here.first > 0u && plane < here.first + reach;
    bool ends_above = here.end < planes && plane + reach >= here.end;
    uint count;
    if (!ends_below && !ends_above) {
        count = append_neighbours(i, p, cell, inside, ONE_PART);
    } else if (at_border) {
        count = append_neighbours(i, p, cell, inside, ANY_PART);
    } else {
        below = here.first > 0u ? load_part(here.first - 1u) : here;
        above = load_part(here.end);
        count = append_neighbours(i, p, cell, inside, THREE_PARTS);
    }
    return count;
}

void main()
{
    uint i = pass.first + invocation_index();
    if (i >= state.near) return;
    capacity = grid.list_capacity;
    list_start = grid_list_index(i - pass.first, 0u, capacity);
    words = uvec4(0u);
    if (COMPACT) {
        own_index = other_base = i;
        compact_reach = grid.max_compact_offset;
        too_far = false;
        list_start = grid_compact_list_index(i - pass.first, capacity);
        capacity -= GRID_COMPACT_TAIL;
    }
    ivec3 p = TEXEL(sorted_positions, i).xyz;
    vec3 at = grid_bin_coordinates(grid, p);
    ivec3 raw = ivec3(floor(at)), cell = grid_wrap_bin(grid, raw);
    vec3 inside = mix(at - vec3(cell), at - vec3(raw), greaterThan(grid.period.xyz, vec3(0.0)));
    radius2_units = grid.radius2_units;
    period = grid.fixed_period.xyz;
    turns = mix(vec3(0.0), 1.0 / vec3(period), greaterThan(period, ivec3(0)));
    uint count = CUT ? append_on_rank(i, p, cell, inside) : append_neighbours(i, p, cell, inside, ONE_PART);
    neighbour_headers[i] = min(count, capacity);
    end_list(i, count);
    if (COMPACT && too_far) atomicOr(state.flags, GRID_OVERFLOW_COMPACT);
    if (count > capacity) {
        atomicOr(state.flags, GRID_OVERFLOW_LISTS);
        atomicMax(state.needed_list_capacity, count + grid.list_capacity - capacity);
    }
}
