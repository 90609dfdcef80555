/* Queries and settings of a simulation's rigid bodies. */
#include "sim_frame.h"

static vec3 xyz(vec4 v)
{
    return vec3_make(v.x, v.y, v.z);
}

/* Returns the body's state after the last complete frame. */
static const struct body_state *state_of(const sim_world *world, uint32_t body)
{
    return &world->body_states[body];
}

static double body_potential_energy(const sim_world *world, uint32_t body)
{
    return body_set_mass_properties(world->bodies)[body].mass_kg *
           sim_potential_energy_at(&world->params, &state_of(world, body)->position);
}

static void fill_body_info(const sim_world *world, uint32_t index, weir_body *body)
{
    const struct body_state *state = state_of(world, index);
    const body_mass_properties *mass_properties = &body_set_mass_properties(world->bodies)[index];
    *body = (weir_body){
        .name = world->scene->bodies[index].name,
        .mass_kg = mass_properties->mass_kg,
        .volume_m3 = mass_properties->volume_m3,
        .kinetic_energy_j = body_kinetic_energy(world->bodies, index, state),
        .potential_energy_j = body_potential_energy(world, index),
        .asleep = state->angular_momentum.w != 0.0f,
        .non_finite = state->position.w != 0.0f,
    };
    vec3 position = xyz(state->position), velocity = xyz(state->velocity),
         spin = xyz(state->angular_momentum),
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
        poses[i] = body_pose(world->bodies, i, state_of(world, i));
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
    const struct body_state *state = state_of(world, body);
    const vec4 *q = &state->rotation;
    grab->position = vec3_add(xyz(state->position),
                              quat_rotate((quat){q->x, q->y, q->z, q->w}, grab->local_point));
    return WEIR_OK;
}

void sim_set_mouse_joint(sim_world *world, const sim_body_grab *grab, vec3 target)
{
    world->has_mouse_joint = grab->body < world->scene->body_count;
    world->externally_driven = world->externally_driven || world->has_mouse_joint;
    world->mouse_joint = (struct body_mouse_joint){
        .anchor = {grab->local_point.x, grab->local_point.y, grab->local_point.z, 0.0f},
        .target = {target.x, target.y, target.z, 0.0f},
        .body = grab->body,
    };
}

float sim_max_body_speed(const sim_world *world)
{
    float fastest = 0.0f;
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        fastest = fmaxf(fastest, body_max_point_speed(world->bodies, i, state_of(world, i)));
    return fastest * fmaxf(world->params.cfl / BODY_CFL, 1.0f);
}

double sim_body_mass(const sim_world *world)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        sum += body_set_mass_properties(world->bodies)[i].mass_kg;
    return sum;
}

void sim_body_energies(const sim_world *world, double *kinetic, double *potential_j)
{
    *kinetic = *potential_j = 0.0;
    for (uint32_t i = 0; i < world->scene->body_count; i++) {
        *kinetic += body_kinetic_energy(world->bodies, i, state_of(world, i));
        *potential_j += body_potential_energy(world, i);
    }
}

weir_result sim_wake_bodies(sim_world *world)
{
    if (!world->bodies) return WEIR_OK;
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        world->body_states[i].velocity.w = world->body_states[i].angular_momentum.w = 0.0f;
    return gpu_buffer_upload(world->device, body_set_states(world->bodies), 0, world->body_states,
                             sim_body_bytes(world));
}

void sim_store_body_states(sim_world *world, const sim_frame *frame)
{
    const struct body_state *states = gpu_buffer_map(frame->bodies);
    for (uint32_t i = 0; i < world->scene->body_count; i++) {
        if (states[i].position.w == 0.0f || world->body_states[i].position.w != 0.0f) continue;
        base_log(world->log, WEIR_LOG_WARNING,
                 "%s: body '%s' has left the finite numbers and stands still from now on: use more "
                 "substeps, or make it heavier",
                 world->scene->source, world->scene->bodies[i].name);
    }
    memcpy(world->body_states, states, sim_body_bytes(world));
}

