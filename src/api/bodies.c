/* Public API of rigid bodies: weir/bodies.h. */
#include "body.h"
#include "renderer_internal.h"
#include "scene_distance.h"

#include "weir/bodies.h"

weir_result weir_sim_get_bodies(weir_sim *sim, weir_body *bodies, uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), count);
    return sim_bodies(sim->world, bodies, count);
}

weir_result weir_sim_get_body_forces(weir_sim *sim, weir_force *forces, uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), count);
    return sim_body_forces(sim->world, forces, count);
}

weir_result weir_sim_get_solid_forces(weir_sim *sim, weir_force *forces, uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), count);
    return sim_solid_forces(sim->world, forces, count);
}

static bool is_finite_vector(const float v[3])
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
    return api_argument_error(api_sim_log(sim),
                              "the scene %s has no body \"%s\": give the name of one of its bodies",
                              scene->source, name);
}

sim_body_motion api_body_motion(const weir_body *body)
{
    const float *x = body->position, *q = body->rotation, *v = body->velocity,
                *w = body->angular_velocity;
    return (sim_body_motion){{vec3_make(x[0], x[1], x[2]), (quat){q[0], q[1], q[2], q[3]}, 1.0f},
                             vec3_make(v[0], v[1], v[2]),
                             vec3_make(w[0], w[1], w[2])};
}

weir_result weir_sim_set_body(weir_sim *sim, const weir_body *body)
{
    uint32_t index;
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    const weir_log *log = api_sim_log(sim);
    WEIR_REQUIRE_NOT_NULL(log, body);
    WEIR_REQUIRE_NOT_NULL(log, body->name);
    WEIR_RETURN_IF_ERROR(find_body(sim, body->name, &index));
    WEIR_RETURN_IF_ERROR(api_pose_check(log, body->name, body->position, body->rotation));
    const sim_body_motion motion = api_body_motion(body);
    sim->slots->steps++; /* invalidates earlier points */
    return sim_set_body(sim->world, index, &motion);
}

weir_result weir_sim_pick_body(weir_sim *sim, const float origin[3], const float direction[3],
                               weir_body_point *point)
{
    sim_body_grab found;
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    const weir_log *log = api_sim_log(sim);
    WEIR_REQUIRE_NOT_NULL(log, origin);
    WEIR_REQUIRE_NOT_NULL(log, direction);
    WEIR_REQUIRE_NOT_NULL(log, point);
    vec3 along = vec3_make(direction[0], direction[1], direction[2]);
    float length = vec3_length(along);
    WEIR_REQUIRE(log, is_finite_vector(origin) && isfinite(length) && length > 0,
                 "`origin` must be finite, `direction` finite and not 0");
    const body_ray ray = {vec3_make(origin[0], origin[1], origin[2]),
                          vec3_scale(along, 1.0f / length)};
    *point = (weir_body_point){.name = NULL};
    WEIR_RETURN_IF_ERROR(sim_pick_body(sim->world, &ray, &found));
    if (found.body == sim->scene->data->body_count) return WEIR_OK;
    point->name = sim->scene->data->bodies[found.body].name;
    memcpy(point->local_position, &found.local_point, sizeof point->local_position);
    memcpy(point->position, &found.position, sizeof point->position);
    return WEIR_OK;
}

weir_result weir_sim_grab_body(weir_sim *sim, const weir_body_point *point, const float target[3])
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    const weir_log *log = api_sim_log(sim);
    const scene_data *scene = sim->scene->data;
    sim_body_grab held = {.body = scene->body_count};
    if (!point) {
        sim_set_mouse_joint(sim->world, &held, vec3_make(0, 0, 0));
        return WEIR_OK;
    }
    WEIR_REQUIRE_NOT_NULL(log, target);
    WEIR_REQUIRE(log, point->name, "`point` belongs to no body: weir_sim_pick_body found none");
    WEIR_REQUIRE(log, is_finite_vector(point->local_position) && is_finite_vector(target),
                 "`point->local_position` and `target` must be finite");
    WEIR_RETURN_IF_ERROR(find_body(sim, point->name, &held.body));
    held.local_point =
        vec3_make(point->local_position[0], point->local_position[1], point->local_position[2]);
    sim_set_mouse_joint(sim->world, &held, vec3_make(target[0], target[1], target[2]));
    return WEIR_OK;
}

