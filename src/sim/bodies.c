/* What is read of a simulation's bodies. */
#include "sim_frame.h"

static vec3 xyz(vec4 v)
{
    return vec3_make(v.x, v.y, v.z);
}

/* The state that the host knows; NULL without bodies. */
static const struct body_state *state_of(const sim_world *world, uint32_t body)
{
    return &world->body_states[body];
}

static double potential(const sim_world *world, uint32_t body)
{
    return body_set_figures(world->bodies)[body].mass_kg *
           sim_potential_at(&world->params, &state_of(world, body)->position);
}

static void fill(const sim_world *world, uint32_t index, weir_body *body)
{
    const struct body_state *state = state_of(world, index);
    const body_figures *figures = &body_set_figures(world->bodies)[index];
    *body = (weir_body){
        .name = world->scene->bodies[index].name,
        .mass_kg = figures->mass_kg,
        .volume_m3 = figures->volume_m3,
        .kinetic_energy = body_kinetic(world->bodies, index, state),
        .potential_energy = potential(world, index),
        .asleep = state->spin.w != 0.0f,
        .lost = state->position.w != 0.0f,
    };
    vec3 position = xyz(state->position), velocity = xyz(state->velocity), spin = xyz(state->spin),
         turning = body_turning(world->bodies, index, state);
    memcpy(body->position, &position, sizeof body->position);
    memcpy(body->velocity, &velocity, sizeof body->velocity);
    memcpy(body->angular_velocity, &turning, sizeof body->angular_velocity);
    memcpy(body->angular_momentum, &spin, sizeof body->angular_momentum);
    memcpy(body->rotation, &state->rotation, sizeof body->rotation);
}

weir_result sim_bodies(sim_world *world, weir_body *bodies, uint32_t *count)
{
    uint32_t room = bodies ? *count : 0;
    *count = world->scene->body_count;
    if (room == 0) return WEIR_OK;
    WEIR_NEED(sim_settle(world));
    for (uint32_t i = 0; i < room && i < world->scene->body_count; i++)
        fill(world, i, &bodies[i]);
    return WEIR_OK;
}

weir_result sim_body_poses(sim_world *world, scene_pose *poses)
{
    WEIR_NEED(sim_settle(world));
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        poses[i] = body_pose(world->bodies, i, state_of(world, i));
    return WEIR_OK;
}

weir_result sim_pick_body(sim_world *world, const struct body_ray *ray, sim_grip *grip)
{
    *grip = (sim_grip){.body = world->scene->body_count};
    if (!world->bodies) return WEIR_OK;
    WEIR_NEED(sim_settle(world));
    uint32_t body =
        body_set_pick(world->bodies, world->solids, world->body_states, ray, &grip->place);
    if (body == BODY_NONE) return WEIR_OK;
    grip->body = body;
    const struct body_state *state = state_of(world, body);
    const vec4 *q = &state->rotation;
    grip->position =
        vec3_add(xyz(state->position), quat_rotate((quat){q->x, q->y, q->z, q->w}, grip->place));
    return WEIR_OK;
}

void sim_drag_body(sim_world *world, const sim_grip *grip, vec3 target)
{
    world->dragging = grip->body < world->scene->body_count;
    world->pushed = world->pushed || world->dragging;
    world->hand = (struct body_hand){
        .grip = {grip->place.x, grip->place.y, grip->place.z, 0.0f},
        .target = {target.x, target.y, target.z, 0.0f},
        .body = grip->body,
    };
}

float sim_fastest_body(const sim_world *world)
{
    float fastest = 0.0f;
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        fastest = fmaxf(fastest, body_fastest_point(world->bodies, i, state_of(world, i)));
    return fastest * fmaxf(world->params.cfl / BODY_CFL, 1.0f);
}

double sim_body_mass(const sim_world *world)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        sum += body_set_figures(world->bodies)[i].mass_kg;
    return sum;
}

void sim_body_energies(const sim_world *world, double *kinetic, double *potential_j)
{
    *kinetic = *potential_j = 0.0;
    for (uint32_t i = 0; i < world->scene->body_count; i++) {
        *kinetic += body_kinetic(world->bodies, i, state_of(world, i));
        *potential_j += potential(world, i);
    }
}

