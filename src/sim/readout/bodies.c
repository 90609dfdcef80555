/* Reports the rigid bodies' states. */
#include "sim_coupling.h"
#include "sim_frame.h"

static void fill_body_info(const sim_world *world, uint32_t index, weir_body *body)
{
    const struct body_state *state = &world->body_states[index];
    const body_mass_properties *mass_properties = &body_set_mass_properties(world->bodies)[index];
    *body = (weir_body){
        .name = world->scene->bodies[index].name,
        .mass_kg = mass_properties->mass_kg,
        .volume_m3 = mass_properties->volume_m3,
        .kinetic_energy_j = body_kinetic_energy(world->bodies, index, state),
        .potential_energy_j = sim_body_potential_energy(world, index),
        .asleep = state->angular_momentum.w != 0.0f,
        .non_finite = state->position.w != 0.0f,
    };
    vec3 position = sim_xyz(state->position), velocity = sim_xyz(state->velocity),
         spin = sim_xyz(state->angular_momentum),
         turning = body_angular_velocity(world->bodies, index, state);
    memcpy(body->position, &position, sizeof body->position);
    memcpy(body->velocity, &velocity, sizeof body->velocity);
    memcpy(body->angular_velocity, &turning, sizeof body->angular_velocity);
    memcpy(body->angular_momentum, &spin, sizeof body->angular_momentum);
    memcpy(body->rotation, &state->rotation, sizeof body->rotation);
}

weir_result sim_bodies(sim_world *world, weir_body *bodies, uint32_t *count)
{
    uint32_t capacity = bodies ? *count : 0;
    *count = world->scene->body_count;
    if (capacity == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    for (uint32_t i = 0; i < capacity && i < world->scene->body_count; i++)
        fill_body_info(world, i, &bodies[i]);
    return WEIR_OK;
}

weir_result sim_body_poses(sim_world *world, scene_pose *poses)
{
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        poses[i] = body_pose(world->bodies, i, &world->body_states[i]);
    return WEIR_OK;
}

weir_result sim_pick_body(sim_world *world, const struct body_ray *ray, sim_body_grab *grab)
{
    *grab = (sim_body_grab){.body = world->scene->body_count};
    if (!world->bodies) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    uint32_t body =
        body_set_pick(world->bodies, world->solids, world->body_states, ray, &grab->local_point);
    if (body == BODY_NONE) return WEIR_OK;
    grab->body = body;
    const struct body_state *state = &world->body_states[body];
    const vec4 *q = &state->rotation;
    grab->position = vec3_add(sim_xyz(state->position),
                              quat_rotate((quat){q->x, q->y, q->z, q->w}, grab->local_point));
    return WEIR_OK;
}
