/* The figures of the paper: clustering (2), densities compared with PCISPH (4), vorticity
   confinement (5) and convergence (6). The figures are too coarse to read values from, so the
   gates check the paper's statements about them. */
#include "validate_internal.h"
#include "weir/profile.h"

/* ---- figure 2: clustering ------------------------------------------------------------------- */

#define HISTOGRAM 40u /* bins over two spacings */

/* A ball of fluid splashes on a floor, with negative pressure kept, as in the paper; `strength`
   is that in equation 13. */
static char *splash_json(double strength)
{
    return base_format(
        "{'spacing': 0.05, 'frame_rate': 60,"
        " 'domain': {'min': [-0.8, 0, -0.8], 'max': [0.8, 1.4, 0.8]},"
        " 'solver': {'preset': 'pbf_paper', 'relaxation': 0.65, 'boundary_density': true,"
        " 'artificial_pressure': %g},"
        " 'fluids': [{'name': 'water', 'fill': {'velocity': [0, -3, 0],"
        " 'shape': {'sphere': {'radius': 0.35}, 'position': [0, 0.4, 0]}}}]}",
        strength);
}

/* Histogram of the distances of all pairs nearer than two spacings, and of each particle's
   nearest neighbour. */
typedef struct distance_histogram {
    double pairs[HISTOGRAM], nearest_sum, close_share;
} distance_histogram;

static void add_distances(const validate_world *world, distance_histogram *s)
{
    const double d = (double)world->info.spacing_m;
    for (uint32_t i = 0; i < world->count; ++i) {
        double nearest = INFINITY;
        for (uint32_t j = 0; j < world->count; ++j) {
            if (j == i) continue;
            double r = (double)vec3_length(vec3_sub(world->x[i], world->x[j])) / d;
            nearest = fmin(nearest, r);
            if (j > i && r < 2.0) s->pairs[(uint32_t)(r * HISTOGRAM / 2.0)] += 2.0 / world->count;
        }
        s->nearest_sum += nearest / world->count;
        s->close_share += nearest < 0.5 ? 1.0 / world->count : 0.0;
    }
}

static void run_splash(validate *v, double strength, distance_histogram *s)
{
    validate_world *world = validate_open_run(v, splash_json(strength), 40);
    add_distances(world, s);
    validate_close(world);
}

void validate_clustering(validate *v)
{
    distance_histogram with = {0}, without = {0};
    run_splash(v, 0.1, &with);
    run_splash(v, 0.0, &without);
    validate_add_line(v, "r_over_d,with,without");
    for (uint32_t k = 0; k < HISTOGRAM; ++k)
        validate_add_line(v, "%.4g,%.6g,%.6g", (k + 0.5) * 2.0 / HISTOGRAM, with.pairs[k],
                          without.pairs[k]);
    validate_write_table(v, "clustering");
    validate_report(v, without.close_share,
                    "without artificial pressure: fraction of particles within d/2 of a neighbour");
    validate_at_most(v, with.close_share, 0.5 * without.close_share,
                     "with artificial pressure: fraction within d/2 of a neighbour, at most half "
                     "of that without");
    validate_report(v, without.nearest_sum,
                    "without artificial pressure: mean nearest-neighbour distance, d");
    validate_report(v, with.nearest_sum,
                    "with artificial pressure: mean nearest-neighbour distance, d");
}

/* ---- figure 4: densities compared with PCISPH ------------------------------------------------ */

/* Opens scenes/bunny_drop.json with the overrides `set`; fails without its mesh. */
static validate_world *open_bunny(validate *v, const char *const *set, uint32_t count)
{
    weir_scene *scene = NULL;
    weir_scene_def def = weir_scene_def_default();
    def.log = v->log;
    def.overrides = set;
    def.override_count = count;
    validate_must(v, weir_scene_load("scenes/bunny_drop.json", &def, &scene));
    return validate_open_scene(v, scene);
}

typedef struct solver_case {
    const char *name, *method_case;
    uint32_t substeps, iterations;
} solver_case;

/* Overdensities after the impact, and the maximum energy over that of the first frame. */
typedef struct densities {
    double mean, max, energy;
    bool stable;
} densities;

#define COARSE 0.05  /* m: 4,900 particles */
#define FINE 0.01965 /* m: the 80,000 particles of the paper */

