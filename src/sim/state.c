/* The particles' state on the host and back. In the device's own order: it is part of the state,
 * because sums run in it. */
#include "sim_frame.h"

weir_result sim_state_download(const sim_world *world, uint32_t count, sim_state *state)
{
    const sim_buffers *b = &world->buffers;
    state->x = base_alloc(count, sizeof *state->x);
    state->v = base_alloc(count, sizeof *state->v);
    state->ids = base_alloc(count, sizeof *state->ids);
    if (!state->x || !state->v || !state->ids) return WEIR_MEMORY;
    WEIR_NEED(
        gpu_buffer_download(world->device, b->positions, 0, state->x, count * sizeof *state->x));
    WEIR_NEED(
        gpu_buffer_download(world->device, b->velocities, 0, state->v, count * sizeof *state->v));
    return gpu_buffer_download(world->device, b->ids, 0, state->ids, count * sizeof *state->ids);
}

weir_result sim_state_upload(sim_world *world, uint32_t count, const void *x, const void *v,
                             const void *ids)
{
    const sim_buffers *b = &world->buffers;
    WEIR_NEED(gpu_buffer_upload(world->device, b->positions, 0, x, count * sizeof(ivec4)));
    WEIR_NEED(gpu_buffer_upload(world->device, b->velocities, 0, v, count * sizeof(vec4)));
    return gpu_buffer_upload(world->device, b->ids, 0, ids, count * sizeof(uint32_t));
}

void sim_state_free(sim_state *state)
{
    base_free(state->x);
    base_free(state->v);
    base_free(state->ids);
}
