/* The density constraint alone, for arrays of the host: the side door of weir_constraint.h. */
#include "constraint.h"

#define COOKIE 0x57457001u
#define PARTICLES_MOST (1u << 28)

weir_constraint_particles weir_constraint_particles_default(void)
{
    return (weir_constraint_particles){.cookie = COOKIE};
}

weir_result weir_constraint_create(weir_device *device, const weir_scene *scene,
                                   weir_constraint **constraint)
{
    const weir_log *log = api_log(device);
    WEIR_REQUIRE_OUT(log, constraint);
    WEIR_REQUIRE_GIVEN(log, device);
    WEIR_REQUIRE_GIVEN(log, scene);
    weir_constraint *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_MEMORY, "no memory for a constraint");
    made->device = api_device_lend(device, API_CONSTRAINT);
    weir_result result = sim_constraint_create(device->gpu, scene->data, &made->core);
    if (result != WEIR_OK) weir_constraint_destroy(&made);
    *constraint = made;
    return result;
}

void weir_constraint_destroy(weir_constraint **constraint)
{
    if (!constraint || !*constraint) return;
    sim_constraint_destroy(&(*constraint)->core);
    api_device_return((*constraint)->device, API_CONSTRAINT);
    base_free(*constraint);
    *constraint = NULL;
}

weir_result api_constraint_check(const weir_log *log, uint32_t count, float seconds)
{
    if (count == 0 || count > PARTICLES_MOST)
        return base_fail(log, WEIR_ARGUMENT, "`count` is %u, expected 1 to %u particles", count,
                         PARTICLES_MOST);
    if (isfinite(seconds) && seconds > 0.0f) return WEIR_OK;
    return base_fail(log, WEIR_ARGUMENT, "`seconds` is %g, expected a step above 0",
                     (double)seconds);
}

static weir_result check_vectors(const weir_log *log, const char *name, const float *values,
                                 uint32_t count)
{
    for (size_t i = 0; values && i < 3 * (size_t)count; i++)
        if (!isfinite(values[i]))
            return base_fail(log, WEIR_ARGUMENT, "%s: particle %zu has %g, expected finite numbers",
                             name, i / 3, (double)values[i]);
    return WEIR_OK;
}

static weir_result check_masses(const weir_log *log, const float *masses, uint32_t count)
{
    for (size_t i = 0; masses && i < count; i++)
        if (!isfinite(masses[i]) || masses[i] < 0.0f)
            return base_fail(log, WEIR_ARGUMENT,
                             "`inverse_masses`: particle %zu has %g, expected 0 or more", i,
                             (double)masses[i]);
    return WEIR_OK;
}

static weir_result check_lists(const weir_log *log, const weir_constraint_particles *p)
{
    if (!p->offsets != !p->neighbours)
        return base_fail(log, WEIR_ARGUMENT,
                         "`offsets` and `neighbours` must be both given, or both NULL");
    if (!p->offsets) return WEIR_OK;
    if (p->offsets[0] != 0)
        return base_fail(log, WEIR_ARGUMENT, "`offsets[0]` is %u, expected 0", p->offsets[0]);
    for (uint32_t i = 0; i < p->count; i++)
        if (p->offsets[i + 1] < p->offsets[i])
            return base_fail(log, WEIR_ARGUMENT,
                             "`offsets[%u]` is %u, less than the one before it, %u", i + 1,
                             p->offsets[i + 1], p->offsets[i]);
    for (uint32_t k = 0; k < p->offsets[p->count]; k++)
        if (p->neighbours[k] >= p->count)
            return base_fail(log, WEIR_ARGUMENT,
                             "`neighbours[%u]` is %u, and there are %u particles", k,
                             p->neighbours[k], p->count);
    return WEIR_OK;
}

