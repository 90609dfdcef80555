/* Vertices of cloths and ropes that meet each other, on the CPU. */
#ifndef WEIR_TESTS_REF_SOFT_CONTACT_H
#define WEIR_TESTS_REF_SOFT_CONTACT_H

#include "ref_soft.h"

typedef struct ref_crowd {
    const ref_softs *softs;
    const uint32_t *owners; /* per vertex */
    const vec4 *rests;      /* likewise: at the start */
    uint32_t count;         /* of vertices */
} ref_crowd;

/* How near two vertices may come, m; 0: they never meet. */
float ref_soft_thickness(const ref_crowd *c, uint32_t i, uint32_t k);
/* May they meet in this iteration? */
bool ref_soft_is_near(const ref_crowd *c, uint32_t i, uint32_t k);
/* m: above 0 where they have to move apart, along `normal`, which leads to i. */
float ref_soft_depth(const ref_crowd *c, uint32_t i, uint32_t k, vec3 *normal);
/* What the others in its list push vertex i, kg m. `nears`: SOFT_NEAR_WORDS per vertex; `bears`:
 * how many each meets. */
vec3 ref_soft_shove(const ref_crowd *c, const uint32_t *nears, const uint32_t *bears, uint32_t i);
/* Does the list of i have k, and that of k have i? */
bool ref_soft_lists(const uint32_t *nears, uint32_t i, uint32_t k);

#endif
