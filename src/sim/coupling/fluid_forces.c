/* Forces of the fluid on bodies and solids. They come back with the result of a frame, so that
 * reading them does not wait for the device. */
#include "sim_coupling.h"

/* ---- creation ------------------------------------------------------------------------------- */

weir_result sim_forces_create(sim_world *world)
{
    uint64_t solids = sim_sums_solid_forces(world) ? world->scene->solid_count : 0;
    world->body_fluid_impulses = base_alloc(sim_fluid_impulse_bytes(world), 1);
    world->solid_forces = base_alloc(sim_solid_force_bytes(world), 1);
    world->solid_positions = base_alloc(solids, sizeof *world->solid_positions);
    if (!world->body_fluid_impulses || !world->solid_forces || !world->solid_positions)
        return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for forces");
    return WEIR_OK;
}

void sim_forces_destroy(sim_world *world)
{
    base_free(world->body_fluid_impulses);
    base_free(world->solid_forces);
    base_free(world->solid_positions);
}

/* ---- read-back ------------------------------------------------------------------------------ */

/* Stores the positions of the solids at the end of a frame, which are in the last of its poses. */
static void read_back_solid_positions(sim_world *world, const sim_frame *frame)
{
    const struct solid_pose *poses = gpu_buffer_map(frame->poses);
    size_t last = (size_t)(world->scene->solver.substeps - 1) * solid_item_count(world->solids);
    for (uint32_t i = 0; i < world->scene->solid_count; i++) {
        const vec4 *p = &poses[last + i].position;
        world->solid_positions[i] = vec3_make(p->x, p->y, p->z);
    }
}

void sim_store_forces(sim_world *world, const sim_frame *frame)
{
    world->force_frame = frame->number;
    if (world->bodies)
        memcpy(world->body_fluid_impulses, gpu_buffer_map(frame->fluid_impulses),
               sim_fluid_impulse_bytes(world));
    if (!sim_sums_solid_forces(world)) return;
    memcpy(world->solid_forces, gpu_buffer_map(frame->solid_forces), sim_solid_force_bytes(world));
    read_back_solid_positions(world, frame);
}

void sim_clear_forces(sim_world *world)
{
    world->force_frame = 0;
    memset(world->body_fluid_impulses, 0, sim_fluid_impulse_bytes(world));
    memset(world->solid_forces, 0, sim_solid_force_bytes(world));
}
