/* What fluid does to bodies and solids. It comes back with each frame: nothing waits for it. */
#include "sim_frame.h"

bool sim_sums_forces(const sim_world *world)
{
    return world->scene->solver.solid_forces && world->scene->solid_count > 0 && !world->alone;
}

uint64_t sim_force_bytes(const sim_world *world)
{
    return sim_sums_forces(world) ? 2ull * world->scene->solid_count * sizeof(vec4) : 0;
}

/* ---- life ----------------------------------------------------------------------------------- */

weir_result sim_forces_create(sim_world *world)
{
    uint64_t solids = sim_sums_forces(world) ? world->scene->solid_count : 0;
    world->body_pushes = base_alloc(sim_push_bytes(world), 1);
    world->solid_forces = base_alloc(sim_force_bytes(world), 1);
    world->solid_places = base_alloc(solids, sizeof *world->solid_places);
    if (!world->body_pushes || !world->solid_forces || !world->solid_places)
        return base_fail(world->log, WEIR_MEMORY, "no memory for forces");
    return WEIR_OK;
}

void sim_forces_destroy(sim_world *world)
{
    base_free(world->body_pushes);
    base_free(world->solid_forces);
    base_free(world->solid_places);
}

/* ---- read-back ------------------------------------------------------------------------------ */

/* The last of a frame's poses are those of its end. */
static void keep_places(sim_world *world, const sim_frame *frame)
{
    const struct solid_pose *poses = gpu_buffer_map(frame->poses);
    size_t last = (size_t)(world->scene->solver.substeps - 1) * solid_item_count(world->solids);
    for (uint32_t i = 0; i < world->scene->solid_count; i++) {
        const vec4 *p = &poses[last + i].position;
        world->solid_places[i] = vec3_make(p->x, p->y, p->z);
    }
}

void sim_keep_forces(sim_world *world, const sim_frame *frame)
{
    world->pushed_frame = frame->number;
    if (world->bodies)
        memcpy(world->body_pushes, gpu_buffer_map(frame->pushes), sim_push_bytes(world));
    if (!sim_sums_forces(world)) return;
    memcpy(world->solid_forces, gpu_buffer_map(frame->forces), sim_force_bytes(world));
    keep_places(world, frame);
}

void sim_forget_forces(sim_world *world)
{
    world->pushed_frame = 0;
    memset(world->body_pushes, 0, sim_push_bytes(world));
    memset(world->solid_forces, 0, sim_force_bytes(world));
}

/* ---- what is asked -------------------------------------------------------------------------- */

typedef struct load {
    const char *name;
    vec3 force, torque, about;
} load;

static vec3 xyz(vec4 v)
{
    return vec3_make(v.x, v.y, v.z);
}

static weir_force describe(const sim_world *world, const load *l)
{
    weir_force made = {.name = l->name, .frame = world->pushed_frame};
    memcpy(made.force, &l->force, sizeof made.force);
    memcpy(made.torque, &l->torque, sizeof made.torque);
    memcpy(made.about, &l->about, sizeof made.about);
    return made;
}

weir_result sim_body_forces(sim_world *world, weir_force *forces, uint32_t *count)
{
    uint32_t room = forces ? *count : 0;
    *count = world->scene->body_count;
    if (room == 0) return WEIR_OK;
    WEIR_NEED(sim_take_finished(world));
    for (uint32_t i = 0; i < room && i < world->scene->body_count; i++) {
        const struct body_push *push = &world->body_pushes[i];
        const load of = {world->scene->bodies[i].name, xyz(push->force), xyz(push->torque),
                         xyz(world->body_states[i].position)};
        forces[i] = describe(world, &of);
    }
    return WEIR_OK;
}

/* The device's moments are about the middle of the domain. In the plane only that about z counts.
 */
static vec3 moved_torque(const sim_world *world, vec3 force, vec3 torque, vec3 about)
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
    vec3 force = xyz(world->solid_forces[2 * solid]),
         torque = xyz(world->solid_forces[2 * solid + 1]), about = world->solid_places[solid];
    const load of = {world->scene->solids[solid].name, force,
                     moved_torque(world, force, torque, about), about};
    return describe(world, &of);
}

weir_result sim_solid_forces(sim_world *world, weir_force *forces, uint32_t *count)
{
    uint32_t room = forces ? *count : 0, solids = world->scene->solid_count;
    if (!world->scene->solver.solid_forces)
        return base_fail(world->log, WEIR_ARGUMENT,
                         "%s: the forces on its solids are not summed: set solver.solid_forces to "
                         "true",
                         world->scene->source);
    *count = solids;
    if (room == 0) return WEIR_OK;
    WEIR_NEED(sim_take_finished(world));
    for (uint32_t i = 0; i < room && i < solids; i++)
        forces[i] = force_on_solid(world, i);
    return WEIR_OK;
}
