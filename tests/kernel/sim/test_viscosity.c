/* Tests the implicit viscosity solve against its reference, pass by pass and as a whole, in a space
 * with two fluids, moving balls and a periodic axis, and in the plane. */
#include "scene_text.h"
#include "sim_pass_fixture.h"

#include "ref_force.h"
#include "ref_viscous.h"

#define MANY 600u
/* Relative to the largest element: float32 sums, and walls by an integral. */
#define TOLERANCE 3e-5

static const char plane[] =
    "{'spacing': 0.05, 'domain': {'min': [-0.1, 0, -0.3], 'max': [2.5, 2.5, 0.1]},"
    " 'solver': {'dimensions': 2, 'method': 'pcisph'},"
    " 'fluids': [{'name': 'tar', 'dynamic_viscosity': 1000, 'fill': {'shape': {'box': {"
    "'min': [0, 0, -1], 'max': [0.5, 0.5, 1]}}}}]}";

enum { SPACE, PLANE, FREE, WORLDS };
static gpu_device *devices[WORLDS];
static scene_data *scenes[WORLDS];
static sim_world *worlds[WORLDS];

static int open_worlds(void **state)
{
    const char *const texts[WORLDS] = {scene_text("viscosity_space"), plane,
                                       scene_text("viscosity_space")};
    static const char *const no_walls[] = {"domain.sides.y=open", "domain.sides.z=open",
                                           "gravity=[0,0,0]", "solids=[]", NULL};
    for (int w = 0; w < WORLDS; w++) {
        const grid_capacity first = {MANY + 8, 96, 4096};
        sim_create_options choices = {.initial_capacity = &first, .compact_lists = w == PLANE};
        devices[w] = open_gpu(true);
        scenes[w] = make_scene(texts[w], w == FREE ? no_walls : NULL);
        OK(sim_create_with_options(devices[w], scenes[w], &choices, &worlds[w]));
    }
    return 0;
}

static int close_worlds(void **state)
{
    return close_sims(devices, scenes, worlds, WORLDS);
}

static void at_every_size(void (*check)(stage *s, sim_world *world, uint32_t count))
{
    static const uint32_t sizes[] = {0, 1, 65, MANY};
    for (int w = 0; w < WORLDS; w++)
        for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
            stage s;
            check(&s, worlds[w], sizes[i]);
            free_lists(&s.lists);
        }
}

/* ---- stage with its reference --------------------------------------------------------------- */

typedef struct viscous_stage {
    stage *s;
    ref_viscous ref;
    ivec4 *positions, *starts;
    bool sticks[4];
    double (*v)[3], (*out)[3], *diagonal;
} viscous_stage;

static double (*vectors(uint32_t count))[3]
{
    double(*array)[3] = base_alloc(count + 1u, sizeof *array);
    assert_non_null(array);
    return array;
}

/* Reads the particles at the current pass. */
static void open_stage(viscous_stage *t, stage *s)
{
    const scene_data *scene = s->world->scene;
    *t = (viscous_stage){.s = s};
    t->positions = fixed(s, s->world->buffers.iterated_positions);
    t->starts = fixed(s, s->world->buffers.sorted_positions);
    t->v = vectors(s->count);
    t->out = vectors(s->count);
    t->diagonal = base_alloc(s->count + 1u, sizeof *t->diagonal);
    assert_non_null(t->diagonal);
    t->ref = (ref_viscous){.params = &s->params,
                           .balls = s->balls,
                           .ball_sticks = t->sticks,
                           .sides_stick = scene->domain.no_slip,
                           .spacing = (double)scene->spacing,
                           .support = (double)scene->solver.support_radius,
                           .dt = (double)s->status.dt,
                           .count = s->count,
                           .positions = t->positions,
                           .starts = t->starts};
    for (uint32_t i = 0; i < scene->solid_count; i++)
        t->sticks[i] = scene->solids[i].no_slip;
    for (uint32_t f = 0; f < scene->fluid_count; f++)
        t->ref.fluids[f] = (ref_viscous_fluid){(double)scene->fluids[f].density,
                                               (double)scene->fluids[f].dynamic_viscosity};
}

