/* The pointer: a force along a ray. It changes velocities at the start of a frame, before any
 * substep that could be replayed. */
#include "sim_internal.h"

void sim_set_pointer(sim_world *world, const weir_pointer *pointer)
{
    world->pointer = (struct sim_pointer){.origin = {0}};
    if (!pointer) return;
    world->pushed = true;
    const float *o = pointer->origin, *d = pointer->direction;
    vec3 along = {d[0], d[1], d[2]};
    along = vec3_scale(along, 1.0f / vec3_length(along));
    world->pointer = (struct sim_pointer){
        .origin = {o[0], o[1], o[2], pointer->radius_m},
        .direction = {along.x, along.y, along.z, pointer->acceleration},
    };
}

gpu_row sim_pointer_row(const sim_world *world)
{
    return sim_make_row(
        world, SIM_POINTER,
        (gpu_domain){.name = "particles", .count = grid_get_capacity(world->grid).particles});
}
