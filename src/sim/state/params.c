/* Converts the scene's parameters to the values that the shaders use. */
#include "sim_state.h"

#define NO_TOLERANCE 1e30f
#define NO_TENSION_LIMIT_S 1e30
#define BOUNDARY_GAP_CELLS 0.1 /* gap between FLIP particles and walls, in MAC cells */
/* Fraction of the surface tension that cohesion provides, measured by the work to part the rest
 * lattice. */
#define COHESION_FRACTION 0.2

/* ---- surface tension ------------------------------------------------------------------------ */

/* Returns minus the potential energy of a pair under the cohesion kernel: its integral from q to
 * 1. */
static double cohesion_pair_energy(double q)
{
    double end = 1.0 / 4 - 3.0 / 5 + 1.0 / 2 - 1.0 / 7, q4 = q * q * q * q;
    double at = q4 * (1.0 / 4 + q * (-3.0 / 5 + q * (1.0 / 2 - q / 7)));
    double half = 0.0625 * (1.0 / 4 + 0.5 * (-3.0 / 5 + 0.5 * (1.0 / 2 - 0.5 / 7)));
    if (q >= 1.0) return 0.0;
    return q >= 0.5 ? end - at : 2.0 * (half - at) - (0.5 - q) / 64.0 + end - half;
}

/* Returns the energy of the bonds that a cut through the rest lattice breaks, per site of the cut,
 * in units of h. */
static double cut_bond_energy(uint32_t dimensions, double support)
{
    int reach = (int)ceil(support), depth = dimensions == 2 ? 0 : reach;
    double sum = 0.0;
    for (int z = -depth; z <= depth; z++)
        for (int x = -reach; x <= reach; x++)
            for (int y = 1; y <= reach; y++)
                sum += y * cohesion_pair_energy(sqrt((double)(x * x + y * y + z * z)) / support);
    return sum;
}

/* Returns the factor of the normals' term, in V^2 / h^5 (h^4 in two dimensions). The term provides
 * the part of the surface tension that cohesion does not. The factor was measured by the periods of
 * droplets (docs/equations.md) at supports of 2, 2.5 and 3 d; it is interpolated between them. */
static double curvature_factor(uint32_t dimensions, double support)
{
    static const double measured[2][3] = {{2.1, 2.1, 2.5}, {0.58, 1.32, 1.5}};
    const double *at = measured[dimensions - 2];
    double step = fmin(fmax(2.0 * (support - 2.0), 0.0), 2.0);
    int low = step < 1.0 ? 0 : 1;
    return at[low] + (step - low) * (at[low + 1] - at[low]);
}

/* The work to part a unit of area against cohesion alone is twice the surface tension. The factors
 * of a pair are in m; in two dimensions they have no unit. */
static void fill_surface_tension(sim_world *world, double h, double volume)
{
    const scene_solver *solver = &world->scene->solver;
    uint32_t dimensions = solver->dimensions;
    double bonds = h * cut_bond_energy(dimensions, (double)solver->support_radius);
    double site = pow((double)world->scene->spacing, dimensions - 1);
    double factor = curvature_factor(dimensions, (double)solver->support_radius);
    world->params.cohesion = (float)(COHESION_FRACTION * 2.0 * site / bonds);
    world->params.curvature = (float)(factor * volume * volume / pow(h, dimensions + 2));
}

static void fill_tension_limit(sim_world *world)
{
    const scene_data *scene = world->scene;
    double limit_s = NO_TENSION_LIMIT_S;
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        if (scene_has_grid(&scene->solver) && scene->fluids[i].surface_tension > 0.0f)
            limit_s = fmin(limit_s, sim_max_tension_substep_s(scene, i));
    world->params.max_tension_dt = (float)limit_s;
}

/* ---- parameter blocks ----------------------------------------------------------------------- */

/* Returns 2 D (D + 2) over the integral of q^4 f(q), where f = (1 - q^2)^3 / q. With this factor
 * the pair forces -f (v . d) d over h^2 approximate the Laplacian. */
static double laplacian_pair_factor(uint32_t dimensions)
{
    return dimensions == 2 ? 577.5 / SIM_PI : 900.0 / SIM_PI;
}

/* Returns the factor of a pair's viscous force, kg/(m3 s), for a viscosity in Pa s. */
static float viscous_coefficient(const sim_world *world, float viscosity)
{
    const scene_solver *solver = &world->scene->solver;
    double h = (double)world->scene->spacing * (double)solver->support_radius;
    double volume_fraction = pow((double)solver->support_radius, -(double)solver->dimensions);
    return (float)(laplacian_pair_factor(solver->dimensions) * volume_fraction / (h * h) *
                   (double)viscosity);
}

