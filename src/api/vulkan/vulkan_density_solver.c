/* Public API of the density solver for Vulkan buffers: weir/vulkan.h. */
#include "api_density_solver.h"
#include "gpu_adopt.h"
#include "weir/vulkan.h"

#define COOKIE 0x57457002u

weir_vulkan_density_particles weir_vulkan_density_particles_default(void)
{
    return (weir_vulkan_density_particles){.cookie = COOKIE, .stride = 16};
}

static weir_result check_buffer_ranges(const weir_log *log, const weir_vulkan_density_particles *p)
{
    const struct {
        const char *name;
        const weir_vulkan_buffer_ref *place;
    } all[] = {{"positions", &p->positions},
               {"velocities", &p->velocities},
               {"inverse_masses", &p->inverse_masses},
               {"neighbour_offsets", &p->neighbour_offsets},
               {"neighbours", &p->neighbours}};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        if (all[i].place->offset % 4 != 0)
            return api_argument_error(log, "`%s.offset` is %llu, expected a multiple of 4",
                                      all[i].name, (unsigned long long)all[i].place->offset);
    if (p->stride == 12 || p->stride == 16) return WEIR_OK;
    return api_argument_error(log, "`stride` is %u bytes, expected 12 or 16", p->stride);
}

static weir_result check_particles(const weir_density_solver *solver,
                                   const weir_vulkan_density_particles *p)
{
    const weir_log *log = api_log(solver->device);
    WEIR_REQUIRE(log, p, "`particles` must not be NULL");
    WEIR_REQUIRE(log, p->cookie == COOKIE,
                 "`particles` must be initialised by weir_vulkan_density_particles_default()");
    WEIR_REQUIRE(log, gpu_device_is_adopted(solver->device->gpu),
                 "the device was created by Weir and is not shared: use weir_density_solver_solve");
    WEIR_RETURN_IF_ERROR(density_solver_check_call(log, p->count, p->dt_s));
    WEIR_RETURN_IF_ERROR(check_buffer_ranges(log, p));
    WEIR_REQUIRE(log, p->positions.buffer, "`positions.buffer` must not be VK_NULL_HANDLE");
    WEIR_REQUIRE(log, !p->neighbour_offsets.buffer == !p->neighbours.buffer,
                 "`neighbour_offsets` and `neighbours` must be both given, or both VK_NULL_HANDLE");
    WEIR_REQUIRE(log, !p->neighbour_offsets.buffer == (p->neighbour_count == 0),
                 "`neighbour_count` must be above 0 with `neighbours`, and 0 without");
    return api_submit_check(log, p->submit);
}

static void release_borrowed(sim_density_solver_call *call)
{
    for (sim_external_array k = 0; k < SIM_EXTERNAL_COUNT; k++)
        gpu_buffer_release_borrowed(&call->from[k]);
}

static weir_result borrow_buffers(gpu_device *device, const weir_vulkan_density_particles *p,
                                  sim_density_solver_call *call)
{
    const weir_vulkan_buffer_ref *const places[SIM_EXTERNAL_COUNT] = {
        [SIM_EXTERNAL_POSITION] = &p->positions,   [SIM_EXTERNAL_VELOCITY] = &p->velocities,
        [SIM_EXTERNAL_MASS] = &p->inverse_masses,  [SIM_EXTERNAL_OFFSET] = &p->neighbour_offsets,
        [SIM_EXTERNAL_NEIGHBOUR] = &p->neighbours,
    };
    for (sim_external_array k = 0; k < SIM_EXTERNAL_COUNT; k++) {
        if (!places[k]->buffer) continue;
        call->provided[k] = true;
        call->offsets[k] = places[k]->offset;
        WEIR_RETURN_IF_ERROR(gpu_buffer_borrow(
            device, places[k]->buffer, places[k]->offset + sim_density_solver_array_bytes(call, k),
            &call->from[k]));
    }
    return WEIR_OK;
}

/* Refuses a call that needs larger buffers while a command buffer that uses the present ones is
 * being recorded. */
static weir_result check_capacity(const weir_density_solver *solver,
                                  const sim_density_solver_call *call, const void *commands)
{
    if (!commands || commands != solver->commands || !sim_density_solver_is_busy(solver->core) ||
        !sim_density_solver_must_grow(solver->core, call))
        return WEIR_OK;
    return api_argument_error(api_log(solver->device),
                              "%u particles with %u neighbours need larger buffers, but `commands` "
                              "already contain an earlier call: call weir_vulkan_notify_done when "
                              "they are done, and make the largest call first",
                              call->count, call->neighbour_count);
}

weir_result weir_vulkan_density_solve(weir_density_solver *solver,
                                      const weir_vulkan_density_particles *particles)
{
    weir_result result;
    WEIR_REQUIRE_NOT_NULL(NULL, solver);
    WEIR_RETURN_IF_ERROR(check_particles(solver, particles));
    const weir_vulkan_density_particles *p = particles;
    sim_density_solver_call call = {.count = p->count,
                                    .components = p->stride / 4,
                                    .neighbour_count = p->neighbour_count,
                                    .seconds = p->dt_s};
    void *commands = p->submit ? p->submit->commands : NULL;
    weir_density_solver_report report;
    /* Reports update the list length that sim_density_solver_reserve provides. */
    WEIR_GOTO_IF_ERROR(sim_density_solver_report(solver->core, false, &report));
    WEIR_GOTO_IF_ERROR(check_capacity(solver, &call, commands));
    WEIR_GOTO_IF_ERROR(borrow_buffers(solver->device->gpu, p, &call));
    WEIR_GOTO_IF_ERROR(sim_density_solver_reserve(solver->core, &call));
    WEIR_GOTO_IF_ERROR(sim_density_solver_run(solver->core, &call, p->submit));
    solver->commands = commands;
fail:
    release_borrowed(&call);
    return result;
}
