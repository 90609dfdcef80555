/* Numbering of the bins that a rank holds. The domain is cut into slabs along one axis; a rank owns
 * the bins between two cuts and holds copies of the particles within two supports of them. Its bins
 * are numbered in up to nine parts, boxes that span one or more planes along the axis of the cuts:
 *
 *   own      interior, inner edge left, outer edge left, outer edge right, inner edge right
 *   near     first layer of ghosts left, right
 *   held     second layer of ghosts left, right
 *
 * So the particles that are sorted by bin and id form three nested prefixes: own, own and first
 * layer, all. All parts but the interior are a support thick. A neighbour's outer edge is this
 * rank's first layer, its inner edge the second: the same box, numbered alike, so a message has the
 * same order on both sides. A single rank has one part, numbered like the whole domain. */
#ifndef WEIR_GRID_PARTS_H
#define WEIR_GRID_PARTS_H

#include "base.h"

#include "shared/grid.h"

#define GRID_PART_NONE UINT32_MAX

typedef struct grid_parts_def {
    uint32_t bins[3];         /* of the whole domain */
    uint32_t axis;            /* of the cuts: 0, 1, 2 */
    uint32_t first, end;      /* own planes along the axis */
    uint32_t support;         /* planes that the support radius spans */
    bool has_left, has_right; /* neighbours */
} grid_parts_def;

typedef struct grid_parts grid_parts;

/* Returns the fewest own planes of a rank with neighbours on the sides that `def` says. */
uint32_t grid_parts_min_planes(const grid_parts_def *def);
/* Fails, with false, if the slab is thinner than that. */
bool grid_parts_make(const grid_parts_def *def, grid_parts *parts);
/* Returns the part that holds a plane; GRID_PART_NONE if the rank does not hold it. */
uint32_t grid_parts_find(const grid_parts *parts, uint32_t plane);
/* Returns the number of a bin of the whole domain that the rank holds. */
uint32_t grid_parts_key(const grid_parts *parts, const uint32_t bin[3]);
/* Finds the numbers of successive bins of a line along x that lie in one part: from bin `x` up to
 * `last`, or to the end of the part. Returns the first bin behind them; the range is empty, *from >
 * *to, if the rank does not hold bin x. */
uint32_t grid_parts_line(const grid_parts *parts, const uint32_t bin[3], uint32_t last,
                         uint32_t *from, uint32_t *to);

#endif
