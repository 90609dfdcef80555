/* Sets positions and velocities of particles, in the order of their ids, and the motion of
 * bodies. */
#include "sim_coupling.h"
#include "sim_frame.h"

/* spacings: minimum distance of fluid from a body that is placed */
#define MIN_CLEARANCE 0.25f
/* spacings: a placement that brings the body nearer by no more than this is allowed, too */
#define ALLOWED_APPROACH 0.1f

/* The caller's values, and the order of the particles on the device. */
typedef struct written_values {
    const float *values; /* [3 * count] */
    uint32_t *order;     /* [count] index on the device, in the order of ids */
    uint32_t count;
} written_values;

static vec3 value_of(const written_values *g, uint32_t i)
{
    return vec3_make(g->values[3 * (size_t)i], g->values[3 * (size_t)i + 1],
                     g->values[3 * (size_t)i + 2]);
}

static weir_result check_velocities(const sim_world *world, const written_values *g)
{
    for (uint32_t i = 0; i < g->count; i++) {
        vec3 v = value_of(g, i);
        if (vec3_length(v) <= SIM_SPEED_MAX) continue;
        return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                         "velocity %u is (%g, %g, %g) m/s, expected finite numbers and at most %g "
                         "m/s",
                         i, (double)v.x, (double)v.y, (double)v.z, (double)SIM_SPEED_MAX);
    }
    return WEIR_OK;
}

static weir_result check_positions(const sim_world *world, const written_values *g)
{
    vec3 min = world->scene->domain.min, max = world->scene->domain.max;
    for (uint32_t i = 0; i < g->count; i++) {
        vec3 p = value_of(g, i);
        if (world->params.planar) p.z = min.z;
        if (p.x >= min.x && p.y >= min.y && p.z >= min.z && p.x <= max.x && p.y <= max.y &&
            p.z <= max.z)
            continue;
        return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                         "position %u is (%g, %g, %g) m, expected a point in the domain, (%g, %g, "
                         "%g) to (%g, %g, %g)",
                         i, (double)p.x, (double)p.y, (double)p.z, (double)min.x, (double)min.y,
                         (double)min.z, (double)max.x, (double)max.y, (double)max.z);
    }
    return WEIR_OK;
}

static void set_positions(const sim_world *world, const written_values *g, ivec4 *x)
{
    grid_fixed_point fixed = sim_fixed_point(world->scene);
    for (uint32_t i = 0; i < g->count; i++) {
        ivec4 *to = &x[g->order[i]];
        vec3 p = value_of(g, i);
        int32_t z = to->z;
        *to = sim_to_fixed_point(&fixed, (const double[3]){(double)p.x, (double)p.y, (double)p.z},
                                 to->w);
        if (world->params.planar) to->z = z;
    }
}

/* Updates the largest speed of particles and bodies, which determines the number of substeps. */
static void update_max_speed(sim_world *world)
{
    float fastest = fmaxf(world->last_result.sums.speed_max, sim_max_body_speed(world));
    memcpy(&world->last_result.status.max_speed_bits, &fastest, sizeof fastest);
    world->externally_driven = true;
}

static void set_velocities(sim_world *world, const written_values *g, vec4 *v)
{
    float fastest = 0.0f;
    for (uint32_t i = 0; i < g->count; i++) {
        vec4 *to = &v[g->order[i]];
        vec3 u = value_of(g, i);
        if (world->params.planar) u.z = 0.0f;
        *to = (vec4){u.x, u.y, u.z, to->w};
        fastest = fmaxf(fastest, vec3_length(u));
    }
    world->last_result.sums.speed_max = fastest;
    update_max_speed(world);
}

static weir_result upload_status(sim_world *world)
{
    return gpu_buffer_upload(world->device, world->buffers.status, 0, &world->last_result.status,
                             sizeof world->last_result.status);
}

static weir_result upload_state(sim_world *world, const sim_state_arrays *arrays, uint32_t count)
{
    WEIR_RETURN_IF_ERROR(sim_clear_clearances(world));
    WEIR_RETURN_IF_ERROR(sim_host_state_upload(world, count, arrays));
    return upload_status(world);
}

