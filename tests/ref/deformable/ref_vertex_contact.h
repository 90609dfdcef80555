/* Reference of contacts between vertices of cloths and ropes, on the CPU. */
#ifndef WEIR_TESTS_REF_VERTEX_CONTACT_H
#define WEIR_TESTS_REF_VERTEX_CONTACT_H

#include "ref_deformable.h"

typedef struct ref_vertex_contacts {
    const ref_deformables *deformables;
    const uint32_t *owners;     /* per vertex */
    const vec4 *rest_positions; /* per vertex, at the start */
    uint32_t count;             /* number of vertices */
} ref_vertex_contacts;

/* Returns the contact distance of two vertices, m; 0 when they never touch. */
float ref_vertex_contact_distance(const ref_vertex_contacts *c, uint32_t i, uint32_t k);
/* Reports whether two vertices may touch in this iteration. */
bool ref_vertex_is_candidate(const ref_vertex_contacts *c, uint32_t i, uint32_t k);
/* Returns the penetration depth, m: positive where the vertices must separate along `normal`, which
 * points to i. */
float ref_vertex_contact_depth(const ref_vertex_contacts *c, uint32_t i, uint32_t k, vec3 *normal);
/* Returns the impulse on vertex i from the vertices in its list, kg m. `nears`:
 * DEFORMABLE_CANDIDATE_WORDS per vertex; `bears`: the number of contacts of each vertex. */
vec3 ref_vertex_contact_impulse(const ref_vertex_contacts *c, const uint32_t *nears,
                                const uint32_t *bears, uint32_t i);
/* Reports whether the list of i contains k and that of k contains i. */
bool ref_lists_candidate(const uint32_t *nears, uint32_t i, uint32_t k);

#endif
