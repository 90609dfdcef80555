/* Reference of cloths and ropes that touch rigid bodies or are attached to them, on the CPU. Bodies
 * are balls. */
#ifndef WEIR_TESTS_REF_DEFORMABLE_BODY_H
#define WEIR_TESTS_REF_DEFORMABLE_BODY_H

#include "ref_body.h"
#include "ref_deformable.h"

typedef struct ref_deformables_and_bodies {
    const ref_deformables *deformables;
    const ref_bodies *bodies;
    const struct deformable_attachment *attachments; /* per vertex */
    const uint32_t *owners;                          /* per vertex */
} ref_deformables_and_bodies;

/* Returns the body that the vertex is attached to, or else the one it penetrates most;
 * DEFORMABLE_NONE without either. */
uint32_t ref_deformable_find_body(const ref_deformables_and_bodies *h, uint32_t vertex);
/* Moves the vertex and adds the impulse on the body to its sums, whose `contacts` do not change. */
void ref_deformable_solve_body(const ref_deformables_and_bodies *h, uint32_t vertex, uint32_t body,
                               ref_impulse *sum);

#endif
