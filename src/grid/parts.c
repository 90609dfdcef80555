/* Numbering of the bins of a slab and its ghosts in parts. */
#include "parts.h"

/* Returns the number of a segment within a box: the same tiles of lines as grid_segment_index of
 * shaders/lib/neighbours/grid_bins.glsl. */
static uint32_t segment_in_part(const grid_part *part, const uint32_t bin[3])
{
    const uint32_t tile = bin[1] / GRID_TILE_LINES * part->bins_z + bin[2];
    const uint32_t line = tile * GRID_TILE_LINES + bin[1] % GRID_TILE_LINES;
    return bin[0] / GRID_SEGMENT_BINS + part->segments_x * line;
}

static uint32_t segments_of_part(const grid_part *part)
{
    const uint32_t tiles = (part->bins_y + GRID_TILE_LINES - 1) / GRID_TILE_LINES;
    return part->segments_x * tiles * GRID_TILE_LINES * part->bins_z;
}

static void add_part(const grid_parts_def *def, grid_parts *parts, uint32_t first, uint32_t end)
{
    grid_part *part = &parts->items[parts->held++];
    uint32_t bins[3] = {def->bins[0], def->bins[1], def->bins[2]};
    bins[def->axis] = end - first;
    *part = (grid_part){.first = first,
                        .end = end,
                        .first_segment = parts->segment_count,
                        .segments_x = (bins[0] + GRID_SEGMENT_BINS - 1) / GRID_SEGMENT_BINS,
                        .bins_y = bins[1],
                        .bins_z = bins[2]};
    parts->segment_count += segments_of_part(part);
}

uint32_t grid_parts_min_planes(const grid_parts_def *def)
{
    const uint32_t edges = 2 * def->support;
    return (def->has_left ? edges : 0) + (def->has_right ? edges : 0);
}

bool grid_parts_make(const grid_parts_def *def, grid_parts *parts)
{
    const uint32_t s = def->support, lo = def->first, hi = def->end;
    *parts = (grid_parts){.axis = def->axis,
                          .first = lo,
                          .end = hi,
                          .depth = 2 * s,
                          .has_left = def->has_left,
                          .has_right = def->has_right,
                          .low_limit = 0,
                          .high_limit = def->bins[def->axis]};
    if (hi <= lo || hi - lo < grid_parts_min_planes(def)) return false;
    add_part(def, parts, def->has_left ? lo + 2 * s : lo, def->has_right ? hi - 2 * s : hi);
    if (def->has_left) {
        add_part(def, parts, lo + s, lo + 2 * s);
        add_part(def, parts, lo, lo + s);
    }
    if (def->has_right) {
        add_part(def, parts, hi - s, hi);
        add_part(def, parts, hi - 2 * s, hi - s);
    }
    parts->own = parts->held;
    if (def->has_left) add_part(def, parts, lo - s, lo);
    if (def->has_right) add_part(def, parts, hi, hi + s);
    parts->near = parts->held;
    if (def->has_left) add_part(def, parts, lo - 2 * s, lo - s);
    if (def->has_right) add_part(def, parts, hi + s, hi + 2 * s);
    return true;
}

uint32_t grid_parts_find(const grid_parts *parts, uint32_t plane)
{
    for (uint32_t k = 0; k < parts->held; k++)
        if (plane >= parts->items[k].first && plane < parts->items[k].end) return k;
    return GRID_PART_NONE;
}

uint32_t grid_parts_key(const grid_parts *parts, const uint32_t bin[3])
{
    const grid_part *part = &parts->items[grid_parts_find(parts, bin[parts->axis])];
    uint32_t local[3] = {bin[0], bin[1], bin[2]};
    local[parts->axis] -= part->first;
    return (part->first_segment + segment_in_part(part, local)) * GRID_SEGMENT_BINS +
           local[0] % GRID_SEGMENT_BINS;
}

uint32_t grid_parts_line(const grid_parts *parts, const uint32_t bin[3], uint32_t last,
                         uint32_t *from, uint32_t *to)
{
    const uint32_t k = grid_parts_find(parts, bin[parts->axis]);
    *from = 1;
    *to = 0;
    if (k == GRID_PART_NONE) return bin[0] + 1;
    const uint32_t end = parts->items[k].end;
    if (parts->axis == 0 && last >= end) last = end - 1;
    *from = grid_parts_key(parts, bin);
    *to = grid_parts_key(parts, (const uint32_t[3]){last, bin[1], bin[2]});
    return last + 1;
}
