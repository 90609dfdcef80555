/* The substep of predictive-corrective SPH (Solenthaler and Pajarola 2009, algorithm 2). */
#include "sim_rows.h"

const sim_row sim_pcisph[] = {
    {.part = sim_opening},
    {.stage = "constraint solve"},
    {SIM_WALLS_START, .over = SIM_LIVE_PARTICLES, .when = sim_has_solids},
    {SIM_LOOP_BEGIN, .over = SIM_ONE, .when = sim_is_tolerant},
    {SIM_PRESSURE, .over = SIM_ITERATED,
     .repeats = SIM_ITERATIONS}, /* predicted density, its pressure */
    {SIM_DECIDE, .over = SIM_ONE, .repeats = SIM_ITERATIONS, .when = sim_is_tolerant},
    {SIM_PUSH, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS}, /* pressure forces */
    {SIM_WALL_COLLIDE, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS, .when = sim_has_solids},
    {.part = sim_closing},
    {.end = true},
};
