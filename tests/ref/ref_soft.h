/* The kernels of cloths and ropes on the CPU. Solids are balls. */
#ifndef WEIR_TESTS_REF_SOFT_H
#define WEIR_TESTS_REF_SOFT_H

#include "ref_pbf.h"

#include "shared/soft.h"

typedef struct ref_softs {
    const ref_pbf *pbf; /* its balls are the solids */
    const struct soft_make *makes;
    const struct soft_state *states;
    const struct soft_bond *bonds;
    const uint32_t *firsts, *entries; /* shaders/shared/soft.h */
    uint32_t solids;
    vec4 *moves;   /* per vertex */
    vec4 *lambdas; /* per bond */
} ref_softs;

vec4 ref_soft_drift(const ref_softs *s, uint32_t vertex);
vec4 ref_soft_hold(const ref_softs *s, const struct soft_pin *pin);
/* Of all vertices of a cloth or a rope. */
void ref_soft_damp(const ref_softs *s, uint32_t soft);
/* Has the bond, or edge, of that flag torn? */
bool ref_soft_torn(const ref_softs *s, uint32_t flag);
/* Is an edge too long at the substep's end? Has an edge of a bond that bends torn? */
bool ref_soft_tears(const ref_softs *s, uint32_t soft, uint32_t bond);
bool ref_soft_frays(const ref_softs *s, const struct soft_fray *fray);
/* One bond after Gauss and Seidel. */
void ref_soft_pull(const ref_softs *s, uint32_t bond);
/* What Jacobi pushes along a bond; what a vertex gathers of such pushes. */
vec4 ref_soft_weigh(const ref_softs *s, uint32_t bond);
vec4 ref_soft_gather(const ref_softs *s, const vec4 *pushes, uint32_t vertex);
vec4 ref_soft_collide(const ref_softs *s, uint32_t soft, uint32_t vertex);
struct soft_state ref_soft_settle(const ref_softs *s, uint32_t vertex);

/* A particle that is at p, and was at `start`, beside a facet. */
typedef struct ref_facet {
    float depth; /* m */
    vec3 normal;
    float weights[3];
} ref_facet;
/* The nearest point of a facet with these corners to p, as weights of the three. */
void ref_soft_nearest(const vec3 corners[3], vec3 p, float weights[3]);
ref_facet ref_soft_meet(const ref_softs *s, const uvec4 *facet, vec3 p, vec3 start);
/* How far the facet moves the particle of `mass`, before walls; `counts`: contacts per vertex. */
vec3 ref_soft_press(const ref_softs *s, const uvec4 *facet, const ref_facet *met,
                    const uint32_t *counts, float mass);

#endif
