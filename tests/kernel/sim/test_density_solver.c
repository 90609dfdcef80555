/* Tests the density constraint alone: it gives the same bits as a substep without forces, and the
 * sums of the paper for a caller's own neighbours. */
#define _POSIX_C_SOURCE 200809L
#include "density_solver_fixture.h"

/* ---- a substep ------------------------------------------------------------------------------ */

static void step_simulation(const weir_scene *scene, cloud *c)
{
    weir_sim *sim = NULL;
    uint32_t count = 0;
    size_t size = c->count * 3 * sizeof(float);
    assert_int_equal(weir_sim_create(shared_device, scene, &sim), WEIR_OK);
    assert_int_equal(weir_sim_get_particle_count(sim, &count), WEIR_OK);
    assert_int_equal(count, c->count);
    assert_int_equal(weir_sim_write_field(sim, WEIR_FIELD_POSITION, c->x, size), WEIR_OK);
    assert_int_equal(weir_sim_write_field(sim, WEIR_FIELD_VELOCITY, c->v, size), WEIR_OK);
    assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_POSITION, c->x, size), WEIR_OK);
    assert_int_equal(weir_sim_read_field(sim, WEIR_FIELD_VELOCITY, c->v, size), WEIR_OK);
    weir_sim_destroy(&sim);
}

static double moved(const cloud *a, const cloud *b)
{
    double most = 0.0;
    for (uint32_t i = 0; i < 3 * a->count; i++)
        most = fmax(most, fabs((double)a->x[i] - (double)b->x[i]));
    return most;
}

static void assert_same_as_substep(const char *text, bool planar)
{
    weir_density_solver_report report;
    weir_scene *scene = parse(text);
    weir_density_solver *solver = create(scene);
    fill(&given, -1.0f, planar);
    seen = other = given;
    step_simulation(scene, &seen);
    for (uint32_t i = 0; i < 3 * other.count; i++)
        other.x[i] += other.v[i] * DT; /* exact */
    given = other;
    const weir_density_solver_particles p = all_of(&other);
    solve(solver, &p, &report);
    assert_true(moved(&other, &given) > 0.02 * D);
    assert_memory_equal(other.x, seen.x, 12 * seen.count);
    assert_memory_equal(other.v, seen.v, 12 * seen.count);
    assert_int_equal(report.skipped, 0);
    assert_int_equal(report.fixed, 0);
    weir_density_solver_destroy(&solver);
    weir_scene_destroy(&scene);
}

static void it_is_a_substep_without_forces_bit_by_bit(void **state)
{
    static const char *const scenes[] = {
        SCENE("", ""),
        SCENE("", ", \"kernel\": \"wendland\", \"iterations\": 5"),
        SCENE("", ", \"kernel\": \"poly6\", \"artificial_pressure\": 0.02, "
                  "\"chebyshev_spectral_radius\": 0.6"),
        SCENE(", \"friction\": 0.4, \"sides\": {\"x\": \"periodic\", \"z\": \"periodic\"}",
              ", \"iterations\": 4"),
        SCENE("", ", \"iterations\": 40, \"tolerance\": {\"mean\": 0.02}"),
    };
    for (size_t i = 0; i < BASE_COUNT(scenes); i++)
        assert_same_as_substep(scenes[i], false);
    assert_same_as_substep(PLANE(""), true);
}

/* ---- the paper's sums ----------------------------------------------------------------------- */

/* of the scene's solver */
#define EPSILON 2.0
#define OMEGA 0.8
#define PRESSURE 0.01
#define DELTA_Q 0.3
#define CAP 0.25
#define CHECKED                                                                                \
    PLAIN ", \"constraint_softening\": 2, \"relaxation\": 0.8, \"artificial_pressure\": 0.01," \
          " \"artificial_pressure_distance\": 0.3, \"artificial_pressure_exponent\": 4, "      \
          "\"scale_artificial_pressure\": false, \"artificial_pressure_cutoff\": 0,"           \
          " \"max_correction\": 0.25, \"lattice_density_ratio\": 1"

