/* Tests the implicit viscosity solve with bodies in the fluid against its reference: the residuals
 * of the particles' and the bodies' equations after the solve. */
#include "one_world.h"
#include "ref_viscous.h"
#include "scene_text.h"
#include "sim_pass_fixture.h"

#define MANY 1500u
#define BODIES 2u
#define LEFT 3e-4 /* fraction of the right side; SIM_VISCOUS_TOLERANCE is 1e-4 */

static int open_world(void **state)
{
    return open_one_world(scene_text("viscous_bodies"), true);
}

/* Places both bodies in the fluid and near each other. */
static void place_bodies(bool asleep)
{
    struct body_state states[BODIES];
    memcpy(states, body_set_initial_states(world->bodies), sizeof states);
    states[0].position = (vec4){0.2f, 0.2f, 0.22f, 0.0f};
    states[0].velocity = (vec4){2.0f, -1.0f, 0.5f, 0.0f};
    states[0].angular_momentum = (vec4){0.3f, -0.4f, 0.2f, 0.0f};
    states[1].position = (vec4){0.36f, 0.34f, 0.3f, 0.0f};
    states[1].velocity = (vec4){-1.0f, 2.0f, 0.0f, 0.0f};
    states[1].angular_momentum = (vec4){0.02f, 0.04f, -0.03f, 0.0f};
    if (asleep) {
        states[1].velocity = (vec4){0};
        states[1].angular_momentum = (vec4){0.0f, 0.0f, 0.0f, 1.0f};
    }
    upload(world, body_set_buffers(world->bodies)->body_states, states, sizeof states);
}

typedef struct solve {
    stage s;
    ref_viscous ref;
    ref_viscous_body balls[BODIES];
    struct body_properties *properties;
    struct body_state *before, *after;
    ivec4 *positions, *starts;
    vec4 *v, *change;
    double (*at)[3], (*out)[3]; /* velocities; left sides of the equations */
} solve;

static struct body_state *read_states(void)
{
    return download(world, body_set_buffers(world->bodies)->body_iterated_states, BODIES,
                    sizeof(struct body_state));
}

static uint32_t find_pass(uint32_t from, const char *name, uint32_t constant)
{
    for (uint32_t i = from; i < world->pass_count; i++)
        if (strcmp(gpu_pipeline_name(world->passes[i].pipeline), name) == 0 &&
            world->passes[i].constant == constant)
            return i;
    fail_msg("no row of %s with %u", name, constant);
    return 0;
}

/* Runs all passes of the solve, from the current one up to the last one of the bodies. */
static void run_solve(solve *c)
{
    uint32_t loop = step_pass(world, "viscous_body_matvec");
    uint32_t end = find_pass(loop, "viscous_body_cg_stage", SIM_BODY_CG_APPLY);
    uint32_t move = step_pass(world, "viscous_apply");
    run_step_passes(world, c->s.pass, loop);
    OK(gpu_run_passes(device, &world->passes[loop], end - loop));
    run_step_passes(world, end, move);
    OK(gpu_buffer_download(device, world->buffers.status, 0, &c->s.status, sizeof c->s.status));
}

/* Overwrites the sums with invalid values: elements that no pass writes must not be read as
 * drag. */
static void spoil_pulls(void)
{
    uint64_t count = gpu_buffer_count(world->buffers.body_boundary_sums);
    vec4 *spoilt = base_alloc(count, sizeof *spoilt);
    assert_non_null(spoilt);
    for (uint64_t i = 0; i < count; i++)
        spoilt[i] = (vec4){1e6f, 1e6f, 1e6f, 1e6f};
    upload(world, world->buffers.body_boundary_sums, spoilt, count * sizeof *spoilt);
    base_free(spoilt);
}

static void open_solve(solve *c, uint32_t count, bool asleep)
{
    *c = (solve){0};
    place_bodies(asleep);
    spoil_pulls();
    enter(&c->s, world, count, "viscous_body_cg_stage");
    c->properties =
        download(world, body_set_buffers(world->bodies)->bodies, BODIES, sizeof *c->properties);
    c->before = read_states();
    c->positions = fixed(&c->s, world->buffers.iterated_positions);
    c->starts = fixed(&c->s, world->buffers.sorted_positions);
    c->v = stream(&c->s, world->buffers.viscous_velocities);
    c->at = base_alloc(count + 1u, sizeof *c->at);
    c->out = base_alloc(count + 1u, sizeof *c->out);
    assert_true(c->at && c->out);
    c->ref = (ref_viscous){.params = &c->s.params,
                           .balls = c->s.balls,
                           .spacing = (double)scene->spacing,
                           .support = (double)scene->solver.support_radius,
                           .dt = (double)c->s.status.dt,
                           .count = c->s.count,
                           .positions = c->positions,
                           .starts = c->starts,
                           .bodies = c->balls,
                           .body_count = BODIES};
    for (uint32_t f = 0; f < scene->fluid_count; f++)
        c->ref.fluids[f] = (ref_viscous_fluid){(double)scene->fluids[f].density,
                                               (double)scene->fluids[f].dynamic_viscosity};
    run_solve(c);
    c->change = stream(&c->s, world->buffers.viscous_velocities);
    c->after = read_states();
}

static void close_solve(solve *c)
{
    void *arrays[] = {c->properties, c->before, c->after, c->positions, c->starts,
                      c->change,     c->v,      c->at,    c->out};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_lists(&c->s.lists);
}

static void widen(double to[3], vec4 from)
{
    to[0] = (double)from.x, to[1] = (double)from.y, to[2] = (double)from.z;
}

