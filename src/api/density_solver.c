/* Public API of the density solver for host arrays: weir/density_solver.h. */
#include "api_density_solver.h"

#define COOKIE 0x57457001u
#define MAX_PARTICLES (1u << 28)

weir_density_solver_particles weir_density_solver_particles_default(void)
{
    return (weir_density_solver_particles){.cookie = COOKIE};
}

weir_result weir_density_solver_create(weir_device *device, const weir_scene *scene,
                                       weir_density_solver **solver)
{
    const weir_log *log = api_log(device);
    WEIR_REQUIRE_OUT(log, solver);
    WEIR_REQUIRE_NOT_NULL(log, device);
    WEIR_REQUIRE_NOT_NULL(log, scene);
    weir_density_solver *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a density solver");
    made->device = api_device_add_child(device, API_DENSITY_SOLVER);
    weir_result result = sim_density_solver_create(device->gpu, scene->data, &made->core);
    if (result != WEIR_OK) weir_density_solver_destroy(&made);
    *solver = made;
    return result;
}

void weir_density_solver_destroy(weir_density_solver **solver)
{
    if (!solver || !*solver) return;
    sim_density_solver_destroy(&(*solver)->core);
    api_device_remove_child((*solver)->device, API_DENSITY_SOLVER);
    base_free(*solver);
    *solver = NULL;
}

weir_result density_solver_check_call(const weir_log *log, uint32_t count, float seconds)
{
    if (count == 0 || count > MAX_PARTICLES)
        return api_argument_error(log, "`count` is %u, expected 1 to %u particles", count,
                                  MAX_PARTICLES);
    if (isfinite(seconds) && seconds > 0.0f) return WEIR_OK;
    return api_argument_error(log, "`dt_s` is %g, expected a step above 0", (double)seconds);
}

static weir_result check_vectors(const weir_log *log, const char *name, const float *values,
                                 uint32_t count)
{
    for (size_t i = 0; values && i < 3 * (size_t)count; i++)
        if (!isfinite(values[i]))
            return api_argument_error(log, "%s: particle %zu has %g, expected finite numbers", name,
                                      i / 3, (double)values[i]);
    return WEIR_OK;
}

static weir_result check_masses(const weir_log *log, const float *masses, uint32_t count)
{
    for (size_t i = 0; masses && i < count; i++)
        if (!isfinite(masses[i]) || masses[i] < 0.0f)
            return api_argument_error(log,
                                      "`inverse_masses`: particle %zu has %g, expected 0 or more",
                                      i, (double)masses[i]);
    return WEIR_OK;
}

static weir_result check_lists(const weir_log *log, const weir_density_solver_particles *p)
{
    WEIR_REQUIRE(log, !p->neighbour_offsets == !p->neighbours,
                 "`neighbour_offsets` and `neighbours` must be both given, or both NULL");
    if (!p->neighbour_offsets) return WEIR_OK;
    if (p->neighbour_offsets[0] != 0)
        return api_argument_error(log, "`neighbour_offsets[0]` is %u, expected 0",
                                  p->neighbour_offsets[0]);
    for (uint32_t i = 0; i < p->count; i++)
        if (p->neighbour_offsets[i + 1] < p->neighbour_offsets[i])
            return api_argument_error(
                log, "`neighbour_offsets[%u]` is %u, less than the previous one, %u", i + 1,
                p->neighbour_offsets[i + 1], p->neighbour_offsets[i]);
    for (uint32_t k = 0; k < p->neighbour_offsets[p->count]; k++)
        if (p->neighbours[k] >= p->count)
            return api_argument_error(log, "`neighbours[%u]` is %u, expected an index below %u", k,
                                      p->neighbours[k], p->count);
    return WEIR_OK;
}

static weir_result check_particles(const weir_density_solver *solver,
                                   const weir_density_solver_particles *p)
{
    const weir_log *log = api_log(solver->device);
    WEIR_REQUIRE(log, p, "`particles` must not be NULL");
    WEIR_REQUIRE(log, p->cookie == COOKIE,
                 "`particles` must be initialised by weir_density_solver_particles_default()");
    WEIR_RETURN_IF_ERROR(density_solver_check_call(log, p->count, p->dt_s));
    WEIR_REQUIRE(log, p->positions, "`positions` must not be NULL");
    WEIR_RETURN_IF_ERROR(check_vectors(log, "`positions`", p->positions, p->count));
    WEIR_RETURN_IF_ERROR(check_vectors(log, "`velocities`", p->velocities, p->count));
    WEIR_RETURN_IF_ERROR(check_masses(log, p->inverse_masses, p->count));
    return check_lists(log, p);
}

