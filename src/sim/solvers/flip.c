/* Substep of FLIP and APIC: particles carry the fluid, and a MAC grid makes it incompressible (Zhu
 * and Bridson 2005; Jiang and others 2015; docs/equations.md). long_range.c creates the cells and
 * their Poisson solver. */
#include "sim_solvers.h"

static gpu_pass *pressure_solve_passes(sim_world *world, gpu_pass *pass)
{
    if (!world->bodies)
        return pass + poisson_solve_passes(world->pressure_grid, SIM_MAC_MAX_ITERATIONS, pass);
    return pass +
           poisson_rigid_solve_passes(world->pressure_grid, SIM_MAC_MAX_ITERATIONS_COUPLED, pass);
}

/* Two iterations suffice: particles are off by a few hundredths at most, and the next substep
 * corrects what is left. */
static gpu_pass *density_drift_solve_passes(sim_world *world, gpu_pass *pass)
{
    return pass + poisson_started_solve_passes(world->pressure_grid, 2, pass);
}

static bool has_force_gauges(const sim_world *world)
{
    return scene_force_gauge_solid_count(world->scene) > 0;
}

static bool has_friction(const sim_world *world)
{
    return world->params.has_friction;
}

/* Implicit viscosity: solves for the velocities of all faces and bodies at once (Batty and Bridson
 * 2008). With bodies, it starts from the velocities that a pressure solve predicts: viscosity would
 * otherwise hold the weight of the fluid, and of a light body, which the pressure carries. */
static const sim_pass viscosity_passes[] = {
    {.stage = "viscosity"},
    {SIM_FLIP_BODY_RESPONSE_MATRIX, .dispatch = SIM_BODIES, .when = sim_has_bodies},
    {SIM_FLIP_DIVERGENCE, .dispatch = SIM_ACTIVE_CELLS, .when = sim_has_bodies},
    {.passes = pressure_solve_passes, .when = sim_has_bodies},
    {SIM_FLIP_RECORD_CONVERGENCE, .dispatch = SIM_ONE_INVOCATION, .when = sim_has_bodies},
    {SIM_PRESSURE_GRADIENT, .dispatch = SIM_ACTIVE_CELLS, .constant = SIM_MAC_SOLVE,
     .when = sim_has_bodies},
    {SIM_FLIP_BODY_PRESSURE_IMPULSE, .dispatch = SIM_ACTIVE_CELLS, .when = sim_has_bodies},
    {SIM_VISCOUS_BODY_CG_STAGE, .dispatch = SIM_BODIES, .constant = SIM_BODY_CG_INIT,
     .when = sim_has_bodies},
    {SIM_FLIP_VISCOUS_CLASSIFY_CELLS, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_FLIP_VISCOUS_PREDICT, .dispatch = SIM_ACTIVE_CELLS, .when = sim_has_bodies},
    {SIM_FLIP_VISCOUS_DISPATCH_ARGS, .dispatch = SIM_ONE_INVOCATION},
    {SIM_FLIP_VISCOUS_RESIDUAL, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_FLIP_VISCOUS_BODY_REACTION, .dispatch = SIM_ACTIVE_CELLS,
     .constant = SIM_REACTION_RESIDUAL, .when = sim_has_bodies},
    {SIM_VISCOUS_BODY_CG_STAGE, .dispatch = SIM_BODIES, .constant = SIM_BODY_CG_RESIDUAL,
     .when = sim_has_bodies},
    {SIM_FLIP_VISCOUS_BODY_REACTION, .dispatch = SIM_VISCOUS_UNKNOWNS,
     .repeats = SIM_VISCOUS_ITERATIONS, .constant = SIM_REACTION_MATVEC, .when = sim_has_bodies},
    {SIM_VISCOUS_BODY_CG_STAGE, .dispatch = SIM_BODIES, .repeats = SIM_VISCOUS_ITERATIONS,
     .constant = SIM_BODY_CG_MATVEC, .when = sim_has_bodies},
    {SIM_FLIP_VISCOUS_MATVEC, .dispatch = SIM_VISCOUS_UNKNOWNS, .repeats = SIM_VISCOUS_ITERATIONS},
    {SIM_VISCOUS_CG_SCALARS, .dispatch = SIM_VISCOUS_ONE_WORKGROUP,
     .repeats = SIM_VISCOUS_ITERATIONS},
    {SIM_FLIP_VISCOUS_CG_UPDATE, .dispatch = SIM_VISCOUS_UNKNOWNS,
     .repeats = SIM_VISCOUS_ITERATIONS},
    {SIM_VISCOUS_BODY_CG_STAGE, .dispatch = SIM_BODIES, .repeats = SIM_VISCOUS_ITERATIONS,
     .constant = SIM_BODY_CG_STEP, .when = sim_has_bodies},
    {SIM_VISCOUS_BODY_CG_STAGE, .dispatch = SIM_BODIES, .constant = SIM_BODY_CG_APPLY,
     .when = sim_has_bodies},
    {.body_passes = body_fluid_impulse_passes, .when = sim_has_bodies},
    {.body_passes = body_apply_passes, .when = sim_has_bodies},
    {SIM_FLIP_VISCOUS_APPLY, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_FLIP_VISCOUS_BODY_FACES, .dispatch = SIM_ACTIVE_CELLS, .when = sim_has_bodies},
    {.end = true},
};

