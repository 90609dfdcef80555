/* Public API of host-driven solids and emitters, and of writing particle fields: weir/sim.h. */
#include "api_internal.h"

#include "weir/sim.h"

/* ---- poses stored with points and meshes ---------------------------------------------------- */

weir_result api_poses_copy(const api_poses *from, api_poses *to)
{
    *to = (api_poses){0};
    if (from->count == 0) return WEIR_OK;
    to->poses = base_alloc(from->count, sizeof *to->poses);
    if (!to->poses) return WEIR_ERROR_MEMORY;
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
    return api_argument_error(
        log,
        "the pose of \"%s\" is at (%g, %g, %g) m with a rotation of length %g, "
        "expected finite numbers, and a length of 1",
        name, (double)x[0], (double)x[1], (double)x[2], (double)length);
}

static bool has_driven_solids(const scene_data *scene)
{
    for (uint32_t i = 0; i < scene->solid_count; i++)
        if (scene->solids[i].motion.kind == SCENE_MOTION_HOST_DRIVEN) return true;
    return false;
}

weir_result api_read_driven_poses(const sim_world *world, api_poses *solids)
{
    const scene_data *scene = sim_scene(world);
    if (!has_driven_solids(scene)) return WEIR_OK;
    solids->poses = base_alloc(scene->solid_count, sizeof *solids->poses);
    if (!solids->poses) return WEIR_ERROR_MEMORY;
    solids->count = scene->solid_count;
    sim_host_driven_poses(world, solids->poses);
    return WEIR_OK;
}

/* ---- solids --------------------------------------------------------------------------------- */

static weir_result find_solid(const weir_sim *sim, const char *name, uint32_t *solid)
{
    const scene_data *scene = sim->scene->data;
    const weir_log *log = api_sim_log(sim);
    uint32_t i = 0;
    while (i < scene->solid_count && strcmp(scene->solids[i].name, name) != 0)
        i++;
    if (i == scene->solid_count)
        return api_argument_error(
            log, "the scene %s has no solid \"%s\": give the name of one of its solids",
            scene->source, name);
    if (scene->solids[i].motion.kind != SCENE_MOTION_HOST_DRIVEN)
        return api_argument_error(log,
                                  "%s:%d:%d: solid \"%s\" is not host-driven: set \"motion\": "
                                  "{\"host_driven\": true} in the scene",
                                  scene->source, scene->solids[i].line, scene->solids[i].column,
                                  name);
    *solid = i;
    return WEIR_OK;
}

weir_result weir_sim_set_solid(weir_sim *sim, const char *name, const weir_solid_pose *pose)
{
    uint32_t solid;
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    const weir_log *log = api_sim_log(sim);
    WEIR_REQUIRE_NOT_NULL(log, name);
    WEIR_REQUIRE_NOT_NULL(log, pose);
    WEIR_RETURN_IF_ERROR(find_solid(sim, name, &solid));
    WEIR_RETURN_IF_ERROR(api_pose_check(log, name, pose->position, pose->rotation));
    const float *x = pose->position, *q = pose->rotation;
    const scene_pose wanted = {vec3_make(x[0], x[1], x[2]),
                               quat_normalize((quat){q[0], q[1], q[2], q[3]}), 1.0f};
    if (sim->team) return sim_team_set_solid_pose(sim->team, solid, &wanted, pose->teleport);
    sim_set_solid_pose(sim->world, solid, &wanted, pose->teleport);
    return WEIR_OK;
}

/* ---- emitters -------------------------------------------------------------------------------- */

static weir_result find_emitter(const weir_sim *sim, const char *name, uint32_t *emitter)
{
    const scene_data *scene = sim->scene->data;
    uint32_t i = 0;
    while (i < scene->emitter_count && strcmp(scene->emitters[i].name, name) != 0)
        i++;
    *emitter = i;
    if (i < scene->emitter_count) return WEIR_OK;
    return api_argument_error(
        api_sim_log(sim),
        "the scene %s has no emitter \"%s\": give the name of one of its emitters", scene->source,
        name);
}

weir_result weir_sim_get_emitter(weir_sim *sim, const char *name, weir_emitter *emitter)
{
    uint32_t index;
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), name);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), emitter);
    WEIR_RETURN_IF_ERROR(find_emitter(sim, name, &index));
    const sim_emitter_opening opening = sim_get_emitter_opening(sim->world, index);
    *emitter = (weir_emitter){.speed = opening.speed, .open = opening.open};
    memcpy(emitter->position, &opening.position, sizeof emitter->position);
    memcpy(emitter->direction, &opening.direction, sizeof emitter->direction);
    memcpy(emitter->up, &opening.up, sizeof emitter->up);
    return WEIR_OK;
}

