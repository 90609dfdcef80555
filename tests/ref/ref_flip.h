/* The transfers of FLIP and APIC on the CPU, over all particles and dense cells (x fastest, then y,
 * then z); equations: the shaders' own headers. Lengths are in cells unless said otherwise. */
#ifndef WEIR_TESTS_REF_FLIP_H
#define WEIR_TESTS_REF_FLIP_H

#include "ref_pbf.h"

typedef struct ref_mover {
    double x[3];    /* from the domain's lower corner */
    double v[3];    /* m/s */
    double c[3][3]; /* 1/s: rows of the velocity's gradient, 0 without APIC */
} ref_mover;

typedef struct ref_flip {
    const ref_pbf *pbf;
    uint32_t n[3]; /* cells, with those of air behind an open side */
    const ref_mover *movers;
    uint32_t count;
    const uvec4 *cells; /* as in shaders/shared/poisson.h */
    /* Dense; `faces` w: 0 where no block is active. */
    const vec4 *faces, *changes, *slopes;
    const float *fill_fractions;
} ref_flip;

/* From the lower corner of a cell to a particle; the nearest image on periodic axes. */
void ref_flip_offset(const ref_flip *f, const double x[3], const int at[3], double offset[3]);

/* What a cell gathers. */
typedef struct ref_gathered {
    double velocity[3], weight[3]; /* m/s, of the lower faces before forces; 0 without weight */
    double fill_fraction;
} ref_gathered;
ref_gathered ref_flip_gather(const ref_flip *f, const int at[3]);

/* The dense index of a cell, wrapped on periodic axes and clamped on the others. */
size_t ref_flip_index(const ref_flip *f, const int at[3]);

/* The open share of a side of a cell, -x +x -y +y -z +z, and the wall's velocity at it, m/s. */
double ref_flip_open(const ref_flip *f, const int at[3], int side);
double ref_flip_wall(const ref_flip *f, const int at[3], int side);

/* How far the middle of that side is from the nearest solid, m; infinite without one. */
double ref_flip_wall_distance(const ref_flip *f, const int at[3], int side);

/* The source of the pressure, m2/s. */
double ref_flip_source(const ref_flip *f, const int at[3]);

/* One component about a particle. */
typedef struct ref_component {
    double velocity, change, slope, known;
    double gradient[3]; /* 1/s */
} ref_component;
ref_component ref_flip_axis_component(const ref_flip *f, const double x[3], int axis);
/* The way of a substep without the drift, m, from a particle whose own velocity stands in
 * `velocity` with forces added; that of the grid comes out. */
void ref_flip_way(const ref_flip *f, const double x[3], double velocity[3], double way[3]);
double ref_flip_fill_fraction(const ref_flip *f, const double x[3]);

#endif
