/* The substep of predictive-corrective SPH (Solenthaler and Pajarola 2009, algorithm 2). */
#include "sim_rows.h"

const sim_row sim_pcisph[] = {
    {.part = sim_opening},
    {SIM_PRESSURE, .over = SIM_LIVE_PARTICLES,
     .repeats = SIM_ITERATIONS}, /* predicted density, its pressure */
    {SIM_PUSH, .over = SIM_LIVE_PARTICLES, .repeats = SIM_ITERATIONS}, /* pressure forces */
    {.part = sim_closing},
    {.end = true},
};
