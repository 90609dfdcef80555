/* Limits of the solver: warns if a scene leaves the range in which the solver is stable and stiff
 * enough, and detects runs that have gained energy from nowhere. */
#include "sim_coupling.h"
#include "sim_stability.h"

/* predicted compression at the floor above which the fluid is visibly soft */
#define COMPRESSION_LIMIT 0.05
/* Spacings by which the level of a fluid at rest may sink under its weight. It sinks half as much
 * again while it bounces after the start. */
#define SINKING_LIMIT 0.75
/* a fluid that is compressed by less counts as incompressible */
#define INCOMPRESSIBLE_LIMIT 0.01
/* the hydrostatic law holds to 15 %, and the layer on the floor is denser */
#define INCOMPRESSIBLE_MARGIN 0.7
/* Number of iterations above which the long-range correction pays off. It costs as much as 4 to 6
 * iterations, and the law asks for a quarter too many. */
#define LONG_RANGE_COST_ITERATIONS 8.0
#define CFL_LIMIT 1.0       /* spacings that a particle may move in a substep */
#define CFL_LIMIT_CELLS 3.0 /* cells, with a MAC grid */

/* ---- the solver's linear theory -------------------------------------------------------------- */

/* Returns (D + epsilon) / omega, 1/m2. The larger it is, the less of a density error one iteration
 * removes. */
static double iteration_compliance(const sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    double h2 = (double)world->params.h * (double)world->params.h;
    if (solver->method == SCENE_METHOD_PCISPH) return 2.0 * world->stiffness / h2;
    return (world->stiffness + (double)solver->constraint_softening) /
           (h2 * (double)solver->relaxation);
}

/* Returns the depth whose weight the iterations carry, m. The long-range correction carries all
 * weight but that of about two cells, so the part of the iterations does not grow with the depth
 * (docs/equations.md). */
static double effective_depth(const sim_world *world)
{
    vec4 cell = world->params.cell_size;
    double min_cell = fmin(fmin((double)cell.x, (double)cell.y), (double)cell.z);
    return cell.w > 0.0f ? fmin(world->fluid_depth_m, 2.0 * min_cell) : world->fluid_depth_m;
}

/* Returns the compression at the floor by the hydrostatic law. */
static double floor_compression(const sim_world *world, double dt, double iterations)
{
    const scene_solver *solver = &world->scene->solver;
    double g = (double)vec3_length(world->scene->gravity), c = (double)solver->sound_speed;
    if (scene_has_grid(solver)) return 0.0;
    if (solver->method == SCENE_METHOD_WCSPH) return g * world->fluid_depth_m / (c * c);
    return g * effective_depth(world) * dt * dt * iteration_compliance(world) / iterations;
}

/* Returns the iterations of a substep at rest. With a tolerance they are those that the hydrostatic
 * law asks for; the mean error of a column is half of the error at its floor. */
static double iterations_at_rest(const sim_world *world, double dt)
{
    const scene_solver *solver = &world->scene->solver;
    double one = floor_compression(world, dt, 1.0), cap = solver->iterations, wanted = 0.0;
    if (!scene_stops_at_tolerance(solver)) return cap;
    if (solver->tolerance.mean > 0.0f) wanted = 0.5 * one / (double)solver->tolerance.mean;
    if (solver->tolerance.max > 0.0f) wanted = fmax(wanted, one / (double)solver->tolerance.max);
    return fmin(fmax(ceil(wanted), SIM_MIN_ITERATIONS), cap);
}

double sim_sound_speed(const sim_world *world, double dt)
{
    const scene_solver *solver = &world->scene->solver;
    if (scene_has_grid(solver)) return 0.0; /* the pressure solve couples all cells */
    if (solver->method == SCENE_METHOD_WCSPH) return (double)solver->sound_speed;
    return sqrt(iterations_at_rest(world, dt) / iteration_compliance(world)) / dt;
}

double sim_predicted_compression(const sim_world *world, double dt)
{
    return floor_compression(world, dt, iterations_at_rest(world, dt));
}