static void close_stage(viscous_stage *t)
{
    void *arrays[] = {t->positions, t->starts, t->v, t->out, t->diagonal};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void widen(double (*to)[3], const vec4 *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        to[i][0] = (double)from[i].x;
        to[i][1] = (double)from[i].y;
        to[i][2] = (double)from[i].z;
    }
}

static double largest(const double (*v)[3], uint32_t count)
{
    double most = 0.0;
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            most = fmax(most, fabs(v[i][k]));
    return most;
}

static void assert_like(const char *what, const vec4 *got, const double (*expected)[3],
                        uint32_t count)
{
    float tolerance = (float)(TOLERANCE * largest(expected, count));
    for (uint32_t i = 0; i < count; i++) {
        vec3 e = {(float)expected[i][0], (float)expected[i][1], (float)expected[i][2]};
        assert_vec3_near(what, i, got[i], e, tolerance);
    }
}

/* ---- passes --------------------------------------------------------------------------------- */

static void check_velocity(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "viscous_initial_velocity");
    ivec4 *to = fixed(s, world->buffers.iterated_positions),
          *from = fixed(s, world->buffers.sorted_positions);
    run_pass(s);
    vec4 *v = stream(s, world->buffers.viscous_velocities);
    for (uint32_t i = 0; i < s->count; i++) {
        float scale = s->params.origin.w / s->status.dt;
        vec3 moved = {(float)(to[i].x - from[i].x) * scale, (float)(to[i].y - from[i].y) * scale,
                      (float)(to[i].z - from[i].z) * scale};
        assert_vec3_near("velocity", i, v[i], moved, 2.0f * scale + 1e-5f * vec3_length(moved));
    }
    void *arrays[] = {to, from, v};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void the_solve_starts_from_the_predicted_displacement_over_the_substep(void **state)
{
    at_every_size(check_velocity);
}

static void check_begin(stage *s, sim_world *world, uint32_t count)
{
    viscous_stage t;
    enter(s, world, count, "viscous_residual");
    open_stage(&t, s);
    vec4 *v = stream(s, world->buffers.viscous_velocities);
    widen(t.v, v, s->count);
    run_pass(s);
    vec4 *residual = stream(s, world->buffers.viscous_residuals);
    ref_viscous_apply(&t.ref, true, (const double(*)[3])t.v, t.out, t.diagonal);
    for (uint32_t i = 0; i < s->count; i++) {
        double density = t.ref.fluids[t.starts[i].w].density;
        for (int k = 0; k < 3; k++)
            t.out[i][k] = density * t.v[i][k] - t.out[i][k];
        assert_near("scale", (double)residual[i].w * t.diagonal[i], 1.0, 1e-4);
    }
    assert_like("residual", residual, (const double(*)[3])t.out, s->count);
    base_free(v);
    base_free(residual);
    close_stage(&t);
}

static void the_first_residual_is_the_viscous_force_of_neighbours_and_walls(void **state)
{
    at_every_size(check_begin);
}

static void check_multiply(stage *s, sim_world *world, uint32_t count)
{
    viscous_stage t;
    enter(s, world, count, "viscous_matvec");
    open_stage(&t, s);
    vec4 *residual = stream(s, world->buffers.viscous_residuals);
    double sums[2] = {0}, size = 0.0, product = 0.0;
    for (uint32_t i = 0; i < s->count; i++) {
        float w = residual[i].w;
        vec4 scaled = {residual[i].x * w, residual[i].y * w, residual[i].z * w, 0};
        widen(&t.v[i], &scaled, 1);
    }
    run_pass(s);
    vec4 *products = stream(s, world->buffers.residual_products);
    uint32_t groups = (s->count + SIM_VISCOUS_SEGMENT - 1) / SIM_VISCOUS_SEGMENT;
    float *partials = download(world, world->buffers.viscous_partials, groups, 8);
    ref_viscous_apply(&t.ref, false, (const double(*)[3])t.v, t.out, NULL);
    assert_like("product", products, (const double(*)[3])t.out, s->count);
    for (uint32_t g = 0; g < groups; g++) {
        sums[0] += (double)partials[2 * g];
        sums[1] += (double)partials[2 * g + 1];
    }
    for (uint32_t i = 0; i < s->count; i++) {
        const double r[3] = {(double)residual[i].x, (double)residual[i].y, (double)residual[i].z};
        for (int k = 0; k < 3; k++) {
            size += r[k] * t.v[i][k];
            product += t.out[i][k] * t.v[i][k];
        }
    }
    assert_near("residual . scaled residual", sums[0], size, 1e-5 * size);
    assert_near("product . scaled residual", sums[1], product, 1e-4 * product);
    void *arrays[] = {residual, products, partials};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    close_stage(&t);
}