/* Drops the bunny. `listed`: each frame adds a line to the table. */
static void drop_bunny(validate *v, const solver_case *s, double spacing, bool listed, densities *d)
{
    char apart[40], method_case[40], substeps[40], iterations[40];
    const char *set[] = {apart, "frame_rate=62.5", method_case, substeps, iterations};
    const uint32_t frames = v->size == VALIDATE_WHOLE ? 75 : 40;
    snprintf(apart, sizeof apart, "spacing=%g", spacing);
    snprintf(method_case, sizeof method_case, "solver.method=%s", s->method_case);
    snprintf(substeps, sizeof substeps, "solver.substeps=%u", s->substeps);
    snprintf(iterations, sizeof iterations, "solver.iterations=%u", s->iterations);
    validate_world *world = open_bunny(v, set, BASE_COUNT(set));
    double first = 1.0;
    *d = (densities){.stable = true};
    for (uint32_t frame = 1; d->stable && frame <= frames; ++frame) {
        weir_result result = validate_step(world);
        d->stable = result != WEIR_ERROR_UNSTABLE;
        if (!d->stable) break;
        validate_must(v, result);
        double energy = world->stats.kinetic_energy_j + world->stats.potential_energy_j;
        if (frame == 1) first = energy;
        d->energy = fmax(d->energy, energy / first);
        double share = frame > 20 ? 1.0 / (frames - 20) : 0.0;
        d->mean += share * world->stats.density_error_mean;
        d->max = fmax(d->max, frame > 20 ? world->stats.density_error_max : 0.0);
        if (listed)
            validate_add_line(v, "%s,%u,%u,%.6g,%.6g,%.6g", s->name, s->substeps, s->iterations,
                              world->stats.time_s, 1.0 + world->stats.density_error_mean,
                              1.0 + world->stats.density_error_max);
    }
    validate_close(world);
}

/* Finds the fewest substeps of a 16 ms frame, with 40 iterations in total, that neither lose
   particles nor add energy. The energy may exceed that of the first frame by as much as gate G3
   allows. */
static void find_limit(validate *v, const char *method_case, uint32_t *fewest)
{
    static const uint32_t tries[] = {1, 2, 3, 4, 6, 8, 10};
    *fewest = 0;
    for (size_t i = 0; i < BASE_COUNT(tries); ++i) {
        const solver_case s = {method_case, method_case, tries[i], (40 + tries[i] - 1) / tries[i]};
        densities d;
        drop_bunny(v, &s, COARSE, false, &d);
        bool stable = d.stable && d.energy < 1.02;
        validate_add_line(v, "%s,%u,%u,%.6g,%.6g,%.6g,%d", method_case, s.substeps, s.iterations,
                          d.mean, d.max, d.energy, stable);
        if (stable && *fewest == 0) *fewest = tries[i];
        if (!stable) *fewest = 0;
    }
}

/* Compares the densities of both solvers, with a line of the table for each frame. */
static void compare_solvers(validate *v, double spacing)
{
    static const solver_case solvers[] = {{"PBF", "pbf", 4, 10}, {"PCISPH", "pcisph", 10, 4}};
    densities d[2];
    validate_add_line(v, "solver,substeps,iterations,t_s,mean,max");
    for (size_t i = 0; i < BASE_COUNT(solvers); ++i) {
        drop_bunny(v, &solvers[i], spacing, true, &d[i]);
        validate_report(v, d[i].mean,
                        "%s, %u substeps x %u iterations: mean density error after the impact",
                        solvers[i].name, solvers[i].substeps, solvers[i].iterations);
        validate_report(v, d[i].max,
                        "%s, %u substeps x %u iterations: maximum density error after the impact",
                        solvers[i].name, solvers[i].substeps, solvers[i].iterations);
    }
    validate_within(v, d[0].mean / d[1].mean, (validate_range){1.0, 0.5},
                    "PBF: mean density error after the impact, ratio to PCISPH");
}

void validate_bunny(validate *v)
{
    static const char *const methods[] = {"pbf", "pcisph"}, *const names[] = {"PBF", "PCISPH"};
    compare_solvers(v, COARSE);
    validate_write_table(v, "bunny");
    validate_add_line(v, "solver,substeps,iterations,mean,max,energy,stable");
    for (size_t i = 0; i < BASE_COUNT(methods); ++i) {
        uint32_t fewest;
        find_limit(v, methods[i], &fewest);
        validate_report(v, fewest ? 16.0 / fewest : 0.0,
                        "%s: longest stable substep with 40 iterations per frame, ms", names[i]);
    }
    validate_write_table(v, "bunny_steps");
}

void validate_bunny_fine(validate *v)
{
    compare_solvers(v, FINE);
    validate_write_table(v, "bunny_fine");
}

/* ---- figure 5: vorticity confinement -------------------------------------------------------- */

/* Runs a vortex. Returns the mean kinetic energy from 1 s to 3 s. */
static double run_vortex(validate *v, double strength)
{
    double late = 0.0;
    char *json =
        base_format("{'spacing': 0.05, 'frame_rate': 60,"
                    " 'domain': {'min': [0, 0, 0], 'max': [2, 1.4, 0.4]},"
                    " 'solver': {'substeps': 4, 'iterations': 3, 'vorticity_confinement': %g},"
                    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
                    "'min': [0, 0, 0], 'max': [0.8, 0.8, 0.4]}}}}]}",
                    strength);
    validate_world *world = validate_open(v, json);
    for (uint32_t frame = 1; frame <= 180; ++frame) {
        validate_run(world, 1);
        if (frame > 60) late += world->stats.kinetic_energy_j / 120.0;
        validate_add_line(v, "%g,%.6g,%.6g,%.6g", strength, world->stats.time_s,
                          world->stats.kinetic_energy_j, world->stats.potential_energy_j);
    }
    validate_close(world);
    return late;
}