/* ---- at the start ---------------------------------------------------------------------------- */

double sim_max_substep_s(const scene_data *scene)
{
    return 1.0 / ((double)scene->frame_rate * scene->solver.substeps);
}

sim_solver_settings sim_recommended_settings(const sim_world *world, double dt)
{
    const scene_solver *solver = &world->scene->solver;
    if (solver->method == SCENE_METHOD_WCSPH) /* only the speed of sound matters */
        return (sim_solver_settings){solver->substeps, solver->iterations};
    double compression = floor_compression(world, dt, solver->iterations);
    double shortfall = fmax(compression / (INCOMPRESSIBLE_MARGIN * INCOMPRESSIBLE_LIMIT), 0.0);
    double frame = 1.0 / ((double)world->scene->frame_rate * dt);
    return (sim_solver_settings){.substeps = (uint32_t)fmin(ceil(frame * sqrt(shortfall)), 1e6),
                                 .iterations =
                                     (uint32_t)fmin(ceil(solver->iterations * shortfall), 1e6)};
}

double sim_initial_compression(const sim_world *world)
{
    return floor_compression(world, sim_max_substep_s(world->scene),
                             world->scene->solver.iterations);
}

bool sim_is_too_compressible(const sim_world *world)
{
    return sim_initial_compression(world) > COMPRESSION_LIMIT;
}

bool sim_sinks_too_far(const sim_world *world)
{
    /* The compression grows linearly from the surface to the floor. */
    double sinking = 0.5 * sim_initial_compression(world) * world->fluid_depth_m;
    return sinking > SINKING_LIMIT * (double)world->scene->spacing;
}

bool sim_converges_slowly(const sim_world *world)
{
    double dt = sim_max_substep_s(world->scene);
    return scene_stops_at_tolerance(&world->scene->solver) &&
           iterations_at_rest(world, dt) > LONG_RANGE_COST_ITERATIONS;
}

static void warn_compression(const sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    double dt = sim_max_substep_s(world->scene);
    double c = sim_initial_compression(world);
    if (!sim_is_too_compressible(world)) return;
    if (solver->method == SCENE_METHOD_WCSPH) {
        base_log(world->log, WEIR_LOG_WARNING,
                 "%s: the weight of %.3g m of fluid will compress it by %.3g %% at the floor; "
                 "solver.sound_speed %.3g instead of %.3g would keep that below %g %%",
                 world->scene->source, world->fluid_depth_m, 100.0 * c,
                 ceil((double)solver->sound_speed * sqrt(c / INCOMPRESSIBLE_LIMIT)),
                 (double)solver->sound_speed, 100.0 * INCOMPRESSIBLE_LIMIT);
        return;
    }
    sim_solver_settings recommended = sim_recommended_settings(world, dt);
    base_log(world->log, WEIR_LOG_WARNING,
             "%s: the weight of %.3g m of fluid will compress it by %.3g %% at the floor; substeps "
             "%u instead of %u, or iterations %u instead of %u, would keep that below %g %%",
             world->scene->source, world->fluid_depth_m, 100.0 * c, recommended.substeps,
             solver->substeps, recommended.iterations, solver->iterations,
             100.0 * INCOMPRESSIBLE_LIMIT);
}

static void warn_unstable_relaxation(const sim_world *world)
{
    const scene_solver *solver = &world->scene->solver;
    double fraction = world->stiffness / (world->stiffness + (double)solver->constraint_softening);
    double limit = 2.0 / (fraction * sim_max_jacobi_gain(solver));
    if (solver->method != SCENE_METHOD_PBF || (double)solver->relaxation <= limit) return;
    base_log(world->log, WEIR_LOG_WARNING,
             "%s: relaxation %g is above %.3g, the stability limit for support %g: the particles "
             "will jitter; lower it",
             world->scene->source, (double)solver->relaxation, limit,
             (double)solver->support_radius);
}

