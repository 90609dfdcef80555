/* Changes the live numbers of a running simulation. */
#include "sim_frame.h"

/* Everything that is made from a scene's live numbers. Kernels that stay the same share their
 * pipelines with the former ones and cost nothing. */
typedef struct made {
    const scene_data *scene;
    struct sim_params params;
    gpu_kernel *kernels[SIM_SHADERS];
    gpu_timers *timers;
} made;

static made take(sim_world *world)
{
    made m = {
        .scene = world->scene,
        .params = world->params,
        .timers = world->timers,
    };
    memcpy(m.kernels, world->kernels, sizeof m.kernels);
    memset(world->kernels, 0, sizeof world->kernels);
    world->timers = NULL;
    return m;
}

static void put_back(sim_world *world, const made *m)
{
    world->scene = m->scene;
    solid_set_follow(world->solids, m->scene);
    world->params = m->params;
    world->timers = m->timers;
    memcpy(world->kernels, m->kernels, sizeof m->kernels);
}

static void release(gpu_device *device, gpu_kernel **kernels, gpu_timers **timers)
{
    for (int i = 0; i < SIM_SHADERS; i++)
        gpu_kernel_destroy(device, &kernels[i]);
    gpu_timers_destroy(device, timers);
}

weir_result sim_change(sim_world *world, const scene_data *scene)
{
    weir_result result;
    WEIR_NEED(sim_settle(world));
    WEIR_NEED(gpu_device_wait(world->device)); /* copies to points may still use the kernels */
    made before = take(world);
    world->scene = scene;
    solid_set_follow(world->solids, scene);
    sim_params_fill(world);
    WEIR_TRY(sim_viscous_buffers_grow(world));
    WEIR_TRY(sim_kernels_create(world));
    WEIR_TRY(sim_rows_build(world));
    WEIR_TRY(gpu_timers_create(world->device, world->row_count, &world->timers));
    if (world->softs) WEIR_TRY(soft_set_follow(world->device, world->softs, scene));
    release(world->device, before.kernels, &before.timers);
    return sim_wake_bodies(world);
fail:
    release(world->device, world->kernels, &world->timers);
    put_back(world, &before);
    return sim_rows_build(world) == WEIR_OK ? result : (world->failed = WEIR_MEMORY);
}
