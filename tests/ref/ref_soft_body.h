/* Cloths and ropes that meet bodies and hang on them, on the CPU. Bodies are balls. */
#ifndef WEIR_TESTS_REF_SOFT_BODY_H
#define WEIR_TESTS_REF_SOFT_BODY_H

#include "ref_body.h"
#include "ref_soft.h"

typedef struct ref_hung {
    const ref_softs *softs;
    const ref_bodies *bodies;
    const struct soft_tie *ties; /* per vertex */
    const uint32_t *owners;      /* likewise */
} ref_hung;

/* The body that the vertex hangs on or is deepest in; SOFT_NONE. */
uint32_t ref_soft_find_body(const ref_hung *h, uint32_t vertex);
/* Moves the vertex, and adds what the body gets; its `contacts` stand. */
void ref_soft_push_body(const ref_hung *h, uint32_t vertex, uint32_t body, ref_impulse *sum);

#endif
