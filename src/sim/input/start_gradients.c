/* Velocity gradients of particles whose source does not have them, for APIC: the linear velocity
 * that fits those of a particle's neighbours best. */
#include "sim_input.h"

#define REACH 2.0f /* spacings: an edge of a cell of the grid is two */
#define MAX_CELLS (1u << 20)

/* Particles by the hash of their cells, which are REACH wide. */
typedef struct neighbour_grid {
    const sim_initial_particles *particles;
    float reach; /* m */
    uint32_t mask;
    uint32_t *start, *items; /* [mask + 2], [count] */
} neighbour_grid;

static uint32_t bucket_of(const neighbour_grid *g, const int64_t at[3])
{
    return (uint32_t)base_hash64(at, 3 * sizeof *at, 0) & g->mask;
}

static void cell_of(const neighbour_grid *g, uint32_t particle, int64_t at[3])
{
    const vec3 x = sim_xyz(g->particles->x.items[particle]);
    at[0] = (int64_t)floorf(x.x / g->reach);
    at[1] = (int64_t)floorf(x.y / g->reach);
    at[2] = (int64_t)floorf(x.z / g->reach);
}

static bool build_grid(neighbour_grid *g)
{
    const uint32_t count = (uint32_t)g->particles->x.count;
    int64_t at[3];
    for (g->mask = 1023; g->mask < count && g->mask < MAX_CELLS - 1;)
        g->mask = 2 * g->mask + 1;
    g->start = base_alloc((size_t)g->mask + 2, sizeof *g->start);
    g->items = base_alloc(count, sizeof *g->items);
    if (!g->start || !g->items) return false;
    for (uint32_t i = 0; i < count; i++) {
        cell_of(g, i, at);
        g->start[bucket_of(g, at)]++;
    }
    for (uint32_t b = 1; b <= g->mask + 1; b++)
        g->start[b] += g->start[b - 1];
    for (uint32_t i = count; i-- > 0;) {
        cell_of(g, i, at);
        g->items[--g->start[bucket_of(g, at)]] = i;
    }
    return true;
}

/* Sums over the neighbours of a particle: of w r r, and of w v r for each component of the velocity
 * relative to the particle. */
typedef struct fit_sums {
    double moments[3][3], flow[3][3];
} fit_sums;

static void add_neighbour(const neighbour_grid *g, uint32_t particle, uint32_t other,
                          fit_sums *sums)
{
    const sim_initial_particles *p = g->particles;
    const vec3 r = vec3_sub(sim_xyz(p->x.items[other]), sim_xyz(p->x.items[particle]));
    const vec3 v = vec3_sub(sim_xyz(p->v.items[other]), sim_xyz(p->v.items[particle]));
    const double q = 1.0 - (double)(vec3_length(r) / g->reach);
    if (q <= 0.0 || other == particle) return;
    const double way[3] = {(double)r.x, (double)r.y, (double)r.z},
                 change[3] = {(double)v.x, (double)v.y, (double)v.z};
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            sums->moments[a][b] += q * way[a] * way[b];
            sums->flow[a][b] += q * change[a] * way[b];
        }
}

static fit_sums sum_neighbours(const neighbour_grid *g, uint32_t particle)
{
    fit_sums sums = {0};
    int64_t middle[3], at[3], its[3];
    cell_of(g, particle, middle);
    for (int k = 0; k < 27; k++) {
        at[0] = middle[0] + k % 3 - 1;
        at[1] = middle[1] + k / 3 % 3 - 1;
        at[2] = middle[2] + k / 9 - 1;
        const uint32_t bucket = bucket_of(g, at);
        for (uint32_t i = g->start[bucket]; i < g->start[bucket + 1]; i++) {
            cell_of(g, g->items[i], its);
            if (memcmp(its, at, sizeof at) == 0) add_neighbour(g, particle, g->items[i], &sums);
        }
    }
    return sums;
}

/* Inverts the symmetric matrix of moments. Returns false if the neighbours lie about in a plane,
 * and so do not determine a gradient. */
static bool invert_moments(double m[3][3], double inverse[3][3])
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            const int c = (b + 1) % 3, d = (b + 2) % 3, e = (a + 1) % 3, f = (a + 2) % 3;
            inverse[a][b] = m[c][e] * m[d][f] - m[c][f] * m[d][e];
        }
    const double determinant =
        m[0][0] * inverse[0][0] + m[0][1] * inverse[1][0] + m[0][2] * inverse[2][0];
    if (!(determinant > 1e-3 * trace * trace * trace / 27.0)) return false;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            inverse[a][b] /= determinant;
    return true;
}

/* Writes the rows of a particle's gradient, 1/s; 0 where it has too few neighbours. */
static void fit_gradient(const neighbour_grid *g, uint32_t particle, bool planar, vec4 rows[3])
{
    fit_sums sums = sum_neighbours(g, particle);
    double inverse[3][3], gradient[3][3] = {{0}};
    if (planar) sums.moments[2][2] = sums.moments[0][0] + sums.moments[1][1];
    if (invert_moments(sums.moments, inverse))
        for (int k = 0; k < 27; k++)
            gradient[k / 9][k % 3] += sums.flow[k / 9][k / 3 % 3] * inverse[k / 3 % 3][k % 3];
    for (int a = 0; a < 3; a++)
        rows[a] = (vec4){(float)gradient[a][0], (float)gradient[a][1], (float)gradient[a][2], 0.0f};
}

weir_result sim_fit_velocity_gradients(const weir_log *log, const scene_data *scene,
                                       sim_initial_particles *particles)
{
    neighbour_grid grid = {.particles = particles, .reach = REACH * scene->spacing};
    const bool planar = scene->solver.dimensions == 2, fits = build_grid(&grid);
    for (uint32_t i = 0; fits && i < particles->x.count; i++)
        fit_gradient(&grid, i, planar, &particles->velocity_gradients.items[3 * (size_t)i]);
    base_free(grid.start);
    base_free(grid.items);
    return fits ? WEIR_OK
                : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for velocity gradients");
}
