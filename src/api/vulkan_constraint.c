/* The side door: the density constraint of particles in a host's buffers. */
#include "constraint.h"
#include "gpu_adopt.h"
#include "weir_vulkan_constraint.h"

#define COOKIE 0x57457002u

weir_vulkan_particles weir_vulkan_particles_default(void)
{
    return (weir_vulkan_particles){.cookie = COOKIE, .stride = 16};
}

static weir_result check_places(const weir_log *log, const weir_vulkan_particles *p)
{
    const struct {
        const char *name;
        const weir_vulkan_place *place;
    } all[] = {{"positions", &p->positions},
               {"velocities", &p->velocities},
               {"inverse_masses", &p->inverse_masses},
               {"offsets", &p->offsets},
               {"neighbours", &p->neighbours}};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        if (all[i].place->offset % 4 != 0)
            return base_fail(log, WEIR_ARGUMENT, "`%s.offset` is %llu, expected a multiple of 4",
                             all[i].name, (unsigned long long)all[i].place->offset);
    if (p->stride == 12 || p->stride == 16) return WEIR_OK;
    return base_fail(log, WEIR_ARGUMENT, "`stride` is %u bytes, expected 12 or 16", p->stride);
}

static weir_result check(const weir_constraint *constraint, const weir_vulkan_particles *p)
{
    WEIR_REQUIRE_GIVEN(NULL, constraint);
    const weir_log *log = api_log(constraint->device);
    WEIR_REQUIRE(log, p, "weir_vulkan_constraint_solve: `particles` must not be NULL");
    WEIR_REQUIRE(log, p->cookie == COOKIE,
                 "`particles` must come from weir_vulkan_particles_default()");
    WEIR_REQUIRE(log, gpu_device_is_adopted(constraint->device->gpu),
                 "the device is Weir's own, which takes no buffers: use weir_constraint_solve");
    WEIR_NEED(api_constraint_check(log, p->count, p->seconds));
    WEIR_NEED(check_places(log, p));
    WEIR_REQUIRE(log, p->positions.buffer, "`positions.buffer` must not be VK_NULL_HANDLE");
    WEIR_REQUIRE(log, !p->offsets.buffer == !p->neighbours.buffer,
                 "`offsets` and `neighbours` must be both given, or both VK_NULL_HANDLE");
    WEIR_REQUIRE(log, !p->offsets.buffer == (p->neighbour_count == 0),
                 "`neighbour_count` must be above 0 with `neighbours`, and 0 without");
    return api_submit_check(log, "weir_vulkan_constraint_solve", p->submit);
}

static void give_back(sim_constraint_call *call)
{
    for (sim_given k = 0; k < SIM_GIVEN_COUNT; k++)
        gpu_buffer_return(&call->from[k]);
}

static weir_result lend(gpu_device *device, const weir_vulkan_particles *p,
                        sim_constraint_call *call)
{
    const weir_vulkan_place *const places[SIM_GIVEN_COUNT] = {
        [SIM_GIVEN_POSITION] = &p->positions,   [SIM_GIVEN_VELOCITY] = &p->velocities,
        [SIM_GIVEN_MASS] = &p->inverse_masses,  [SIM_GIVEN_OFFSET] = &p->offsets,
        [SIM_GIVEN_NEIGHBOUR] = &p->neighbours,
    };
    for (sim_given k = 0; k < SIM_GIVEN_COUNT; k++) {
        if (!places[k]->buffer) continue;
        call->given[k] = true;
        call->offsets[k] = places[k]->offset;
        WEIR_NEED(gpu_buffer_lend(device, places[k]->buffer,
                                  places[k]->offset + sim_constraint_bytes(call, k),
                                  &call->from[k]));
    }
    return WEIR_OK;
}

/* Room cannot be made for commands that use the buffers as they are, and that are being recorded.
 */
static weir_result check_room(const weir_constraint *constraint, const sim_constraint_call *call,
                              const void *commands)
{
    if (!commands || commands != constraint->commands || !sim_constraint_busy(constraint->core) ||
        !sim_constraint_grows(constraint->core, call))
        return WEIR_OK;
    return base_fail(
        api_log(constraint->device), WEIR_ARGUMENT,
        "weir_vulkan_constraint_solve: %u particles with %u neighbours need more room, "
        "and the call before was recorded into the same `commands`: say "
        "weir_vulkan_finished when they are done, and make the largest call first",
        call->count, call->neighbour_count);
}

weir_result weir_vulkan_constraint_solve(weir_constraint *constraint,
                                         const weir_vulkan_particles *particles)
{
    weir_result result;
    WEIR_NEED(check(constraint, particles));
    const weir_vulkan_particles *p = particles;
    sim_constraint_call call = {.count = p->count,
                                .words = p->stride / 4,
                                .neighbour_count = p->neighbour_count,
                                .seconds = p->seconds};
    void *commands = p->submit ? p->submit->commands : NULL;
    weir_constraint_report report;
    WEIR_TRY(sim_constraint_report(constraint->core, false, &report)); /* of lists */
    WEIR_TRY(check_room(constraint, &call, commands));
    WEIR_TRY(lend(constraint->device->gpu, p, &call));
    WEIR_TRY(sim_constraint_room(constraint->core, &call));
    WEIR_TRY(sim_constraint_run(constraint->core, &call, p->submit));
    constraint->commands = commands;
fail:
    give_back(&call);
    return result;
}
