/* The substep of weakly compressible SPH (Becker and Teschner 2007): pressure is a function of the
 * density alone, nothing is solved for, and steps follow the speed of sound. */
#include "sim_rows.h"

const sim_row sim_wcsph[] = {
    {.part = sim_opening},
    {.stage = "pressure forces"},
    {SIM_WALLS_START, .over = SIM_LIVE_PARTICLES, .when = sim_has_solids},
    {SIM_TAIT, .over = SIM_LIVE_PARTICLES},
    {SIM_ACCELERATE, .over = SIM_LIVE_PARTICLES},
    {SIM_WALL_COLLIDE, .over = SIM_LIVE_PARTICLES, .when = sim_has_solids},
    {.part = sim_closing},
    {.end = true},
};