/* Warns if substeps are so long that capillary waves as short as the spacing outrun them. */
static void warn_tension(const sim_world *world)
{
    const scene_data *scene = world->scene;
    double dt = sim_max_substep_s(scene);
    for (uint32_t i = 0; i < scene->fluid_count; i++) {
        const scene_fluid *fluid = &scene->fluids[i];
        if (fluid->surface_tension <= 0.0f) continue;
        double limit = sim_max_tension_substep_s(scene, i);
        if (dt <= limit) continue;
        base_log(world->log, WEIR_LOG_WARNING,
                 "%s: substeps of %.3g s are longer than %.3g s, which the surface tension of "
                 "fluid %s allows; use substeps %.0f or more",
                 scene->source, dt, limit, fluid->name, ceil(scene->solver.substeps * dt / limit));
    }
}

/* Returns into how many steps a lattice of points divides an edge: steps of a quarter of a cell,
 * but at most 257. */
static uint32_t sample_count_along(float edge, float cell_m)
{
    return (uint32_t)fminf(4.0f * edge / cell_m, 256.0f) + 1;
}

/* Returns whether no point of a shape lies half a cell deep in it. The lattice of points may miss
 * the deepest point by an eighth of a cell. */
static bool is_thinner_than_cell(const sim_world *world, uint32_t shape, float cell_m)
{
    vec3 low, high;
    solid_shape_bounds(world->solids, shape, &low, &high);
    vec3 size = vec3_sub(high, low);
    bool empty = fminf(size.x, fminf(size.y, size.z)) < 0.0f;
    if (empty || !isfinite(size.x + size.y + size.z)) return false;
    uint32_t nx = sample_count_along(size.x, cell_m), ny = sample_count_along(size.y, cell_m),
             nz = sample_count_along(size.z, cell_m);
    for (uint32_t i = 0; i < (nx + 1) * (ny + 1) * (nz + 1); i++) {
        uint32_t row = i / (nx + 1), layer = row / (ny + 1);
        vec3 fraction = {(float)(i % (nx + 1)) / (float)nx, (float)(row % (ny + 1)) / (float)ny,
                         (float)layer / (float)nz};
        vec3 p = {low.x + fraction.x * size.x, low.y + fraction.y * size.y,
                  low.z + fraction.z * size.z};
        if (solid_shape_distance(world->solids, shape, p) < -0.37f * cell_m) return false;
    }
    return true;
}

/* Warns of thin solids, because a face of the MAC grid samples solids at its corners only. */
static void warn_thin_solids(const sim_world *world)
{
    const scene_data *scene = world->scene;
    float cell_m = scene->spacing * scene->solver.grid_cell_size;
    uint32_t count = 0;
    base_text names = {0};
    if (!scene_has_grid(&scene->solver)) return;
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        if (!is_thinner_than_cell(world, scene->solids[i].shape, cell_m)) continue;
        base_text_append(&names, "%s%s", count > 0 ? ", " : "", scene->solids[i].name);
        count++;
    }
    if (count > 0)
        base_log(world->log, WEIR_LOG_WARNING,
                 "%s: %u of %u solids are thinner than a grid cell, %g m, and fluid may pass "
                 "through: %s; make them thicker, or spacing smaller",
                 scene->source, count, scene->solid_count, (double)cell_m,
                 names.items ? names.items : "");
    base_free(names.items);
}

/* Returns whether a closed side of the domain, or a solid, contains a point. */
static bool is_in_wall(const sim_world *world, vec3 p)
{
    const scene_domain *domain = &world->scene->domain;
    const float low[3] = {p.x - domain->min.x, p.y - domain->min.y, p.z - domain->min.z},
                high[3] = {domain->max.x - p.x, domain->max.y - p.y, domain->max.z - p.z};
    for (uint32_t axis = 0; axis < 3; axis++)
        if ((low[axis] < 0.0f && domain->sides[2 * axis] == SCENE_SIDE_CLOSED) ||
            (high[axis] < 0.0f && domain->sides[2 * axis + 1] == SCENE_SIDE_CLOSED))
            return true;
    for (uint32_t i = 0; i < world->scene->solid_count; i++)
        if (solid_shape_distance(world->solids, world->scene->solids[i].shape, p) < 0.0f)
            return true;
    return false;
}

