/* Reports the forces of the fluid on bodies and solids. */
#include "sim_frame.h"

typedef struct named_force {
    const char *name;
    vec3 force, torque, about;
} named_force;

static weir_force make_force_report(const sim_world *world, const named_force *l)
{
    weir_force made = {.name = l->name, .frame = world->force_frame};
    memcpy(made.force, &l->force, sizeof made.force);
    memcpy(made.torque, &l->torque, sizeof made.torque);
    memcpy(made.reference_point, &l->about, sizeof made.reference_point);
    return made;
}

weir_result sim_body_forces(sim_world *world, weir_force *forces, uint32_t *count)
{
    uint32_t capacity = forces ? *count : 0;
    *count = world->scene->body_count;
    if (capacity == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_collect_finished_frames(world));
    for (uint32_t i = 0; i < capacity && i < world->scene->body_count; i++) {
        const struct body_fluid_impulse *push = &world->body_fluid_impulses[i];
        const named_force of = {world->scene->bodies[i].name, sim_xyz(push->force),
                                sim_xyz(push->torque), sim_xyz(world->body_states[i].position)};
        forces[i] = make_force_report(world, &of);
    }
    return WEIR_OK;
}

/* Converts a torque about the middle of the domain, as the device sums it, to one about the point
 * `about`. In two dimensions only the component along z counts. */
static vec3 torque_about(const sim_world *world, vec3 force, vec3 torque, vec3 about)
{
    const struct sim_params *p = &world->params;
    double o[3] = {(double)p->origin.x - (double)about.x, (double)p->origin.y - (double)about.y,
                   (double)p->origin.z - (double)about.z};
    double f[3] = {(double)force.x, (double)force.y, (double)force.z};
    if (p->planar) {
        o[2] = f[2] = 0.0;
        torque.x = torque.y = 0.0f;
    }
    return vec3_make((float)((double)torque.x + o[1] * f[2] - o[2] * f[1]),
                     (float)((double)torque.y + o[2] * f[0] - o[0] * f[2]),
                     (float)((double)torque.z + o[0] * f[1] - o[1] * f[0]));
}

static weir_force force_on_solid(const sim_world *world, uint32_t solid)
{
    vec3 force = sim_xyz(world->solid_forces[2 * solid]),
         torque = sim_xyz(world->solid_forces[2 * solid + 1]),
         about = world->solid_positions[solid];
    const named_force of = {world->scene->solids[solid].name, force,
                            torque_about(world, force, torque, about), about};
    return make_force_report(world, &of);
}

weir_result sim_solid_forces(sim_world *world, weir_force *forces, uint32_t *count)
{
    uint32_t capacity = forces ? *count : 0, solids = world->scene->solid_count;
    if (!world->scene->solver.solid_forces)
        return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                         "%s: the forces on its solids are not summed: set solver.solid_forces to "
                         "true",
                         world->scene->source);
    *count = solids;
    if (capacity == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_collect_finished_frames(world));
    for (uint32_t i = 0; i < capacity && i < solids; i++)
        forces[i] = force_on_solid(world, i);
    return WEIR_OK;
}