void validate_vorticity(validate *v)
{
    validate_add_line(v, "vorticity,t_s,kinetic_j,potential_j");
    double without = run_vortex(v, 0.0), with = run_vortex(v, 1.0);
    validate_write_table(v, "vorticity");
    validate_at_most(
        v, without / with, 1.0,
        "mean kinetic energy from 1 s to 3 s without confinement, ratio to that with confinement");
}

/* ---- figure 6: convergence ------------------------------------------------------------------ */

#define SWEEPS 60u

typedef struct method_case {
    const char *name;
    double relaxation, chebyshev;
    bool multigrid; /* runs the long-range correction before the first iteration */
} method_case;

static const method_case methods[] = {
    {"Jacobi", 1.0, 0.0, false},
    {"relaxed", 0.65, 0.0, false},
    {"Chebyshev 0.9", 0.65, 0.9, false},
    {"Chebyshev 0.97", 0.65, 0.97, false},
    {"relaxed with long-range correction", 0.65, 0.0, true},
};

static char *dam_json(const char *fill, const char *solver_case)
{
    return base_format("{'spacing': 0.04, 'frame_rate': 60,"
                       " 'domain': {'min': [0, 0, 0], 'max': [2, 1.2, 0.4]},"
                       " 'solver': {%s, 'residuals': true},"
                       " 'fluids': [{'name': 'water', 'fill': %s}]}",
                       solver_case, fill);
}

/* Writes the particles of the dam break at t = 1 s. */
static void write_dam_particles(validate *v)
{
    validate_world *world =
        validate_open(v, dam_json("{'shape': {'box': {'min': [0, 0, 0], 'max': [0.8, 0.8, 0.4]}}}",
                                  "'substeps': 4, 'iterations': 4"));
    validate_run(world, 60);
    validate_read(world);
    for (uint32_t i = 0; i < world->count; ++i)
        validate_add_point(v, world->x[i], world->v[i]);
    validate_write_points(v, "dam_at_1s");
    validate_close(world);
}

static void run_method(validate *v, const method_case *m, weir_residual residuals[SWEEPS])
{
    char solver_case[200];
    uint32_t count = SWEEPS;
    snprintf(solver_case, sizeof solver_case,
             "'substeps': 1, 'iterations': %u, 'relaxation': %g, 'chebyshev_spectral_radius': %g,"
             " 'artificial_pressure': 0, 'long_range_correction': '%s'",
             SWEEPS, m->relaxation, m->chebyshev, m->multigrid ? "on" : "off");
    validate_world *world = validate_open(v, dam_json("{'file': 'dam_at_1s.npy'}", solver_case));
    /* One substep, of the same length as those before. */
    validate_must(v, weir_sim_step(world->sim, 1.0 / 240.0));
    validate_must(v, weir_sim_get_residuals(world->sim, 0, residuals, &count));
    validate_close(world);
}

/* Returns the iterations until the mean error is below `error`, or SWEEPS if it never is. */
static uint32_t iterations_to(const weir_residual *residuals, double error)
{
    uint32_t i = 0;
    while (i < SWEEPS && residuals[i].mean > error)
        ++i;
    return i;
}

void validate_convergence(validate *v)
{
    static weir_residual residuals[BASE_COUNT(methods)][SWEEPS];
    write_dam_particles(v);
    validate_add_line(v, "method,iteration,mean,max");
    for (size_t m = 0; m < BASE_COUNT(methods); ++m) {
        run_method(v, &methods[m], residuals[m]);
        for (uint32_t i = 0; i < SWEEPS; ++i)
            validate_add_line(v, "%s,%u,%.6g,%.6g", methods[m].name, i, residuals[m][i].mean,
                              residuals[m][i].max);
    }
    validate_write_table(v, "convergence");
    for (size_t m = 0; m < BASE_COUNT(methods); ++m)
        validate_report(v, residuals[m][4].mean / residuals[1][0].mean,
                        "%s: error after 4 iterations, ratio to the initial error",
                        methods[m].name);
    double aim = residuals[1][20].mean;
    validate_within(
        v, iterations_to(residuals[1], aim), (validate_range){20, 0},
        "relaxed Jacobi: iterations to the error of its iteration 20 (monotonic decrease)");
    validate_at_most(v, iterations_to(residuals[2], aim), 10,
                     "Chebyshev 0.9: iterations to the error of 20 relaxed Jacobi iterations");
}
