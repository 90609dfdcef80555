/* The coarse correction on the CPU, in float32; equations: the shaders' own headers. Arrays over
 * cells are in the order of the shaders' buffers. */
#ifndef WEIR_TESTS_REF_COARSE_H
#define WEIR_TESTS_REF_COARSE_H

#include "ref_pbf.h"

typedef struct ref_cell {
    uint32_t count; /* particles, and the gap to solids */
    int32_t sum;    /* of their constraints, in SIM_CELL_UNITS */
} ref_cell;

typedef struct ref_cells {
    const struct sim_params *params;
    const ref_cell *cells;
    const float *pressures;
} ref_cells;

/* What stands in the upper byte of a cell's count, to a step. */
uint32_t ref_cell_gap(const ref_pbf *pbf, uint32_t cell);
bool ref_cell_is_solid(ref_cell cell);
uint32_t ref_cell_of(const struct sim_params *params, vec3 p);
/* The pressure of a cell after a sweep. */
float ref_cell_sweep(const ref_cells *c, uint32_t cell);
/* What a particle at p is moved by. */
vec3 ref_cell_move(const ref_cells *c, vec3 p);

#endif
