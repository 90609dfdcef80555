/* The cells of the long-range correction on the CPU; equations: the shaders' own headers. Cells are
 * dense here: x fastest, then y, then z, over the whole domain. */
#ifndef WEIR_TESTS_REF_CELLS_H
#define WEIR_TESTS_REF_CELLS_H

#include "ref_pbf.h"

typedef struct ref_cells {
    const ref_pbf *pbf;
    uint32_t n[3]; /* of the domain */
} ref_cells;

/* The cell of a position. */
size_t ref_cell_of(const ref_cells *c, vec3 p);
/* Open shares of a cell's faces, -x +x -y +y -z +z; returns the open share of the cell. */
float ref_cell_open(const ref_cells *c, size_t cell, float open[6]);
/* What is between the lower faces of cells, `slopes` [n[0] n[1] n[2]] m, at p: before the cap. */
vec3 ref_cell_move(const ref_cells *c, const vec4 *slopes, vec3 p);

#endif
