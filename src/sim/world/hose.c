/* The hose: an emitter that the host program moves, opens and closes while the simulation runs. */
#include "sim_frame.h"
#include "sim_solvers.h"

static vec3 normalize(vec3 v)
{
    return vec3_scale(v, 1.0f / vec3_length(v));
}

static struct sim_emitter make_hose_emitter(const sim_world *world, const weir_hose *hose)
{
    const scene_data *scene = world->scene;
    float d = scene->spacing;
    vec3 forward = normalize(vec3_make(hose->direction[0], hose->direction[1], hose->direction[2]));
    vec3 across = fabsf(forward.y) < 0.9f ? vec3_make(0, 1, 0) : vec3_make(1, 0, 0);
    vec3 right = normalize(vec3_cross(across, forward)), up = vec3_cross(forward, right);
    vec3 at = {hose->position[0], hose->position[1], hose->position[2]};
    if (world->params.planar) {
        forward = normalize(vec3_make(forward.x, forward.y, 0.0f));
        up = vec3_make(-forward.y, forward.x, 0.0f);
        at.z = world->params.plane;
    }
    return (struct sim_emitter){
        .corner = {at.x, at.y, at.z, (float)hose->fluid},
        .across = {right.x * d, right.y * d, right.z * d, 0.0f},
        .up = {up.x * d, up.y * d, up.z * d, d},
        .forward = {forward.x, forward.y, forward.z, hose->speed},
        .turbulence = {0.0f, 0.0f, (float)scene->emitter_count, 0.0f},
    };
}

/* Adds the pass that emits particles to the pass list. Waits for all frames first. */
static weir_result add_emit_pass(sim_world *world)
{
    weir_result result;
    gpu_timers *timers = NULL;
    WEIR_GOTO_IF_ERROR(sim_complete_frames(world));
    world->hose.was_opened = true;
    WEIR_GOTO_IF_ERROR(sim_build_passes(world));
    WEIR_GOTO_IF_ERROR(gpu_timers_create(world->device, SIM_PASS_CAPACITY, &timers));
    gpu_timers_destroy(world->device, &world->timers);
    world->timers = timers;
    return WEIR_OK;
fail:
    world->hose.was_opened = false;
    return sim_build_passes(world) == WEIR_OK ? result : (world->failed = result);
}

weir_result sim_set_hose(sim_world *world, const weir_hose *hose)
{
    sim_hose *j = &world->hose;
    if (!hose) {
        j->open = false;
        return WEIR_OK;
    }
    if (!j->was_opened) WEIR_RETURN_IF_ERROR(add_emit_pass(world));
    if (!j->open) j->next_layer_s = world->time_s;
    j->open = true;
    j->layer_interval_s = (double)world->scene->spacing / (double)hose->speed;
    j->emitter = make_hose_emitter(world, hose);
    return WEIR_OK;
}
