/* Applies new live values to a running simulation. */
#include "sim_coupling.h"
#include "sim_frame.h"
#include "sim_input.h"
#include "sim_solvers.h"

/* Everything that is created from a scene's live values. Pipelines whose constants stay the same
 * are shared with the former ones and cost nothing. */
typedef struct scene_resources {
    const scene_data *scene;
    struct sim_params params;
    gpu_pipeline *pipelines[SIM_SHADERS];
    gpu_timers *timers;
} scene_resources;

static scene_resources detach_resources(sim_world *world)
{
    scene_resources m = {
        .scene = world->scene,
        .params = world->params,
        .timers = world->timers,
    };
    memcpy(m.pipelines, world->pipelines, sizeof m.pipelines);
    memset(world->pipelines, 0, sizeof world->pipelines);
    world->timers = NULL;
    return m;
}

static void restore_resources(sim_world *world, const scene_resources *m)
{
    world->scene = m->scene;
    solid_set_update_scene(world->solids, m->scene);
    world->params = m->params;
    sim_force_fields_fill(world);
    world->timers = m->timers;
    memcpy(world->pipelines, m->pipelines, sizeof m->pipelines);
}

static void destroy_resources(gpu_device *device, gpu_pipeline **pipelines, gpu_timers **timers)
{
    gpu_pipelines_destroy(device, pipelines, SIM_SHADERS);
    gpu_timers_destroy(device, timers);
}

weir_result sim_apply_scene(sim_world *world, const scene_data *scene)
{
    weir_result result;
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    /* copies to particle views may still use the pipelines */
    WEIR_RETURN_IF_ERROR(gpu_device_wait(world->device));
    scene_resources before = detach_resources(world);
    world->scene = scene;
    solid_set_update_scene(world->solids, scene);
    sim_params_fill(world);
    sim_force_fields_fill(world);
    WEIR_GOTO_IF_ERROR(sim_viscous_buffers_grow(world));
    WEIR_GOTO_IF_ERROR(sim_pipelines_create(world));
    WEIR_GOTO_IF_ERROR(sim_build_passes(world));
    WEIR_GOTO_IF_ERROR(gpu_timers_create(world->device, SIM_PASS_CAPACITY, &world->timers));
    if (world->deformables)
        WEIR_GOTO_IF_ERROR(
            deformable_set_update_iterations(world->device, world->deformables, scene));
    destroy_resources(world->device, before.pipelines, &before.timers);
    return sim_wake_bodies(world);
fail:
    destroy_resources(world->device, world->pipelines, &world->timers);
    restore_resources(world, &before);
    return sim_build_passes(world) == WEIR_OK ? result : (world->failed = WEIR_ERROR_MEMORY);
}