static double poly6(double r2)
{
    double t = fmax(H * H - r2, 0.0);
    return 315.0 / (64.0 * 3.14159265358979 * pow(H, 9)) * t * t * t;
}

static double spiky(double r)
{
    double t = fmax(H - r, 0.0);
    return -45.0 / (3.14159265358979 * pow(H, 6)) * t * t;
}

/* Returns the volume for which a cubic lattice at rest has C = 0. */
static double volume(void)
{
    double sum = 0.0;
    for (int k = 0; k < 125; k++) {
        int x = k % 5 - 2, y = k / 5 % 5 - 2, z = k / 25 - 2;
        sum += poly6(D * D * (x * x + y * y + z * z));
    }
    return 1.0 / sum;
}

static double offset(const double *x, uint32_t i, uint32_t j, double d[3])
{
    double r2 = 0.0;
    for (uint32_t k = 0; k < 3; k++) {
        d[k] = x[3 * i + k] - x[3 * j + k];
        r2 += d[k] * d[k];
    }
    return r2;
}

static double multiplier(const double *x, const cloud *c, uint32_t i)
{
    double density = poly6(0.0), squares = 0.0, gradient[3] = {0}, d[3], v = volume();
    for (uint32_t n = c->offsets[i]; n < c->offsets[i + 1]; n++) {
        uint32_t j = c->neighbours[n];
        double r2 = offset(x, i, j, d), r = sqrt(r2), slope = v * spiky(r);
        if (j == i) continue;
        density += poly6(r2);
        squares += (double)c->w[j] * slope * slope;
        for (uint32_t k = 0; k < 3; k++)
            gradient[k] += slope * d[k] / r;
    }
    for (uint32_t k = 0; k < 3; k++)
        squares += (double)c->w[i] * gradient[k] * gradient[k];
    double constraint = fmax(v * density - 1.0, 0.0);
    return c->w[i] > 0.0f ? -constraint / (squares + EPSILON / (H * H)) : 0.0;
}

typedef struct iterate {
    const double *x, *lambda;
    const cloud *c;
} iterate;

static void correct(const iterate *at, uint32_t i, double to[3])
{
    const double *x = at->x, *lambda = at->lambda;
    const cloud *c = at->c;
    double d[3], v = volume(), sum[3] = {0}, size = 0.0;
    for (uint32_t n = c->offsets[i]; n < c->offsets[i + 1]; n++) {
        uint32_t j = c->neighbours[n];
        double r2 = offset(x, i, j, d), r = sqrt(r2);
        if (j == i) continue;
        double ratio = poly6(r2) / poly6(DELTA_Q * H * DELTA_Q * H);
        double s = lambda[i] + lambda[j] - PRESSURE * H * H * pow(ratio, 4);
        for (uint32_t k = 0; k < 3; k++)
            sum[k] += OMEGA * (double)c->w[i] * s * v * spiky(r) * d[k] / r;
    }
    for (uint32_t k = 0; k < 3; k++)
        size += sum[k] * sum[k];
    double share = sqrt(size) > CAP * D ? CAP * D / sqrt(size) : 1.0;
    for (uint32_t k = 0; k < 3; k++)
        to[k] = x[3 * i + k] + share * sum[k];
}

/* Runs the three iterations of PLAIN. */
static void reference(cloud *c)
{
    static double x[3 * ROOM], next[3 * ROOM], lambda[ROOM];
    for (uint32_t i = 0; i < 3 * c->count; i++)
        x[i] = (double)c->x[i];
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < c->count; i++)
            lambda[i] = multiplier(x, c, i);
        for (uint32_t i = 0; i < c->count; i++)
            correct(&(iterate){x, lambda, c}, i, next + 3 * i);
        memcpy(x, next, sizeof x);
    }
    for (uint32_t i = 0; i < 3 * c->count; i++) {
        c->v[i] += (float)((x[i] - (double)c->x[i]) / (double)DT);
        c->x[i] = (float)x[i];
    }
}

