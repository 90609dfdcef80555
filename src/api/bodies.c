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

weir_result weir_solid_forces(weir_sim *sim, weir_force *forces, uint32_t *count)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    WEIR_REQUIRE_GIVEN(api_sim_log(sim), count);
    return sim_solid_forces(sim->world, forces, count);
}

static bool is_finite(const float v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

static weir_result find_body(const weir_sim *sim, const char *name, uint32_t *body)
{
    const scene_data *scene = sim->scene->data;
    uint32_t i = 0;
    while (i < scene->body_count && strcmp(scene->bodies[i].name, name) != 0)
        i++;
    *body = i;
    if (i < scene->body_count) return WEIR_OK;
    return base_fail(api_sim_log(sim), WEIR_ARGUMENT,
                     "the scene %s has no body \"%s\": name one of its bodies", scene->source,
                     name);
}

weir_result weir_body_set(weir_sim *sim, const weir_body *body)
{
    uint32_t index;
    WEIR_REQUIRE_GIVEN(NULL, sim);
    const weir_log *log = api_sim_log(sim);
    WEIR_REQUIRE_GIVEN(log, body);
    WEIR_REQUIRE_GIVEN(log, body->name);
    WEIR_NEED(find_body(sim, body->name, &index));
    WEIR_NEED(api_pose_check(log, body->name, body->position, body->rotation));
    const float *x = body->position, *q = body->rotation, *v = body->velocity,
                *w = body->angular_velocity;
    const sim_body_motion motion = {
        {vec3_make(x[0], x[1], x[2]), (quat){q[0], q[1], q[2], q[3]}, 1.0f},
        vec3_make(v[0], v[1], v[2]),
        vec3_make(w[0], w[1], w[2])};
    sim->slots->steps++; /* points of before are not those of the state */
    return sim_set_body(sim->world, index, &motion);
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
    WEIR_NEED(find_body(sim, grip->name, &held.body));
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

weir_result api_placing_check(const api_placing *p)
{
    WEIR_REQUIRE_GIVEN(p->log, p->poses);
    if (p->count != p->scene->body_count)
        return base_fail(p->log, WEIR_ARGUMENT,
                         "%u bodies are placed, expected as many as the scene has: %u", p->count,
                         p->scene->body_count);
    for (uint32_t i = 0; i < p->count; i++)
        WEIR_NEED(api_pose_check(p->log, p->scene->bodies[i].name, p->poses[i].position,
                                 p->poses[i].rotation));
    return WEIR_OK;
}

static weir_result measure_bodies(const api_placing *p, const solid_set *solids, api_placed *placed)
{
    placed->figures = base_alloc(p->count, sizeof *placed->figures);
    placed->bodies.poses = base_alloc(p->count, sizeof *placed->bodies.poses);
    weir_result result = placed->figures && placed->bodies.poses
                             ? body_measure(p->log, p->scene, solids, placed->figures)
                             : base_fail(p->log, WEIR_MEMORY, "no memory for bodies");
    if (result != WEIR_OK) api_placed_free(placed);
    return result;
}

weir_result api_place_bodies(const api_placing *p, const solid_set *solids, api_placed *placed)
{
    if (!placed->figures) WEIR_NEED(measure_bodies(p, solids, placed));
    for (uint32_t i = 0; i < p->count; i++) {
        const float *x = p->poses[i].position, *q = p->poses[i].rotation;
        placed->bodies.poses[i] = body_place(&placed->figures[i], vec3_make(x[0], x[1], x[2]),
                                             (quat){q[0], q[1], q[2], q[3]});
    }
    placed->bodies.count = p->count;
    return WEIR_OK;
}

void api_placed_free(api_placed *placed)
{
    base_free(placed->figures);
    placed->figures = NULL;
    api_poses_free(&placed->bodies);
}

weir_result weir_renderer_place_bodies(weir_renderer *renderer, const weir_body_pose *poses,
                                       uint32_t count)
{
    static const scene_data empty = {.body_count = 0};
    const weir_log *log = renderer ? api_log(renderer->device) : NULL;
    WEIR_REQUIRE_GIVEN(log, renderer);
    const scene_data *scene = renderer->scene ? renderer->scene->data : &empty;
    const api_placing placing = {log, scene, poses, count};
    api_solids *solids;
    renderer->placed.bodies.count = 0;
    if (count == 0) return WEIR_OK;
    WEIR_NEED(api_placing_check(&placing));
    WEIR_NEED(api_solids_get(renderer->device, renderer->scene, &solids));
    return api_place_bodies(&placing, api_solids_set(solids), &renderer->placed);
}