static vec3 vec3_from(const float v[3])
{
    return vec3_make(v[0], v[1], v[2]);
}

static weir_result check_outlet_position(const weir_sim *sim, bool has_shape, vec3 p)
{
    const scene_domain *domain = &sim->scene->data->domain;
    const weir_log *log = api_sim_log(sim);
    const vec3 low = domain->min, high = domain->max;
    if (has_shape) {
        WEIR_REQUIRE(log, vec3_length(p) <= SCENE_EMITTER_MAX_MOVE,
                     "`position`, how far the shape has moved, must be at most 100,000 m long");
        return WEIR_OK;
    }
    if (scene_is_inside(domain, p)) return WEIR_OK;
    return api_argument_error(log,
                              "`position` is (%g, %g, %g) m, expected a point in the domain, "
                              "(%g, %g, %g) to (%g, %g, %g)",
                              (double)p.x, (double)p.y, (double)p.z, (double)low.x, (double)low.y,
                              (double)low.z, (double)high.x, (double)high.y, (double)high.z);
}

/* Checks the state that the caller sets and normalizes its vectors. */
static weir_result parse_outlet(const weir_sim *sim, bool has_shape, const weir_emitter *emitter,
                                sim_emitter_opening *opening)
{
    const scene_data *scene = sim->scene->data;
    const weir_log *log = api_sim_log(sim);
    const vec3 p = vec3_from(emitter->position);
    bool planar = scene->solver.dimensions == 2;
    vec3 forward = vec3_from(emitter->direction), up = vec3_from(emitter->up), place = p;
    if (planar) forward.z = 0.0f, place.z = scene_plane(scene);
    float length = vec3_length(forward);
    WEIR_REQUIRE(log, isfinite(length) && length > 0,
                 planar ? "`direction` must be finite, and not 0 in the plane"
                        : "`direction` must be finite and not 0");
    WEIR_REQUIRE(log, isfinite(vec3_length(up)), "`up` must be finite");
    WEIR_REQUIRE(log, scene_is_emitter_speed((double)emitter->speed),
                 "`speed` must be 0.001 to 1000: set `open` to false to stop the fluid");
    WEIR_RETURN_IF_ERROR(check_outlet_position(sim, has_shape, place));
    forward = vec3_scale(forward, 1.0f / length);
    up = planar ? vec3_make(-forward.y, forward.x, 0.0f) : scene_perpendicular(forward, up);
    *opening = (sim_emitter_opening){place, forward, up, emitter->speed, emitter->open};
    return WEIR_OK;
}

weir_result weir_sim_set_emitter(weir_sim *sim, const char *name, const weir_emitter *emitter)
{
    uint32_t index;
    sim_emitter_opening opening;
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), name);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), emitter);
    WEIR_RETURN_IF_ERROR(find_emitter(sim, name, &index));
    const scene_data *scene = sim->scene->data;
    const scene_emitter *e = &scene->emitters[index];
    if (e->motion.kind != SCENE_MOTION_HOST_DRIVEN)
        return api_argument_error(api_sim_log(sim),
                                  "%s:%d:%d: emitter \"%s\" is not host-driven: set \"motion\": "
                                  "{\"host_driven\": true} in the scene",
                                  scene->source, e->line, e->column, name);
    WEIR_RETURN_IF_ERROR(parse_outlet(sim, e->has_shape, emitter, &opening));
    if (sim->team)
        return sim_team_set_emitter_opening(sim->team, index, &opening, emitter->teleport);
    sim_set_emitter_opening(sim->world, index, &opening, emitter->teleport);
    return WEIR_OK;
}

weir_result weir_sim_write_field(weir_sim *sim, weir_field field, const float *values, size_t size)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    const weir_log *log = api_sim_log(sim);
    WEIR_REQUIRE(log, field == WEIR_FIELD_POSITION || field == WEIR_FIELD_VELOCITY,
                 "`field` must be WEIR_FIELD_POSITION or WEIR_FIELD_VELOCITY");
    WEIR_REQUIRE(log, values || size == 0, "`values` must not be NULL");
    sim->slots->steps++; /* invalidates earlier points */
    return sim_write_field(sim->world, field, values, size);
}
