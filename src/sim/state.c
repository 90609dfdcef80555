/* The particles' state on the host and back. In the device's own order: it is part of the state,
 * because sums run in it. */
#include "sim_frame.h"

uint64_t sim_body_bytes(const sim_world *world)
{
    return world->bodies ? world->scene->body_count * sizeof(struct body_state) : 0;
}

uint64_t sim_push_bytes(const sim_world *world)
{
    return world->bodies ? world->scene->body_count * sizeof(struct body_push) : 0;
}

uint64_t sim_hold_bytes(const sim_world *world)
{
    return world->bodies ? body_set_hold_bytes(world->bodies) : 0;
}

static weir_result download_bodies(const sim_world *world, sim_state *state)
{
    if (!world->bodies) return WEIR_OK;
    state->bodies = base_alloc(sim_body_bytes(world), 1);
    state->holds = base_alloc(sim_hold_bytes(world), 1);
    if (!state->bodies || !state->holds) return WEIR_MEMORY;
    WEIR_NEED(gpu_buffer_download(world->device, body_set_holds(world->bodies), 0, state->holds,
                                  sim_hold_bytes(world)));
    return gpu_buffer_download(world->device, body_set_states(world->bodies), 0, state->bodies,
                               sim_body_bytes(world));
}

static weir_result download_softs(const sim_world *world, sim_state *state)
{
    uint64_t size = sim_soft_bytes(world);
    if (!world->softs) return WEIR_OK;
    state->softs = base_alloc(size, 1);
    if (!state->softs) return WEIR_MEMORY;
    return gpu_buffer_download(world->device, soft_set_states(world->softs), 0, state->softs, size);
}

weir_result sim_state_download(const sim_world *world, uint32_t count, sim_state *state)
{
    const sim_buffers *b = &world->buffers;
    state->x = base_alloc(count, sizeof *state->x);
    state->v = base_alloc(count, sizeof *state->v);
    state->ids = base_alloc(count, sizeof *state->ids);
    if (sim_is_affine(world)) state->affine = base_alloc(3ull * count, sizeof *state->affine);
    if (!state->x || !state->v || !state->ids) return WEIR_MEMORY;
    if (sim_is_affine(world) && !state->affine) return WEIR_MEMORY;
    WEIR_NEED(download_bodies(world, state));
    WEIR_NEED(download_softs(world, state));
    if (state->affine)
        WEIR_NEED(gpu_buffer_download(world->device, b->affine, 0, state->affine,
                                      3ull * count * sizeof *state->affine));
    WEIR_NEED(
        gpu_buffer_download(world->device, b->positions, 0, state->x, count * sizeof *state->x));
    WEIR_NEED(
        gpu_buffer_download(world->device, b->velocities, 0, state->v, count * sizeof *state->v));
    return gpu_buffer_download(world->device, b->ids, 0, state->ids, count * sizeof *state->ids);
}

static weir_result clear(sim_world *world, gpu_buffer *buffer)
{
    uint64_t ticket;
    WEIR_NEED(gpu_record_begin(world->device));
    WEIR_NEED(gpu_record_fill(world->device, buffer, 0));
    WEIR_NEED(gpu_record_submit(world->device, &ticket));
    return gpu_ticket_wait(world->device, ticket);
}

static weir_result upload_bodies(sim_world *world, const sim_arrays *arrays)
{
    gpu_buffer *holds = body_set_holds(world->bodies);
    WEIR_NEED(gpu_buffer_upload(world->device, body_set_states(world->bodies), 0, arrays->bodies,
                                sim_body_bytes(world)));
    if (!arrays->holds) return clear(world, holds);
    return gpu_buffer_upload(world->device, holds, 0, arrays->holds, sim_hold_bytes(world));
}

weir_result sim_state_upload(sim_world *world, uint32_t count, const sim_arrays *arrays)
{
    const sim_buffers *b = &world->buffers;
    gpu_device *device = world->device;
    world->order.known = false;
    WEIR_NEED(gpu_buffer_upload(device, b->positions, 0, arrays->x, count * sizeof(ivec4)));
    WEIR_NEED(gpu_buffer_upload(device, b->velocities, 0, arrays->v, count * sizeof(vec4)));
    WEIR_NEED(gpu_buffer_upload(device, b->ids, 0, arrays->ids, count * sizeof(uint32_t)));
    if (world->bodies) WEIR_NEED(upload_bodies(world, arrays));
    if (world->softs)
        WEIR_NEED(gpu_buffer_upload(device, soft_set_states(world->softs), 0, arrays->softs,
                                    sim_soft_bytes(world)));
    if (!sim_is_affine(world)) return WEIR_OK;
    if (!arrays->affine) return clear(world, b->affine);
    return gpu_buffer_upload(device, b->affine, 0, arrays->affine, 3ull * count * sizeof(vec4));
}

weir_result sim_forget_solids(sim_world *world)
{
    return clear(world, world->buffers.clearances);
}

void sim_state_free(sim_state *state)
{
    base_free(state->x);
    base_free(state->v);
    base_free(state->ids);
    base_free(state->affine);
    base_free(state->bodies);
    base_free(state->holds);
    base_free(state->softs);
}
