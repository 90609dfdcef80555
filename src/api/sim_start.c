/* Public API of simulations that start from a given state: weir/start.h. */
#include "api_require.h"
#include "sim_whitewater.h"

#include "weir/start.h"

#define MAX_TIME_S 1e9

weir_sim_start weir_sim_start_default(void)
{
    return (weir_sim_start){.cookie = API_SIM_START_COOKIE, .particles = weir_points_def_default()};
}

static weir_result check_numbers(const weir_log *log, const char *name, const float *numbers,
                                 uint32_t count)
{
    for (size_t i = 0; numbers && i < 3 * (size_t)count; i++)
        if (!isfinite(numbers[i]))
            return api_argument_error(log, "`particles.%s[%zu]` is %g, expected a finite number",
                                      name, i, (double)numbers[i]);
    return WEIR_OK;
}

/* Returns the index of a fluid of the scene; its count if there is none. */
static uint32_t find_fluid(const scene_data *scene, const char *name)
{
    uint32_t i = 0;
    while (i < scene->fluid_count && (!name || strcmp(scene->fluids[i].name, name) != 0))
        i++;
    return i;
}

/* Returns the fluid of the scene of each particle; release with base_free. */
static weir_result map_fluids(const weir_log *log, const scene_data *scene,
                              const weir_sim_start *start, uint32_t **fluids)
{
    const weir_points_def *p = &start->particles;
    const uint32_t known = start->fluids ? start->fluid_count : scene->fluid_count;
    uint32_t *map = *fluids = base_alloc(p->count, sizeof *map);
    if (!map) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for %u fluids", p->count);
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t from = p->fluid ? p->fluid[i] : 0;
        if (from >= known)
            return api_argument_error(log, "`particles.fluid[%u]` is %u, expected 0 to %u", i, from,
                                      known - 1);
        map[i] = start->fluids ? find_fluid(scene, start->fluids[from]) : from;
        if (map[i] == scene->fluid_count)
            return api_argument_error(
                log,
                "%s: the scene %s has no fluid '%s', of which particle %u is: "
                "add the fluid, with a fill or an emitter",
                start->name ? start->name : "the start", scene->source,
                start->fluids[from] ? start->fluids[from] : "", i);
    }
    return WEIR_OK;
}

static weir_result check_particles(const weir_log *log, const weir_points_def *p)
{
    WEIR_REQUIRE(log, p->position || p->count == 0, "`particles.position` must not be NULL");
    WEIR_RETURN_IF_ERROR(check_numbers(log, "position", p->position, p->count));
    WEIR_RETURN_IF_ERROR(check_numbers(log, "velocity", p->velocity, p->count));
    return api_check_attributes(log, p);
}

static weir_result read_body(const weir_log *log, const scene_data *scene, const weir_body *from,
                             sim_start_body *bodies)
{
    uint32_t i = 0;
    WEIR_REQUIRE_NOT_NULL(log, from->name);
    while (i < scene->body_count && strcmp(scene->bodies[i].name, from->name) != 0)
        i++;
    if (i == scene->body_count)
        return api_argument_error(log, "the scene %s has no body \"%s\"", scene->source,
                                  from->name);
    WEIR_RETURN_IF_ERROR(api_pose_check(log, from->name, from->position, from->rotation));
    bodies[i] = (sim_start_body){true, api_body_motion(from)};
    return WEIR_OK;
}

weir_result weir_sim_create_from(weir_device *device, const weir_scene *scene,
                                 const weir_sim_start *start, weir_sim **sim)
{
    weir_result result;
    const weir_log *log = scene && !device ? &scene->log : api_log(device);
    WEIR_REQUIRE_OUT(log, sim);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_NOT_NULL(log, scene);
    WEIR_REQUIRE_DEF(log, start, API_SIM_START_COOKIE, "sim_start");
    WEIR_REQUIRE(log, start->time_s >= 0.0 && start->time_s <= MAX_TIME_S,
                 "`time_s` must be 0 to 1e9 s");
    WEIR_REQUIRE(log, start->bodies || start->body_count == 0, "`bodies` must not be NULL");
    WEIR_REQUIRE(log, !start->whitewater || api_whitewater_has_arrays(start->whitewater),
                 "`whitewater` needs `position`, `kind` and `radius`");
    if (start->whitewater) {
        const weir_points_def values = {.count = start->whitewater->count,
                                        .attributes = start->whitewater->attributes,
                                        .attribute_count = start->whitewater->attribute_count};
        WEIR_RETURN_IF_ERROR(api_check_attributes(log, &values));
    }
    WEIR_RETURN_IF_ERROR(check_particles(log, &start->particles));
    uint32_t *fluids = NULL;
    sim_start_body *bodies = base_alloc(scene->data->body_count, sizeof *bodies);
    if (!bodies) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for bodies");
    for (uint32_t i = 0; i < start->body_count; i++)
        WEIR_GOTO_IF_ERROR(read_body(log, scene->data, &start->bodies[i], bodies));
    const weir_points_def *p = &start->particles;
    WEIR_GOTO_IF_ERROR(map_fluids(log, scene->data, start, &fluids));
    const sim_start from = {.name = start->name ? start->name : "the start",
                            .count = p->count,
                            .position = p->position,
                            .velocity = p->velocity,
                            .id = p->id,
                            .fluid = fluids,
                            .attributes = p->attributes,
                            .attribute_count = p->attribute_count,
                            .bodies = bodies,
                            .frame = start->frame,
                            .time_s = start->time_s,
                            .remove_inside = start->remove_inside};
    WEIR_GOTO_IF_ERROR(api_sim_create(device, scene, &(sim_create_options){.start = &from}, sim));
    result = api_whitewater_start(*sim, start->whitewater);
    if (result != WEIR_OK) weir_sim_destroy(sim);
fail:
    base_free(fluids);
    base_free(bodies);
    return result;
}