static void assert_near(const cloud *a, const cloud *b)
{
    double position = moved(a, b), velocity = 0.0;
    for (uint32_t i = 0; i < 3 * a->count; i++)
        velocity = fmax(velocity, fabs((double)a->v[i] - (double)b->v[i]));
    if (position > 1e-5 * D || velocity > 1e-5 * D / (double)DT)
        fail_msg("off by %g spacings, %g spacings a step", position / D, velocity / D * (double)DT);
}

static void it_is_what_the_paper_says(void **state)
{
    weir_density_solver_report report;
    weir_density_solver *solver = create_from(SCENE(OPEN, CHECKED));
    fill(&given, -0.25f, false);
    list_all(&given);
    seen = other = given;
    reference(&other);
    assert_true(moved(&given, &other) > 0.05 * D);
    weir_density_solver_particles p = all_of(&seen);
    solve(solver, &p, &report);
    assert_near(&seen, &other);
    assert_int_equal(report.iterations, 3);
    assert_true(report.converged);
    assert_float_equal(report.density_error_mean, -1.0f, 0.0f);

    seen = given; /* velocities are optional */
    p.velocities = NULL;
    solve(solver, &p, &report);
    assert_memory_equal(seen.v, given.v, sizeof given.v);
    memcpy(seen.v, other.v, sizeof seen.v);
    assert_near(&seen, &other);
    weir_density_solver_destroy(&solver);
}

/* Velocities of an earlier call are not reused. */
static void without_velocities_walls_rub_as_at_rest(void **state)
{
    weir_density_solver_report report;
    weir_density_solver *solver = create_from(SCENE(", \"friction\": 0.4", PLAIN));
    fill(&given, -1.0f, false);
    other = seen = given;
    weir_density_solver_particles p = all_of(&other);
    memset(other.v, 0, sizeof other.v);
    solve(solver, &p, &report);
    p = all_of(&seen); /* leaves velocities in the solver before a call without any */
    solve(solver, &p, &report);
    seen = given;
    p.velocities = NULL;
    solve(solver, &p, &report);
    assert_memory_equal(seen.x, other.x, 12 * given.count);
    weir_density_solver_destroy(&solver);
}

/* The same holds for two calls in a row with a search between them. */
static void a_callers_lists_serve_as_well(void **state)
{
    weir_density_solver_report report;
    weir_density_solver *solver = create_from(SCENE(OPEN, CHECKED));
    fill(&given, -0.25f, false);
    list_all(&given);
    other = given;
    reference(&other);
    for (int round = 0; round < 3; round++) {
        seen = given;
        weir_density_solver_particles p = all_of(&seen);
        if (round != 1) p.neighbour_offsets = seen.offsets, p.neighbours = seen.neighbours;
        solve(solver, &p, &report);
        assert_near(&seen, &other);
        assert_int_equal(report.invalid_entries, 0);
    }
    seen = given; /* without neighbours nothing moves */
    memset(seen.offsets, 0, sizeof seen.offsets);
    weir_density_solver_particles p = all_of(&seen);
    p.neighbour_offsets = seen.offsets;
    p.neighbours = seen.neighbours;
    solve(solver, &p, &report);
    assert_memory_equal(seen.x, given.x, 12 * given.count);
    assert_memory_equal(seen.v, given.v, 12 * given.count);
    weir_density_solver_destroy(&solver);
}

/* The lower half is fixed; some of the other particles are heavy. */
static void held_particles_stay_and_push(void **state)
{
    weir_density_solver_report report;
    uint32_t half = SIDE * SIDE * SIDE / 2;
    weir_density_solver *solver = create_from(SCENE(OPEN, CHECKED));
    fill(&given, -0.25f, false);
    list_all(&given);
    for (uint32_t i = 0; i < given.count; i++)
        given.w[i] = i < half ? (i % 2 ? -0.0f : 0.0f) : i % 3 == 0 ? 0.25f : 1.0f;
    other = given;
    reference(&other);
    memcpy(other.v, given.v, 12 * half);
    for (int listed = 0; listed < 2; listed++) {
        seen = given;
        weir_density_solver_particles p = all_of(&seen);
        p.inverse_masses = seen.w;
        if (listed) p.neighbour_offsets = seen.offsets, p.neighbours = seen.neighbours;
        solve(solver, &p, &report);
        assert_int_equal(report.fixed, half);
        assert_memory_equal(seen.x, given.x, 12 * half);
        assert_memory_equal(seen.v, given.v, 12 * half);
        assert_near(&seen, &other);
    }
    seen = given; /* without the fixed half, the others would end elsewhere */
    seen.count = other.count = given.count - half;
    memmove(seen.x, given.x + 3 * half, 12 * seen.count);
    memmove(other.x, other.x + 3 * half, 12 * seen.count);
    weir_density_solver_particles p = all_of(&seen);
    solve(solver, &p, &report);
    assert_true(moved(&seen, &other) > 0.01 * D);
    weir_density_solver_destroy(&solver);
}

