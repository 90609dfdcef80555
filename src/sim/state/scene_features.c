/* Determines which features of the solver a scene uses. */
#include "sim_state.h"

#include "shared/poisson.h"

bool sim_has_surface_tension(const scene_data *scene)
{
    bool tense = false;
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        tense |= scene->fluids[i].surface_tension > 0.0f;
    return tense;
}

/* On a grid, smoothing slows the shortest waves: FLIP and APIC are stable up to 2 sqrt(rho dx^3 /
 * sigma), dx the edge of a cell (docs/equations.md). */
#define GRID_TENSION_SUBSTEP 1.5

double sim_max_tension_substep_s(const scene_data *scene, uint32_t fluid)
{
    const scene_fluid *of = &scene->fluids[fluid];
    bool grid = scene_has_grid(&scene->solver);
    double length = (double)scene->spacing * (grid ? (double)scene->solver.grid_cell_size : 1.0);
    double factor = grid ? GRID_TENSION_SUBSTEP : 1.0 / sqrt(2.0 * SIM_PI);
    return factor * sqrt((double)of->density * pow(length, 3.0) / (double)of->surface_tension);
}

bool sim_has_solids_or_sinks(const scene_data *scene)
{
    return scene->solid_count + scene->sink_count > 0;
}

bool sim_has_xsph(const scene_data *scene)
{
    bool smooths = false;
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        smooths |= scene->fluids[i].xsph > 0.0f;
    return smooths;
}

uint32_t sim_attribute_vectors(const scene_data *scene)
{
    return (scene->attribute_components + 3u) / 4u;
}

uint32_t sim_rest_positions(const scene_data *scene)
{
    uint32_t firsts = 0;
    for (uint32_t i = 0; i < scene->attribute_count; i++)
        if (scene->attributes[i].kind == SCENE_ATTRIBUTE_REST_POSITION)
            firsts |= 1u << scene->attributes[i].first;
    return firsts;
}

uint32_t sim_reset_rest_positions(const scene_data *scene, double start_s, double end_s)
{
    uint32_t firsts = 0;
    for (uint32_t i = 0; i < scene->attribute_count; i++) {
        const scene_attribute *a = &scene->attributes[i];
        const double period = (double)a->period, phase = (double)a->phase;
        if (a->kind == SCENE_ATTRIBUTE_REST_POSITION && period > 0.0 &&
            floor(end_s / period - phase + 1e-9) > floor(start_s / period - phase + 1e-9))
            firsts |= 1u << a->first;
    }
    return firsts;
}

bool sim_attributes_diffuse(const scene_data *scene)
{
    bool diffuses = false;
    for (uint32_t i = 0; i < scene->attribute_count; i++)
        diffuses |= scene->attributes[i].diffusivity > 0.0f;
    return diffuses;
}

bool sim_emitters_lead(const scene_data *scene)
{
    return scene->solver.method == SCENE_METHOD_PBF && scene->emitter_count > 0;
}

bool sim_has_friction(const scene_data *scene)
{
    bool has_friction = scene->domain.friction > 0.0f;
    for (uint32_t i = 0; i < scene->solid_count; i++)
        has_friction |= scene->solids[i].friction > 0.0f;
    return has_friction;
}

bool sim_has_viscosity(const scene_data *scene)
{
    bool viscous = false;
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        viscous |= scene->fluids[i].dynamic_viscosity > 0.0f;
    return viscous;
}

bool sim_has_curves(const scene_data *scene)
{
    bool curves = false;
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        curves |= scene->fluids[i].viscosity_curve.given || scene->fluids[i].tension_curve.given;
    return curves;
}

bool sim_has_variable_density(const scene_data *scene)
{
    return scene_has_grid(&scene->solver) && scene->fluid_count > 1;
}

bool sim_is_apic(const sim_world *world)
{
    return world->scene->solver.method == SCENE_METHOD_APIC;
}

bool sim_needs_neighbour_velocities(const sim_world *world)
{
    return world->scene->solver.vorticity_confinement > 0.0f || sim_has_xsph(world->scene);
}

uint32_t sim_gauge_slots_per_particle(const scene_data *scene)
{
    if (scene_has_grid(&scene->solver)) return 0;
    for (uint32_t i = 0; i < scene->gauge_count; i++)
        if (scene->gauges[i].kind == SCENE_GAUGE_PRESSURE ||
            scene->gauges[i].kind == SCENE_GAUGE_FORCE)
            return scene_force_gauge_solid_count(scene) ? 2u * scene_force_gauge_solid_count(scene)
                                                        : 1u;
    return 0;
}

uint64_t sim_unknown_count(const sim_world *world)
{
    if (!sim_has_viscosity(world->scene)) return 0;
    if (!scene_has_grid(&world->scene->solver)) return world->params.particle_capacity;
    return (uint64_t)poisson_capacity(world->pressure_grid) * POISSON_BLOCK_CELLS;
}

bool sim_emitter_is_moving(const scene_emitter *emitter)
{
    return emitter->motion.kind != SCENE_MOTION_STATIC || emitter->speed_key_count > 0 ||
           emitter->attached_to.body > 0;
}

uint32_t sim_max_moving_layers(const scene_data *scene)
{
    for (uint32_t i = 0; i < scene->emitter_count; i++)
        if (sim_emitter_is_moving(&scene->emitters[i])) return SIM_MAX_EMISSIONS;
    return 0;
}

/* If forces on solids are measured, AUTO leaves the long-range correction off, because gauges and
 * sums of forces do not include the force that it exerts on solids. */
bool sim_measures_solid_force(const scene_data *scene)
{
    if (scene->solver.solid_forces) return true;
    for (uint32_t i = 0; i < scene->gauge_count; i++)
        if (scene->gauges[i].kind == SCENE_GAUGE_FORCE) return true;
    return false;
}