static weir_result write_particles(sim_world *world, weir_field field, const written_values *g)
{
    sim_host_state state = {0};
    weir_result result;
    WEIR_GOTO_IF_ERROR(sim_host_state_download(world, g->count, &state));
    if (field == WEIR_FIELD_POSITION)
        set_positions(world, g, state.x);
    else
        set_velocities(world, g, state.v);
    world->lists_valid = world->densities_valid = false;
    const sim_state_arrays arrays = {.x = state.x,
                                     .v = state.v,
                                     .ids = state.ids,
                                     .affine = field == WEIR_FIELD_POSITION ? state.affine : NULL,
                                     .attributes = state.attributes,
                                     .bodies = state.bodies,
                                     .contact_impulses = state.contact_impulses};
    result = world->failed = upload_state(world, &arrays, g->count);
fail:
    sim_host_state_free(&state);
    return result;
}

weir_result sim_write_field(sim_world *world, weir_field field, const float *values, size_t size)
{
    written_values g = {.values = values};
    WEIR_RETURN_IF_ERROR(sim_wait(world));
    size_t expected = (size_t)world->last_result.status.count * 3 * sizeof *values;
    if (size != expected)
        return base_fail(
            world->log, WEIR_ERROR_ARGUMENT,
            "weir_sim_write_field: size is %zu bytes, expected %zu: %u particles of 12 bytes", size,
            expected, world->last_result.status.count);
    if (size == 0) return WEIR_OK;
    g.count = world->last_result.status.count;
    WEIR_RETURN_IF_ERROR(field == WEIR_FIELD_POSITION ? check_positions(world, &g)
                                                      : check_velocities(world, &g));
    WEIR_RETURN_IF_ERROR(sim_download_id_order(world, &g.order, &g.count));
    weir_result result = write_particles(world, field, &g);
    base_free(g.order);
    return result;
}

/* ---- bodies ---------------------------------------------------------------------------------- */

static bool vec4_equal(vec4 a, vec4 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z && a.w == b.w;
}

static weir_result check_motion(const sim_world *world, uint32_t body,
                                const sim_body_motion *motion)
{
    const vec3 v = motion->velocity, w = motion->angular_velocity;
    if (vec3_length(v) <= SIM_SPEED_MAX && isfinite(vec3_length(w))) return WEIR_OK;
    return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                     "the motion of body '%s' is (%g, %g, %g) m/s and (%g, %g, %g) rad/s, expected "
                     "finite numbers and at most %g m/s",
                     world->scene->bodies[body].name, (double)v.x, (double)v.y, (double)v.z,
                     (double)w.x, (double)w.y, (double)w.z, (double)SIM_SPEED_MAX);
}

/* Returns the new state of a body. Values that the caller leaves unchanged keep their bits; a
 * non-finite value never counts as unchanged. */
static struct body_state make_body_state(const sim_world *world, uint32_t body,
                                         const sim_body_motion *motion)
{
    const struct body_state *before = &world->body_states[body];
    const vec3 x = motion->pose.position, v = motion->velocity, w = motion->angular_velocity,
               turning = body_angular_velocity(world->bodies, body, before);
    quat q = motion->pose.rotation;
    const bool turned = !vec4_equal((vec4){q.x, q.y, q.z, q.w}, before->rotation);
    struct body_state state = {
        .position = {x.x, x.y, x.z, 0.0f},
        .rotation = before->rotation,
        .velocity = {v.x, v.y, v.z, 0.0f},
        .angular_momentum = before->angular_momentum,
    };
    if (turned) {
        q = quat_normalize(q);
        state.rotation = (vec4){q.x, q.y, q.z, q.w};
    }
    if (turned || !(vec3_length(vec3_sub(w, turning)) <= 0.0f)) {
        vec3 spin = body_angular_momentum(world->bodies, body, q, w);
        state.angular_momentum = (vec4){spin.x, spin.y, spin.z, 0.0f};
    }
    return state;
}

/* Particles and vertices that a placed body would come too near to, and its distance from the
 * nearest. Those that were about as near before do not count. */
typedef struct close_points {
    const sim_world *world;
    const struct body_state *before;
    uint32_t body, count;
    float nearest; /* m, negative inside */
} close_points;

static float body_distance(const close_points *c, const struct body_state *state, vec3 p)
{
    return body_surface_distance(c->world->bodies, c->world->solids, state, c->body, p);
}

static void count_point(close_points *c, vec3 p)
{
    const float d = c->world->scene->spacing,
                now = body_distance(c, &c->world->body_states[c->body], p);
    if (!(now < MIN_CLEARANCE * d) || now > body_distance(c, c->before, p) - ALLOWED_APPROACH * d)
        return;
    c->count++;
    c->nearest = fminf(c->nearest, now);
}

