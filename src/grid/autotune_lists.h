/* trial: wide lists against compact ones on one device, for grid.h and its tests. */
#ifndef WEIR_GRID_AUTOTUNE_LISTS_H
#define WEIR_GRID_AUTOTUNE_LISTS_H

#include "grid.h"

enum { GRID_WIDE, GRID_COMPACT, GRID_LIST_KINDS };

/* GPU milliseconds of the quickest substep with lists of each kind: they are made once and read
 * GRID_AUTOTUNE_READS times, for the particles of a cubic lattice with `edge` on a side. sums[kind]
 * takes what the reader summed, [edge^3] in sorted order; NULL: not wanted. Errors: MEMORY,
 * DEVICE_LOST. */
#define GRID_AUTOTUNE_READS 10u
weir_result grid_autotune_run(gpu_device *device, uint32_t edge, double ms[GRID_LIST_KINDS],
                              float *const sums[GRID_LIST_KINDS]);

typedef weir_result grid_autotune_measure(gpu_device *device, double ms[GRID_LIST_KINDS]);
/* The choice that the device remembers, or else that the times of `measure` give. */
weir_result grid_autotune_choose(gpu_device *device, grid_autotune_measure *measure, bool *compact);

#endif