static void the_product_is_that_of_the_implicit_matrix(void **state)
{
    at_every_size(check_multiply);
}

/* ---- whole solve ---------------------------------------------------------------------------- */

/* Runs the loop from the current pass to its end, at most `most` iterations. */
static void run_loop(stage *s, uint32_t most)
{
    gpu_pass passes[3];
    memcpy(passes, &s->world->passes[s->pass], sizeof passes);
    passes[0].repeat = most + 1;
    passes[1].constant = most;
    OK(gpu_run_passes(s->world->device, passes, 3));
    OK(gpu_buffer_download(s->world->device, s->world->buffers.status, 0, &s->status,
                           sizeof s->status));
}

static double reached(const stage *s)
{
    float residual;
    memcpy(&residual, &s->status.viscous_residual, 4);
    return (double)residual;
}

/* Returns r . r over the diagonal of the matrix. */
static double size_of(const viscous_stage *t, const double (*r)[3])
{
    double sum = 0.0;
    for (uint32_t i = 0; i < t->s->count; i++)
        sum += (r[i][0] * r[i][0] + r[i][1] * r[i][1] + r[i][2] * r[i][2]) / t->diagonal[i];
    return sum;
}

/* Returns the residual of the equation after the velocities have changed by `change`. */
static double rest_of(viscous_stage *t, const vec4 *v, const vec4 *change)
{
    double(*rest)[3] = vectors(t->s->count);
    widen(t->v, v, t->s->count);
    for (uint32_t i = 0; i < t->s->count; i++) {
        const double moved[3] = {(double)change[i].x, (double)change[i].y, (double)change[i].z};
        for (int k = 0; k < 3; k++) {
            rest[i][k] = t->ref.fluids[t->starts[i].w].density * t->v[i][k];
            t->v[i][k] += moved[k];
        }
    }
    ref_viscous_apply(&t->ref, true, (const double(*)[3])t->v, t->out, t->diagonal);
    for (uint32_t i = 0; i < t->s->count; i++)
        for (int k = 0; k < 3; k++)
            rest[i][k] -= t->out[i][k];
    double size = sqrt(size_of(t, (const double(*)[3])rest));
    base_free(rest);
    return size;
}

static void check_solve(stage *s, sim_world *world, uint32_t count)
{
    viscous_stage t;
    enter(s, world, count, "viscous_matvec");
    open_stage(&t, s);
    vec4 *v = stream(s, world->buffers.viscous_velocities);
    vec4 *still = base_alloc(s->count + 1u, sizeof *still);
    run_loop(s, SIM_VISCOUS_MAX_ITERATIONS);
    vec4 *change = stream(s, world->buffers.viscous_velocities);
    bool solved = s->status.viscous_iterations > 0;
    double before = rest_of(&t, v, still), after = rest_of(&t, v, solved ? change : still);
    assert_true(reached(s) <= (double)SIM_VISCOUS_TOLERANCE);
    assert_true(s->status.viscous_iterations < SIM_VISCOUS_MAX_ITERATIONS);
    if (count > 1) assert_true(s->status.viscous_iterations > 5);
    assert_near("residual", after, 0.0, 1.5e-4 * before + 1e-6);
    if (world == worlds[FREE]) {
        double sum = 0.0, all = 0.0;
        for (uint32_t i = 0; i < s->count && solved; i++) {
            double density = t.ref.fluids[t.starts[i].w].density;
            sum += density * (double)change[i].y;
            all += density * fabs((double)change[i].y);
        }
        /* within the tolerance of the solve */
        assert_near("change of momentum", sum, 0.0, 2e-4 * all);
    }
    void *arrays[] = {v, still, change};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    close_stage(&t);
}

