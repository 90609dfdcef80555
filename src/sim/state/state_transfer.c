/* Copies the state of the particles to the host and back, in the device's order. The order is part
 * of the state, because sums are computed in it. */
#include "sim_state.h"

uint64_t sim_body_bytes(const sim_world *world)
{
    return world->bodies ? world->scene->body_count * sizeof(struct body_state) : 0;
}

uint64_t sim_fluid_impulse_bytes(const sim_world *world)
{
    return world->bodies ? world->scene->body_count * sizeof(struct body_fluid_impulse) : 0;
}

uint64_t sim_deformable_bytes(const sim_world *world)
{
    return world->deformables ? deformable_set_bytes(world->deformables) : 0;
}

uint64_t sim_reading_bytes(const sim_world *world)
{
    return (uint64_t)world->scene->gauge_count * world->scene->solver.substeps * sizeof(vec4);
}

uint64_t sim_residual_bytes(const sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    return solver->residuals ? SIM_DENSITY_ERRORS_WORDS * sizeof(uint32_t) * solver->substeps : 0;
}

bool sim_sums_solid_forces(const sim_world *world)
{
    return world->scene->solver.solid_forces && world->scene->solid_count > 0 && !world->standalone;
}

uint64_t sim_solid_force_bytes(const sim_world *world)
{
    return sim_sums_solid_forces(world) ? 2ull * world->scene->solid_count * sizeof(vec4) : 0;
}

uint64_t sim_contact_impulse_bytes(const sim_world *world)
{
    return world->bodies ? gpu_buffer_size(body_set_buffers(world->bodies)->cached_forces) : 0;
}

uint64_t sim_attribute_bytes(const sim_world *world, uint32_t count)
{
    return (uint64_t)sim_attribute_vectors(world->scene) * count * sizeof(vec4);
}

static weir_result download_bodies(const sim_world *world, sim_host_state *state)
{
    if (!world->bodies) return WEIR_OK;
    state->bodies = base_alloc(sim_body_bytes(world), 1);
    state->contact_impulses = base_alloc(sim_contact_impulse_bytes(world), 1);
    if (!state->bodies || !state->contact_impulses) return WEIR_ERROR_MEMORY;
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_download(world->device, body_set_buffers(world->bodies)->cached_forces, 0,
                            state->contact_impulses, sim_contact_impulse_bytes(world)));
    return gpu_buffer_download(world->device, body_set_buffers(world->bodies)->body_states, 0,
                               state->bodies, sim_body_bytes(world));
}

static weir_result download_deformables(const sim_world *world, sim_host_state *state)
{
    uint64_t size = sim_deformable_bytes(world);
    if (!world->deformables) return WEIR_OK;
    state->deformables = base_alloc(size, 1);
    if (!state->deformables) return WEIR_ERROR_MEMORY;
    return gpu_buffer_download(world->device,
                               deformable_set_buffers(world->deformables)->deformable_states, 0,
                               state->deformables, size);
}

weir_result sim_host_state_download(const sim_world *world, uint32_t count, sim_host_state *state)
{
    const sim_buffers *b = &world->buffers;
    state->x = base_alloc(count, sizeof *state->x);
    state->v = base_alloc(count, sizeof *state->v);
    state->ids = base_alloc(count, sizeof *state->ids);
    if (sim_is_apic(world)) state->affine = base_alloc(3ull * count, sizeof *state->affine);
    if (!state->x || !state->v || !state->ids) return WEIR_ERROR_MEMORY;
    if (sim_is_apic(world) && !state->affine) return WEIR_ERROR_MEMORY;
    if (sim_attribute_bytes(world, count)) {
        state->attributes = base_alloc(1, sim_attribute_bytes(world, count));
        if (!state->attributes) return WEIR_ERROR_MEMORY;
        WEIR_RETURN_IF_ERROR(gpu_buffer_download(world->device, b->attributes, 0, state->attributes,
                                                 sim_attribute_bytes(world, count)));
    }
    WEIR_RETURN_IF_ERROR(download_bodies(world, state));
    WEIR_RETURN_IF_ERROR(download_deformables(world, state));
    if (state->affine)
        WEIR_RETURN_IF_ERROR(gpu_buffer_download(world->device, b->velocity_gradients, 0,
                                                 state->affine,
                                                 3ull * count * sizeof *state->affine));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_download(world->device, b->positions, 0, state->x, count * sizeof *state->x));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_download(world->device, b->velocities, 0, state->v, count * sizeof *state->v));
    return gpu_buffer_download(world->device, b->ids, 0, state->ids, count * sizeof *state->ids);
}

