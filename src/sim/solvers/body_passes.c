/* Passes of the modules `body` and `deformable` in a substep. */
#include "sim_solvers.h"

bool sim_has_bodies(const sim_world *world)
{
    return world->bodies != NULL;
}

static body_bindings make_body_binds(const sim_world *world)
{
    const sim_buffers *b = &world->buffers;
    return (body_bindings){.params = b->params,
                           .state = grid_state_buffer(world->grid),
                           .status = b->status,
                           .poses = b->poses,
                           .solids = world->solids};
}

gpu_pass *sim_append_body_passes(const sim_world *world, sim_body_passes *append, gpu_pass *pass)
{
    body_bindings binds = make_body_binds(world);
    return pass + append(world->bodies, &binds, pass);
}

gpu_pass sim_mouse_joint_pass(const sim_world *world)
{
    body_bindings binds = make_body_binds(world);
    return body_mouse_joint_pass(world->bodies, &binds);
}

bool sim_has_deformables(const sim_world *world)
{
    return world->deformables != NULL;
}

bool sim_has_deformable_drag(const sim_world *world)
{
    return world->deformables && deformable_set_has_drag(world->deformables);
}

static deformable_bindings make_deformable_binds(const sim_world *world)
{
    const sim_buffers *b = &world->buffers;
    const body_set *bodies = world->bodies;
    return (deformable_bindings){
        .params = b->params,
        .state = grid_state_buffer(world->grid),
        .status = b->status,
        .poses = b->poses,
        .solids = world->solids,
        .bodies = bodies ? body_set_buffers(bodies)->bodies : NULL,
        .body_iterated_states = bodies ? body_set_buffers(bodies)->body_iterated_states : NULL,
        .body_impulse_sums = bodies ? body_set_buffers(bodies)->body_impulse_sums : NULL};
}

gpu_pass *sim_append_deformable_passes(const sim_world *world, sim_deformable_passes *append,
                                       gpu_pass *pass)
{
    deformable_bindings binds = make_deformable_binds(world);
    return pass + append(world->deformables, &binds, pass);
}

gpu_pass *sim_deformable_solve_passes(sim_world *world, gpu_pass *pass)
{
    deformable_bindings binds = make_deformable_binds(world);
    for (uint32_t s = 0; s < world->scene->solver.deformable_iterations; s++) {
        *pass++ =
            sim_make_pass(world, SIM_DEFORMABLE_CONTACT_SOLVE, sim_iteration_dispatch_size(world));
        if (sim_has_deformable_drag(world)) {
            pass += deformable_fluid_passes(world->deformables, &binds, pass);
            *pass++ =
                sim_make_pass(world, SIM_DEFORMABLE_DRAG_APPLY, sim_iteration_dispatch_size(world));
        }
        pass += deformable_solve_passes(world->deformables, &binds, pass);
        if (world->bodies) pass = sim_append_body_passes(world, body_apply_passes, pass);
    }
    return pass;
}
