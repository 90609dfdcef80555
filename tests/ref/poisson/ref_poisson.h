/* Reference of the Poisson solver on the CPU, on dense arrays; the equations are in the shaders and
 * in shaders/shared/poisson.h. */
#ifndef WEIR_TESTS_REF_POISSON_H
#define WEIR_TESTS_REF_POISSON_H

#include "base.h"

#include "shared/poisson.h"

/* A cell of the finest level, as the caller provides it. */
typedef struct ref_poisson_cell {
    float open[6]; /* -x +x -y +y -z +z */
    float level_set;
} ref_poisson_cell;

typedef struct ref_poisson_level {
    uint32_t n[3];
    vec4 *coefficients, *links; /* [n[0] n[1] n[2]], x fastest, like the arrays below */
    float *sources, *guesses, *swept;
} ref_poisson_level;

typedef struct ref_poisson {
    struct poisson_params params;
    ref_poisson_level levels[POISSON_MAX_LEVELS];
} ref_poisson;

/* Returns component x, y or z of a vector. */
float ref_axis_component(vec4 v, int axis);

/* Returns the fraction of a square on which a field is positive; corners are low x and high x of
 * one edge, then of the other. Exact for a plane. */
float ref_square_open_fraction(const float corners[4]);

/* Allocates arrays for the levels of `params`; sources and guesses are 0. */
void ref_poisson_create(ref_poisson *p, const struct poisson_params *params);
void ref_poisson_free(ref_poisson *p);
size_t ref_poisson_cells(const ref_poisson_level *level);
/* Computes the coefficients of all levels. */
void ref_poisson_setup(ref_poisson *p, const ref_poisson_cell *cells);
void ref_poisson_smooth_from_zero(ref_poisson *p, uint32_t level);
/* Smooths the guesses into `swept` and swaps the two, like a pass followed by a swap of its
 * buffers. */
void ref_poisson_smooth(ref_poisson *p, uint32_t level, uint32_t sweep);
void ref_poisson_prolong(ref_poisson *p, uint32_t level);
void ref_poisson_restrict(ref_poisson *p, uint32_t level); /* to `level`, from the next finer one */
void ref_poisson_solve_coarsest(ref_poisson *p);
void ref_poisson_vcycle(ref_poisson *p);
/* Evaluates A x at a cell of a level. */
double ref_poisson_multiply(const ref_poisson *p, uint32_t level, size_t cell, const float *x);

#endif
