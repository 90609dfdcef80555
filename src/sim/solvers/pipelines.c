/* Creates the simulation's pipelines, specialized for the features of the scene. */
#include "sim_solvers.h"

/* Ids of the specialization constants. */
#define CONSTANT_ID(id, name) SIM_CONSTANT_##name = (id),
enum { SIM_CONSTANTS(CONSTANT_ID, CONSTANT_ID) SIM_CONSTANT_COUNT = SOLID_CONSTANT_NESTING + 1 };

static void set_fluid_constants(const scene_data *scene, uint32_t *values)
{
    values[SIM_CONSTANT_UNIFORM_MASS] = values[SIM_CONSTANT_UNIFORM_TENSION] =
        values[SIM_CONSTANT_UNIFORM_VISCOSITY] = 1;
    for (uint32_t i = 1; i < scene->fluid_count; i++) {
        values[SIM_CONSTANT_UNIFORM_MASS] &= scene->fluids[i].density == scene->fluids[0].density;
        values[SIM_CONSTANT_UNIFORM_TENSION] &=
            scene->fluids[i].surface_tension == scene->fluids[0].surface_tension;
        values[SIM_CONSTANT_UNIFORM_VISCOSITY] &=
            scene->fluids[i].dynamic_viscosity == scene->fluids[0].dynamic_viscosity;
    }
    if (scene->track_count > 0 && scene->fluid_count > 1)
        values[SIM_CONSTANT_UNIFORM_VISCOSITY] = 0; /* keyframes may set them apart */
    values[SIM_CONSTANT_MATERIAL_CURVES] = sim_has_curves(scene);
    for (uint32_t i = 0; i < scene->fluid_count; i++) {
        if (scene->fluids[i].viscosity_curve.given) values[SIM_CONSTANT_UNIFORM_VISCOSITY] = 0;
        if (scene->fluids[i].tension_curve.given && !scene_has_grid(&scene->solver))
            values[SIM_CONSTANT_UNIFORM_TENSION] = 0; /* grids count by the largest of each fluid */
    }
    values[SIM_CONSTANT_VARIABLE_DENSITY] = sim_has_variable_density(scene);
    values[SIM_CONSTANT_HAS_VISCOSITY] = sim_has_viscosity(scene);
    values[SIM_CONSTANT_HAS_VELOCITY_CHANGES] = sim_has_xsph(scene);
}

static void set_solver_constants(const sim_world *world, uint32_t *values)
{
    const scene_solver *solver = &world->scene->solver;
    values[SIM_CONSTANT_SUM_DENSITY_ERRORS] =
        solver->chebyshev_spectral_radius > 0.0f || solver->residuals;
    values[SIM_CONSTANT_CHEBYSHEV] = solver->chebyshev_spectral_radius > 0.0f;
    values[SIM_CONSTANT_RECORD_RESIDUALS] = solver->residuals;
    values[SIM_CONSTANT_HAS_TOLERANCE] = scene_stops_at_tolerance(solver);
    values[SIM_CONSTANT_SMOOTHING_KERNEL] = world->params.smoothing_kernel;
    values[SIM_CONSTANT_PCISPH] = solver->method == SCENE_METHOD_PCISPH;
    values[SIM_CONSTANT_MAC_GRID] = scene_has_grid(solver);
    values[SIM_CONSTANT_SURFACE_TENSION] =
        scene_has_grid(solver) && sim_has_surface_tension(world->scene);
    values[SIM_CONSTANT_APIC] = solver->method == SCENE_METHOD_APIC;
    values[SIM_CONSTANT_RESEED] = solver->reseed;
    values[SIM_CONSTANT_SEPARATING_WALLS] = solver->separating_walls;
    values[SIM_CONSTANT_VORTICITY_CONFINEMENT] = solver->vorticity_confinement > 0.0f;
    values[SIM_CONSTANT_ARTIFICIAL_PRESSURE_POWER] =
        solver->artificial_pressure > 0.0f ? solver->artificial_pressure_exponent : 0;
}

static void set_constants(const sim_world *world, uint32_t *values)
{
    vec4 period = world->params.period;
    values[SIM_CONSTANT_HAS_SOLIDS] = sim_has_solids_or_sinks(world->scene);
    values[SOLID_CONSTANT_NESTING] = solid_set_nesting(world->solids);
    values[SOLID_CONSTANT_MISSING_KINDS] = solid_set_missing_kinds(world->solids);
    values[SIM_CONSTANT_HAS_BODIES] = world->bodies != NULL;
    values[SIM_CONSTANT_HAS_FIXED_PARTICLES] =
        world->external_masses || world->external_lists || sim_emitters_lead(world->scene);
    values[SIM_CONSTANT_PERIODIC] = period.x > 0.0f || period.y > 0.0f || period.z > 0.0f;
    values[SIM_CONSTANT_COMPACT] = grid_is_compact(world->grid);
    values[SIM_CONSTANT_DENSE] = grid_is_dense(world->grid);
    /* A clearance is valid for one periodic image of the particle only. */
    values[SIM_CONSTANT_STATIC_SOLIDS] = values[SIM_CONSTANT_HAS_SOLIDS] &&
                                         !values[SIM_CONSTANT_PERIODIC] &&
                                         solid_set_is_static(world->solids);
    values[SIM_CONSTANT_GAUGE_VECTORS] = sim_gauge_slots_per_particle(world->scene);
    values[SIM_CONSTANT_RECORD_SOLID_FORCES] = sim_sums_solid_forces(world);
    values[SIM_CONSTANT_ATTRIBUTE_VECTORS] = sim_attribute_vectors(world->scene);
    values[SIM_CONSTANT_PARTICLE_WORKGROUP] = gpu_device_workgroup(world->device);
    set_fluid_constants(world->scene, values);
    if (world->external_masses || sim_emitters_lead(world->scene))
        values[SIM_CONSTANT_UNIFORM_MASS] = 0;
    set_solver_constants(world, values);
}

weir_result sim_require_pipeline(sim_world *world, int shader)
{
    uint32_t values[SIM_CONSTANT_COUNT] = {0};
    if (world->pipelines[shader]) return WEIR_OK;
    set_constants(world, values);
    const gpu_pipeline_def def = {
        .shader = &sim_shaders[shader], .constants = values, .constant_count = SIM_CONSTANT_COUNT};
    return gpu_pipeline_create(world->device, &def, &world->pipelines[shader]);
}

weir_result sim_pipelines_create(sim_world *world)
{
    WEIR_RETURN_IF_ERROR(sim_require_pipeline(world, SIM_SNAPSHOT));
    WEIR_RETURN_IF_ERROR(sim_require_pipeline(world, SIM_SNAPSHOT_ARGS));
    return sim_require_pipeline(world, SIM_RAY_FORCE);
}

void sim_pipelines_destroy(sim_world *world)
{
    gpu_pipelines_destroy(world->device, world->pipelines, SIM_SHADERS);
}

/* Pipelines that look up bins are specialized for a dense or a sparse grid. */
weir_result sim_grid_grow(sim_world *world, grid_capacity capacity)
{
    bool dense = grid_is_dense(world->grid);
    WEIR_RETURN_IF_ERROR(grid_grow(world->device, world->grid, capacity));
    if (grid_is_dense(world->grid) == dense) return WEIR_OK;
    sim_pipelines_destroy(world);
    return sim_pipelines_create(world);
}
