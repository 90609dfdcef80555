/* The jet: an emitter that a caller moves, opens and closes while the simulation runs. */
#include "sim_frame.h"

static vec3 unit(vec3 v)
{
    return vec3_scale(v, 1.0f / vec3_length(v));
}

static struct sim_emitter describe(const sim_world *world, const weir_jet *jet)
{
    const scene_data *scene = world->scene;
    float d = scene->spacing;
    vec3 forward = unit(vec3_make(jet->direction[0], jet->direction[1], jet->direction[2]));
    vec3 across = fabsf(forward.y) < 0.9f ? vec3_make(0, 1, 0) : vec3_make(1, 0, 0);
    vec3 right = unit(vec3_cross(across, forward)), up = vec3_cross(forward, right);
    vec3 at = {jet->position[0], jet->position[1], jet->position[2]};
    if (world->params.planar) {
        forward = unit(vec3_make(forward.x, forward.y, 0.0f));
        up = vec3_make(-forward.y, forward.x, 0.0f);
        at.z = world->params.plane;
    }
    uint32_t first = world->emitters[scene->emitter_count].first_site;
    return (struct sim_emitter){
        .corner = {at.x, at.y, at.z, (float)jet->fluid},
        .across = {right.x * d, right.y * d, right.z * d, 0.0f},
        .up = {up.x * d, up.y * d, up.z * d, (float)first},
        .velocity = {forward.x * jet->speed, forward.y * jet->speed, forward.z * jet->speed, 0.0f},
    };
}

/* Adds the row that emits to the table; frames in flight must have ended before. */
static weir_result add_row(sim_world *world)
{
    weir_result result;
    gpu_timers *timers = NULL;
    WEIR_TRY(sim_settle(world));
    world->jet.used = true;
    WEIR_TRY(sim_rows_build(world));
    WEIR_TRY(gpu_timers_create(world->device, world->row_count, &timers));
    gpu_timers_destroy(world->device, &world->timers);
    world->timers = timers;
    return WEIR_OK;
fail:
    world->jet.used = false;
    return sim_rows_build(world) == WEIR_OK ? result : (world->failed = result);
}

weir_result sim_set_jet(sim_world *world, const weir_jet *jet)
{
    sim_jet *j = &world->jet;
    if (!jet) {
        j->open = false;
        return WEIR_OK;
    }
    if (!j->used) WEIR_NEED(add_row(world));
    if (!j->open) j->next_s = world->time_s;
    j->open = true;
    j->interval_s = (double)world->scene->spacing / (double)jet->speed;
    j->emitter = describe(world, jet);
    return WEIR_OK;
}
