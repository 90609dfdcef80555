/* Reference of the cloth and rope shaders on the CPU. Solids are balls. */
#ifndef WEIR_TESTS_REF_DEFORMABLE_H
#define WEIR_TESTS_REF_DEFORMABLE_H

#include "ref_pbf.h"

#include "shared/deformable.h"

typedef struct ref_deformables {
    const ref_pbf *pbf; /* its balls are the solids */
    const struct deformable_properties *properties;
    const struct deformable_state *states;
    const struct deformable_constraint *constraints;
    const uint32_t *constraint_offsets, *constraint_entries; /* see shaders/shared/deformable.h */
    uint32_t solids;
    vec4 *displacements; /* per vertex */
    vec4 *multipliers;   /* per constraint */
} ref_deformables;

vec4 ref_deformable_predict(const ref_deformables *s, uint32_t vertex);
vec4 ref_deformable_apply_pin(const ref_deformables *s, const struct deformable_pin *pin);
/* Damps all vertices of a cloth or rope. */
void ref_deformable_damp(const ref_deformables *s, uint32_t deformable);
/* Reports whether the constraint or edge with this flag has torn. */
bool ref_deformable_is_torn(const ref_deformables *s, uint32_t flag);
/* ref_deformable_edge_tears reports whether an edge is too long at the end of the substep;
 * ref_deformable_bend_tears whether an edge of a bending constraint has torn. */
bool ref_deformable_edge_tears(const ref_deformables *s, uint32_t deformable, uint32_t bond);
bool ref_deformable_bend_tears(const ref_deformables *s, const struct deformable_bend_tear *fray);
/* Solves one constraint by Gauss-Seidel. */
void ref_deformable_gauss_seidel(const ref_deformables *s, uint32_t bond);
/* ref_deformable_jacobi returns the impulse along a constraint in a Jacobi iteration;
 * ref_deformable_apply_jacobi sums these impulses at a vertex. */
vec4 ref_deformable_jacobi(const ref_deformables *s, uint32_t bond);
vec4 ref_deformable_apply_jacobi(const ref_deformables *s, const vec4 *pushes, uint32_t vertex);
vec4 ref_deformable_boundary_contact(const ref_deformables *s, uint32_t deformable,
                                     uint32_t vertex);
struct deformable_state ref_deformable_finalize(const ref_deformables *s, uint32_t vertex);

/* A particle near a facet: now at p, at `start` when the substep began. */
typedef struct ref_facet_contact {
    float depth; /* m */
    vec3 normal;
    float weights[3];
} ref_facet_contact;
/* Computes the weights of a facet's three corners in the point of the facet that is nearest to
 * p. */
void ref_facet_nearest_point(const vec3 corners[3], vec3 p, float weights[3]);
ref_facet_contact ref_facet_find_contact(const ref_deformables *s, const uvec4 *facet, vec3 p,
                                         vec3 start);
/* Returns the displacement that the facet gives a particle of this mass, before boundary contacts;
 * `counts` holds the number of contacts per vertex. */
vec3 ref_facet_solve_contact(const ref_deformables *s, const uvec4 *facet,
                             const ref_facet_contact *met, const uint32_t *counts, float mass);

#endif