weir_result sim_wake_bodies(sim_world *world)
{
    if (!world->bodies) return WEIR_OK;
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        world->body_states[i].velocity.w = world->body_states[i].spin.w = 0.0f;
    return gpu_buffer_upload(world->device, body_set_states(world->bodies), 0, world->body_states,
                             sim_body_bytes(world));
}

void sim_keep_bodies(sim_world *world, const sim_frame *frame)
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

/* ---- cut speeds ------------------------------------------------------------------------------ */

/* What lets a body keep a speed of `ratio` times the limit, in a frame of so many substeps. */
static void advise(const scene_solver *solver, double ratio, uint32_t substeps, base_text *text)
{
    double cap = (double)solver->speed_cap, most = SCENE_MAX_SUBSTEPS;
    double needed = ceil(ratio * substeps),
           with_cap = ceil(ratio * substeps * cap / SCENE_LARGEST_CAP);
    const char *fixed = substeps < solver->substeps ? "set solver.adaptive to false, " : "";
    if (ratio * cap <= SCENE_LARGEST_CAP)
        base_text_append(text, "use a solver.speed_cap of %.4g or more",
                         ceil(100.0 * ratio * cap) / 100.0);
    else if (needed <= most)
        base_text_append(text, "%suse solver.substeps %.0f or more", fixed, needed);
    else if (with_cap <= most)
        base_text_append(text, "%suse a solver.speed_cap of %g and solver.substeps %.0f or more",
                         fixed, SCENE_LARGEST_CAP, with_cap);
    else
        base_text_append(text, "no solver.substeps are enough: make it slower");
}

static uint32_t fastest_cut(const sim_world *world)
{
    uint32_t fastest = 0;
    for (uint32_t i = 1; i < world->scene->body_count; i++)
        if (world->body_pushes[i].force.w > world->body_pushes[fastest].force.w) fastest = i;
    return fastest;
}

void sim_check_body_speeds(sim_world *world, const sim_result *seen, uint64_t frame)
{
    const scene_solver *solver = &world->scene->solver;
    if (world->warned_of_bodies || world->scene->body_count == 0) return;
    uint32_t body = fastest_cut(world);
    double speed = (double)world->body_pushes[body].force.w, dt = (double)seen->status.dt;
    double limit = (double)solver->speed_cap * (double)world->scene->spacing / dt;
    base_text advice = {0};
    if (!(speed > 0.0)) return;
    world->warned_of_bodies = true;
    advise(solver, speed / limit, seen->status.substeps, &advice);
    base_log(world->log, WEIR_LOG_WARNING,
             "%s: in frame %llu, by %.3f s, the speed of body '%s' was cut from %.3g m/s to %.3g "
             "m/s, %g spacings in a substep: %s. Later cuts are counted: speed_caps in stats.csv",
             world->scene->source, (unsigned long long)frame, world->last_time_s,
             world->scene->bodies[body].name, speed, limit, (double)solver->speed_cap,
             advice.items ? advice.items : "use more substeps");
    base_free(advice.items);
}

/* ---- saved states ---------------------------------------------------------------------------- */

static bool is_near(vec4 v, float most)
{
    return fabsf(v.x) <= most && fabsf(v.y) <= most && fabsf(v.z) <= most;
}

bool sim_is_turn(quat q)
{
    float square = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
    return square > 0.9f && square < 1.1f;
}

/* Beyond these numbers energies are not finite: m, m/s, kg m2/s. */
bool sim_bodies_sane(const sim_world *world, const void *saved)
{
    const float most = SIM_SPEED_MAX, most_spin = 1e18f;
    bool sane = true;
    for (uint32_t i = 0; i < world->scene->body_count && sane; i++) {
        struct body_state b;
        memcpy(&b, (const uint8_t *)saved + i * sizeof b, sizeof b);
        const vec4 *q = &b.rotation;
        sane = sim_is_turn((quat){q->x, q->y, q->z, q->w}) && is_near(b.position, most) &&
               is_near(b.velocity, most) && is_near(b.spin, most_spin);
    }
    return sane;
}