/* ---- solving -------------------------------------------------------------------------------- */

static weir_result upload_arrays(sim_density_solver *core, const sim_density_solver_call *call,
                                 const void *const *arrays)
{
    for (sim_external_array k = 0; k < SIM_EXTERNAL_COUNT; k++)
        if (call->provided[k])
            WEIR_RETURN_IF_ERROR(gpu_buffer_upload(sim_density_solver_device(core),
                                                   sim_density_solver_buffer(core, k), 0, arrays[k],
                                                   sim_density_solver_array_bytes(call, k)));
    return WEIR_OK;
}

/* Repeats the solve while neighbour lists are too short; such a solve changes nothing, and the next
 * one has longer lists. */
static weir_result run_solve(sim_density_solver *core, const sim_density_solver_call *call,
                             const void *const *arrays, weir_density_solver_report *report)
{
    uint32_t longest = 0;
    do {
        /* Reports update the list length that sim_density_solver_reserve provides. */
        WEIR_RETURN_IF_ERROR(sim_density_solver_report(core, false, report));
        WEIR_RETURN_IF_ERROR(sim_density_solver_reserve(core, call));
        longest = sim_density_solver_list_size(core);
        WEIR_RETURN_IF_ERROR(upload_arrays(core, call, arrays));
        WEIR_RETURN_IF_ERROR(sim_density_solver_run(core, call, NULL));
        WEIR_RETURN_IF_ERROR(sim_density_solver_report(core, true, report));
    } while (!report->complete && sim_density_solver_needed_list(core) > longest);
    return report->complete ? WEIR_OK : WEIR_ERROR_ARGUMENT; /* already logged */
}

static weir_result download_results(const sim_density_solver *core,
                                    const sim_density_solver_call *call,
                                    const weir_density_solver_particles *p)
{
    gpu_device *device = sim_density_solver_device(core);
    const gpu_buffer *x = sim_density_solver_buffer(core, SIM_EXTERNAL_POSITION),
                     *v = sim_density_solver_buffer(core, SIM_EXTERNAL_VELOCITY);
    WEIR_RETURN_IF_ERROR(gpu_buffer_download(
        device, x, 0, p->positions, sim_density_solver_array_bytes(call, SIM_EXTERNAL_POSITION)));
    if (!p->velocities) return WEIR_OK;
    return gpu_buffer_download(device, v, 0, p->velocities,
                               sim_density_solver_array_bytes(call, SIM_EXTERNAL_VELOCITY));
}

weir_result weir_density_solver_solve(weir_density_solver *solver,
                                      const weir_density_solver_particles *particles,
                                      weir_density_solver_report *report)
{
    weir_density_solver_report own;
    if (report) *report = (weir_density_solver_report){0};
    WEIR_REQUIRE_NOT_NULL(NULL, solver);
    WEIR_RETURN_IF_ERROR(check_particles(solver, particles));
    const weir_density_solver_particles *p = particles;
    const void *const arrays[SIM_EXTERNAL_COUNT] = {
        [SIM_EXTERNAL_POSITION] = p->positions,   [SIM_EXTERNAL_VELOCITY] = p->velocities,
        [SIM_EXTERNAL_MASS] = p->inverse_masses,  [SIM_EXTERNAL_OFFSET] = p->neighbour_offsets,
        [SIM_EXTERNAL_NEIGHBOUR] = p->neighbours,
    };
    sim_density_solver_call call = {.count = p->count, .components = 3, .seconds = p->dt_s};
    if (p->neighbour_offsets) call.neighbour_count = p->neighbour_offsets[p->count];
    for (sim_external_array k = 0; k < SIM_EXTERNAL_COUNT; k++)
        call.provided[k] = arrays[k] != NULL;
    WEIR_RETURN_IF_ERROR(run_solve(solver->core, &call, arrays, report ? report : &own));
    solver->commands = NULL;
    return download_results(solver->core, &call, p);
}

weir_result weir_density_solver_get_report(weir_density_solver *solver, bool wait,
                                           weir_density_solver_report *report)
{
    WEIR_REQUIRE_NOT_NULL(NULL, solver);
    WEIR_REQUIRE_NOT_NULL(api_log(solver->device), report);
    return sim_density_solver_report(solver->core, wait, report);
}