/* A boundary of fixed particles at a closed side of the domain is not moved off it. */
static void held_particles_may_stand_at_a_side(void **state)
{
    weir_density_solver_report report;
    weir_density_solver *solver = create_from(SCENE("", PLAIN));
    fill(&given, -1.0f, false);
    for (uint32_t i = 0; i < given.count; i++) {
        given.w[i] = i % SIDE == 0 ? 0.0f : 1.0f;
        if (i % SIDE == 0) given.x[3 * i] = -1.0f;
    }
    seen = given;
    weir_density_solver_particles p = all_of(&seen);
    p.inverse_masses = seen.w;
    solve(solver, &p, &report);
    assert_true(moved(&seen, &given) > 0.02 * D);
    for (uint32_t i = 0; i < given.count; i += SIDE)
        assert_memory_equal(seen.x + 3 * i, given.x + 3 * i, 12);
    weir_density_solver_destroy(&solver);
}

/* All particles are within reach of each other: lists grow as needed, and none is truncated. */
static void crowds_are_listed_whole(void **state)
{
    weir_density_solver_report report;
    weir_density_solver *solver = create_from(SCENE(OPEN, CHECKED));
    fill(&given, 0.0f, false);
    for (uint32_t i = 0; i < 3 * given.count; i++)
        given.x[i] *= 0.15f;
    list_all(&given);
    other = seen = given;
    reference(&other);
    weir_density_solver_particles p = all_of(&seen);
    solve(solver, &p, &report);
    assert_near(&seen, &other);
    weir_density_solver_destroy(&solver);
}

/* A particle beyond an open side keeps its position, and the others ignore it. */
static void what_is_outside_is_left_alone(void **state)
{
    weir_density_solver_report report;
    weir_density_solver *solver = create_from(SCENE(OPEN, PLAIN));
    fill(&given, 0.5f, false);
    for (uint32_t i = 0; i < given.count; i++)
        if (i % SIDE == SIDE - 1) given.x[3 * i] = 1.03f;
    list_all(&given);
    other = given;
    weir_density_solver_particles p = all_of(&other);
    solve(solver, &p, &report);
    assert_int_equal(report.skipped, SIDE * SIDE);
    seen = given;
    p = all_of(&seen);
    p.neighbour_offsets = seen.offsets;
    p.neighbours = seen.neighbours;
    solve(solver, &p, &report);
    assert_int_equal(report.skipped, SIDE * SIDE);
    assert_near(&seen, &other);
    for (uint32_t i = SIDE - 1; i < given.count; i += SIDE)
        assert_memory_equal(seen.x + 3 * i, given.x + 3 * i, 12);
    weir_density_solver_destroy(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_a_substep_without_forces_bit_by_bit),
        cmocka_unit_test(it_is_what_the_paper_says),
        cmocka_unit_test(without_velocities_walls_rub_as_at_rest),
        cmocka_unit_test(a_callers_lists_serve_as_well),
        cmocka_unit_test(held_particles_stay_and_push),
        cmocka_unit_test(held_particles_may_stand_at_a_side),
        cmocka_unit_test(crowds_are_listed_whole),
        cmocka_unit_test(what_is_outside_is_left_alone),
    };
    return cmocka_run_group_tests(tests, open_shared_device, close_shared_device);
}
