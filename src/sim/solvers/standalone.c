/* The passes of a density solver for a caller's particles: sim_density_solver.h. */
#include "sim_solvers.h"

static bool finds_neighbours(const sim_world *world)
{
    return !world->external_lists;
}

static bool has_external_lists(const sim_world *world)
{
    return world->external_lists;
}

const sim_pass sim_standalone_passes[] = {
    {.stage = "take"},
    {SIM_SUBSTEP_BEGIN, .dispatch = SIM_ONE_INVOCATION},
    {SIM_IMPORT_PARTICLES, .dispatch = SIM_ALL_PARTICLES},
    {.stage = "create hash grid"},
    {.passes = sim_sort_passes, .when = finds_neighbours},
    {SIM_IMPORT_LIVE_COUNT, .dispatch = SIM_ONE_INVOCATION, .when = has_external_lists},
    {SIM_IMPORT_NEIGHBOUR_LISTS, .dispatch = SIM_ALL_PARTICLES, .when = has_external_lists},
    {SIM_REORDER_PARTICLES, .dispatch = SIM_LIVE_PARTICLES},
    {.stage = "detect neighbours"},
    {.passes = sim_neighbour_list_passes, .when = finds_neighbours},
    {.stage = "constraint solve"},
    {SIM_LOOP_DISPATCH_ARGS, .dispatch = SIM_ONE_INVOCATION, .when = sim_has_tolerance},
    {SIM_LAMBDA, .dispatch = SIM_ITERATED_PARTICLES, .repeats = SIM_ITERATIONS},
    {SIM_CHECK_CONVERGENCE, .dispatch = SIM_ONE_INVOCATION, .repeats = SIM_ITERATIONS,
     .when = sim_has_tolerance},
    {SIM_POSITION_CORRECTION, .dispatch = SIM_ITERATED_PARTICLES, .repeats = SIM_ITERATIONS},
    {.stage = "give"},
    {SIM_UPDATE_VELOCITY, .dispatch = SIM_LIVE_PARTICLES},
    {SIM_EXPORT_PARTICLES, .dispatch = SIM_LIVE_PARTICLES},
    {.end = true},
};
