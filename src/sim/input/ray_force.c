/* The ray force. It changes velocities at the start of a frame, before any substep that could be
 * replayed. */
#include "sim_input.h"
#include "sim_solvers.h"

void sim_set_ray_force(sim_world *world, const weir_ray_force *ray_force)
{
    world->ray_force = (struct sim_ray_force){.origin = {0}};
    if (!ray_force) return;
    world->externally_driven = true;
    const float *o = ray_force->origin, *d = ray_force->direction;
    vec3 along = {d[0], d[1], d[2]};
    along = vec3_scale(along, 1.0f / vec3_length(along));
    world->ray_force = (struct sim_ray_force){
        .origin = {o[0], o[1], o[2], ray_force->radius_m},
        .direction = {along.x, along.y, along.z, ray_force->acceleration},
    };
}

gpu_pass sim_ray_force_pass(const sim_world *world)
{
    return sim_make_pass(world, SIM_RAY_FORCE,
                         (gpu_dispatch_size){.name = "particles",
                                             .count = grid_get_capacity(world->grid).particles});
}
