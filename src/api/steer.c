/* The side door to steering: solids and particles that the caller moves. */
#include "api_internal.h"

#include "weir_steer.h"

/* ---- poses that points and meshes carry ------------------------------------------------------ */

weir_result api_poses_copy(const api_poses *from, api_poses *to)
{
    *to = (api_poses){0};
    if (from->count == 0) return WEIR_OK;
    to->poses = base_alloc(from->count, sizeof *to->poses);
    if (!to->poses) return WEIR_MEMORY;
    memcpy(to->poses, from->poses, from->count * sizeof *to->poses);
    to->count = from->count;
    return WEIR_OK;
}

void api_poses_free(api_poses *poses)
{
    base_free(poses->poses);
    *poses = (api_poses){0};
}

weir_result api_pose_check(const weir_log *log, const char *name, const float position[3],
                           const float rotation[4])
{
    const float *x = position, *q = rotation;
    float length = sqrtf(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]) && fabsf(length - 1.0f) < 0.01f)
        return WEIR_OK;
    return base_fail(log, WEIR_ARGUMENT,
                     "the pose of \"%s\" is at (%g, %g, %g) m with a rotation of length %g, "
                     "expected finite numbers, and a length of 1",
                     name, (double)x[0], (double)x[1], (double)x[2], (double)length);
}

static bool any_steered(const scene_data *scene)
{
    for (uint32_t i = 0; i < scene->solid_count; i++)
        if (scene->solids[i].motion.kind == SCENE_MOTION_STEERED) return true;
    return false;
}

weir_result api_solids_take(const sim_world *world, api_poses *solids)
{
    const scene_data *scene = sim_scene(world);
    if (!any_steered(scene)) return WEIR_OK;
    solids->poses = base_alloc(scene->solid_count, sizeof *solids->poses);
    if (!solids->poses) return WEIR_MEMORY;
    solids->count = scene->solid_count;
    sim_steered_poses(world, solids->poses);
    return WEIR_OK;
}

/* ---- the door -------------------------------------------------------------------------------- */

static weir_result find_solid(const weir_sim *sim, const char *name, uint32_t *solid)
{
    const scene_data *scene = sim->scene->data;
    const weir_log *log = api_sim_log(sim);
    uint32_t i = 0;
    while (i < scene->solid_count && strcmp(scene->solids[i].name, name) != 0)
        i++;
    if (i == scene->solid_count)
        return base_fail(log, WEIR_ARGUMENT,
                         "the scene %s has no solid \"%s\": name one of its solids", scene->source,
                         name);
    if (scene->solids[i].motion.kind != SCENE_MOTION_STEERED)
        return base_fail(log, WEIR_ARGUMENT,
                         "%s:%d:%d: solid \"%s\" is not steered from outside: give it "
                         "\"motion\": {\"steered\": true}",
                         scene->source, scene->solids[i].line, scene->solids[i].column, name);
    *solid = i;
    return WEIR_OK;
}

weir_result weir_solid_set_pose(weir_sim *sim, const char *name, const weir_solid_pose *pose)
{
    uint32_t solid;
    WEIR_REQUIRE_GIVEN(NULL, sim);
    const weir_log *log = api_sim_log(sim);
    WEIR_REQUIRE_GIVEN(log, name);
    WEIR_REQUIRE_GIVEN(log, pose);
    WEIR_NEED(find_solid(sim, name, &solid));
    WEIR_NEED(api_pose_check(log, name, pose->position, pose->rotation));
    const float *x = pose->position, *q = pose->rotation;
    const scene_pose wanted = {vec3_make(x[0], x[1], x[2]),
                               quat_normalize((quat){q[0], q[1], q[2], q[3]}), 1.0f};
    sim_steer_solid(sim->world, solid, &wanted, pose->jump);
    return WEIR_OK;
}

weir_result weir_sim_write(weir_sim *sim, weir_field field, const float *values, size_t size)
{
    WEIR_REQUIRE_GIVEN(NULL, sim);
    const weir_log *log = api_sim_log(sim);
    WEIR_REQUIRE(log, field == WEIR_FIELD_POSITION || field == WEIR_FIELD_VELOCITY,
                 "`field` must be WEIR_FIELD_POSITION or WEIR_FIELD_VELOCITY");
    WEIR_REQUIRE(log, values || size == 0, "`values` must not be NULL");
    sim->slots->steps++; /* points of before are not those of the state */
    return sim_write(sim->world, field, values, size);
}
