/* The substep of Position Based Fluids (Macklin and Mueller 2013, algorithm 1). */
#include "sim_rows.h"

/* In a long solve particles and bodies may come far: which bodies are near is asked anew in each
 * iteration. In a short one those of its start are kept, as neighbours are. */
static bool is_long(const sim_world *world)
{
    return sim_is_tolerant(world) || world->scene->solver.iterations > SIM_MARK_EVERY;
}

static bool names_bodies_once(const sim_world *world)
{
    return sim_has_bodies(world) && !is_long(world);
}

static bool names_bodies_anew(const sim_world *world)
{
    return sim_has_bodies(world) && is_long(world);
}

/* The solve for viscosity has filled the queue of particles near bodies, and has moved bodies: the
 * queue is emptied and the cells are marked anew. */
static bool marks_bodies_again(const sim_world *world)
{
    return names_bodies_once(world) && sim_solves_viscosity(world);
}

const sim_row sim_pbf[] = {
    {.part = sim_opening}, /* lines 1 to 7: forces, prediction, neighbours */
    {.part = sim_long_range},
    {.stage = "constraint solve"},
    {SIM_LOOP_BEGIN, .over = SIM_ONE, .when = sim_is_tolerant},
    {.rows = sim_body_cell_rows, .when = marks_bodies_again},
    {SIM_APPROACH, .over = SIM_LIVE_PARTICLES, .when = names_bodies_once},
    {.rows = sim_body_cell_rows, .repeats = SIM_ITERATIONS, .when = names_bodies_anew},
    {SIM_APPROACH, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS, .when = names_bodies_anew},
    {SIM_SURROUND, .over = SIM_MET, .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {SIM_WALLS, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS, .when = sim_has_solids},
    {SIM_LAMBDA, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS}, /* lines 9 to 11 */
    {SIM_DECIDE, .over = SIM_ONE, .repeats = SIM_ITERATIONS, .when = sim_is_tolerant},
    {SIM_CORRECT, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS}, /* lines 12 to 18 */
    {SIM_WALL_COLLIDE, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS, .when = sim_has_solids},
    {SIM_MEET, .over = SIM_MET, .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {SIM_MEET_MANY, .over = SIM_CROWDED, .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {SIM_MEET_WALLS, .over = SIM_MET, .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {.rows = sim_body_tally_rows, .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {.rows = sim_body_solve_rows, .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {.rows = sim_soft_file_rows, .repeats = SIM_ITERATIONS, .when = sim_has_softs},
    {SIM_SOFT_TOUCH, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS, .when = sim_has_softs},
    {SIM_SOFT_SEEK, .over = SIM_ITERATED, .repeats = SIM_ITERATIONS, .when = sim_has_drags},
    {.rows = sim_soft_solve_rows, .repeats = SIM_ITERATIONS, .when = sim_has_softs},
    {.part = sim_closing}, /* lines 20 to 24: velocity, vorticity, XSPH, position */
    {.end = true},
};
