/* Vertices of cloths and ropes that meet each other, on the CPU. */
#ifndef WEIR_TESTS_REF_VERTEX_CONTACT_H
#define WEIR_TESTS_REF_VERTEX_CONTACT_H

#include "ref_deformable.h"

typedef struct ref_vertex_contacts {
    const ref_deformables *deformables;
    const uint32_t *owners;     /* per vertex */
    const vec4 *rest_positions; /* per vertex, at the start */
    uint32_t count;             /* of vertices */
} ref_vertex_contacts;

/* How near two vertices may come, m; 0: they never meet. */
float ref_vertex_contact_distance(const ref_vertex_contacts *c, uint32_t i, uint32_t k);
/* May they meet in this iteration? */
bool ref_vertex_is_candidate(const ref_vertex_contacts *c, uint32_t i, uint32_t k);
/* m: above 0 where they have to move apart, along `normal`, which leads to i. */
float ref_vertex_contact_depth(const ref_vertex_contacts *c, uint32_t i, uint32_t k, vec3 *normal);
/* What the others in its list push vertex i, kg m. `nears`: DEFORMABLE_CANDIDATE_WORDS per vertex;
 * `bears`: how many each meets. */
vec3 ref_vertex_contact_impulse(const ref_vertex_contacts *c, const uint32_t *nears,
                                const uint32_t *bears, uint32_t i);
/* Does the list of i have k, and that of k have i? */
bool ref_lists_candidate(const uint32_t *nears, uint32_t i, uint32_t k);

#endif
