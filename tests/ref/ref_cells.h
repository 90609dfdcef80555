/* The cells of the long-range correction on the CPU; equations: the shaders' own headers. Cells are
 * dense here: x fastest, then y, then z, over the whole domain. */
#ifndef WEIR_TESTS_REF_CELLS_H
#define WEIR_TESTS_REF_CELLS_H

#include "ref_pbf.h"

typedef struct ref_cells {
    const ref_pbf *pbf;
    uint32_t n[3];       /* of the domain */
    const float *opens;  /* [n[0] n[1] n[2]] open shares; below 0: no block is active there */
    const float *levels; /* [n[0] n[1] n[2]] the level set; 0 where no block is active */
} ref_cells;

/* What a particle gives to one of the cells about it. */
typedef struct ref_cell_share {
    size_t cell;
    double share;
} ref_cell_share;

/* The cell of a position. */
size_t ref_cell_of(const ref_cells *c, vec3 p);
/* Open shares of a cell's faces, -x +x -y +y -z +z; returns the open share of the cell. */
float ref_cell_open(const ref_cells *c, size_t cell, float open[6]);
/* A particle at p shared out to eight cells; the same cell may come more than once. Needs `opens`.
 */
void ref_cell_share_out(const ref_cells *c, vec3 p, ref_cell_share out[8]);
/* The level set of an open cell by its filled share. */
double ref_cell_level(double filled, bool fluid);
/* The distance of the surface from the middle of a cell of fluid towards a cell of air, in cells.
 */
float ref_cell_theta(float fluid, float air);
/* What is between the known lower faces of cells at p: before the cap. `slopes` [n[0] n[1] n[2]]:
 * xyz m, w the sum of 1, 2 and 4 for known ones along x, y and z. Needs `levels`. */
vec3 ref_cell_move(const ref_cells *c, const vec4 *slopes, vec3 p);

#endif
