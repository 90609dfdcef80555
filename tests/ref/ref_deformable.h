/* The kernels of cloths and ropes on the CPU. Solids are balls. */
#ifndef WEIR_TESTS_REF_DEFORMABLE_H
#define WEIR_TESTS_REF_DEFORMABLE_H

#include "ref_pbf.h"

#include "shared/deformable.h"

typedef struct ref_deformables {
    const ref_pbf *pbf; /* its balls are the solids */
    const struct deformable_properties *properties;
    const struct deformable_state *states;
    const struct deformable_constraint *constraints;
    const uint32_t *constraint_offsets, *constraint_entries; /* shaders/shared/deformable.h */
    uint32_t solids;
    vec4 *displacements; /* per vertex */
    vec4 *multipliers;   /* per bond */
} ref_deformables;

vec4 ref_deformable_predict(const ref_deformables *s, uint32_t vertex);
vec4 ref_deformable_apply_pin(const ref_deformables *s, const struct deformable_pin *pin);
/* Of all vertices of a cloth or a rope. */
void ref_deformable_damp(const ref_deformables *s, uint32_t deformable);
/* Has the bond, or edge, of that flag torn? */
bool ref_deformable_is_torn(const ref_deformables *s, uint32_t flag);
/* Is an edge too long at the substep's end? Has an edge of a bond that bends torn? */
bool ref_deformable_edge_tears(const ref_deformables *s, uint32_t deformable, uint32_t bond);
bool ref_deformable_bend_tears(const ref_deformables *s, const struct deformable_bend_tear *fray);
/* One bond after Gauss and Seidel. */
void ref_deformable_gauss_seidel(const ref_deformables *s, uint32_t bond);
/* What Jacobi pushes along a bond; what a vertex gathers of such pushes. */
vec4 ref_deformable_jacobi(const ref_deformables *s, uint32_t bond);
vec4 ref_deformable_apply_jacobi(const ref_deformables *s, const vec4 *pushes, uint32_t vertex);
vec4 ref_deformable_boundary_contact(const ref_deformables *s, uint32_t deformable,
                                     uint32_t vertex);
struct deformable_state ref_deformable_finalize(const ref_deformables *s, uint32_t vertex);

/* A particle that is at p, and was at `start`, beside a facet. */
typedef struct ref_facet_contact {
    float depth; /* m */
    vec3 normal;
    float weights[3];
} ref_facet_contact;
/* The nearest point of a facet with these corners to p, as weights of the three. */
void ref_facet_nearest_point(const vec3 corners[3], vec3 p, float weights[3]);
ref_facet_contact ref_facet_find_contact(const ref_deformables *s, const uvec4 *facet, vec3 p,
                                         vec3 start);
/* How far the facet moves the particle of `mass`, before walls; `counts`: contacts per vertex. */
vec3 ref_facet_solve_contact(const ref_deformables *s, const uvec4 *facet,
                             const ref_facet_contact *met, const uint32_t *counts, float mass);

#endif
