/* Invariants of every solver: momentum, ids, orientation, units. */
#include "device_support.h"
#include "sim_support.h"

/* 8 x 8 x 8 shaken particles around the origin, no gravity, walls out of reach. */
static const char blob[] =
    "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 60,"
    " 'domain': {'min': [-2, -2, -2], 'max': [2, 2, 2]},"
    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
    "'min': [-0.2, -0.2, -0.2], 'max': [0.2, 0.2, 0]}}, 'jitter': 0.4}},"
    " {'name': 'oil', 'fill': {'shape': {'box': {"
    "'min': [-0.2, -0.2, 0], 'max': [0.2, 0.2, 0.2]}}, 'jitter': 0.4, 'seed': 2}}]}";

/* A column that falls to the floor of a box, off its middle. */
static const char column[] = "{'spacing': 0.05, 'gravity': [0, -9.81, 0], 'frame_rate': 60,"
                             " 'domain': {'min': [-0.25, 0, -0.25], 'max': [0.5, 1, 0.25]},"
                             " 'solver': {'vorticity_confinement': 0.2},"
                             " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
                             "'min': [-0.25, 0, -0.25], 'max': [0, 0.4, 0.25]}}, 'jitter': 0.2}}]}";

/* One run from particles that the test chooses. */
typedef struct run {
    scene_data *scene;
    sim_world *world;
    uint32_t count;
    vec3 *x;
} run;

static void end_run(run *r)
{
    base_free(r->x);
    sim_destroy(&r->world);
    scene_destroy(&r->scene);
}

/* Rounds to the nearest d / 1024: such positions, and their mirror images, survive the
   conversion to fixed-point positions and back. */
static vec4 *initial(const run *r)
{
    vec4 *x = download_metres(r->world, r->world->buffers.positions, r->count);
    float unit = r->scene->spacing / 1024;
    for (uint32_t i = 0; i < r->count; i++)
        x[i] = (vec4){unit * roundf(x[i].x / unit), unit * roundf(x[i].y / unit),
                      unit * roundf(x[i].z / unit), x[i].w};
    return x;
}

static void begin_run(run *r, const char *text, const char *const *overrides)
{
    *r = (run){.scene = make_scene(text, overrides)};
    r->world = make_sim(device, r->scene);
    OK(sim_particle_count(r->world, &r->count));
    vec4 *x = initial(r);
    place_particles(r->world, (placing){r->count, x, NULL, NULL});
    base_free(x);
}

static void finish_run(run *r, uint32_t frames)
{
    run_frames(r->world, frames);
    base_free(r->x);
    r->x = read_vectors(r->world, WEIR_FIELD_POSITION, &r->count);
}

/* Returns the largest difference, in units of the first run's spacing. `map` maps a position of
   b to a. */
static double farthest(const run *a, const run *b, vec3 (*map)(vec3))
{
    double most = 0.0;
    assert_int_equal(a->count, b->count);
    for (uint32_t i = 0; i < a->count; i++) {
        vec3 d = vec3_sub(a->x[i], map ? map(b->x[i]) : b->x[i]);
        most = fmax(most, (double)vec3_length(d));
        if (!isfinite(d.x + d.y + d.z)) return INFINITY;
    }
    return most / (double)a->scene->spacing;
}

static void assert_at_most(const char *what, double value, double limit)
{
    print_message("  %s: %.3g, at most %.3g\n", what, value, limit);
    assert_true(value <= limit);
}

/* ---- momentum ------------------------------------------------------------------------------- */

static void assert_corrections_cancel(const char *const *overrides)
{
    run r;
    double sum[3] = {0}, turn[3] = {0}, total = 0.0, total_turn = 0.0;
    begin_run(&r, blob, overrides);
    vec4 *before = initial(&r);
    finish_run(&r, 1);
    for (uint32_t i = 0; i < r.count; i++) {
        double m = (double)r.scene->fluids[(uint32_t)before[i].w].density;
        const double p[3] = {(double)before[i].x, (double)before[i].y, (double)before[i].z};
        const double d[3] = {(double)r.x[i].x - p[0], (double)r.x[i].y - p[1],
                             (double)r.x[i].z - p[2]};
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            sum[k] += m * d[k];
            turn[k] += m * (p[a] * d[b] - p[b] * d[a]);
            total += m * fabs(d[k]);
            total_turn += m * fabs(p[a] * d[b]);
        }
    }
    assert_true(total / r.count > 1e-3 * (double)r.scene->spacing);
    for (int k = 0; k < 3; k++) {
        assert_at_most("momentum", fabs(sum[k]) / total, 1e-6);
        assert_at_most("angular momentum", fabs(turn[k]) / total_turn, 1e-6);
    }
    base_free(before);
    end_run(&r);
}

