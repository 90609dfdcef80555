/* The pointer: a force along a ray. It changes velocities at the start of a frame, before any
 * substep that could be replayed. */
#include "sim_internal.h"

void sim_set_pointer(sim_world *world, const weir_pointer *pointer)
{
    world->pointer = (struct sim_pointer){.origin = {0}};
    if (!pointer) return;
    const float *o = pointer->origin, *d = pointer->direction;
    vec3 way = {d[0], d[1], d[2]};
    way = vec3_scale(way, 1.0f / vec3_length(way));
    world->pointer = (struct sim_pointer){
        .origin = {o[0], o[1], o[2], pointer->radius_m},
        .direction = {way.x, way.y, way.z, pointer->acceleration},
    };
}

gpu_row sim_pointer_row(const sim_world *world)
{
    const sim_buffers *b = &world->buffers;
    gpu_row row = {
        .kernel = world->kernels[SIM_POINTER],
        .domain = {.name = "particles", .count = grid_get_capacity(world->grid).particles},
    };
    gpu_row_use(&row, SIM_BIND_PARAMS, b->params, GPU_BLOCK);
    gpu_row_use(&row, SIM_BIND_STATE, grid_state_buffer(world->grid), GPU_BLOCK);
    gpu_row_use(&row, SIM_BIND_STATUS, b->status, GPU_BLOCK);
    gpu_row_use(&row, SIM_BIND_POINTER, b->pointer, GPU_BLOCK);
    gpu_row_use(&row, SIM_BIND_X, b->x, GPU_OWN_READ);
    gpu_row_use(&row, SIM_BIND_V, b->v, GPU_OWN_UPDATE);
    return row;
}
