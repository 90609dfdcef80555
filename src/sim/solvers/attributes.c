/* Passes that carry the attributes of the particles through a substep. They come last, when nothing
 * can halt the substep any more, so that a replay finds the attributes of its start. */
#include "sim_solvers.h"

bool sim_has_attributes(const sim_world *world)
{
    return world->scene->attribute_count > 0;
}

static bool keeps_values(const sim_world *world)
{
    return !sim_attributes_diffuse(world->scene);
}

static bool diffuses_by_lists(const sim_world *world)
{
    return sim_attributes_diffuse(world->scene) && !scene_has_grid(&world->scene->solver);
}

static bool diffuses_by_bins(const sim_world *world)
{
    return sim_attributes_diffuse(world->scene) && scene_has_grid(&world->scene->solver);
}

const sim_pass sim_attribute_passes[] = {
    {.stage = "attributes"},
    {SIM_REORDER_ATTRIBUTES, .dispatch = SIM_LIVE_PARTICLES},
    {SIM_STORE_ATTRIBUTES, .dispatch = SIM_LIVE_PARTICLES, .when = keeps_values},
    {SIM_ATTRIBUTE_WEIGHTS, .dispatch = SIM_LIVE_PARTICLES, .when = diffuses_by_lists},
    {SIM_EXCHANGE_ATTRIBUTES, .dispatch = SIM_LIVE_PARTICLES, .when = diffuses_by_lists},
    {SIM_FLIP_ATTRIBUTE_WEIGHTS, .dispatch = SIM_LIVE_PARTICLES, .when = diffuses_by_bins},
    {SIM_FLIP_EXCHANGE_ATTRIBUTES, .dispatch = SIM_LIVE_PARTICLES, .when = diffuses_by_bins},
    {.end = true},
};
