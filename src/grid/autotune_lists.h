/* autotune_lists: compares wide and compact neighbour lists on one device, for grid.h and its
 * tests. */
#ifndef WEIR_GRID_AUTOTUNE_LISTS_H
#define WEIR_GRID_AUTOTUNE_LISTS_H

#include "grid.h"

enum { GRID_WIDE, GRID_COMPACT, GRID_LIST_KINDS };

/* Measures the GPU time, ms, of the fastest substep with lists of each kind, which are built once
 * and read GRID_AUTOTUNE_READS times, for a cubic lattice with `edge` particles along an edge.
 * sums[kind] receives the reader's sums, [edge^3] in sorted order; NULL: not wanted. Errors:
 * MEMORY, DEVICE_LOST. */
#define GRID_AUTOTUNE_READS 10u
weir_result grid_autotune_run(gpu_device *device, uint32_t edge, double ms[GRID_LIST_KINDS],
                              float *const sums[GRID_LIST_KINDS]);

typedef weir_result grid_autotune_measure(gpu_device *device, double ms[GRID_LIST_KINDS]);
/* Returns the choice that the device remembers; otherwise, the choice that follows from the times
 * of `measure`. */
weir_result grid_autotune_choose(gpu_device *device, grid_autotune_measure *measure, bool *compact);

#endif
