/* Determines which features of the solver a scene uses. */
#include "sim_internal.h"

bool sim_has_surface_tension(const scene_data *scene)
{
    bool tense = false;
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        tense |= scene->fluids[i].surface_tension > 0.0f;
    return tense;
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

bool sim_has_viscosity(const scene_data *scene)
{
    bool viscous = false;
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        viscous |= scene->fluids[i].dynamic_viscosity > 0.0f;
    return viscous;
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
            return 1u + scene_force_gauge_solid_count(scene);
    return 0;
}
