/* The side door to rigid bodies. */
#include "body.h"
#include "picture_internal.h"
#include "solids.h"

#include "weir_body.h"

weir_result weir_sim_bodies(weir_sim *sim, weir_body *bodies, uint32_t *count)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), count);
    return sim_bodies(sim->world, bodies, count);
}

weir_result api_bodies_take(sim_world *world, const sim_slot *slot, api_poses *bodies)
{
    uint32_t count = sim_scene(world)->body_count;
    if (count == 0) return WEIR_OK;
    bodies->poses = base_alloc(count, sizeof *bodies->poses);
    if (!bodies->poses) return WEIR_MEMORY;
    bodies->count = count;
    return slot ? sim_slot_poses(world, slot, bodies->poses) : sim_body_poses(world, bodies->poses);
}

uint32_t weir_scene_body_count(const weir_scene *scene)
{
    return scene ? scene->data->body_count : 0;
}

/* ---- bodies of stored frames ---------------------------------------------------------------- */

static weir_result measure_bodies(weir_renderer *r)
{
    api_solids *solids;
    const weir_log *log = api_log(r->device);
    uint32_t count = r->scene->data->body_count;
    if (r->figures) return WEIR_OK;
    WEIR_NEED(api_solids_get(r->device, r->scene, &solids));
    r->figures = base_alloc(count, sizeof *r->figures);
    r->placed.poses = base_alloc(count, sizeof *r->placed.poses);
    weir_result result = r->figures && r->placed.poses
                             ? body_measure(log, r->scene->data, api_solids_set(solids), r->figures)
                             : base_fail(log, WEIR_MEMORY, "no memory for bodies");
    if (result == WEIR_OK) return WEIR_OK;
    base_free(r->figures);
    r->figures = NULL;
    api_poses_free(&r->placed);
    return result;
}

weir_result weir_renderer_place_bodies(weir_renderer *renderer, const weir_body_pose *poses,
                                       uint32_t count)
{
    const weir_log *log = renderer ? api_log(renderer->device) : NULL;
    WEIR_REQUIRE_GIVEN(log, renderer);
    uint32_t bodies = renderer->scene ? renderer->scene->data->body_count : 0;
    renderer->placed.count = 0;
    if (count == 0) return WEIR_OK;
    WEIR_REQUIRE_GIVEN(log, poses);
    if (count != bodies)
        return base_fail(log, WEIR_ARGUMENT,
                         "%u bodies are placed, expected as many as the renderer's scene has: %u",
                         count, bodies);
    for (uint32_t i = 0; i < count; i++)
        WEIR_NEED(api_pose_check(log, renderer->scene->data->bodies[i].name, poses[i].position,
                                 poses[i].rotation));
    WEIR_NEED(measure_bodies(renderer));
    for (uint32_t i = 0; i < count; i++) {
        const float *x = poses[i].position, *q = poses[i].rotation;
        renderer->placed.poses[i] = body_place(&renderer->figures[i], vec3_make(x[0], x[1], x[2]),
                                               (quat){q[0], q[1], q[2], q[3]});
    }
    renderer->placed.count = count;
    return WEIR_OK;
}
