/* soft_lattice: the cells that a soft body is made of, while it is built. */
#ifndef WEIR_SOFT_LATTICE_H
#define WEIR_SOFT_LATTICE_H

#include "soft_internal.h"

/* A box about a shape. */
typedef struct soft_frame {
    const solid_set *solids;
    uint32_t shape;
    vec3 origin; /* its lower corner, m */
    quat rotation;
    vec3 size;     /* m */
    float inset;   /* m: how far below the surface the lattice ends */
    double volume; /* m3, of the shape */
} soft_frame;

/* Binds the mesh that the shape is to the vertices. Errors: IO, MEMORY. */
weir_result soft_build_skin(soft_builder *b, const soft_frame *f);
/* Vertices of a cell, from the first of the set on; corner: bit 0 x, bit 1 y, bit 2 z. */
uint32_t soft_cell_corner(const soft_builder *b, const soft_lattice_cells *c, uint32_t cell,
                          uint32_t corner);
void soft_inscribed(const soft_builder *b, const soft_lattice_cells *c, uint32_t cell,
                    uint32_t v[2][4]);
double soft_cell_volume(const soft_builder *b, const soft_lattice_cells *c, uint32_t cell);
double soft_tetrahedron(const soft_set *set, const uint32_t v[4]);

#endif
