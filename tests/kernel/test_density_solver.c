/* Tests the density constraint alone: it gives the same bits as a substep without forces, and the
 * sums of the paper for a caller's own neighbours. */
#define _POSIX_C_SOURCE 200809L
#include "base.h"
#include "validation.h"

#include "api/kept_log.h"

#include "weir/density_solver.h"
#include "weir/sim.h"

#define ROOM 1024u
#define SIDE 8u /* particles along an edge of the block */
#define H 0.125
#define D 0.0625
#define DT (1.0f / 128.0f)

/* Lengths and the step are powers of two, so that floats represent every position exactly. */
#define SCENE_OF(box, sides, solver)                                                        \
    "{\"name\": \"alone\", \"domain\": {\"min\": [-1, -1, -1], \"max\": [1, 1, 1]"          \
    "" sides "}, \"gravity\": [0, 0, 0], \"frame_rate\": 128, \"duration\": 0.1,"           \
    " \"spacing\": 0.0625, \"solver\": {\"substeps\": 1, \"support_radius\": 2" solver "}," \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                   \
    " {" box "}}}}]}"
#define SCENE(sides, solver) \
    SCENE_OF("\"min\": [-1, -1, -1], \"max\": [-0.5, -0.5, -0.5]", sides, solver)
#define PLANE(solver) \
    SCENE_OF("\"min\": [-1, -1, -1], \"max\": [-0.5, -0.5, 1]", "", ", \"dimensions\": 2" solver)
#define OPEN ", \"sides\": {\"x\": \"open\", \"y\": \"open\", \"z\": \"open\"}"
#define PLAIN ", \"kernel\": \"poly6\", \"iterations\": 3, \"chebyshev_spectral_radius\": 0"

typedef struct cloud {
    uint32_t count;
    float x[3 * ROOM], v[3 * ROOM], w[ROOM];
    uint32_t offsets[ROOM + 1], neighbours[ROOM * ROOM / 2]; /* pairs within the support radius */
} cloud;

static weir_device *device;
static cloud given, seen, other;

static int open_device(void **state)
{
    weir_device_def def = test_device_def();
    (void)state;
    def.log = kept_log();
    ask_for_validation(&def);
    return weir_device_create(&def, &device) == WEIR_OK ? 0 : -1;
}

static int close_device(void **state)
{
    (void)state;
    uint32_t messages = weir_device_validation_count(device);
    weir_device_destroy(&device);
    return messages == 0 && !device ? 0 : -1;
}

static weir_scene *parse(const char *text)
{
    weir_scene *scene = NULL;
    weir_scene_def def = weir_scene_def_default();
    def.log = kept_log();
    if (weir_scene_parse(text, strlen(text), &def, &scene) != WEIR_OK) fail_msg("%s", logged);
    return scene;
}

static weir_density_solver *create(const weir_scene *scene)
{
    weir_density_solver *solver = NULL;
    if (weir_density_solver_create(device, scene, &solver) != WEIR_OK) fail_msg("%s", logged);
    return solver;
}

static weir_density_solver *create_from(const char *text)
{
    weir_scene *scene = parse(text);
    weir_density_solver *solver = create(scene);
    weir_scene_destroy(&scene);
    return solver;
}

/* Returns a multiple of `step`, uniformly from -most to most times it. */
static float scattered(uint32_t *seed, float step, int most)
{
    *seed = *seed * 1664525u + 1013904223u;
    return step * (float)((int)(*seed >> 16) % (2 * most + 1) - most);
}

/* Fills a compressed block in the corner of the domain, slightly disordered and in motion. */
static void fill(cloud *c, float corner, bool planar)
{
    uint32_t seed = 7;
    c->count = 0;
    for (uint32_t k = 0; k < SIDE * SIDE * (planar ? 1 : SIDE); k++, c->count++)
        for (uint32_t axis = 0, at = k; axis < 3; axis++, at /= SIDE) {
            float site = corner + 0.9375f * (float)D * ((float)(at % SIDE) + 0.5f);
            bool flat = planar && axis == 2;
            c->x[3 * k + axis] = rintf(site * 4096) / 4096 + scattered(&seed, 1.0f / 4096, 40);
            c->v[3 * k + axis] = scattered(&seed, 1.0f / 32, 64);
            if (flat) c->x[3 * k + 2] = c->v[3 * k + 2] = 0.0f;
        }
    for (uint32_t i = 0; i < c->count; i++)
        c->w[i] = 1.0f;
}