/* Replaces element k, of `size` bytes, by element order[k]. */
static void gather(void *array, size_t size, const uint32_t *order, uint32_t count,
                   uint8_t *scratch)
{
    const uint8_t *from = array;
    if (!array) return;
    for (uint32_t k = 0; k < count; k++)
        memcpy(scratch + k * size, from + order[k] * size, size);
    memcpy(array, scratch, count * size);
}

weir_result sim_host_state_reorder(const sim_world *world, const uint32_t *order, uint32_t count,
                                   sim_host_state *state)
{
    const size_t attributes = sim_attribute_vectors(world->scene) * sizeof(vec4),
                 affine = 3 * sizeof(vec4), largest = attributes > affine ? attributes : affine;
    uint8_t *scratch = base_alloc(count, largest);
    if (!scratch) return WEIR_ERROR_MEMORY;
    gather(state->x, sizeof *state->x, order, count, scratch);
    gather(state->v, sizeof *state->v, order, count, scratch);
    gather(state->ids, sizeof *state->ids, order, count, scratch);
    gather(state->affine, affine, order, count, scratch);
    gather(state->attributes, attributes, order, count, scratch);
    base_free(scratch);
    return WEIR_OK;
}

static weir_result clear_buffer(sim_world *world, gpu_buffer *buffer)
{
    uint64_t ticket;
    WEIR_RETURN_IF_ERROR(gpu_record_begin(world->device));
    WEIR_RETURN_IF_ERROR(gpu_record_fill(world->device, buffer, 0));
    WEIR_RETURN_IF_ERROR(gpu_record_submit(world->device, &ticket));
    return gpu_ticket_wait(world->device, ticket);
}

static weir_result upload_bodies(sim_world *world, const sim_state_arrays *arrays)
{
    gpu_buffer *impulses = body_set_buffers(world->bodies)->cached_forces;
    WEIR_RETURN_IF_ERROR(gpu_buffer_upload(world->device,
                                           body_set_buffers(world->bodies)->body_states, 0,
                                           arrays->bodies, sim_body_bytes(world)));
    if (!arrays->contact_impulses) return clear_buffer(world, impulses);
    return gpu_buffer_upload(world->device, impulses, 0, arrays->contact_impulses,
                             sim_contact_impulse_bytes(world));
}

weir_result sim_host_state_upload(sim_world *world, uint32_t count, const sim_state_arrays *arrays)
{
    const sim_buffers *b = &world->buffers;
    gpu_device *device = world->device;
    world->id_order.valid = false;
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_upload(device, b->positions, 0, arrays->x, count * sizeof(ivec4)));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_upload(device, b->velocities, 0, arrays->v, count * sizeof(vec4)));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_upload(device, b->ids, 0, arrays->ids, count * sizeof(uint32_t)));
    if (arrays->attributes)
        WEIR_RETURN_IF_ERROR(gpu_buffer_upload(device, b->attributes, 0, arrays->attributes,
                                               sim_attribute_bytes(world, count)));
    if (world->bodies) WEIR_RETURN_IF_ERROR(upload_bodies(world, arrays));
    if (world->deformables)
        WEIR_RETURN_IF_ERROR(
            gpu_buffer_upload(device, deformable_set_buffers(world->deformables)->deformable_states,
                              0, arrays->deformables, sim_deformable_bytes(world)));
    if (!sim_is_apic(world)) return WEIR_OK;
    if (!arrays->affine) return clear_buffer(world, b->velocity_gradients);
    return gpu_buffer_upload(device, b->velocity_gradients, 0, arrays->affine,
                             3ull * count * sizeof(vec4));
}

weir_result sim_clear_clearances(sim_world *world)
{
    return clear_buffer(world, world->buffers.clearances);
}

void sim_host_state_free(sim_host_state *state)
{
    base_free(state->x);
    base_free(state->v);
    base_free(state->ids);
    base_free(state->affine);
    base_free(state->attributes);
    base_free(state->bodies);
    base_free(state->contact_impulses);
    base_free(state->deformables);
}

double sim_mean_density_error(const sim_world *world)
{
    const struct sim_statistics *sums = &world->last_result.sums;
    return sums->count ? (double)sums->error_sum / (double)sums->count : 0.0;
}
