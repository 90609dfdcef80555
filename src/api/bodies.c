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
    api_bodies_free(&r->placed);
    return result;
}

static weir_result check_pose(const weir_log *log, const weir_body_pose *pose, uint32_t index)
{
    const float *x = pose->position, *q = pose->rotation;
    float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]) && fabsf(length - 1.0f) < 0.01f)
        return WEIR_OK;
    return base_fail(log, WEIR_ARGUMENT,
                     "pose %u is at (%g, %g, %g) m with a rotation of length %g, expected finite "
                     "numbers, and a length of 1",
                     index, (double)x[0], (double)x[1], (double)x[2], (double)length);
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
        WEIR_NEED(check_pose(log, &poses[i], i));
    WEIR_NEED(measure_bodies(renderer));
    for (uint32_t i = 0; i < count; i++) {
        const float *x = poses[i].position, *q = poses[i].rotation;
        renderer->placed.poses[i] = body_place(&renderer->figures[i], vec3_make(x[0], x[1], x[2]),
                                               (quat){q[0], q[1], q[2], q[3]});
    }
    renderer->placed.count = count;
    return WEIR_OK;
}