static weir_density_solver_particles all_of(cloud *c)
{
    weir_density_solver_particles p = weir_density_solver_particles_default();
    p.count = c->count;
    p.dt_s = DT;
    p.positions = c->x;
    p.velocities = c->v;
    return p;
}

static void solve(weir_density_solver *solver, const weir_density_solver_particles *p,
                  weir_density_solver_report *report)
{
    if (weir_density_solver_solve(solver, p, report) != WEIR_OK) fail_msg("%s", logged);
    assert_true(report->complete);
}

/* ---- a substep ------------------------------------------------------------------------------ */

static void step_simulation(const weir_scene *scene, cloud *c)
{
    weir_sim *sim = NULL;
    uint32_t count = 0;
    size_t size = c->count * 3 * sizeof(float);
    assert_int_equal(weir_sim_create(device, scene, &sim), WEIR_OK);
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
    (void)state;
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

/* Lists all pairs within reach at the start. Each particle also lists itself, which must not count
 * twice. */
static void list_all(cloud *c)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        c->offsets[i] = n;
        for (uint32_t j = c->count; j-- > 0;) {
            double r2 = 0.0;
            for (uint32_t k = 0; k < 3; k++)
                r2 += pow((double)c->x[3 * i + k] - (double)c->x[3 * j + k], 2.0);
            if (r2 < H * H) c->neighbours[n++] = j;
        }
    }
    c->offsets[c->count] = n;
}

/* of the scene's solver */
#define EPSILON 2.0
#define OMEGA 0.8
#define PRESSURE 0.01
#define DELTA_Q 0.3
#define CAP 0.25
#define CHECKED                                                                                \
    PLAIN ", \"constraint_softening\": 2, \"relaxation\": 0.8, \"artificial_pressure\": 0.01," \
          " \"artificial_pressure_distance\": 0.3, \"artificial_pressure_exponent\": 4, "      \
          "\"scale_artificial_pressure\": false,"                                              \
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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
    (void)state;
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

/* ---- tolerance, crowds, residuals ----------------------------------------------------------- */

static void a_tolerance_is_met_and_reported(void **state)
{
    (void)state;
    weir_density_solver_report report;
    weir_density_solver *solver =
        create_from(SCENE(OPEN, ", \"iterations\": 60, \"tolerance\": {\"mean\": 0.01}"));
    fill(&given, -0.25f, false);
    seen = given;
    weir_density_solver_particles p = all_of(&seen);
    solve(solver, &p, &report);
    assert_in_range(report.iterations, 2, 59);
    assert_true(report.converged && report.density_error_mean > 0.0f &&
                report.density_error_mean <= 0.01f);
    assert_true(report.density_error_max >= report.density_error_mean);
    uint32_t first = report.iterations;
    solve(solver, &p, &report); /* a solved state takes the minimum number of iterations */
    assert_int_equal(report.iterations, 2);
    assert_true(first > 2);
    assert_int_equal(report.solve_number, 2);
    weir_density_solver_destroy(&solver);

    solver = create_from(SCENE(OPEN, ", \"iterations\": 3, \"tolerance\": {\"mean\": 1e-5}"));
    seen = given;
    solve(solver, &p, &report);
    assert_int_equal(report.iterations, 3);
    assert_false(report.converged);
    weir_density_solver_destroy(&solver);
}