static void corrections_of_one_iteration_have_no_momentum(void **state)
{
    (void)state;
    static const char *const overrides[] = {"solver.substeps=1",       "solver.iterations=1",
                                            "solver.max_correction=1", "fluids[0].xsph=0",
                                            "fluids[1].xsph=0",        NULL};
    assert_corrections_cancel(overrides);
}

static void corrections_of_unequal_masses_have_no_momentum(void **state)
{
    (void)state;
    static const char *const overrides[] = {"solver.substeps=1", "solver.iterations=1",
                                            "solver.max_correction=1", "fluids[1].density=400",
                                            NULL};
    assert_corrections_cancel(overrides);
}

/* ---- ids ------------------------------------------------------------------------------------ */

/* The same particles in another order, each with its own id. Sums over neighbours are in the
   order of bin and id, so no bit changes. */
static void the_order_of_the_particles_in_memory_does_not_matter(void **state)
{
    (void)state;
    run a, b;
    begin_run(&a, column, NULL);
    begin_run(&b, column, NULL);
    vec4 *x = initial(&b), *moved = base_alloc(b.count, sizeof *moved);
    uint32_t *ids = base_alloc(b.count, sizeof *ids);
    assert_true(moved && ids);
    for (uint32_t i = 0; i < b.count; i++) {
        ids[i] = (uint32_t)((i * 7919ull + 5) % b.count);
        moved[i] = x[ids[i]];
    }
    place_particles(b.world, (placing){b.count, moved, NULL, ids});
    finish_run(&a, 5);
    finish_run(&b, 5);
    assert_memory_equal(a.x, b.x, a.count * sizeof *a.x);
    base_free(x);
    base_free(moved);
    base_free(ids);
    end_run(&a);
    end_run(&b);
}

/* With other ids the sums run in another order: only rounding differs after one substep. */
static void the_names_of_the_particles_do_not_matter(void **state)
{
    (void)state;
    static const char *const overrides[] = {"solver.substeps=1", "solver.support_radius=4",
                                            "solver.relaxation=0.15", NULL};
    run a, b;
    begin_run(&a, blob, overrides);
    begin_run(&b, blob, overrides);
    uint32_t *ids = base_alloc(b.count, sizeof *ids);
    assert_non_null(ids);
    for (uint32_t i = 0; i < b.count; i++)
        ids[i] = (uint32_t)((i * 7919ull + 5) % b.count);
    place_particles(b.world, (placing){b.count, NULL, NULL, ids});
    finish_run(&a, 1);
    finish_run(&b, 1);
    vec3 *renamed = base_alloc(b.count, sizeof *renamed);
    assert_non_null(renamed);
    for (uint32_t i = 0; i < b.count; i++)
        renamed[i] = b.x[ids[i]];
    base_free(b.x);
    b.x = renamed;
    double difference = farthest(&a, &b, NULL);
    assert_at_most("difference / d", difference, 1e-6);
    assert_true(difference > 0.0);
    base_free(ids);
    end_run(&a);
    end_run(&b);
}

/* ---- orientation ---------------------------------------------------------------------------- */

static vec3 mirror(vec3 p)
{
    return vec3_make(-p.x, p.y, p.z);
}

/* Rotates the axes back: the rotation maps x to y, y to z and z to x. */
static vec3 turned_back(vec3 p)
{
    return vec3_make(p.y, p.z, p.x);
}

