/* From the scene's dimensionless parameters to the numbers that the shaders use. */
#include "sim_internal.h"

#define PI 3.14159265358979323846

/* Kernels with support 1 (Mueller, Charypar and Gross 2003, equations 20 and 21). */
static double poly6(double q2)
{
    double t = q2 < 1.0 ? 1.0 - q2 : 0.0;
    return 315.0 / (64.0 * PI) * t * t * t;
}

static double spiky_slope(double q)
{
    double t = q < 1.0 ? 1.0 - q : 0.0;
    return 45.0 / PI * t * t;
}

void sim_lattice_sums(double support, double *s0, double *stiffness)
{
    int reach = (int)ceil(support);
    double sum = 0.0, squares = 0.0;
    for (int z = -reach; z <= reach; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double q2 = (double)(x * x + y * y + z * z) / (support * support);
                sum += poly6(q2);
                if (q2 > 0.0) squares += spiky_slope(sqrt(q2)) * spiky_slope(sqrt(q2));
            }
    double volume = 1.0 / (support * support * support); /* d^3 / h^3 */
    *s0 = volume * sum;
    *stiffness = volume * volume / (*s0 * *s0) * squares;
}

static void fill_fluids(sim_world *world, double volume)
{
    const scene_data *scene = world->scene;
    float lightest = scene->fluid_count ? scene->fluids[0].density : 1.0f;
    for (uint32_t i = 1; i < scene->fluid_count; i++)
        lightest = fminf(lightest, scene->fluids[i].density);
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        world->params.fluids[i] = (struct sim_fluid){
            .density = scene->fluids[i].density,
            .viscosity = scene->fluids[i].viscosity,
            .inverse_mass = lightest / scene->fluids[i].density,
            .mass = (float)(volume * (double)scene->fluids[i].density),
        };
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
    p->domain_max = (vec4){domain->max.x, domain->max.y, domain->max.z, 0.0f};
    p->period = (vec4){period[0], period[1], period[2], 0.0f};
    p->friction = domain->friction;
}

static void fill_solver(sim_world *world, double h, double volume)
{
    const scene_solver *solver = &world->scene->solver;
    struct sim_params *p = &world->params;
    double d = (double)world->scene->spacing, h3 = h * h * h;
    p->poly6 = (float)(volume * 315.0 / (64.0 * PI * h3 * h3 * h3));
    p->spiky = (float)(volume * 45.0 / (PI * h3 * h3));
    p->self_density = (float)(volume / h3 * poly6(0.0));
    p->epsilon = (float)((double)solver->epsilon / (h * h));
    p->relaxation = solver->relaxation;
    p->pressure_power = solver->pressure_power;
    p->scale_pressure = solver->scale_pressure;
    double share = solver->scale_pressure ? 1.0 / solver->iterations : 1.0;
    p->pressure = (float)((double)solver->artificial_pressure * h * h * share);
    double q = (double)solver->delta_q;
    p->pressure_base = (float)(1.0 / (volume / h3 * poly6(q * q)));
    p->clamp_low = solver->tension ? -1e30f : 0.0f;
    p->vorticity = (float)((double)solver->vorticity * h);
    p->correction_cap = (float)((double)solver->correction_cap * d);
    p->speed_cap = solver->speed_cap;
    p->wall_gap = (float)((double)solver->wall_gap * d);
    p->wall_reach = (float)(h + (double)solver->iterations * (double)solver->correction_cap * d);
    p->wall_density = solver->wall_density;
    p->chebyshev = solver->chebyshev;
    p->reference_dt = solver->reference_dt;
    p->cfl = solver->cfl;
    p->substeps = solver->substeps;
    p->adaptive = solver->adaptive;
}

void sim_params_fill(sim_world *world)
{
    const scene_data *scene = world->scene;
    double d = (double)scene->spacing, h = d * (double)scene->solver.support;
    sim_lattice_sums((double)scene->solver.support, &world->lattice_sum, &world->stiffness);
    double volume = d * d * d / world->lattice_sum;
    struct sim_params *p = &world->params;
    p->spacing = scene->spacing;
    p->particle_volume = (float)(d * d * d);
    p->h = (float)h;
    p->h2 = (float)(h * h);
    p->gravity = (vec4){scene->gravity.x, scene->gravity.y, scene->gravity.z, 0.0f};
    fill_fluids(world, volume);
    fill_domain(world);
    fill_solver(world, h, volume);
    p->solid_count = scene->solid_count;
    p->sink_first = solid_sink_first(world->solids);
    p->item_count = solid_item_count(world->solids);
}