/* All particles are within reach of each other: lists grow as needed, and none is truncated. */
static void crowds_are_listed_whole(void **state)
{
    (void)state;
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

static void a_crowd_that_no_list_holds_is_refused(void **state)
{
    (void)state;
    enum { MANY = 4200 };
    static float x[3 * MANY], before[3 * MANY];
    weir_density_solver_report report;
    weir_density_solver *solver = create_from(SCENE(OPEN, PLAIN));
    weir_density_solver_particles p = weir_density_solver_particles_default();
    for (uint32_t i = 0; i < MANY; i++)
        x[3 * i] = (float)i * 1e-6f;
    memcpy(before, x, sizeof x);
    p.count = MANY;
    p.dt_s = DT;
    p.positions = x;
    logged[0] = '\0';
    assert_int_equal(weir_density_solver_solve(solver, &p, &report), WEIR_ERROR_ARGUMENT);
    assert_logged("a particle has 4199 neighbours within the support radius, at most 4088");
    assert_false(report.complete);
    assert_memory_equal(x, before, sizeof x);
    fill(&given, -0.25f, false);
    seen = given; /* the solver still works */
    p = all_of(&seen);
    solve(solver, &p, &report);
    weir_density_solver_destroy(&solver);
}

/* A particle beyond an open side keeps its position, and the others ignore it. */
static void what_is_outside_is_left_alone(void **state)
{
    (void)state;
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

/* ---- rejected calls ------------------------------------------------------------------------- */

static void assert_refused(weir_density_solver *solver, const weir_density_solver_particles *p,
                           const char *words)
{
    cloud *before = &other;
    *before = seen;
    logged[0] = '\0';
    assert_int_equal(weir_density_solver_solve(solver, p, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged(words);
    assert_memory_equal(before, &seen, sizeof seen);
}

static void faulty_particles_are_refused(void **state)
{
    (void)state;
    weir_density_solver *solver = create_from(SCENE("", PLAIN));
    fill(&seen, -1.0f, false);
    list_all(&seen);
    const weir_density_solver_particles good = all_of(&seen);
    weir_density_solver_particles p = {0};
    assert_int_equal(weir_density_solver_solve(NULL, &good, NULL), WEIR_ERROR_ARGUMENT);
    assert_refused(solver, NULL, "`particles` must not be NULL");
    assert_refused(solver, &p, "weir_density_solver_particles_default()");
    p = good, p.count = 0;
    assert_refused(solver, &p, "`count` is 0, expected 1 to 268435456 particles");
    p = good, p.dt_s = 0.0f;
    assert_refused(solver, &p, "`dt_s` is 0, expected a step above 0");
    p = good, p.positions = NULL;
    assert_refused(solver, &p, "`positions` must not be NULL");
    p = good, p.neighbour_offsets = seen.offsets;
    assert_refused(solver, &p, "must be both given, or both NULL");
    p.neighbours = seen.neighbours;
    seen.offsets[0] = 1;
    assert_refused(solver, &p, "`neighbour_offsets[0]` is 1, expected 0");
    seen.offsets[0] = 0, seen.offsets[4] = 1;
    assert_refused(solver, &p, "`neighbour_offsets[4]` is 1, less than the one before it");
    list_all(&seen);
    seen.neighbours[9] = 512;
    assert_refused(solver, &p, "`neighbours[9]` is 512, and there are 512 particles");
    p = good, p.inverse_masses = seen.w;
    seen.w[3] = -1.0f;
    assert_refused(solver, &p, "`inverse_masses`: particle 3 has -1, expected 0 or more");
    p = good, seen.v[7] = INFINITY;
    assert_refused(solver, &p, "`velocities`: particle 2 has inf");
    seen.x[3] = NAN;
    assert_int_equal(weir_density_solver_solve(solver, &good, NULL), WEIR_ERROR_ARGUMENT);
    assert_logged("`positions`: particle 1 has");
    weir_density_solver_destroy(&solver);
}

static void assert_scene_refused(const char *text, const char *words)
{
    weir_scene *scene = parse(text);
    weir_density_solver *solver = NULL;
    logged[0] = '\0';
    assert_int_equal(weir_density_solver_create(device, scene, &solver), WEIR_ERROR_ARGUMENT);
    assert_null(solver);
    assert_logged(words);
    weir_scene_destroy(&scene);
}

static void scenes_with_more_than_the_constraint_are_refused(void **state)
{
    (void)state;
    assert_scene_refused(SCENE("", ", \"method\": \"wcsph\""), "solver.method is wcsph");
    assert_scene_refused(SCENE("", ", \"long_range_correction\": \"on\""),
                         "solver.long_range_correction is on");
    assert_scene_refused(SCENE("}, \"solids\": [{\"name\": \"ball\", \"shape\": {\"sphere\":"
                               " {\"radius\": 0.1}}}], \"camera\": {\"eye\": [0, 0, 3],"
                               " \"target\": [0, 0, 0]",
                               ""),
                         "has 1 solids, and the constraint alone takes none");
}

static void a_device_outlives_its_density_solvers(void **state)
{
    (void)state;
    weir_density_solver *solver = create_from(SCENE("", PLAIN));
    weir_device *kept = device;
    logged[0] = '\0';
    weir_device_destroy(&kept);
    assert_ptr_equal(kept, device);
    assert_logged("1 density solver");
    weir_density_solver_destroy(&solver);
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
        cmocka_unit_test(a_tolerance_is_met_and_reported),
        cmocka_unit_test(crowds_are_listed_whole),
        cmocka_unit_test(a_crowd_that_no_list_holds_is_refused),
        cmocka_unit_test(what_is_outside_is_left_alone),
        cmocka_unit_test(faulty_particles_are_refused),
        cmocka_unit_test(scenes_with_more_than_the_constraint_are_refused),
        cmocka_unit_test(a_device_outlives_its_density_solvers),
    };
    return cmocka_run_group_tests(tests, open_device, close_device);
}