static void the_solve_reaches_its_tolerance_and_keeps_momentum(void **state)
{
    at_every_size(check_solve);
}

static void a_solve_that_is_cut_short_reports_what_it_reached(void **state)
{
    stage s;
    enter(&s, worlds[SPACE], MANY, "viscous_matvec");
    run_loop(&s, 3);
    assert_int_equal(s.status.viscous_iterations, 3);
    assert_true(reached(&s) > 0.001 && reached(&s) < 1.0);
    free_lists(&s.lists);
}

/* A body in rigid rotation has no viscous force: the forces of pairs act along their direction. */
static void a_rigid_rotation_stays(void **state)
{
    stage s;
    sim_world *world = worlds[FREE];
    enter(&s, world, 400, "viscous_residual");
    ivec4 *places = fixed(&s, world->buffers.iterated_positions);
    vec4 *v = stream(&s, world->buffers.viscous_velocities);
    for (uint32_t i = 0; i < s.count; i++) {
        vec4 p = metres(&s, places[i]);
        v[i] = (vec4){-3.0f * p.y, 3.0f * p.x + 2.0f * p.z, -2.0f * p.y, 0};
    }
    upload(world, world->buffers.viscous_velocities, v, s.count * sizeof *v);
    run_pass(&s);
    vec4 *residual = stream(&s, world->buffers.viscous_residuals);
    for (uint32_t i = 0; i < s.count; i++)
        assert_vec3_near("force", i, residual[i], (vec3){0}, 2e-3f);
    void *arrays[] = {places, v, residual};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
    free_lists(&s.lists);
}

/* Adds the residual that the solve has left, evenly within each segment, m/s. */
static void add_rest(const stage *s, vec4 *change)
{
    const uint32_t group = SIM_VISCOUS_SEGMENT;
    vec4 *residuals = stream(s, s->world->buffers.viscous_residuals);
    ivec4 *starts = fixed(s, s->world->buffers.sorted_positions);
    for (uint32_t first = 0; first < s->count; first += group) {
        double sum[3] = {0.0, 0.0, 0.0}, density = 0.0;
        uint32_t end = first + group < s->count ? first + group : s->count;
        for (uint32_t i = first; i < end; i++) {
            density += (double)s->params.fluids[starts[i].w].density;
            for (int k = 0; k < 3; k++)
                sum[k] += (double)ref_axis(xyz(residuals[i]), (uint32_t)k);
        }
        vec3 rest = {(float)(sum[0] / density), (float)(sum[1] / density),
                     (float)(sum[2] / density)};
        for (uint32_t i = first; i < end; i++)
            change[i].x += rest.x, change[i].y += rest.y, change[i].z += rest.z;
    }
    base_free(residuals);
    base_free(starts);
}

static void check_move(stage *s, sim_world *world, uint32_t count)
{
    enter(s, world, count, "viscous_matvec");
    run_loop(s, SIM_VISCOUS_MAX_ITERATIONS);
    ivec4 *from = fixed(s, world->buffers.iterated_positions);
    vec4 *change = stream(s, world->buffers.viscous_velocities);
    add_rest(s, change);
    s->pass = step_pass(world, "viscous_apply");
    run_pass(s);
    ivec4 *to = fixed(s, world->buffers.iterated_positions);
    bool solved = s->status.viscous_iterations > 0;
    for (uint32_t i = 0; i < s->count; i++) {
        float steps = solved ? s->status.dt * s->params.units_per_metre : 0.0f;
        vec4 moved = {(float)(to[i].x - from[i].x), (float)(to[i].y - from[i].y),
                      (float)(to[i].z - from[i].z), 0};
        vec3 expected = vec3_scale(xyz(change[i]), steps);
        assert_vec3_near("displacement", i, moved, expected, 1.0f + 1e-5f * vec3_length(expected));
        assert_int_equal(to[i].w, from[i].w);
    }
    void *arrays[] = {from, change, to};
    for (size_t i = 0; i < BASE_COUNT(arrays); i++)
        base_free(arrays[i]);
}

