/* The side door to rigid bodies. */
#include "body.h"
#include "picture_internal.h"
#include "solids.h"

#include "weir_body.h"
#include "weir_force.h"

weir_result weir_sim_bodies(weir_sim *sim, weir_body *bodies, uint32_t *count)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), count);
    return sim_bodies(sim->world, bodies, count);
}

weir_result weir_body_forces(weir_sim *sim, weir_force *forces, uint32_t *count)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), count);
    return sim_body_forces(sim->world, forces, count);
}

static bool is_finite(const float v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

weir_result weir_body_pick(weir_sim *sim, const float origin[3], const float direction[3],
                           weir_grip *grip)
{
    sim_grip found;
    WEIR_REQUIRE_GIVEN(NULL, sim);
    const weir_log *log = api_sim_log(sim);
    WEIR_REQUIRE_GIVEN(log, origin);
    WEIR_REQUIRE_GIVEN(log, direction);
    WEIR_REQUIRE_GIVEN(log, grip);
    vec3 along = vec3_make(direction[0], direction[1], direction[2]);
    float length = vec3_length(along);
    WEIR_REQUIRE(log, is_finite(origin) && isfinite(length) && length > 0,
                 "`origin` must be finite, `direction` finite and not 0");
    const body_ray ray = {vec3_make(origin[0], origin[1], origin[2]),
                          vec3_scale(along, 1.0f / length)};
    *grip = (weir_grip){.name = NULL};
    WEIR_NEED(sim_pick_body(sim->world, &ray, &found));
    if (found.body == sim->scene->data->body_count) return WEIR_OK;
    grip->name = sim->scene->data->bodies[found.body].name;
    memcpy(grip->place, &found.place, sizeof grip->place);
    memcpy(grip->position, &found.position, sizeof grip->position);
    return WEIR_OK;
}

weir_result weir_body_drag(weir_sim *sim, const weir_grip *grip, const float target[3])
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    const weir_log *log = api_sim_log(sim);
    const scene_data *scene = sim->scene->data;
    sim_grip held = {.body = scene->body_count};
    if (!grip) {
        sim_drag_body(sim->world, &held, vec3_make(0, 0, 0));
        return WEIR_OK;
    }
    WEIR_REQUIRE_GIVEN(log, target);
    WEIR_REQUIRE(log, grip->name, "`grip` is of no body: weir_body_pick has found none");
    WEIR_REQUIRE(log, is_finite(grip->place) && is_finite(target),
                 "`grip->place` and `target` must be finite");
    held.body = 0;
    while (held.body < scene->body_count && strcmp(scene->bodies[held.body].name, grip->name) != 0)
        held.body++;
    if (held.body == scene->body_count)
        return base_fail(log, WEIR_ARGUMENT,
                         "the scene %s has no body \"%s\": name one of its bodies", scene->source,
                         grip->name);
    held.place = vec3_make(grip->place[0], grip->place[1], grip->place[2]);
    sim_drag_body(sim->world, &held, vec3_make(target[0], target[1], target[2]));
    return WEIR_OK;
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