/* Runs 20 substeps. */
static void a_mirrored_scene_runs_mirrored(void **state)
{
    (void)state;
    static const char *const overrides[] = {"domain.min=[-0.5,0,-0.25]", "domain.max=[0.25,1,0.25]",
                                            "fluids[0].fill.shape.box.min=[0,0,-0.25]",
                                            "fluids[0].fill.shape.box.max=[0.25,0.4,0.25]", NULL};
    run a, b;
    begin_run(&a, column, NULL);
    begin_run(&b, column, overrides);
    vec4 *x = initial(&a);
    for (uint32_t i = 0; i < a.count; i++)
        x[i].x = -x[i].x;
    place_particles(b.world, (placing){a.count, x, NULL, NULL});
    finish_run(&a, 5);
    finish_run(&b, 5);
    assert_at_most("difference / d", farthest(&a, &b, mirror), 1e-5);
    base_free(x);
    end_run(&a);
    end_run(&b);
}

static void a_turned_scene_runs_turned(void **state)
{
    (void)state;
    static const char *const overrides[] = {"domain.min=[-0.25,-0.25,0]",
                                            "domain.max=[0.25,0.5,1]",
                                            "gravity=[0,0,-9.81]",
                                            "fluids[0].fill.shape.box.min=[-0.25,-0.25,0]",
                                            "fluids[0].fill.shape.box.max=[0.25,0,0.4]",
                                            NULL};
    run a, b;
    begin_run(&a, column, NULL);
    begin_run(&b, column, overrides);
    vec4 *x = initial(&a);
    for (uint32_t i = 0; i < a.count; i++)
        x[i] = (vec4){x[i].z, x[i].x, x[i].y, x[i].w};
    place_particles(b.world, (placing){a.count, x, NULL, NULL});
    finish_run(&a, 5);
    finish_run(&b, 5);
    assert_at_most("difference / d", farthest(&a, &b, turned_back), 1e-5);
    base_free(x);
    end_run(&a);
    end_run(&b);
}

/* ---- units ---------------------------------------------------------------------------------- */

static vec3 shrunk(vec3 p)
{
    return vec3_scale(p, 0.125f);
}

/* All lengths and gravity are eight times as large. A power of two changes no rounding, so only
   a hidden constant with a unit can make a difference. */
static void a_scene_eight_times_as_large_moves_alike(void **state)
{
    (void)state;
    static const char *const overrides[] = {"spacing=0.4",
                                            "gravity=[0,-78.48,0]",
                                            "domain.min=[-2,0,-2]",
                                            "domain.max=[4,8,2]",
                                            "fluids[0].fill.shape.box.min=[-2,0,-2]",
                                            "fluids[0].fill.shape.box.max=[0,3.2,2]",
                                            NULL};
    run a, b;
    begin_run(&a, column, NULL);
    begin_run(&b, column, overrides);
    vec4 *x = initial(&a);
    for (uint32_t i = 0; i < a.count; i++)
        x[i] = (vec4){8 * x[i].x, 8 * x[i].y, 8 * x[i].z, x[i].w};
    place_particles(b.world, (placing){a.count, x, NULL, NULL});
    finish_run(&a, 5);
    finish_run(&b, 5);
    assert_at_most("difference / d", farthest(&a, &b, shrunk), 1e-6);
    base_free(x);
    end_run(&a);
    end_run(&b);
}

static void a_fluid_a_thousand_times_as_dense_moves_alike(void **state)
{
    (void)state;
    static const char *const light[] = {"fluids[0].density=20", NULL};
    static const char *const heavy[] = {"fluids[0].density=20000", NULL};
    run a, b;
    begin_run(&a, column, light);
    begin_run(&b, column, heavy);
    finish_run(&a, 5);
    finish_run(&b, 5);
    assert_at_most("difference / d", farthest(&a, &b, NULL), 1e-6);
    end_run(&a);
    end_run(&b);
}

/* ---- motion --------------------------------------------------------------------------------- */

/* Symplectic Euler: after n substeps x0 + v0 n dt - g dt^2 n (n + 1) / 2. The only error is the
   rounding of the position, once per substep. */
static void a_lone_particle_falls_as_the_integrator_says(void **state)
{
    (void)state;
    static const char *const overrides[] = {"gravity=[0,-9.81,0]", NULL};
    run r;
    begin_run(&r, blob, overrides);
    const vec4 x = {0.1f, 1.0f, -0.3f, 0}, v = {1.0f, 2.0f, -0.5f, 0};
    place_particles(r.world, (placing){1, &x, &v, NULL});
    finish_run(&r, 40);
    double n = 160, dt = 1.0 / 240;
    vec3 e = {(float)(0.1 + n * dt), (float)(1.0 + 2 * n * dt - 9.81 * dt * dt * n * (n + 1) / 2),
              (float)(-0.3 - 0.5 * n * dt)};
    assert_int_equal(r.count, 1);
    assert_at_most("error / distance", (double)vec3_length(vec3_sub(r.x[0], e)) / 1.5, 1e-6);
    end_run(&r);
}