static void particles_move_by_the_change_of_their_velocity(void **state)
{
    at_every_size(check_move);
}

/* ---- solids --------------------------------------------------------------------------------- */

#define SOLIDS 2u

static void read_loads(const stage *s, ref_load *loads)
{
    uint32_t *sums = download(s->world, s->world->buffers.solid_impulse_sums,
                              SOLIDS * SIM_SOLID_IMPULSE_WORDS, sizeof *sums);
    for (uint32_t i = 0; i < SOLIDS; i++) {
        loads[i] = (ref_load){0};
        ref_load_tally(&s->params, sums + i * SIM_SOLID_IMPULSE_WORDS, &loads[i]);
    }
    base_free(sums);
}

/* Applies the solved velocities: the displacement of the substep, and the change of velocity. */
static void reach(viscous_stage *t, bool solved)
{
    const stage *s = t->s;
    vec4 *change = stream(s, s->world->buffers.viscous_velocities);
    double rate = (double)s->params.origin.w / t->ref.dt;
    widen(t->v, change, s->count);
    for (uint32_t i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++) {
            double way = (double)(&t->positions[i].x)[k] - (double)(&t->starts[i].x)[k];
            t->v[i][k] = rate * way + (solved ? t->v[i][k] : 0.0);
        }
    base_free(change);
}

static void check_solids(bool solved)
{
    stage s;
    viscous_stage t;
    ref_viscous_body solids[SOLIDS] = {0};
    ref_load before[SOLIDS], after[SOLIDS];
    enter(&s, worlds[SPACE], MANY, "viscous_matvec");
    run_loop(&s, SIM_VISCOUS_MAX_ITERATIONS);
    s.status.viscous_iterations = solved ? s.status.viscous_iterations : 0;
    upload(s.world, s.world->buffers.status, &s.status, sizeof s.status);
    s.pass = step_pass(s.world, "viscous_solid_impulse");
    open_stage(&t, &s);
    reach(&t, solved);
    read_loads(&s, before);
    run_pass(&s);
    read_loads(&s, after);
    for (uint32_t b = 0; b < SOLIDS; b++) {
        const vec4 *o = &s.params.origin;
        memcpy(solids[b].centre, (const double[3]){(double)o->x, (double)o->y, (double)o->z},
               sizeof solids[b].centre);
    }
    t.ref.solids = solids;
    ref_viscous_apply(&t.ref, true, (const double(*)[3])t.v, t.out, NULL);
    double share = t.ref.dt * (double)s.params.fluids[0].mass / (double)s.params.fluids[0].density;
    for (uint32_t b = 0; b < SOLIDS; b++) {
        double most = 0.0, turn = 0.0;
        for (int k = 0; k < 3; k++) {
            most = fmax(most, share * fabs(solids[b].force[k]));
            turn = fmax(turn, share * fabs(solids[b].moment[k]));
        }
        assert_true(most > 1e-7 && turn > 1e-8);
        for (int k = 0; k < 3; k++) {
            assert_near("impulse", after[b].impulse[k] - before[b].impulse[k],
                        share * solids[b].force[k], 1e-4 * most);
            assert_near("moment", after[b].moment[k] - before[b].moment[k],
                        share * solids[b].moment[k], 1e-4 * turn);
        }
    }
    close_stage(&t);
    free_lists(&s.lists);
}

static void solids_get_the_drag_of_the_fluid_near_them(void **state)
{
    check_solids(true);
    check_solids(false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_solve_starts_from_the_predicted_displacement_over_the_substep),
        cmocka_unit_test(the_first_residual_is_the_viscous_force_of_neighbours_and_walls),
        cmocka_unit_test(the_product_is_that_of_the_implicit_matrix),
        cmocka_unit_test(the_solve_reaches_its_tolerance_and_keeps_momentum),
        cmocka_unit_test(a_solve_that_is_cut_short_reports_what_it_reached),
        cmocka_unit_test(a_rigid_rotation_stays),
        cmocka_unit_test(particles_move_by_the_change_of_their_velocity),
        cmocka_unit_test(solids_get_the_drag_of_the_fluid_near_them),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