/* Computes the left sides of the equations when particles have changed by `share` of the solution
 * and bodies have `states`. Positions are those before the solve; the inertia of a ball is a
 * scalar. */
static void apply(solve *c, double share, const struct body_state *states)
{
    for (uint32_t i = 0; i < c->s.count; i++) {
        double change[3];
        widen(c->at[i], c->v[i]);
        widen(change, c->change[i]);
        for (int k = 0; k < 3; k++)
            c->at[i][k] += share * change[k];
    }
    for (uint32_t b = 0; b < BODIES; b++) {
        ref_viscous_body *ball = &c->balls[b];
        *ball =
            (ref_viscous_body){.radius_m = (double)scene->shapes[scene->bodies[b].shape].radius};
        widen(ball->centre, c->before[b].position);
        widen(ball->velocity, states[b].velocity);
        widen(ball->rate, states[b].angular_momentum);
        for (int k = 0; k < 3; k++)
            ball->rate[k] *= (double)c->properties[b].inertia.x;
    }
    ref_viscous_apply(&c->ref, true, (const double(*)[3])c->at, c->out, NULL);
}

/* Returns the residual of the particles' equations over the initial one. */
static double left_of_particles(solve *c)
{
    double sums[2] = {0};
    for (int after = 0; after < 2; after++) {
        apply(c, after, after ? c->after : c->before);
        for (uint32_t i = 0; i < c->s.count; i++) {
            double density = c->ref.fluids[c->starts[i].w].density, v[3];
            widen(v, c->v[i]);
            for (int k = 0; k < 3; k++) {
                double rest = density * v[k] - c->out[i][k];
                sums[after] += rest * rest / density;
            }
        }
    }
    return sqrt(sums[1] / sums[0]);
}

/* m3: the mass of a particle follows from the rest density of its lattice, for a volume slightly
 * below d^3. */
static double volume_of_particle(const solve *c)
{
    const struct sim_fluid *honey = &c->s.params.fluids[0];
    return (double)honey->mass / (double)honey->density;
}

/* Checks that a body's momentum and angular momentum change by its drag. */
static void check_body(const solve *c, uint32_t b)
{
    const struct body_state *from = &c->before[b], *to = &c->after[b];
    double volume = volume_of_particle(c), mass = 1.0 / (double)c->properties[b].centre.w;
    double v0[3], v1[3], l0[3], l1[3], all = 0.0, turn = 0.0;
    widen(v0, from->velocity), widen(v1, to->velocity);
    widen(l0, from->angular_momentum), widen(l1, to->angular_momentum);
    for (int k = 0; k < 3; k++) {
        all += fabs(mass * (v1[k] - v0[k]));
        turn += fabs(l1[k] - l0[k]);
    }
    assert_true(all > 1e-3 && turn > 1e-6);
    for (int k = 0; k < 3; k++) {
        double drag = volume * c->balls[b].force[k], moment = volume * c->balls[b].moment[k];
        assert_near("momentum", mass * (v1[k] - v0[k]), drag, 5e-3 * all);
        assert_near("angular momentum", l1[k] - l0[k], moment, 3e-2 * turn);
    }
}

/* Checks that the total momentum of fluid and bodies changes by 0, within the tolerance of the
 * solve. */
static void check_momentum(const solve *c)
{
    double sum[3] = {0}, all = 0.0, volume = volume_of_particle(c);
    for (uint32_t i = 0; i < c->s.count + BODIES; i++) {
        double from[3] = {0}, to[3], mass;
        if (i < c->s.count) {
            mass = volume * c->ref.fluids[c->starts[i].w].density;
            widen(to, c->change[i]);
        } else {
            uint32_t b = i - c->s.count;
            mass = 1.0 / (double)c->properties[b].centre.w;
            widen(from, c->before[b].velocity), widen(to, c->after[b].velocity);
        }
        for (int k = 0; k < 3; k++) {
            sum[k] += mass * (to[k] - from[k]);
            all += mass * fabs(to[k] - from[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        assert_near("momentum of all", sum[k], 0.0, 1e-4 * all);
}

static void fluid_and_bodies_drag_on_each_other(void **state)
{
    solve c;
    open_solve(&c, MANY, false);
    print_message("  %u iterations\n", c.s.status.viscous_iterations);
    assert_in_range(c.s.status.viscous_iterations, 6, 15); /* 17 without its diagonal */
    assert_near("left of the particles' equations", left_of_particles(&c), 0.0, LEFT);
    for (uint32_t b = 0; b < BODIES; b++)
        check_body(&c, b);
    check_momentum(&c);
    close_solve(&c);
}

static void a_body_that_sleeps_is_a_wall(void **state)
{
    solve c;
    open_solve(&c, MANY, true);
    assert_memory_equal(&c.before[1], &c.after[1], sizeof c.after[1]);
    assert_near("left of the particles' equations", left_of_particles(&c), 0.0, LEFT);
    check_body(&c, 0);
    close_solve(&c);
}

static void without_particles_bodies_keep_their_velocity(void **state)
{
    solve c;
    open_solve(&c, 0, false);
    assert_int_equal(c.s.status.viscous_iterations, 0);
    for (uint32_t b = 0; b < BODIES; b++)
        assert_memory_equal(&c.before[b].velocity, &c.after[b].velocity, sizeof(vec4));
    close_solve(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fluid_and_bodies_drag_on_each_other),
        cmocka_unit_test(a_body_that_sleeps_is_a_wall),
        cmocka_unit_test(without_particles_bodies_keep_their_velocity),
    };
    return cmocka_run_group_tests(tests, open_world, close_one_world);
}