static void fill_fluids(sim_world *world, double volume)
{
    const scene_data *scene = world->scene;
    float lightest = scene->fluid_count ? scene->fluids[0].density : 1.0f;
    float heaviest = lightest, tension = 0.0f;
    for (uint32_t i = 0; i < scene->fluid_count; i++) {
        lightest = fminf(lightest, scene->fluids[i].density);
        heaviest = fmaxf(heaviest, scene->fluids[i].density);
        tension = fmaxf(tension, scene->fluids[i].surface_tension);
    }
    world->params.min_density = lightest;
    world->params.max_density = heaviest;
    world->params.max_tension = tension;
    world->params.viscous_factor = viscous_coefficient(world, 1.0f);
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        world->params.fluids[i] = (struct sim_fluid){
            .density = scene->fluids[i].density,
            .xsph = scene->fluids[i].xsph,
            .inverse_mass = lightest / scene->fluids[i].density,
            .mass = (float)(volume * (double)scene->fluids[i].density),
            .surface_tension = scene->fluids[i].surface_tension,
            .dynamic_viscosity = scene->fluids[i].dynamic_viscosity,
            .viscous_coefficient = viscous_coefficient(world, scene->fluids[i].dynamic_viscosity),
        };
}

static ivec4 to_fixed_point(const grid_fixed_point *fixed, vec3 p)
{
    return sim_to_fixed_point(fixed, (const double[3]){(double)p.x, (double)p.y, (double)p.z}, 0);
}

static void fill_fixed_point(sim_world *world)
{
    const scene_domain *domain = &world->scene->domain;
    struct sim_params *p = &world->params;
    grid_fixed_point fixed = sim_fixed_point(world->scene);
    double unit = (double)fixed.unit;
    p->origin = (vec4){fixed.origin.x, fixed.origin.y, fixed.origin.z, fixed.unit};
    p->units_per_metre = (float)(1.0 / unit);
    p->unit_over_h = fixed.unit / p->h;
    p->fixed_min = to_fixed_point(&fixed, domain->min);
    p->fixed_max = to_fixed_point(&fixed, domain->max);
    p->fixed_min.w = to_fixed_point(&fixed, vec3_make(0, 0, p->plane)).z;
    p->fixed_period = (ivec4){(int32_t)rint((double)p->period.x / unit),
                              (int32_t)rint((double)p->period.y / unit),
                              (int32_t)rint((double)p->period.z / unit), 0};
}

static void fill_attributes(sim_world *world)
{
    const scene_data *scene = world->scene;
    double factor;
    float *rates = &world->params.attribute_rates[0].x;
    float *growth = &world->params.attribute_growth[0].x;
    memset(world->params.attribute_rates, 0, sizeof world->params.attribute_rates);
    memset(world->params.attribute_growth, 0, sizeof world->params.attribute_growth);
    world->params.rest_positions = (uvec4){sim_rest_positions(scene), 0, 0, 0};
    for (uint32_t i = 0; i < scene->attribute_count; i++)
        if (scene->attributes[i].kind == SCENE_ATTRIBUTE_AGE)
            growth[scene->attributes[i].first] = 1.0f;
    if (!sim_attributes_diffuse(scene)) return;
    sim_attribute_exchange(scene, &factor);
    for (uint32_t i = 0; i < scene->attribute_count; i++)
        for (uint32_t k = 0; k < scene->attributes[i].components; k++)
            rates[scene->attributes[i].first + k] =
                (float)(factor * (double)scene->attributes[i].diffusivity);
}

static void fill_domain(sim_world *world)
{
    const scene_domain *domain = &world->scene->domain;
    struct sim_params *p = &world->params;
    vec3 extent = vec3_sub(domain->max, domain->min);
    const float extents[3] = {extent.x, extent.y, extent.z};
    float period[3];
    p->sides = 0;
    for (uint32_t side = 0; side < 6; side++)
        p->sides |= (uint32_t)domain->sides[side] << 2 * side;
    for (uint32_t axis = 0; axis < 3; axis++)
        period[axis] = domain->sides[2 * axis] == SCENE_SIDE_PERIODIC ? extents[axis] : 0.0f;
    p->domain_min = (vec4){domain->min.x, domain->min.y, domain->min.z, 0.0f};
    p->period = (vec4){period[0], period[1], period[2], 0.0f};
    p->friction = domain->friction;
    p->has_friction = sim_has_friction(world->scene);
    p->no_slip = domain->no_slip;
    if (world->scene->solver.dimensions == 3) return;
    p->planar = 1;
    p->plane = scene_plane(world->scene);
    /* -z and +z are neither closed, open nor periodic: no particle gets there */
    p->sides |= 3u << 8 | 3u << 10;
    p->period.z = 0.0f;
}

