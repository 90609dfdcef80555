/* soft_body_lattice: declares the lattice of cells from which a soft body is built. */
#ifndef WEIR_SOFT_BODY_LATTICE_H
#define WEIR_SOFT_BODY_LATTICE_H

#include "deformable_internal.h"

/* A bounding box of a shape. */
typedef struct soft_body_box {
    const solid_set *solids;
    uint32_t shape;
    vec3 origin; /* lower corner, m */
    quat rotation;
    vec3 size;     /* m */
    float inset;   /* m: how far below the surface the lattice ends */
    double volume; /* m3, of the shape */
} soft_body_box;

/* Skins the shape's mesh, if it is one, to the vertices. Errors: IO, MEMORY. */
weir_result soft_body_build_skin(deformable_builder *b, const soft_body_box *f);
/* Returns a vertex of a cell, numbered from the first of the set. Bits 0, 1 and 2 of
 * `corner` select the side of x, y and z. */
uint32_t soft_body_cell_corner(const deformable_builder *b, const soft_body_cells *c, uint32_t cell,
                               uint32_t corner);
void soft_body_cell_tetrahedra(const deformable_builder *b, const soft_body_cells *c, uint32_t cell,
                               uint32_t v[2][4]);
double soft_body_cell_volume(const deformable_builder *b, const soft_body_cells *c, uint32_t cell);
double tetrahedron_volume(const deformable_set *set, const uint32_t v[4]);

#endif
