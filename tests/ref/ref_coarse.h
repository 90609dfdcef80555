/* The coarse correction on the CPU, in float32; equations: the shaders' own headers. Arrays over
 * cells are in the order of the shaders' buffers. */
#ifndef WEIR_TESTS_REF_COARSE_H
#define WEIR_TESTS_REF_COARSE_H

#include "ref_pbf.h"

typedef struct ref_cell {
    uint32_t count; /* particles, and SIM_CELL_SOLID */
    int32_t sum;    /* of their constraints, in SIM_CELL_UNITS */
} ref_cell;

typedef struct ref_cells {
    const struct sim_params *params;
    const ref_cell *cells;
    const float *pressures;
} ref_cells;

bool ref_cell_is_solid(const ref_pbf *pbf, uint32_t cell);
uint32_t ref_cell_of(const struct sim_params *params, vec3 p);
/* The pressure of a cell after a sweep. */
float ref_cell_sweep(const ref_cells *c, uint32_t cell);
/* What a particle at p is moved by. */
vec3 ref_cell_move(const ref_cells *c, vec3 p);

#endif