/* On a MAC grid the wall behind an opening holds the fluid in the cells next to it: what leaves the
 * opening piles up there. */
#define OPENING_ROOM_CELLS 1.5f
#define OPENING_STEPS 6

static void warn_openings_at_walls(const sim_world *world)
{
    const scene_data *scene = world->scene;
    const float room_m = OPENING_ROOM_CELLS * scene->spacing * scene->solver.grid_cell_size;
    if (!scene_has_grid(&scene->solver)) return;
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        const scene_emitter *e = &scene->emitters[i];
        float free_m = room_m;
        for (int k = OPENING_STEPS - 1; k >= 0 && !e->has_shape; k--) {
            const float back_m = room_m * ((float)k + 0.5f) / OPENING_STEPS;
            if (is_in_wall(world, vec3_sub(e->position, vec3_scale(e->direction, back_m))))
                free_m = room_m * (float)k / OPENING_STEPS;
        }
        if (free_m < room_m)
            base_log(world->log, WEIR_LOG_WARNING,
                     "%s:%d:%d: the opening of emitter %s has %.3g m of room behind it, and the "
                     "wall there "
                     "will hold its fluid back: with a grid, move it %.3g m along its direction",
                     scene->source, e->line, e->column, e->name, (double)free_m,
                     (double)(room_m - free_m));
    }
}

double sim_cfl_limit(const scene_solver *solver)
{
    return scene_has_grid(solver) ? CFL_LIMIT_CELLS * (double)solver->grid_cell_size : CFL_LIMIT;
}

/* Sums the energies of bodies and deformables, J. */
static void sum_nonfluid_energies(const sim_world *world, double *kinetic, double *potential)
{
    double deformable_kinetic, deformable_potential;
    sim_body_energies(world, kinetic, potential);
    sim_deformable_energies(world, &deformable_kinetic, &deformable_potential);
    *kinetic += deformable_kinetic;
    *potential += deformable_potential;
}

/* Fluid and bodies that nothing drives can gain no energy beyond the initial energies computed
 * here. */
void sim_measure_initial_sums(sim_world *world, const sim_initial_particles *particles)
{
    const struct sim_params *p = &world->params;
    double momentum[3] = {0}, moment[3] = {0}, mass_kg = 0.0, kinetic = 0.0, potential = 0.0;
    double fastest2 = 0.0;
    for (size_t i = 0; i < particles->x.count; i++) {
        const vec4 *x = &particles->x.items[i], *v = &particles->v.items[i];
        const float position[3] = {x->x, x->y, x->z}, velocity[3] = {v->x, v->y, v->z};
        double mass = (double)p->fluids[(uint32_t)x->w].mass;
        double speed2 = (double)(v->x * v->x + v->y * v->y + v->z * v->z);
        for (int k = 0; k < 3; k++) {
            momentum[k] += mass * (double)velocity[k];
            moment[k] += mass * (double)position[k];
        }
        potential += mass * sim_potential_energy_at(p, x);
        kinetic += 0.5 * mass * speed2;
        mass_kg += mass;
        fastest2 = fmax(fastest2, speed2);
    }
    double others_kinetic, others_potential;
    sum_nonfluid_energies(world, &others_kinetic, &others_potential);
    world->start_kinetic_j = kinetic + others_kinetic;
    world->mass_kg = mass_kg + sim_total_body_mass(world) + sim_deformable_mass(world);
    world->start_energy_j = kinetic + potential + others_kinetic + others_potential;
    world->last_result.sums = (struct sim_statistics){
        .momentum = {(float)momentum[0], (float)momentum[1], (float)momentum[2], (float)kinetic},
        .moment = {(float)moment[0], (float)moment[1], (float)moment[2], (float)mass_kg},
        .potential = (float)potential,
        .speed_max = (float)sqrt(fastest2),
        .count = (uint32_t)particles->x.count,
    };
    sim_check_speed(world, sqrt(fastest2), sim_max_substep_s(world->scene), 0.0);
}