static void assert_stays(const run *r, const vec4 *before, double limit)
{
    double most = 0.0;
    for (uint32_t i = 0; i < r->count; i++) {
        vec3 d = {r->x[i].x - before[i].x, r->x[i].y - before[i].y, r->x[i].z - before[i].z};
        most = fmax(most, (double)vec3_length(d));
    }
    assert_at_most("moved / d", most / (double)r->scene->spacing, limit);
}

/* Rotated and shifted, with a free surface: C is 0 in the interior; at the surface it is
   negative and clamped. */
static void a_lattice_at_rest_stays_where_it_is(void **state)
{
    (void)state;
    static const char *const overrides[] = {"solver.artificial_pressure=0", "solver.substeps=1",
                                            NULL};
    run r;
    begin_run(&r, blob, overrides);
    vec4 *x = base_alloc(r.count, sizeof *x);
    assert_non_null(x);
    quat q = quat_from_axis_angle(vec3_make(0.6f, 0.0f, 0.8f), 0.7f);
    for (uint32_t i = 0; i < r.count; i++) {
        vec3 p = {0.05f * (float)(i % 8), 0.05f * (float)(i / 8 % 8), 0.05f * (float)(i / 64)};
        p = quat_rotate(q, vec3_sub(p, vec3_make(0.175f, 0.175f, 0.175f)));
        x[i] = (vec4){p.x + 0.011f, p.y - 0.007f, p.z + 0.003f, 0};
    }
    place_particles(r.world, (placing){r.count, x, NULL, NULL});
    finish_run(&r, 1);
    assert_stays(&r, x, 1e-6);
    base_free(x);
    end_run(&r);
}

/* The same block, at rest and in uniform motion, for 200 substeps. The difference comes from the
   rounding of float32 positions. */
static void steady_motion_does_not_change_what_happens(void **state)
{
    (void)state;
    run a, b;
    const vec3 u = {0.75f, -0.5f, 0.25f};
    const uint32_t frames = 50;
    static const char *const calm[] = {"fluids[0].fill.jitter=0.05", "fluids[1].fill.jitter=0.05",
                                       NULL};
    begin_run(&a, blob, calm);
    begin_run(&b, blob, calm);
    vec4 *v = base_alloc(b.count, sizeof *v);
    assert_non_null(v);
    for (uint32_t i = 0; i < b.count; i++)
        v[i] = (vec4){u.x, u.y, u.z, 0};
    place_particles(b.world, (placing){b.count, NULL, v, NULL});
    finish_run(&a, frames);
    finish_run(&b, frames);
    for (uint32_t i = 0; i < b.count; i++)
        b.x[i] = vec3_sub(b.x[i], vec3_scale(u, (float)frames / 60.0f));
    assert_at_most("difference / d", farthest(&a, &b, NULL), 2e-2);
    base_free(v);
    end_run(&a);
    end_run(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(corrections_of_one_iteration_have_no_momentum),
        cmocka_unit_test(corrections_of_unequal_masses_have_no_momentum),
        cmocka_unit_test(the_order_of_the_particles_in_memory_does_not_matter),
        cmocka_unit_test(the_names_of_the_particles_do_not_matter),
        cmocka_unit_test(a_mirrored_scene_runs_mirrored),
        cmocka_unit_test(a_turned_scene_runs_turned),
        cmocka_unit_test(a_scene_eight_times_as_large_moves_alike),
        cmocka_unit_test(a_fluid_a_thousand_times_as_dense_moves_alike),
        cmocka_unit_test(a_lone_particle_falls_as_the_integrator_says),
        cmocka_unit_test(a_lattice_at_rest_stays_where_it_is),
        cmocka_unit_test(steady_motion_does_not_change_what_happens),
    };
    return cmocka_run_group_tests(tests, open_validated_device, close_device);
}