static weir_result check(const weir_constraint *constraint, const weir_constraint_particles *p)
{
    WEIR_REQUIRE_GIVEN(NULL, constraint);
    const weir_log *log = api_log(constraint->device);
    WEIR_REQUIRE(log, p, "weir_constraint_solve: `particles` must not be NULL");
    WEIR_REQUIRE(log, p->cookie == COOKIE,
                 "`particles` must come from weir_constraint_particles_default()");
    WEIR_NEED(api_constraint_check(log, p->count, p->seconds));
    WEIR_REQUIRE(log, p->positions, "`positions` must not be NULL");
    WEIR_NEED(check_vectors(log, "`positions`", p->positions, p->count));
    WEIR_NEED(check_vectors(log, "`velocities`", p->velocities, p->count));
    WEIR_NEED(check_masses(log, p->inverse_masses, p->count));
    return check_lists(log, p);
}

/* ---- solving -------------------------------------------------------------------------------- */

static weir_result upload(sim_constraint *core, const sim_constraint_call *call,
                          const void *const *arrays)
{
    for (sim_given k = 0; k < SIM_GIVEN_COUNT; k++)
        if (call->given[k])
            WEIR_NEED(gpu_buffer_upload(sim_constraint_device(core), sim_constraint_buffer(core, k),
                                        0, arrays[k], sim_constraint_bytes(call, k)));
    return WEIR_OK;
}

/* Lists that were too short changed nothing, and are longer the next time. */
static weir_result solve(sim_constraint *core, const sim_constraint_call *call,
                         const void *const *arrays, weir_constraint_report *report)
{
    uint32_t longest = 0;
    do {
        WEIR_NEED(sim_constraint_report(core, false, report)); /* what lists have asked for */
        WEIR_NEED(sim_constraint_room(core, call));
        longest = sim_constraint_list(core);
        WEIR_NEED(upload(core, call, arrays));
        WEIR_NEED(sim_constraint_run(core, call, NULL));
        WEIR_NEED(sim_constraint_report(core, true, report));
    } while (!report->whole && sim_constraint_wants_list(core) > longest);
    return report->whole ? WEIR_OK : WEIR_ARGUMENT; /* the log tells of the crowd */
}

static weir_result download(const sim_constraint *core, const sim_constraint_call *call,
                            const weir_constraint_particles *p)
{
    gpu_device *device = sim_constraint_device(core);
    const gpu_buffer *x = sim_constraint_buffer(core, SIM_GIVEN_POSITION),
                     *v = sim_constraint_buffer(core, SIM_GIVEN_VELOCITY);
    WEIR_NEED(gpu_buffer_download(device, x, 0, p->positions,
                                  sim_constraint_bytes(call, SIM_GIVEN_POSITION)));
    if (!p->velocities) return WEIR_OK;
    return gpu_buffer_download(device, v, 0, p->velocities,
                               sim_constraint_bytes(call, SIM_GIVEN_VELOCITY));
}

weir_result weir_constraint_solve(weir_constraint *constraint,
                                  const weir_constraint_particles *particles,
                                  weir_constraint_report *report)
{
    weir_constraint_report own;
    if (report) *report = (weir_constraint_report){0};
    WEIR_NEED(check(constraint, particles));
    const weir_constraint_particles *p = particles;
    const void *const arrays[SIM_GIVEN_COUNT] = {
        [SIM_GIVEN_POSITION] = p->positions,   [SIM_GIVEN_VELOCITY] = p->velocities,
        [SIM_GIVEN_MASS] = p->inverse_masses,  [SIM_GIVEN_OFFSET] = p->offsets,
        [SIM_GIVEN_NEIGHBOUR] = p->neighbours,
    };
    sim_constraint_call call = {.count = p->count, .words = 3, .seconds = p->seconds};
    if (p->offsets) call.neighbour_count = p->offsets[p->count];
    for (sim_given k = 0; k < SIM_GIVEN_COUNT; k++)
        call.given[k] = arrays[k] != NULL;
    WEIR_NEED(solve(constraint->core, &call, arrays, report ? report : &own));
    constraint->commands = NULL;
    return download(constraint->core, &call, p);
}

weir_result weir_constraint_get_report(weir_constraint *constraint, bool wait,
                                       weir_constraint_report *report)
{
    WEIR_REQUIRE_GIVEN(NULL, constraint);
    WEIR_REQUIRE_GIVEN(api_log(constraint->device), report);
    return sim_constraint_report(constraint->core, wait, report);
}