/* A column of fluid rings like a pipe that is closed at one end: its longest period is four times
 * the depth over the speed of sound. */
static void warn_ringing_gauges(const sim_world *world)
{
    const scene_data *scene = world->scene;
    double period = 4.0 * world->fluid_depth_m / sim_sound_speed(world, sim_max_substep_s(scene));
    if (scene->solver.method != SCENE_METHOD_PBF) return;
    for (uint32_t i = 0; i < scene->gauge_count; i++) {
        const scene_gauge *gauge = &scene->gauges[i];
        double average = fmax((double)gauge->average, 1.0 / (double)scene->frame_rate);
        if (gauge->kind != SCENE_GAUGE_PRESSURE || average >= period) continue;
        base_log(world->log, WEIR_LOG_WARNING,
                 "%s:%d:%d: gauge %s averages over %.3g s, but %.3g m of fluid ring with a period "
                 "of %.3g s at %u substeps per frame, so its readings will jump: set its average "
                 "to %.2g or more, or raise solver.substeps",
                 scene->source, gauge->line, gauge->column, gauge->name, average,
                 world->fluid_depth_m, period, scene->solver.substeps, period);
    }
}

/* A particle exchanges at most half of its value in a substep. */
static void warn_diffusivity(const sim_world *world)
{
    const scene_data *scene = world->scene;
    const double dt =
        scene->solver.adaptive ? 1.0 / (double)scene->frame_rate : sim_max_substep_s(scene);
    double factor, limit = 0.5 / (sim_attribute_exchange(scene, &factor) * dt);
    for (uint32_t i = 0; i < scene->attribute_count; i++) {
        const scene_attribute *a = &scene->attributes[i];
        if ((double)a->diffusivity <= limit) continue;
        base_log(
            world->log, WEIR_LOG_WARNING,
            "%s:%d:%d: attribute %s has a diffusivity of %g m2/s, but in substeps of %.3g ms "
            "it spreads as with about %.2g m2/s: lower it, or use %.0f times as many substeps%s",
            scene->source, a->line, a->column, a->name, (double)a->diffusivity, 1000.0 * dt, limit,
            ceil((double)a->diffusivity / limit),
            scene->solver.adaptive ? " with adaptive false" : "");
    }
}

void sim_warn_limits(const sim_world *world)
{
    warn_diffusivity(world);
    warn_ringing_gauges(world);
    warn_compression(world);
    warn_unstable_relaxation(world);
    warn_tension(world);
    warn_thin_solids(world);
    warn_openings_at_walls(world);
    sim_warn_fast_solids(world->log, world->scene, world->solids);
    sim_warn_fast_bodies(world->log, world->scene);
}

/* ---- while it runs -------------------------------------------------------------------------- */

void sim_check_speed(sim_world *world, double speed, double dt, double time_s)
{
    double moved = speed * dt / (double)world->scene->spacing;
    uint32_t substeps = world->scene->solver.substeps;
    bool grid = scene_has_grid(&world->scene->solver);
    double limit = sim_cfl_limit(&world->scene->solver);
    if (world->warned_of_speed || moved <= limit) return;
    world->warned_of_speed = true;
    if (grid) {
        base_log(world->log, WEIR_LOG_WARNING,
                 "%s: at %.3f s the fastest particle moves %.2g cells per substep, more than %g: "
                 "its path leaves the known velocities; use substeps %.0f or more",
                 world->scene->source, time_s, moved / (double)world->scene->solver.grid_cell_size,
                 CFL_LIMIT_CELLS, ceil(substeps * moved / limit));
        return;
    }
    base_log(world->log, WEIR_LOG_WARNING,
             "%s: at %.3f s the fastest particle moves %.3g spacings per substep, more than %g: "
             "particles may collide before they become neighbours; use substeps %.0f or more",
             world->scene->source, time_s, moved, CFL_LIMIT, ceil(substeps * moved / CFL_LIMIT));
}

