/* Public API of simulations, over the sim module. */
#include "sim_whitewater.h"

const weir_log *api_sim_log(const weir_sim *sim)
{
    return sim ? api_log(sim->device) : NULL;
}

weir_device *api_sim_device(const weir_sim *sim)
{
    return sim->device;
}

base_trace *api_sim_trace(const weir_sim *sim)
{
    return sim->device->trace;
}

const weir_scene *api_sim_scene(const weir_sim *sim)
{
    return sim->scene;
}

const scene_data *api_sim_scene_data(const weir_sim *sim)
{
    return sim->scene->data;
}

const char *api_sim_scene_folder(const weir_sim *sim)
{
    return sim->scene->folder;
}

weir_result api_sim_create(weir_device *device, const weir_scene *scene,
                           const sim_create_options *options, weir_sim **sim)
{
    weir_sim *made = base_alloc(1, sizeof *made);
    if (!made)
        return base_fail(api_log(device), WEIR_ERROR_MEMORY, "not enough memory for a simulation");
    made->device = api_device_add_child(device, API_SIM);
    made->scene = (weir_scene *)(uintptr_t)scene; /* only the reference count changes */
    api_scene_retain(made->scene);
    made->slots = base_alloc(1, sizeof *made->slots);
    if (made->slots) made->slots->reference_count = 1;
    weir_result result =
        made->slots ? sim_create_with_options(device->gpu, scene->data, options, &made->world)
                    : WEIR_ERROR_MEMORY;
    if (result == WEIR_OK) {
        made->slots->world = made->world;
        result = api_whitewater_create(made);
    }
    if (result != WEIR_OK) weir_sim_destroy(&made);
    *sim = made;
    return result;
}

weir_result weir_sim_create(weir_device *device, const weir_scene *scene, weir_sim **sim)
{
    const weir_log *log = scene && !device ? &scene->log : api_log(device);
    WEIR_REQUIRE_OUT(log, sim);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_NOT_NULL(log, scene);
    return api_sim_create(device, scene, &(sim_create_options){0}, sim);
}

void weir_sim_destroy(weir_sim **sim)
{
    if (!sim || !*sim) return;
    if ((*sim)->slots) (*sim)->slots->world = NULL;
    api_whitewater_destroy(*sim);
    if ((*sim)->team) (*sim)->world = NULL; /* the team's */
    sim_destroy(&(*sim)->world);
    api_release_ranks(*sim);
    api_snapshot_pool_release((*sim)->device, &(*sim)->slots);
    api_scene_release((*sim)->scene);
    api_device_remove_child((*sim)->device, API_SIM);
    base_free(*sim);
    *sim = NULL;
}

/* ---- frames ---------------------------------------------------------------------------------- */

static void call_yield(void *user)
{
    weir_sim *sim = user;
    sim->yielding = true;
    sim->yield(sim->yield_user);
    sim->yielding = false;
}

/* Begins and ends work that yields, if the program wants that. */
static void set_yielding(weir_sim *sim, bool on)
{
    if (sim->yield)
        gpu_device_set_yield(sim->device->gpu, on ? call_yield : NULL, sim, sim->slice_ms);
}

static weir_result check_not_yielding(const weir_sim *sim)
{
    WEIR_REQUIRE(api_sim_log(sim), !sim->yielding,
                 "a simulation cannot be used while it calls the function of weir_sim_set_yield");
    return WEIR_OK;
}

weir_result weir_sim_set_yield(weir_sim *sim, void (*yield)(void *user), void *user,
                               double slice_ms)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_RETURN_IF_ERROR(check_not_yielding(sim));
    WEIR_REQUIRE(api_sim_log(sim), !yield || (slice_ms > 0 && isfinite(slice_ms)),
                 "`slice_ms` must be a finite number above 0");
    sim->yield = yield;
    sim->yield_user = user;
    sim->slice_ms = slice_ms;
    return WEIR_OK;
}

