/* Reference of the long-range correction on the CPU; the equations are in the shaders. The cells
 * here are dense and cover the whole domain: x varies fastest, then y, then z. */
#ifndef WEIR_TESTS_REF_CELLS_H
#define WEIR_TESTS_REF_CELLS_H

#include "ref_pbf.h"

typedef struct ref_cells {
    const ref_pbf *pbf;
    uint32_t n[3];       /* cells along each axis of the domain */
    const float *opens;  /* [n[0] n[1] n[2]] open fractions; negative where no block is active */
    const float *levels; /* [n[0] n[1] n[2]] level set; 0 where no block is active */
} ref_cells;

/* The weight that a particle contributes to one of the cells around it. */
typedef struct ref_cell_share {
    size_t cell;
    double share;
} ref_cell_share;

/* Returns the cell that contains a position. */
size_t ref_cell_of(const ref_cells *c, vec3 p);
/* Computes the open fractions of a cell's faces, in the order -x +x -y +y -z +z; returns that of
 * the cell. */
float ref_cell_open(const ref_cells *c, size_t cell, float open[6]);
/* Distributes a particle at p to eight cells; a cell may occur more than once. Needs `opens`. */
void ref_cell_share_out(const ref_cells *c, vec3 p, ref_cell_share out[8]);
/* Returns the level set of an open cell with this fill fraction. */
double ref_cell_level(double filled, bool fluid);
/* Returns the distance of the surface from the centre of a fluid cell towards an air cell, in
 * cells. */
float ref_cell_theta(float fluid, float air);
/* Returns the displacement of the solid at the lower (`up` 0) or upper (1) face of a cell along the
 * axis, m. */
float ref_cell_solid_way(const ref_cells *c, size_t cell, int axis, float up);
/* Returns the flow of solids into a cell with these open fractions, two of 16 bits per axis, times
 * the square of the smallest edge, m2. */
double ref_cell_solid_flow(const ref_cells *c, uvec4 faces, size_t cell);
/* Displacements on the lower faces of cells. At a face that a wall closes fluid moves by half of
 * the wall's displacement less `moved`. */
typedef struct ref_cell_slopes {
    const vec4 *faces; /* [n[0] n[1] n[2]]: xyz in m; w is the sum of 1, 2 and 4 for known faces
                          along x, y and z, and of SIM_CLOSED_FACE times these for closed ones */
    bool walls_count;  /* false: closed faces are left out */
    vec3 moved;        /* m: by the particle in the substep, plus the displacement by the forces */
} ref_cell_slopes;
/* Interpolates the displacement at p from the known lower faces of cells, without the cap. Needs
 * `levels`. */
vec3 ref_cell_move(const ref_cells *c, const ref_cell_slopes *slopes, vec3 p);
/* Interpolates `pressures` [n[0] n[1] n[2]] at p between the open cells. Needs `opens` and
 * `levels`. */
float ref_cell_pressure(const ref_cells *c, const float *pressures, vec3 p);

#endif