static void warn_divergence(const sim_world *world, const struct sim_status *status, double time_s)
{
    base_log(
        world->log, WEIR_LOG_WARNING,
        "%s: at %.3f s the pressure solve did not converge in %u of %u substeps of a frame: after "
        "%u iterations a fraction of %.2g of the divergence is left, solver.projection_tolerance "
        "is %g; raise it. The column unconverged_substeps of stats.csv counts later cases",
        world->scene->source, time_s, status->frame_unconverged, status->substeps,
        SIM_MAC_MAX_ITERATIONS, (double)status->frame_error_max,
        (double)world->scene->solver.projection_tolerance);
}

static void append_outliers(base_text *text, const sim_world *world,
                            const struct sim_status *status)
{
    if (status->frame_above_tolerance <= status->count / SIM_PARTICLES_PER_OUTLIER) return;
    base_text_append(
        text, "; %u of %u particles exceed solver.tolerance.max, %.3g %%, the worst with %.3g %%",
        status->frame_above_tolerance, status->count,
        100.0 * (double)world->scene->solver.tolerance.max,
        100.0 * (double)status->frame_error_max);
}

void sim_warn_unconverged(sim_world *world, const sim_frame_result *seen, double time_s)
{
    const scene_solver *solver = &world->scene->solver;
    const struct sim_status *status = &seen->status;
    base_text text = {0};
    if (world->warned_of_tolerance || status->frame_unconverged == 0) return;
    world->warned_of_tolerance = true;
    if (scene_has_grid(solver)) {
        warn_divergence(world, status, time_s);
        return;
    }
    base_text_append(&text, "a mean density error of up to %.3g %%",
                     100.0 * (double)status->frame_error_mean);
    if (solver->tolerance.mean > 0.0f)
        base_text_append(&text, ", solver.tolerance.mean is %.3g %%",
                         100.0 * (double)solver->tolerance.mean);
    append_outliers(&text, world, status);
    base_log(world->log, WEIR_LOG_WARNING,
             "%s: at %.3f s %u of %u substeps of a frame did not meet the tolerance: after %u "
             "iterations there is %s; raise solver.iterations or solver.substeps, or the "
             "tolerance. The column unconverged_substeps of stats.csv counts later cases",
             world->scene->source, time_s, status->frame_unconverged, status->substeps,
             solver->iterations, text.items ? text.items : "a larger error");
    base_free(text.items);
}

/* Returns whether anything but their own height and motion drives fluid and bodies. */
static bool is_externally_driven(const sim_world *world, const sim_frame_result *seen)
{
    const scene_data *scene = world->scene;
    bool driven = scene->emitter_count > 0 || scene->solver.vorticity_confinement > 0.0f;
    /* driven by the host program, or by the hose */
    driven |= world->externally_driven || seen->status.total_emitted > 0;
    for (uint32_t i = 0; i < scene->solid_count; i++)
        driven |= scene->solids[i].motion.kind != SCENE_MOTION_STATIC;
    for (uint32_t i = 0; i < scene->force_count; i++)
        driven |=
            !scene_force_is_conservative(&scene->forces[i]) || scene->forces[i].strength < 0.0f;
    return driven;
}

double sim_total_energy(const sim_world *world, const sim_frame_result *seen)
{
    double kinetic, potential;
    sum_nonfluid_energies(world, &kinetic, &potential);
    return (double)seen->sums.momentum.w + (double)seen->sums.potential + kinetic + potential;
}

bool sim_has_gained_energy(const sim_world *world, const sim_frame_result *seen)
{
    const scene_data *scene = world->scene;
    vec3 size = vec3_sub(scene->domain.max, scene->domain.min);
    double fall = (double)(vec3_length(scene->gravity) * vec3_length(size));
    double step = (double)scene->spacing / (double)seen->status.dt;
    double allowed = world->start_kinetic_j + world->mass_kg * (fall + 0.5 * step * step);
    return !is_externally_driven(world, seen) &&
           sim_total_energy(world, seen) - world->start_energy_j > allowed;
}
