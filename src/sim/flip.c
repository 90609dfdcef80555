/* The substep of FLIP and APIC: particles carry the fluid, a MAC grid makes it incompressible (Zhu
 * and Bridson 2005; Jiang and others 2015; docs/equations.md). The cells and their solver of
 * Poisson's equation are those of cells.c. */
#include "sim_rows.h"

static gpu_row *pressure_rows(sim_world *world, gpu_row *row)
{
    if (!world->bodies) return row + poisson_solve_rows(world->cells, SIM_MAC_ITERATIONS, row);
    return row + poisson_tied_rows(world->cells, SIM_TIED_ITERATIONS, row);
}

/* Particles are a few hundredths off at most, and the next substep sees what is left. */
static gpu_row *drift_rows(sim_world *world, gpu_row *row)
{
    return row + poisson_solve_rows(world->cells, 2, row);
}

static bool measures_force(const sim_world *world)
{
    return scene_force_slots(world->scene) > 0;
}

static bool has_friction(const sim_world *world)
{
    const scene_data *scene = world->scene;
    bool rough = scene->domain.friction > 0.0f;
    for (uint32_t i = 0; i < scene->solid_count; i++)
        rough |= scene->solids[i].friction > 0.0f;
    return rough;
}

/* Implicit: the velocities of all faces are solved for at once (Batty and Bridson 2008). */
static const sim_row viscosity[] = {
    {.stage = "viscosity"},
    {SIM_FLIP_VISCOUS_FIND, .over = SIM_CELLS},
    {SIM_FLIP_VISCOUS_START, .over = SIM_ONE},
    {SIM_FLIP_VISCOUS_BEGIN, .over = SIM_CELLS},
    {SIM_FLIP_VISCOUS_MULTIPLY, .over = SIM_VISCOUS, .repeats = SIM_VISCOUS_ITERATIONS},
    {SIM_VISCOUS_DECIDE, .over = SIM_VISCOUS_ONE, .repeats = SIM_VISCOUS_ITERATIONS},
    {SIM_FLIP_VISCOUS_UPDATE, .over = SIM_VISCOUS, .repeats = SIM_VISCOUS_ITERATIONS},
    {SIM_FLIP_VISCOUS_TAKE, .over = SIM_CELLS},
    {.end = true},
};

static bool reseeds(const sim_world *world)
{
    return world->scene->solver.reseed;
}

/* Particles move from crowded cells into hollow ones, in the order of the cells. */
static const sim_row reseeding[] = {
    {.stage = "reseeding"},
    {SIM_FLIP_SPARE, .over = SIM_CELLS},
    {SIM_FLIP_MATCH, .over = SIM_ONE},
    {SIM_FLIP_RESEED, .over = SIM_CELLS},
    {.end = true},
};

const sim_row sim_flip[] = {
    {.stage = "integrate"},
    {SIM_SUBSTEP_BEGIN, .over = SIM_ONE},
    {.rows = sim_body_begin_rows, .when = sim_has_bodies},
    {SIM_EMIT, .over = SIM_EMITTED, .when = sim_emits},
    {SIM_FLIP_PLACE, .over = SIM_ALL_PARTICLES},
    {.stage = "create hash grid"},
    {.rows = sim_sort_rows},
    {SIM_FLIP_REORDER, .over = SIM_LIVE_PARTICLES},
    /* the grid: its cells, what solids leave open of them, velocities and forces, the surface */
    {.stage = "to the grid"},
    {.rows = sim_clear_rows},
    {SIM_FLIP_MARK, .over = SIM_LIVE_PARTICLES},
    {.rows = sim_block_rows},
    {SIM_CELLS_OPEN, .over = SIM_CELLS},
    {SIM_CELLS_CUT, .over = SIM_CELLS, .when = sim_has_bodies},
    {SIM_FLIP_GATHER, .over = SIM_CELLS},
    {SIM_FLIP_SURFACE, .over = SIM_CELLS},
    {.rows = sim_setup_rows},
    {.part = viscosity, .when = sim_solves_viscosity},
    {.stage = "pressure"},
    {SIM_FLIP_WEIGH, .over = SIM_BODIES, .when = sim_has_bodies},
    {SIM_FLIP_SOURCE, .over = SIM_CELLS},
    {.rows = pressure_rows},
    {SIM_FLIP_JUDGE, .over = SIM_ONE},
    {SIM_CELLS_SLOPE, .over = SIM_CELLS, .constant = SIM_CELLS_DRIFTING},
    {SIM_FLIP_PRESS, .over = SIM_CELLS, .when = sim_has_bodies},
    {.rows = sim_body_tally_rows, .when = sim_has_bodies},
    {.rows = sim_body_shift_rows, .when = sim_has_bodies},
    {SIM_FLIP_PROJECT, .over = SIM_CELLS},
    {SIM_FLIP_CARRY, .over = SIM_CELLS, .when = sim_has_bodies},
    {SIM_FLIP_SURPLUS, .over = SIM_CELLS},
    {SIM_FLIP_REFUND, .over = SIM_CELLS},
    {SIM_FLIP_FORCE, .over = SIM_CELLS, .when = measures_force},
    {SIM_SOLID_FORCES, .over = SIM_SOLIDS, .constant = SIM_FORCES_BEGIN, .when = sim_sums_forces},
    {SIM_FLIP_SOLIDS, .over = SIM_CELLS, .when = sim_sums_forces},
    {SIM_FLIP_GAUGE, .over = SIM_GAUGES, .when = sim_has_gauges},
    {SIM_FLIP_FRICTION, .over = SIM_CELLS, .when = has_friction},
    {SIM_FLIP_SLOW, .over = SIM_CELLS, .when = has_friction},
    {.part = reseeding, .when = reseeds},
    {.stage = "drift of the density"},
    {SIM_FLIP_DRIFT, .over = SIM_CELLS},
    {.rows = drift_rows},
    {SIM_CELLS_SLOPE, .over = SIM_CELLS, .constant = SIM_CELLS_DRIFTING},
    {.stage = "to the particles"},
    {SIM_FLIP_PACK, .over = SIM_CELLS},
    {SIM_JUDGE, .over = SIM_ONE},
    {SIM_FLIP_TAKE, .over = SIM_LIVE_PARTICLES},
    {.rows = sim_body_cell_rows, .when = sim_has_bodies},
    {SIM_FLIP_MEET, .over = SIM_LIVE_PARTICLES, .when = sim_has_bodies},
    {SIM_FLIP_COMMIT, .over = SIM_LIVE_PARTICLES},
    {.rows = sim_body_tally_rows, .when = sim_has_bodies},
    {.rows = sim_body_shift_rows, .when = sim_has_bodies},
    {.stage = "contacts of bodies"},
    {.rows = sim_body_solve_rows, .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {.stage = "gauges"},
    {SIM_GAUGE_COUNT, .over = SIM_LIVE_PARTICLES, .when = sim_has_gauges},
    {SIM_GAUGE_READ, .over = SIM_GAUGES, .when = sim_has_gauges},
    {SIM_SOLID_FORCES, .over = SIM_SOLIDS, .constant = SIM_FORCES_END, .when = sim_sums_forces},
    {.stage = "integrate"},
    {.rows = sim_body_end_rows, .when = sim_has_bodies},
    {SIM_SUBSTEP_END, .over = SIM_ONE},
    {.end = true},
};