static weir_result count_particles(close_points *c)
{
    const sim_world *world = c->world;
    const uint32_t count = world->last_result.status.count;
    const grid_fixed_point fixed = sim_fixed_point(world->scene);
    if (count == 0) return WEIR_OK;
    ivec4 *x = base_alloc(count, sizeof *x);
    if (!x)
        return base_fail(world->log, WEIR_ERROR_MEMORY,
                         "not enough memory for the particles' positions");
    weir_result result =
        gpu_buffer_download(world->device, world->buffers.positions, 0, x, count * sizeof *x);
    for (uint32_t i = 0; i < count && result == WEIR_OK; i++)
        count_point(c, sim_to_metres(&fixed, x[i]));
    base_free(x);
    return result;
}

static void count_vertices(close_points *c)
{
    const sim_world *world = c->world;
    for (uint32_t i = 0; world->deformables && i < sim_deformable_vertex_count(world); i++) {
        const vec4 *x = &world->deformable_states[i].position;
        count_point(c, vec3_make(x->x, x->y, x->z));
    }
}

/* Rejects a placement too near to particles or vertices. With PBF, velocities follow from
 * positions, so a point that is pushed far in a substep would fly off. */
static weir_result check_no_points_near_body(const sim_world *world, uint32_t body,
                                             const struct body_state *before)
{
    close_points c = {.world = world, .before = before, .body = body, .nearest = INFINITY};
    if (world->scene->solver.method != SCENE_METHOD_PBF) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(count_particles(&c));
    count_vertices(&c);
    if (c.count == 0) return WEIR_OK;
    return base_fail(
        world->log, WEIR_ERROR_ARGUMENT,
        "body '%s' would overlap %u fluid particles and vertices: the nearest is at %.4g m, "
        "expected %.4g m or more; choose a free pose and let the body move from there",
        world->scene->bodies[body].name, c.count, (double)c.nearest,
        (double)(MIN_CLEARANCE * world->scene->spacing));
}

static weir_result clear_contact_impulses(sim_world *world, uint32_t body)
{
    struct body_cached_force *cached_forces = base_alloc(1, sim_contact_impulse_bytes(world));
    gpu_buffer *buffer = body_set_buffers(world->bodies)->cached_forces;
    weir_result result =
        cached_forces ? gpu_buffer_download(world->device, buffer, 0, cached_forces,
                                            sim_contact_impulse_bytes(world))
                      : base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for bodies");
    if (result == WEIR_OK) {
        body_clear_cached_forces(world->bodies, body, cached_forces);
        result = gpu_buffer_upload(world->device, buffer, 0, cached_forces,
                                   sim_contact_impulse_bytes(world));
    }
    base_free(cached_forces);
    return result;
}

static weir_result check_new_body_pose(const sim_world *world, uint32_t body,
                                       const struct body_state *before)
{
    const body_scene_state now = {world->solids, world->body_states, world->time_s};
    WEIR_RETURN_IF_ERROR(body_check_pose(world->bodies, world->log, &now, body));
    return check_no_points_near_body(world, body, before);
}

/* Invalidates what depends on the pose of a body that has been moved. */
static weir_result invalidate_placement(sim_world *world, uint32_t body)
{
    world->lists_valid = world->densities_valid = false;
    WEIR_RETURN_IF_ERROR(sim_clear_clearances(world));
    return clear_contact_impulses(world, body);
}

weir_result sim_set_body(sim_world *world, uint32_t body, const sim_body_motion *motion)
{
    WEIR_RETURN_IF_ERROR(check_motion(world, body, motion));
    WEIR_RETURN_IF_ERROR(sim_wait(world));
    const struct body_state before = world->body_states[body],
                            now = make_body_state(world, body, motion);
    const bool moves =
        !vec4_equal(now.position, before.position) || !vec4_equal(now.rotation, before.rotation);
    world->body_states[body] = now;
    weir_result result = moves ? check_new_body_pose(world, body, &before) : WEIR_OK;
    if (result != WEIR_OK) {
        world->body_states[body] = before;
        return result;
    }
    update_max_speed(world);
    if (moves) WEIR_RETURN_IF_ERROR(world->failed = invalidate_placement(world, body));
    WEIR_RETURN_IF_ERROR(world->failed = upload_status(world));
    return world->failed = sim_wake_bodies(world);
}

weir_result sim_start_bodies(sim_world *world, const sim_start_body *bodies)
{
    for (uint32_t i = 0; bodies && i < world->scene->body_count; i++) {
        if (!bodies[i].known) continue;
        WEIR_RETURN_IF_ERROR(check_motion(world, i, &bodies[i].motion));
        world->body_states[i] = make_body_state(world, i, &bodies[i].motion);
    }
    return WEIR_OK;
}