/* ---- capped speeds --------------------------------------------------------------------------- */

/* Appends advice that lets a body keep a speed of `ratio` times the limit, in a frame of `substeps`
 * substeps. */
static void append_speed_advice(const scene_solver *solver, double ratio, uint32_t substeps,
                                base_text *text)
{
    double cap = (double)solver->max_speed, limit = SCENE_MAX_SUBSTEPS;
    double needed = ceil(ratio * substeps),
           with_cap = ceil(ratio * substeps * cap / SCENE_MAX_SPEED_SPACINGS);
    const char *fixed = substeps < solver->substeps ? "set solver.adaptive to false, " : "";
    if (ratio * cap <= SCENE_MAX_SPEED_SPACINGS)
        base_text_append(text, "use a solver.max_speed of %.4g or more",
                         ceil(100.0 * ratio * cap) / 100.0);
    else if (needed <= limit)
        base_text_append(text, "%suse solver.substeps %.0f or more", fixed, needed);
    else if (with_cap <= limit)
        base_text_append(text, "%suse a solver.max_speed of %g and solver.substeps %.0f or more",
                         fixed, SCENE_MAX_SPEED_SPACINGS, with_cap);
    else
        base_text_append(text, "no solver.substeps are enough: make it slower");
}

static uint32_t find_fastest_capped_body(const sim_world *world)
{
    uint32_t fastest = 0;
    for (uint32_t i = 1; i < world->scene->body_count; i++)
        if (world->body_fluid_impulses[i].force.w > world->body_fluid_impulses[fastest].force.w)
            fastest = i;
    return fastest;
}

void sim_check_body_speeds(sim_world *world, const sim_frame_result *seen, uint64_t frame)
{
    const scene_solver *solver = &world->scene->solver;
    if (world->warned_of_bodies || world->scene->body_count == 0) return;
    uint32_t body = find_fastest_capped_body(world);
    double speed = (double)world->body_fluid_impulses[body].force.w, dt = (double)seen->status.dt;
    double limit = (double)solver->max_speed * (double)world->scene->spacing / dt;
    base_text advice = {0};
    if (!(speed > 0.0)) return;
    world->warned_of_bodies = true;
    append_speed_advice(solver, speed / limit, seen->status.substeps, &advice);
    base_log(
        world->log, WEIR_LOG_WARNING,
        "%s: in frame %llu, by %.3f s, the speed of body '%s' was cut from %.3g m/s to %.3g "
        "m/s, %g spacings in a substep: %s. Later cuts are counted: clamped_speeds in stats.csv",
        world->scene->source, (unsigned long long)frame, world->last_time_s,
        world->scene->bodies[body].name, speed, limit, (double)solver->max_speed,
        advice.items ? advice.items : "use more substeps");
    base_free(advice.items);
}

/* ---- saved states ---------------------------------------------------------------------------- */

static bool is_within(vec4 v, float limit)
{
    return fabsf(v.x) <= limit && fabsf(v.y) <= limit && fabsf(v.z) <= limit;
}

bool sim_is_rotation(quat q)
{
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return square > 0.9f && square < 1.1f;
}

/* Limits of position, velocity and angular momentum, in m, m/s and kg m2/s; beyond them energies
 * are not finite. */
bool sim_body_states_valid(const sim_world *world, const void *saved)
{
    const float limit = SIM_SPEED_MAX, spin_limit = 1e18f;
    bool valid = true;
    for (uint32_t i = 0; i < world->scene->body_count && valid; i++) {
        struct body_state b;
        memcpy(&b, (const uint8_t *)saved + i * sizeof b, sizeof b);
        const vec4 *q = &b.rotation;
        valid = sim_is_rotation((quat){q->x, q->y, q->z, q->w}) && is_within(b.position, limit) &&
                is_within(b.velocity, limit) && is_within(b.angular_momentum, spin_limit);
    }
    return valid;
}
