/* Public API of simulations on several devices: weir/ranks.h. */
#include "api_access.h"
#include "api_internal.h"

weir_result api_require_one_device(const weir_sim *sim)
{
    if (!sim->team) return WEIR_OK;
    return base_fail(
        api_sim_log(sim), WEIR_ERROR_UNSUPPORTED,
        "%s does not work with a simulation on several devices: weir/ranks.h lists the "
        "functions that do",
        api_function);
}

bool api_sim_has_ranks(const weir_sim *sim)
{
    return sim->team != NULL;
}

void api_release_ranks(weir_sim *sim)
{
    if (!sim->team) return;
    for (uint32_t r = 1; r < sim_team_size(sim->team); r++)
        api_device_remove_child(sim->devices[r], API_SIM);
    sim_team_destroy(&sim->team);
}

/* Checks that rank r has a device of its own, of the kind of the first. */
static weir_result check_device(weir_device *const *devices, uint32_t r)
{
    const weir_log *log = api_log(devices[0]);
    WEIR_REQUIRE(log, devices[r], "no entry of `devices` may be NULL");
    const weir_device_info *first = gpu_device_info(devices[0]->gpu),
                           *own = gpu_device_info(devices[r]->gpu);
    for (uint32_t k = 0; k < r; k++)
        WEIR_REQUIRE(log, devices[k] != devices[r],
                     "`devices` contains one twice: each rank needs a weir_device of its own");
    if (strcmp(first->name, own->name) == 0 && strcmp(first->driver, own->driver) == 0)
        return WEIR_OK;
    return api_argument_error(
        log,
        "rank %u is on %s, driver %s, and rank 0 on %s, driver %s: ranks need "
        "devices of one kind, for others round differently",
        r, own->name, own->driver, first->name, first->driver);
}

static weir_result create_team(weir_device *const *devices, uint32_t count, const weir_scene *scene,
                               sim_team **team)
{
    gpu_device *gpus[WEIR_MAX_RANKS];
    const sim_team_def def = {.devices = gpus, .count = count, .scene = scene->data};
    for (uint32_t r = 0; r < count; r++)
        gpus[r] = devices[r]->gpu;
    const weir_result result = sim_team_create(&def, team);
    return result == WEIR_ERROR_ARGUMENT ? WEIR_ERROR_SCENE : result;
}

weir_result weir_sim_create_on_ranks(weir_device *const *devices, uint32_t count,
                                     const weir_scene *scene, weir_sim **sim)
{
    const weir_log *log = scene ? &scene->log : NULL;
    WEIR_REQUIRE_OUT(log, sim);
    WEIR_REQUIRE_NOT_NULL(log, devices);
    WEIR_REQUIRE_NOT_NULL(log, scene);
    WEIR_REQUIRE(log, count >= 1 && count <= WEIR_MAX_RANKS, "`count` must be 1 to 64");
    WEIR_REQUIRE(log, devices[0], "no entry of `devices` may be NULL");
    for (uint32_t r = 1; r < count; r++)
        WEIR_RETURN_IF_ERROR(check_device(devices, r));
    if (count == 1) return weir_sim_create(devices[0], scene, sim);
    sim_team *team;
    WEIR_RETURN_IF_ERROR(create_team(devices, count, scene, &team));
    weir_sim *made = base_alloc(1, sizeof *made);
    api_snapshot_pool *slots = base_alloc(1, sizeof *slots);
    if (!made || !slots) {
        sim_team_destroy(&team);
        base_free(made);
        base_free(slots);
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a simulation");
    }
    slots->reference_count = 1;
    *made = (weir_sim){.team = team, .world = sim_team_first(team), .slots = slots};
    made->scene = (weir_scene *)(uintptr_t)scene; /* only the reference count changes */
    api_scene_retain(made->scene);
    made->device = api_device_add_child(devices[0], API_SIM);
    for (uint32_t r = 1; r < count; r++)
        made->devices[r] = api_device_add_child(devices[r], API_SIM);
    *sim = made;
    return WEIR_OK;
}