static bool has_reseeding(const sim_world *world)
{
    return world->scene->solver.reseed;
}

/* Moves particles from overfull cells into underfull ones, in the order of the cells. */
static const sim_pass reseeding_passes[] = {
    {.stage = "reseeding"},
    {SIM_FLIP_RESEED_COUNT, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_FLIP_RESEED_MATCH, .dispatch = SIM_ONE_INVOCATION},
    {SIM_FLIP_RESEED_MOVE, .dispatch = SIM_ACTIVE_CELLS},
    {.end = true},
};

const sim_pass sim_flip_passes[] = {
    {.stage = "integrate"},
    {SIM_SUBSTEP_BEGIN, .dispatch = SIM_ONE_INVOCATION},
    {.body_passes = body_begin_passes, .when = sim_has_bodies},
    {SIM_EMIT_PARTICLES, .dispatch = SIM_EMITTED_PARTICLES, .when = sim_has_emitters},
    {SIM_FLIP_MARK_REMOVED_PARTICLES, .dispatch = SIM_ALL_PARTICLES},
    {.stage = "create hash grid"},
    {.passes = sim_sort_passes},
    {SIM_FLIP_REORDER_PARTICLES, .dispatch = SIM_LIVE_PARTICLES},
    {SIM_PARTICLE_MATERIALS, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_material_curves},
    /* the grid: active blocks, open fractions, velocities and forces, level set */
    {.stage = "particles to grid"},
    {.passes = sim_clear_blocks_passes},
    {SIM_FLIP_ACTIVATE_BLOCKS, .dispatch = SIM_LIVE_PARTICLES},
    {.passes = sim_activate_blocks_passes},
    {SIM_FACE_FRACTIONS, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_BODY_FACE_FRACTIONS, .dispatch = SIM_ACTIVE_CELLS, .when = sim_has_bodies},
    {SIM_FLIP_P2G, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_FLIP_CELL_MATERIALS, .dispatch = SIM_ACTIVE_CELLS, .when = sim_has_material_curves},
    {SIM_FLIP_SURFACE_CURVATURE, .dispatch = SIM_ACTIVE_CELLS, .when = sim_adds_surface_tension},
    {SIM_FLIP_SURFACE_PRESSURE, .dispatch = SIM_ACTIVE_CELLS, .when = sim_adds_surface_tension},
    {SIM_FLIP_SURFACE_STRESS, .dispatch = SIM_ACTIVE_CELLS, .when = sim_has_curved_tension},
    {SIM_FLIP_LEVEL_SET, .dispatch = SIM_ACTIVE_CELLS},
    {.passes = sim_poisson_setup_passes},
    {.sublist = viscosity_passes, .when = sim_solves_viscosity},
    {.stage = "pressure"},
    {SIM_FLIP_BODY_RESPONSE_MATRIX, .dispatch = SIM_BODIES, .when = sim_has_bodies},
    {SIM_FLIP_DIVERGENCE, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_FLIP_SURFACE_SOURCE, .dispatch = SIM_ACTIVE_CELLS, .when = sim_adds_surface_tension},
    {.passes = pressure_solve_passes},
    {SIM_FLIP_RECORD_CONVERGENCE, .dispatch = SIM_ONE_INVOCATION},
    {SIM_PRESSURE_GRADIENT, .dispatch = SIM_ACTIVE_CELLS, .constant = SIM_MAC_SOLVE},
    {SIM_FLIP_BODY_PRESSURE_IMPULSE, .dispatch = SIM_ACTIVE_CELLS, .when = sim_has_bodies},
    {.body_passes = body_fluid_impulse_passes, .when = sim_has_bodies},
    {.body_passes = body_apply_passes, .when = sim_has_bodies},
    {SIM_FLIP_SUBTRACT_GRADIENT, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_FLIP_CLOSED_FACE_VELOCITY, .dispatch = SIM_ACTIVE_CELLS, .when = sim_has_solids},
    {SIM_FLIP_BODY_LAYER_SUMS, .dispatch = SIM_ACTIVE_CELLS, .when = sim_has_bodies},
    {SIM_FLIP_BODY_LAYER_RESPONSE, .dispatch = SIM_BODIES, .when = sim_has_bodies},
    {SIM_FLIP_MOMENTUM_RESIDUAL, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_FLIP_MOMENTUM_REDISTRIBUTE, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_FLIP_GAUGE_BLOCK_FORCES, .dispatch = SIM_ACTIVE_CELLS, .when = has_force_gauges},
    {SIM_SOLID_FORCE_FRAME_MEAN, .dispatch = SIM_SOLIDS, .constant = SIM_SOLID_FORCES_CLEAR,
     .when = sim_sums_solid_forces},
    {SIM_FLIP_SOLID_IMPULSE, .dispatch = SIM_ACTIVE_CELLS, .when = sim_sums_solid_forces},
    {SIM_FLIP_GAUGE_READING, .dispatch = SIM_GAUGE_WORKGROUPS, .when = sim_has_gauges},
    {SIM_FLIP_FRICTION_FIND, .dispatch = SIM_ACTIVE_CELLS, .when = has_friction},
    {SIM_FLIP_FRICTION_APPLY, .dispatch = SIM_ACTIVE_CELLS, .when = has_friction},
    {.sublist = reseeding_passes, .when = has_reseeding},
    {.stage = "density drift"},
    {SIM_FLIP_DENSITY_CORRECTION_RHS, .dispatch = SIM_ACTIVE_CELLS},
    {.passes = density_drift_solve_passes},
    {SIM_PRESSURE_GRADIENT, .dispatch = SIM_ACTIVE_CELLS, .constant = SIM_DRIFT_SOLVE},
    {.stage = "grid to particles"},
    {SIM_FLIP_PACK_FACES, .dispatch = SIM_ACTIVE_CELLS},
    {SIM_FLIP_G2P_ADVECT, .dispatch = SIM_LIVE_PARTICLES},
    {.body_passes = body_broad_phase_passes, .when = sim_has_bodies},
    {SIM_FLIP_PROJECT_OUT_OF_BODIES, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_bodies},
    {SIM_FLIP_PROJECT_AND_WRITE_STATE, .dispatch = SIM_LIVE_PARTICLES},
    {.body_passes = body_fluid_impulse_passes, .when = sim_has_bodies},
    {.body_passes = body_apply_passes, .when = sim_has_bodies},
    {.stage = "body contacts"},
    {.body_passes = body_solve_passes, .repeats = SIM_ITERATIONS, .when = sim_has_bodies},
    {.stage = "gauges"},
    {SIM_GAUGE_HISTOGRAM, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_gauges},
    {SIM_FINISH_GAUGE_READINGS, .dispatch = SIM_GAUGE_WORKGROUPS, .when = sim_has_gauges},
    {SIM_SOLID_FORCE_FRAME_MEAN, .dispatch = SIM_SOLIDS, .constant = SIM_SOLID_FORCES_ACCUMULATE,
     .when = sim_sums_solid_forces},
    {.sublist = sim_attribute_passes, .when = sim_has_attributes},
    {.stage = "integrate"},
    {SIM_RELAX_SEA_ZONES, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_sea},
    {SIM_APPLY_FORCE_FIELDS, .dispatch = SIM_LIVE_PARTICLES, .when = sim_has_force_fields},
    {.body_passes = body_end_passes, .when = sim_has_bodies},
    {.end = true},
};
