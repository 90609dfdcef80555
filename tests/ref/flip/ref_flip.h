/* Reference of the FLIP and APIC transfers on the CPU, over all particles and dense cells (x varies
 * fastest, then y, then z); the equations are in the shaders. Lengths are in cells unless stated
 * otherwise. */
#ifndef WEIR_TESTS_REF_FLIP_H
#define WEIR_TESTS_REF_FLIP_H

#include "ref_pbf.h"

typedef struct ref_mover {
    double x[3];    /* from the lower corner of the domain */
    double v[3];    /* m/s */
    double c[3][3]; /* 1/s: rows of the velocity gradient; 0 without APIC */
    double mass;    /* over that of the first fluid's particles */
} ref_mover;

typedef struct ref_flip {
    const ref_pbf *pbf;
    uint32_t n[3]; /* cells, including air cells beyond an open side */
    const ref_mover *movers;
    uint32_t count;
    const uvec4 *cells; /* as in shaders/shared/poisson.h */
    /* Dense; the w of `faces` is 0 where no block is active. */
    const vec4 *faces, *changes, *slopes;
    const vec4 *masses; /* per face, in full cells */
    const float *fill_fractions;
} ref_flip;

/* Computes the offset of a particle from the lower corner of a cell, for the nearest image on
 * periodic axes. */
void ref_flip_offset(const ref_flip *f, const double x[3], const int at[3], double offset[3]);

/* The sums that a cell gathers from particles. */
typedef struct ref_gathered {
    /* m/s, at the lower faces before forces; 0 where the weight is 0 */
    double velocity[3], weight[3];
    double volume[3]; /* sums of weights without the masses */
    double fill_fraction, fill_mass;
} ref_gathered;
ref_gathered ref_flip_gather(const ref_flip *f, const int at[3]);

/* Returns the dense index of a cell, wrapped on periodic axes and clamped on the others. */
size_t ref_flip_index(const ref_flip *f, const int at[3]);

/* ref_flip_open returns the open fraction of a side of a cell (-x +x -y +y -z +z), ref_flip_wall
 * the velocity of the boundary there, m/s. */
double ref_flip_open(const ref_flip *f, const int at[3], int side);
double ref_flip_wall(const ref_flip *f, const int at[3], int side);

/* Returns the distance of that side's centre from the nearest solid, m; infinity without solids. */
double ref_flip_wall_distance(const ref_flip *f, const int at[3], int side);

/* Returns the source term of the pressure equation, m2/s. */
double ref_flip_source(const ref_flip *f, const int at[3]);

/* One velocity component, interpolated at a particle. */
typedef struct ref_component {
    double velocity, change, slope, known;
    double gradient[3]; /* 1/s */
} ref_component;
ref_component ref_flip_axis_component(const ref_flip *f, const double x[3], int axis);
/* Computes the displacement of a particle in the substep without the drift, m. On entry `velocity`
 * is the particle's own with forces added; on return it is the grid velocity. */
void ref_flip_way(const ref_flip *f, const double x[3], double velocity[3], double way[3]);
double ref_flip_fill_fraction(const ref_flip *f, const double x[3]);

#endif
