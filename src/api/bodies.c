/* The side door to rigid bodies. */
#include "api_internal.h"

weir_result weir_sim_bodies(weir_sim *sim, weir_body *bodies, uint32_t *count)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), count);
    return sim_bodies(sim->world, bodies, count);
}

weir_result api_bodies_take(sim_world *world, const sim_slot *slot, api_bodies *bodies)
{
    uint32_t count = sim_scene(world)->body_count;
    if (count == 0) return WEIR_OK;
    bodies->poses = base_alloc(count, sizeof *bodies->poses);
    if (!bodies->poses) return WEIR_MEMORY;
    bodies->count = count;
    return slot ? sim_slot_poses(world, slot, bodies->poses) : sim_body_poses(world, bodies->poses);
}

weir_result api_bodies_copy(const api_bodies *from, api_bodies *to)
{
    *to = (api_bodies){0};
    if (from->count == 0) return WEIR_OK;
    to->poses = base_alloc(from->count, sizeof *to->poses);
    if (!to->poses) return WEIR_MEMORY;
    memcpy(to->poses, from->poses, from->count * sizeof *to->poses);
    to->count = from->count;
    return WEIR_OK;
}

void api_bodies_free(api_bodies *bodies)
{
    base_free(bodies->poses);
    *bodies = (api_bodies){0};
}