weir_result api_sim_step(weir_sim *sim, double seconds, sim_snapshot *slot,
                         const struct weir_vulkan_submit *submission)
{
    WEIR_RETURN_IF_ERROR(check_not_yielding(sim));
    set_yielding(sim, true);
    weir_result result = api_whitewater_advance(sim);
    if (result == WEIR_OK) result = sim_step_with_snapshot(sim->world, seconds, slot, submission);
    set_yielding(sim, false);
    if (result == WEIR_OK) sim->slots->steps++;
    return result;
}

weir_result weir_sim_step(weir_sim *sim, double seconds)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE(api_sim_log(sim), isfinite(seconds) && seconds >= 0,
                 "`seconds` must be a finite number, 0 or more");
    if (!sim->team) return api_sim_step(sim, seconds, NULL, NULL);
    sim->slots->steps++;
    return sim_team_step(sim->team, seconds);
}

static bool is_ray(const float origin[3], const float direction[3])
{
    double length = 0;
    for (int i = 0; i < 3; i++)
        length += (double)direction[i] * (double)direction[i];
    return isfinite(origin[0]) && isfinite(origin[1]) && isfinite(origin[2]) && isfinite(length) &&
           length > 0;
}

static weir_result check_live_params(const weir_sim *sim, const weir_sim_controls *controls)
{
    const weir_log *log = api_sim_log(sim);
    const weir_ray_force *p = &controls->ray_force;
    const weir_hose *hose = &controls->hose;
    WEIR_REQUIRE(log, isfinite(p->acceleration), "`ray_force.acceleration` must be finite");
    WEIR_REQUIRE(log, p->acceleration == 0 || is_ray(p->origin, p->direction),
                 "`ray_force.origin` must be finite, `ray_force.direction` finite and not 0");
    WEIR_REQUIRE(log, p->acceleration == 0 || (isfinite(p->radius_m) && p->radius_m > 0),
                 "`ray_force.radius_m` must be above 0");
    WEIR_REQUIRE(log, hose->speed >= 0 && hose->speed <= 1000, "`hose.speed` must be 0 to 1000");
    WEIR_REQUIRE(log, hose->speed == 0 || is_ray(hose->position, hose->direction),
                 "`hose.position` must be finite, `hose.direction` finite and not 0");
    WEIR_REQUIRE(log, hose->speed == 0 || hose->fluid < sim->scene->data->fluid_count,
                 "`hose.fluid` must be the index of a fluid of the scene");
    WEIR_REQUIRE(
        log, !controls->scene || scene_differs_only_live(sim->scene->data, controls->scene->data),
        "`scene` differs in parameters that cannot change during a run: create a new simulation "
        "from it");
    return WEIR_OK;
}

static weir_result apply_live_changes(weir_sim *sim, const weir_scene *scene)
{
    WEIR_RETURN_IF_ERROR(sim_apply_scene(sim->world, scene->data));
    weir_scene *before = sim->scene;
    sim->scene = (weir_scene *)(uintptr_t)scene; /* only the reference count changes */
    api_scene_retain(sim->scene);
    api_scene_release(before);
    return WEIR_OK;
}

weir_result weir_sim_set_controls(weir_sim *sim, const weir_sim_controls *controls)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), controls);
    WEIR_RETURN_IF_ERROR(check_not_yielding(sim));
    const weir_scene *scene = controls->scene;
    WEIR_RETURN_IF_ERROR(check_live_params(sim, controls));
    if (scene && scene != sim->scene) WEIR_RETURN_IF_ERROR(apply_live_changes(sim, scene));
    WEIR_RETURN_IF_ERROR(
        sim_set_hose(sim->world, controls->hose.speed > 0 ? &controls->hose : NULL));
    sim_set_ray_force(sim->world,
                      controls->ray_force.acceleration != 0 ? &controls->ray_force : NULL);
    return WEIR_OK;
}

weir_result weir_sim_wait(weir_sim *sim)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(check_not_yielding(sim));
    set_yielding(sim, true); /* frames that are replayed yield, too */
    weir_result result = sim_wait(sim->world);
    set_yielding(sim, false);
    return result;
}

