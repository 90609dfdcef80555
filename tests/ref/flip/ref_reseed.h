/* Reference of solver.reseed on the CPU: shaders/sim/flip/flip_reseed_count.comp and the two passes
 * after it. */
#ifndef WEIR_TESTS_REF_RESEED_H
#define WEIR_TESTS_REF_RESEED_H

#include "ref_flip.h"

/* Counts the particles of a cell. */
uint32_t ref_reseed_count(const ref_flip *f, const int at[3]);

typedef struct ref_spares {
    uint32_t seats, spare;
} ref_spares;
ref_spares ref_reseed_spares(const ref_flip *f, const int at[3]);

/* Computes the position of a moved particle within its new cell, as a fraction along each axis. */
void ref_reseed_part(uint32_t id, uint32_t substep, double part[3]);

#endif