/* Equation 13, less its value at the cutoff. `spacing` in support radii, `volume` of a particle in
 * h^dimensions. */
static void fill_artificial_pressure(struct sim_params *p, const scene_solver *solver,
                                     double spacing, double volume, double h)
{
    const double q = (double)solver->artificial_pressure_distance,
                 cutoff = fmin((double)solver->artificial_pressure_cutoff * spacing, 1.0),
                 iterations = solver->scale_artificial_pressure ? solver->iterations : 1.0;
    const double at_distance =
        sim_smoothing_kernel_at(SCENE_KERNEL_POLY6, solver->dimensions, q).value;
    const double at_cutoff =
        sim_smoothing_kernel_at(SCENE_KERNEL_POLY6, solver->dimensions, cutoff).value;
    p->artificial_pressure_exponent = solver->artificial_pressure_exponent;
    p->scale_artificial_pressure = solver->scale_artificial_pressure;
    p->artificial_pressure = (float)((double)solver->artificial_pressure * h * h / iterations);
    p->artificial_pressure_base = (float)(1.0 / (volume * at_distance));
    const double offset = pow(at_cutoff / at_distance, solver->artificial_pressure_exponent);
    p->artificial_pressure_offset = cutoff > 0.0 ? (float)offset : 0.0f;
}

static void fill_solver(sim_world *world, double h, double volume)
{
    const scene_solver *solver = &world->scene->solver;
    struct sim_params *p = &world->params;
    uint32_t dimensions = solver->dimensions;
    double d = (double)world->scene->spacing;
    double volume_fraction = volume / pow(h, dimensions); /* in units of h^dimensions */
    p->poly6 = (float)(volume_fraction *
                       sim_smoothing_kernel_at(SCENE_KERNEL_POLY6, dimensions, 0.0).value);
    p->spiky =
        (float)(volume_fraction / h * sim_kernel_slope_factor(SCENE_KERNEL_POLY6, dimensions));
    p->smoothing_kernel = solver->kernel;
    p->kernel_density =
        (float)(volume_fraction * sim_smoothing_kernel_at(solver->kernel, dimensions, 0.0).value);
    p->kernel_gradient =
        (float)(volume_fraction / h * sim_kernel_slope_factor(solver->kernel, dimensions));
    p->epsilon = (float)((double)solver->constraint_softening / (h * h));
    p->relaxation = solver->relaxation;
    fill_artificial_pressure(p, solver, (double)world->scene->spacing / h, volume_fraction, h);
    p->min_constraint = solver->allow_negative_pressure ? -1e30f : 0.0f;
    p->vorticity_confinement = (float)((double)solver->vorticity_confinement * h);
    p->field_lead = solver->method == SCENE_METHOD_PBF ? 1.0f : 0.0f;
    p->max_correction = (float)((double)solver->max_correction * d);
    p->speed_cap = solver->max_speed;
    p->boundary_gap = (float)sim_boundary_gap(world->scene);
    bool tolerant = scene_stops_at_tolerance(solver);
    /* With a tolerance, `iterations` is a cap far above what most substeps need. The flags "near a
     * boundary" are then updated during the solve; otherwise far too many particles would count as
     * near one. */
    p->mark_interval = tolerant ? SIM_NEAR_UPDATE_INTERVAL : solver->iterations;
    /* particles, and bodies, which may move as far */
    uint32_t moving = world->scene->body_count > 0 ? 2u : 1u;
    uint32_t corrections = moving * p->mark_interval + (world->has_pressure_grid ? 2u : 0u);
    p->boundary_reach = (float)(h + corrections * (double)solver->max_correction * d);
    p->boundary_density = solver->boundary_density;
    p->boundary_shift = (float)(sim_boundary_shift(solver) * d);
    p->chebyshev = solver->chebyshev_spectral_radius;
    p->reference_dt = solver->reference_dt;
    p->cfl = solver->cfl;
    p->pcisph_pressure_factor = (float)(0.5 * h * h / world->stiffness);
    p->iterations = solver->iterations;
    p->tolerance_mean = solver->tolerance.mean > 0.0f ? solver->tolerance.mean : NO_TOLERANCE;
    p->tolerance_max = solver->tolerance.max > 0.0f ? solver->tolerance.max : NO_TOLERANCE;
    p->substeps = solver->substeps;
    p->adaptive = solver->adaptive;
    p->sound_speed = solver->sound_speed;
    p->artificial_viscosity = solver->artificial_viscosity;
    p->pic_fraction = solver->pic_fraction;
}