weir_result weir_sim_get_particle_count(weir_sim *sim, uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), count);
    return sim->team ? sim_team_particle_count(sim->team, count)
                     : sim_particle_count(sim->world, count);
}

weir_result weir_sim_read_field(weir_sim *sim, weir_field field, void *out, size_t size)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE(api_sim_log(sim), (uint32_t)field < WEIR_FIELD_COUNT,
                 "`field` must be a weir_field");
    WEIR_REQUIRE(api_sim_log(sim), out || size == 0, "`out` must not be NULL");
    return sim->team ? sim_team_read_field(sim->team, field, out, size)
                     : sim_read_field(sim->world, field, out, size);
}

weir_result weir_sim_get_stats(weir_sim *sim, weir_stats *stats)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), stats);
    WEIR_RETURN_IF_ERROR(check_not_yielding(sim));
    if (sim->team) return sim_team_stats(sim->team, stats);
    WEIR_RETURN_IF_ERROR(api_whitewater_advance(sim));
    WEIR_RETURN_IF_ERROR(sim_stats(sim->world, stats));
    api_whitewater_fill_stats(sim, stats);
    return WEIR_OK;
}

weir_result weir_sim_get_state_hash(weir_sim *sim, uint64_t *hash)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), hash);
    return sim->team ? sim_team_hash(sim->team, hash) : sim_hash(sim->world, hash);
}

weir_result weir_sim_save(weir_sim *sim, const char *path)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE(api_sim_log(sim), path && path[0], "`path` must name a file");
    base_blob whitewater;
    if (sim->team) return sim_team_save(sim->team, path);
    WEIR_RETURN_IF_ERROR(api_whitewater_checkpoint(sim, &whitewater));
    weir_result result = sim_save(sim->world, path, &whitewater);
    base_blob_free(&whitewater);
    return result;
}

weir_result weir_sim_restore(weir_sim *sim, const char *path)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE(api_sim_log(sim), path && path[0], "`path` must name a file");
    sim->slots->steps++; /* invalidates earlier points */
    if (sim->team) return sim_team_restore(sim->team, path);
    base_blob whitewater = {0};
    weir_result result = sim_restore(sim->world, path, &whitewater);
    if (result == WEIR_OK) result = api_whitewater_restore(sim, &whitewater);
    base_blob_free(&whitewater);
    return result;
}

weir_result weir_sim_get_gauges(weir_sim *sim, uint32_t substep, weir_gauge *gauges,
                                uint32_t *count)
{
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_REQUIRE_NOT_NULL(api_sim_log(sim), count);
    return sim_gauges(sim->world, substep, gauges, count);
}

weir_result weir_sim_acquire_points(weir_sim *sim, weir_points **points)
{
    WEIR_REQUIRE_OUT(api_sim_log(sim), points);
    WEIR_REQUIRE_NOT_NULL(NULL, sim);
    WEIR_RETURN_IF_ERROR(api_require_one_device(sim));
    WEIR_RETURN_IF_ERROR(check_not_yielding(sim));
    weir_points *made = api_points_from_sim(sim);
    if (!made)
        return base_fail(api_sim_log(sim), WEIR_ERROR_MEMORY, "not enough memory for points");
    made->steps = made->slots->steps;
    made->version = ++sim->device->points_made;
    weir_result result = api_whitewater_copy_to_points(sim, made);
    if (result == WEIR_OK) result = sim_copy_points(sim->world, &made->slot.points);
    if (result == WEIR_OK) result = api_read_body_poses(sim->world, NULL, &made->bodies);
    if (result == WEIR_OK)
        result = api_deformable_meshes_from_sim(sim->world, NULL, &made->deformables);
    if (result == WEIR_OK) result = api_read_driven_poses(sim->world, &made->solids);
    made->scene = sim->scene;
    api_scene_retain(made->scene);
    made->time_s = sim_completed_time_s(sim->world);
    if (result != WEIR_OK) weir_points_release(&made);
    *points = made;
    return result;
}
