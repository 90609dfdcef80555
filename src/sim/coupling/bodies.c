/* Queries and settings of a simulation's rigid bodies. */
#include "sim_coupling.h"

double sim_body_potential_energy(const sim_world *world, uint32_t body)
{
    return body_set_mass_properties(world->bodies)[body].mass_kg *
           sim_potential_energy_at(&world->params, &world->body_states[body].position);
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
        fastest = fmaxf(fastest, body_max_point_speed(world->bodies, i, &world->body_states[i]));
    return fastest * fmaxf(world->params.cfl / BODY_CFL, 1.0f);
}

double sim_total_body_mass(const sim_world *world)
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
        *kinetic += body_kinetic_energy(world->bodies, i, &world->body_states[i]);
        *potential_j += sim_body_potential_energy(world, i);
    }
}

weir_result sim_wake_bodies(sim_world *world)
{
    if (!world->bodies) return WEIR_OK;
    for (uint32_t i = 0; i < world->scene->body_count; i++)
        world->body_states[i].velocity.w = world->body_states[i].angular_momentum.w = 0.0f;
    return gpu_buffer_upload(world->device, body_set_buffers(world->bodies)->body_states, 0,
                             world->body_states, sim_body_bytes(world));
}

void sim_store_body_states(sim_world *world, const sim_frame *frame)
{
    const struct body_state *states = gpu_buffer_map(frame->bodies);
    for (uint32_t i = 0; i < world->scene->body_count; i++) {
        if (states[i].position.w == 0.0f || world->body_states[i].position.w != 0.0f) continue;
        base_log(world->log, WEIR_LOG_WARNING,
                 "%s: the motion of body '%s' became NaN or infinite; it stands still from now on: "
                 "use more substeps, or make it heavier",
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
        base_text_append(text, "no number of solver.substeps suffices: make it slower");
}

static uint32_t find_fastest_capped_body(const sim_world *world)
{
    uint32_t fastest = 0;
    for (uint32_t i = 1; i < world->scene->body_count; i++)
        if (world->body_fluid_impulses[i].force.w > world->body_fluid_impulses[fastest].force.w)
            fastest = i;
    return fastest;
}

void sim_warn_capped_bodies(sim_world *world, const sim_frame_result *seen, uint64_t frame)
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
    base_log(world->log, WEIR_LOG_WARNING,
             "%s: in frame %llu, up to %.3f s, the speed of body '%s' was clamped from %.3g m/s to "
             "%.3g m/s, %g spacings per substep: %s. The column clamped_speeds of stats.csv counts "
             "later cases",
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