double sim_boundary_gap(const scene_data *scene)
{
    const scene_solver *solver = &scene->solver;
    double cells = BOUNDARY_GAP_CELLS * (double)solver->grid_cell_size;
    return (scene_has_grid(solver) ? cells : (double)solver->boundary_gap) * (double)scene->spacing;
}

static void fill_broad_phase(sim_world *world)
{
    body_broad_phase cells = body_set_broad_phase(world->bodies);
    world->params.body_counts =
        (uvec4){cells.count[0], cells.count[1], cells.count[2], cells.words};
    world->params.domain_min.w = cells.edge_m;
}

static vec4 make_vec4(vec3 v, float w)
{
    return (vec4){v.x, v.y, v.z, w};
}

/* Converts a force of the scene. In two dimensions nothing acts along z or depends on z. */
static struct sim_force make_force(const scene_force *force, bool planar)
{
    const scene_region *in = &force->inside;
    const vec3 far = vec3_make(INFINITY, INFINITY, INFINITY);
    bool pulls = force->kind == SCENE_FORCE_CENTRAL, turns = force->kind == SCENE_FORCE_VORTEX;
    vec3 push = vec3_add(force->acceleration, vec3_scale(force->velocity, force->rate));
    vec3 turn = vec3_scale(force->axis, turns ? force->strength : 0.0f);
    vec3 low = in->reach == SCENE_REACH_SPHERE ? in->centre : in->min, high = in->max;
    if (in->reach == SCENE_REACH_ALL) low = vec3_scale(far, -1.0f), high = far;
    if (planar) push.z = turn.x = turn.y = 0.0f;
    if (planar && in->reach == SCENE_REACH_BOX) low.z = -far.z, high.z = far.z;
    return (struct sim_force){
        .centre = make_vec4(force->centre, pulls ? force->strength : 0.0f),
        .acceleration = make_vec4(push, force->rate),
        .swirl = make_vec4(turn, in->reach == SCENE_REACH_SPHERE ? in->radius : 0.0f),
        .low = make_vec4(low, scene_force_is_conservative(force) ? force->strength : 0.0f),
        .high = make_vec4(high, 0.0f),
    };
}

void sim_update_gravity(sim_world *world, double time_s)
{
    vec3 g = scene_gravity_at(world->scene, time_s);
    world->params.gravity = (vec4){g.x, g.y, g.z, 0.0f};
}

void sim_params_fill(sim_world *world)
{
    const scene_data *scene = world->scene;
    double d = (double)scene->spacing, h = d * (double)scene->solver.support_radius;
    uint32_t dimensions = scene->solver.dimensions;
    sim_lattice_sums(&scene->solver, &world->lattice_sum, &world->stiffness);
    double lattice = pow(d, dimensions) / world->lattice_sum;
    double rest = (double)scene->solver.lattice_density_ratio;
    double volume = rest * lattice;
    world->stiffness *= rest * rest;
    struct sim_params *p = &world->params;
    p->spacing = scene->spacing;
    p->h = (float)h;
    sim_update_gravity(world, world->time_s);
    fill_fluids(world, scene_has_grid(&scene->solver) ? pow(d, dimensions) : lattice);
    p->force_count = 0;
    for (uint32_t i = 0; i < scene->force_count; i++)
        if (!scene_force_is_sampled(&scene->forces[i]))
            p->forces[p->force_count++] =
                make_force(&scene->forces[i], scene->solver.dimensions == 2);
    fill_surface_tension(world, h, volume);
    fill_tension_limit(world);
    fill_attributes(world);
    fill_domain(world);
    fill_fixed_point(world);
    fill_solver(world, h, volume);
    p->solid_count = scene->solid_count;
    p->sink_first = solid_sink_first(world->solids);
    p->item_count = solid_item_count(world->solids);
    if (world->bodies) fill_broad_phase(world);
}

/* Computes the same as shaders/sim/frame/statistics_partials.comp. */
double sim_potential_energy_at(const struct sim_params *p, const vec4 *x)
{
    double sum = -(double)(x->x * p->gravity.x + x->y * p->gravity.y + x->z * p->gravity.z);
    for (uint32_t f = 0; f < p->force_count; f++) {
        const struct sim_force *force = &p->forces[f];
        vec3 offset = {x->x - force->centre.x, x->y - force->centre.y,
                       p->planar ? 0.0f : x->z - force->centre.z};
        sum += 0.5 * (double)(force->low.w * vec3_dot(offset, offset));
    }
    return sum;
}