weir_result api_read_body_poses(sim_world *world, const sim_snapshot *slot, api_poses *bodies)
{
    uint32_t count = sim_scene(world)->body_count;
    if (count == 0) return WEIR_OK;
    bodies->poses = base_alloc(count, sizeof *bodies->poses);
    if (!bodies->poses) return WEIR_ERROR_MEMORY;
    bodies->count = count;
    return slot ? sim_snapshot_body_poses(world, slot, bodies->poses)
                : sim_body_poses(world, bodies->poses);
}

uint32_t weir_scene_body_count(const weir_scene *scene)
{
    return scene ? scene->data->body_count : 0;
}

/* ---- bodies of stored frames ---------------------------------------------------------------- */

weir_result api_pose_def_check(const api_pose_def *p)
{
    WEIR_REQUIRE_NOT_NULL(p->log, p->poses);
    if (p->count != p->scene->body_count)
        return api_argument_error(p->log,
                                  "got poses of %u bodies, expected as many as the scene has: %u",
                                  p->count, p->scene->body_count);
    for (uint32_t i = 0; i < p->count; i++)
        WEIR_RETURN_IF_ERROR(api_pose_check(p->log, p->scene->bodies[i].name, p->poses[i].position,
                                            p->poses[i].rotation));
    return WEIR_OK;
}

static weir_result measure_bodies(const api_pose_def *p, const solid_set *solids,
                                  api_posed_bodies *posed_bodies)
{
    posed_bodies->mass_properties = base_alloc(p->count, sizeof *posed_bodies->mass_properties);
    posed_bodies->bodies.poses = base_alloc(p->count, sizeof *posed_bodies->bodies.poses);
    weir_result result =
        posed_bodies->mass_properties && posed_bodies->bodies.poses
            ? body_compute_mass_properties(p->log, p->scene, solids, posed_bodies->mass_properties)
            : base_fail(p->log, WEIR_ERROR_MEMORY, "not enough memory for bodies");
    if (result != WEIR_OK) api_posed_bodies_free(posed_bodies);
    return result;
}

weir_result api_set_body_poses(const api_pose_def *p, const solid_set *solids,
                               api_posed_bodies *posed_bodies)
{
    if (!posed_bodies->mass_properties)
        WEIR_RETURN_IF_ERROR(measure_bodies(p, solids, posed_bodies));
    for (uint32_t i = 0; i < p->count; i++) {
        const float *x = p->poses[i].position, *q = p->poses[i].rotation;
        posed_bodies->bodies.poses[i] =
            body_pose_from_centre(&posed_bodies->mass_properties[i], vec3_make(x[0], x[1], x[2]),
                                  (quat){q[0], q[1], q[2], q[3]});
    }
    posed_bodies->bodies.count = p->count;
    return WEIR_OK;
}

void api_posed_bodies_free(api_posed_bodies *posed_bodies)
{
    base_free(posed_bodies->mass_properties);
    posed_bodies->mass_properties = NULL;
    api_poses_free(&posed_bodies->bodies);
}

weir_result weir_renderer_set_body_poses(weir_renderer *renderer, const weir_body_pose *poses,
                                         uint32_t count)
{
    static const scene_data empty = {.body_count = 0};
    const weir_log *log = renderer ? api_log(renderer->device) : NULL;
    WEIR_REQUIRE_NOT_NULL(log, renderer);
    const scene_data *scene = renderer->scene ? renderer->scene->data : &empty;
    const api_pose_def placing = {log, scene, poses, count};
    scene_distance *solids;
    renderer->posed_bodies.bodies.count = 0;
    if (count == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(api_pose_def_check(&placing));
    WEIR_RETURN_IF_ERROR(scene_distance_get(renderer->device, renderer->scene, &solids));
    return api_set_body_poses(&placing, scene_distance_solid_set(solids), &renderer->posed_bodies);
}
