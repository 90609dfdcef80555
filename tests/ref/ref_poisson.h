/* The Poisson solver on the CPU, on dense arrays; equations: the shaders' own headers and
 * shaders/shared/poisson.h. */
#ifndef WEIR_TESTS_REF_POISSON_H
#define WEIR_TESTS_REF_POISSON_H

#include "base.h"

#include "shared/poisson.h"

/* A cell of the finest level, as the caller gives it. */
typedef struct ref_poisson_cell {
    float open[6]; /* -x +x -y +y -z +z */
    float level_set;
} ref_poisson_cell;

typedef struct ref_poisson_level {
    uint32_t n[3];
    vec4 *coefficients, *links; /* [n[0] n[1] n[2]], x fastest; so are the others */
    float *sources, *guesses, *swept;
} ref_poisson_level;

typedef struct ref_poisson {
    struct poisson_params params;
    ref_poisson_level levels[POISSON_MAX_LEVELS];
} ref_poisson;

/* x, y or z. */
float ref_axis_component(vec4 v, int axis);

/* The share of a square on which a field is positive: low x, high x on one edge, then on the other.
 * Exact for a plane. */
float ref_square_open_fraction(const float corners[4]);

/* Arrays for the levels of `params`; sources and guesses are 0. */
void ref_poisson_create(ref_poisson *p, const struct poisson_params *params);
void ref_poisson_free(ref_poisson *p);
size_t ref_poisson_cells(const ref_poisson_level *level);
/* The coefficients of all levels. */
void ref_poisson_setup(ref_poisson *p, const ref_poisson_cell *cells);
void ref_poisson_smooth_from_zero(ref_poisson *p, uint32_t level);
/* From the guesses to the swept ones, which then change places, as in a row followed by a turn. */
void ref_poisson_smooth(ref_poisson *p, uint32_t level, uint32_t sweep);
void ref_poisson_prolong(ref_poisson *p, uint32_t level);
void ref_poisson_restrict(ref_poisson *p, uint32_t level); /* to `level`, from the one below */
void ref_poisson_solve_coarsest(ref_poisson *p);
void ref_poisson_vcycle(ref_poisson *p);
/* A x at a cell of a level. */
double ref_poisson_multiply(const ref_poisson *p, uint32_t level, size_t cell, const float *x);

#endif
