/* Position Based Fluids by brute force in double precision. */
#include "ref_substep.h"

#define PI 3.14159265358979323846

double ref_poly6(double r, double h)
{
    double t = r < h ? h * h - r * r : 0.0;
    return 315.0 / (64.0 * PI * h * h * h * h * h * h * h * h * h) * t * t * t;
}

double ref_spiky_slope(double r, double h)
{
    double t = r < h ? h - r : 0.0;
    return -45.0 / (PI * pow(h, 6)) * t * t;
}

double ref_planar_poly6(double r, double h)
{
    double t = r < h ? h * h - r * r : 0.0;
    return 4.0 / (PI * pow(h, 8)) * t * t * t;
}

double ref_planar_spiky_slope(double r, double h)
{
    double t = r < h ? h - r : 0.0;
    return -30.0 / (PI * pow(h, 5)) * t * t;
}

static double poly6(bool planar, double r, double h)
{
    return planar ? ref_planar_poly6(r, h) : ref_poly6(r, h);
}

static double spiky_slope(bool planar, double r, double h)
{
    return planar ? ref_planar_spiky_slope(r, h) : ref_spiky_slope(r, h);
}

/* Selects the smoothing kernels of density and corrections: planar or spatial, Wendland C2 or the
 * pair of the paper. */
typedef struct smoothing {
    bool planar, wendland;
} smoothing;

static double value_of(smoothing k, double r, double h)
{
    double q = fmin(r / h, 1.0), t2 = (1.0 - q) * (1.0 - q);
    if (!k.wendland) return poly6(k.planar, r, h);
    return (k.planar ? 7.0 / (PI * h * h) : 21.0 / (2.0 * PI * h * h * h)) * t2 * t2 *
           (1.0 + 4.0 * q);
}

static double slope_of(smoothing k, double r, double h)
{
    double q = fmin(r / h, 1.0);
    if (!k.wendland) return spiky_slope(k.planar, r, h);
    return -20.0 * (k.planar ? 7.0 / (PI * pow(h, 3)) : 21.0 / (2.0 * PI * pow(h, 4))) * q *
           pow(1.0 - q, 3);
}

static void lattice(smoothing kernel, double support, double *s0, double *stiffness)
{
    int reach = (int)support + 1, depth = kernel.planar ? 0 : reach;
    double density = 0.0, squares = 0.0;
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++)
            for (int z = -depth; z <= depth; z++) {
                double r = sqrt(x * x + y * y + z * z);
                density += value_of(kernel, r, support);
                if (r > 0.0) squares += pow(slope_of(kernel, r, support), 2);
            }
    *s0 = density;
    *stiffness = squares / (density * density) * support * support;
}

void ref_lattice(double support, double *s0, double *stiffness)
{
    lattice((smoothing){false, false}, support, s0, stiffness);
}

void ref_planar_lattice(double support, double *s0, double *stiffness)
{
    lattice((smoothing){true, false}, support, s0, stiffness);
}

typedef struct solver {
    const ref_scene *scene;
    smoothing kernel;
    double boundary_shift; /* d */
    uint32_t count;
    ref_particle *particles;
    double h, volume;
    double (*p)[3], (*before)[3], (*next)[3], (*curl)[3], (*change)[3];
    double *lambda;
    double stiffness; /* D of the rest lattice, 1/m2 */
    /* count x count: pairs within the support radius at the predicted positions, where neighbours
     * are found */
    bool *near;
} solver;

/* Returns the relative inverse mass: 1 for the lightest fluid. */
static double weight_of(const solver *s, uint32_t i)
{
    double lightest = s->scene->fluids[0].density;
    for (uint32_t f = 1; f < s->scene->fluid_count; f++)
        lightest = fmin(lightest, s->scene->fluids[f].density);
    return lightest / s->scene->fluids[s->particles[i].fluid].density;
}

static double distance(const solver *s, uint32_t i, uint32_t j, double d[3])
{
    double r2 = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = s->p[i][axis] - s->p[j][axis];
        double period = s->scene->max[axis] - s->scene->min[axis];
        if (s->scene->periodic[axis]) d[axis] -= period * round(d[axis] / period);
        r2 += d[axis] * d[axis];
    }
    return sqrt(r2);
}

/* ---- walls ---------------------------------------------------------------------------------- */

/* Integrates a kernel over the plane at distance q by the midpoint rule over discs, or chords in
 * 2D. */
static double over_plane(smoothing kernel, bool correction, double q)
{
    enum { STEPS = 200 };
    double a = fmin(fabs(q), 1.0), end = sqrt(1.0 - a * a), sum = 0.0;
    for (int k = 0; k < STEPS; k++) {
        double x = (k + 0.5) * end / STEPS, r = sqrt(a * a + x * x), value;
        value = correction && !kernel.wendland
                    ? (kernel.planar ? 10.0 / PI : 15.0 / PI) * (1.0 - r) * (1.0 - r) * (1.0 - r)
                    : value_of(kernel, r, 1.0);
        sum += value * (kernel.planar ? 2.0 : 2.0 * PI * x);
    }
    return sum * end / STEPS;
}

/* Returns the integral of the density kernel behind a plane at distance q h: over spherical caps,
 * or arcs in 2D, of radii q + (1 - q) u^2. */
static double share_behind(smoothing kernel, double q)
{
    enum { STEPS = 200 };
    double a = fmin(fabs(q), 1.0), sum = 0.0;
    for (int k = 0; k < STEPS; k++) {
        double u = (k + 0.5) / STEPS, r = a + (1.0 - a) * u * u;
        double cap = kernel.planar ? 2.0 * r * acos(a / r) : 2.0 * PI * r * (r - a);
        sum += value_of(kernel, r, 1.0) * cap * 2.0 * (1.0 - a) * u;
    }
    sum /= STEPS;
    return q < 0.0 ? 1.0 - sum : sum;
}

/* Returns how far behind a wall its density begins, in d, by bisection, such that a lattice site
 * half a spacing from the wall has the density of an interior one. */
static double shift_of(smoothing kernel, double support)
{
    int reach = (int)support + 1, depth = kernel.planar ? 0 : reach;
    double all = 0.0, behind = 0.0, low = -0.5, high = support - 0.5;
    for (int x = -reach; x <= reach; x++)
        for (int y = -reach; y <= reach; y++)
            for (int z = -depth; z <= depth; z++) {
                double value = value_of(kernel, sqrt(x * x + y * y + z * z), support);
                all += value;
                if (y < 0) behind += value;
            }
    while (high - low > 1e-8) {
        double middle = 0.5 * (low + high);
        if (share_behind(kernel, (0.5 + middle) / support) > behind / all)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static void wall_terms(const solver *s, uint32_t i, double *density, double gradient[3])
{
    const ref_scene *scene = s->scene;
    *density = gradient[0] = gradient[1] = gradient[2] = 0.0;
    for (int side = 0; scene->wall_density && side < 6; side++) {
        int axis = side / 2;
        double phi = side % 2 ? scene->max[axis] - s->p[i][axis] : s->p[i][axis] - scene->min[axis];
        if (scene->periodic[axis] || phi >= s->h || (scene->planar && axis == 2)) continue;
        double share = share_behind(s->kernel, (phi + s->boundary_shift * scene->spacing) / s->h);
        double slope = over_plane(s->kernel, true, phi / s->h) / s->h;
        for (int k = 0; k < 3; k++)
            gradient[k] *= 1.0 - share;
        gradient[axis] -= (side % 2 ? -1.0 : 1.0) * slope * (1.0 - *density);
        *density = 1.0 - (1.0 - *density) * (1.0 - share);
    }
}

static void project(const solver *s, double p[3])
{
    double gap = s->scene->boundary_gap * s->scene->spacing;
    for (int axis = 0; axis < 3; axis++) {
        if (s->scene->periodic[axis] || (s->scene->planar && axis == 2)) continue;
        p[axis] = fmin(fmax(p[axis], s->scene->min[axis] + gap), s->scene->max[axis] - gap);
    }
}

/* ---- algorithm 1 ---------------------------------------------------------------------------- */

static void predict(solver *s)
{
    for (uint32_t i = 0; i < s->count; i++) {
        for (int k = 0; k < 3; k++) {
            bool sph = s->scene->pcisph || s->scene->wcsph;
            double lead = sph ? 0.0 : s->scene->dt * s->particles[i].v[k];
            double where = s->particles[i].x[k] + lead - s->scene->centre[k];
            double offset = s->scene->planar && k == 2 ? 0.0 : where;
            double a = s->scene->gravity[k] - s->scene->pull * offset;
            double v = s->particles[i].v[k] + s->scene->dt * a;
            s->p[i][k] = s->particles[i].x[k] + s->scene->dt * v;
        }
        project(s, s->p[i]);
    }
}

static void find_neighbours(solver *s)
{
    double d[3];
    for (uint32_t i = 0; i < s->count; i++)
        for (uint32_t j = 0; j < s->count; j++)
            s->near[i * s->count + j] = j != i && distance(s, i, j, d) < s->h;
}

/* Evaluates equations 1, 8 and 11. */
static void find_lambda(solver *s, uint32_t i)
{
    double density = s->volume * value_of(s->kernel, 0.0, s->h), squares = 0.0, own[3] = {0}, d[3];
    double wall_density, wall_gradient[3];
    for (uint32_t j = 0; j < s->count; j++) {
        if (!s->near[i * s->count + j]) continue;
        double r = distance(s, i, j, d);
        double slope = s->volume * slope_of(s->kernel, r, s->h);
        density += s->volume * value_of(s->kernel, r, s->h);
        squares += slope * slope * weight_of(s, j);
        for (int k = 0; k < 3; k++)
            own[k] += slope * d[k] / r;
    }
    wall_terms(s, i, &wall_density, wall_gradient);
    if (s->scene->wendland) squares /= pow(fmax(1.0 - wall_density, 0.25), 2.5);
    for (int k = 0; k < 3; k++)
        squares += weight_of(s, i) * pow(own[k] + s->scene->wendland * wall_gradient[k], 2);
    double c = density + wall_density - 1.0;
    if (!s->scene->allow_negative_pressure) c = fmax(c, 0.0);
    s->lambda[i] = -c / (squares + s->scene->epsilon / (s->h * s->h));
}

static double density_of(const solver *s, uint32_t i)
{
    double sum = s->volume * value_of(s->kernel, 0.0, s->h), d[3], wall, gradient[3];
    for (uint32_t j = 0; j < s->count; j++)
        if (s->near[i * s->count + j])
            sum += s->volume * value_of(s->kernel, distance(s, i, j, d), s->h);
    wall_terms(s, i, &wall, gradient);
    return sum + wall;
}

/* Reports whether the mean density error of the positions is within the tolerance after `done`
 * iterations. */
static bool is_solved(const solver *s, uint32_t done)
{
    double sum = 0.0;
    if (s->scene->tolerance <= 0.0 || done < 2) return false;
    for (uint32_t i = 0; i < s->count; i++)
        sum += fmax(density_of(s, i) - 1.0, 0.0);
    return sum / s->count <= s->scene->tolerance;
}

static void swap_positions(solver *s)
{
    double(*p)[3] = s->p;
    s->p = s->next;
    s->next = p;
}

/* Returns Monaghan's artificial viscosity between i and j, which have moved from the starts in s->p
 * to s->before, in the units of the pressures. The smoothing length is h / 2 and the densities are
 * those at rest. PCISPH has no such viscosity. */
static double viscosity_of(const solver *s, uint32_t i, uint32_t j)
{
    const ref_scene *scene = s->scene;
    double d[3], r = distance(s, i, j, d), nearing = 0.0;
    if (!scene->wcsph) return 0.0;
    for (int k = 0; k < 3; k++)
        nearing += d[k] * ((s->before[i][k] - s->p[i][k]) - (s->before[j][k] - s->p[j][k]));
    double mean = 0.5 * (1.0 / weight_of(s, i) + 1.0 / weight_of(s, j));
    double mu = 0.5 * s->h * fmin(nearing, 0.0) / (r * r + 0.01 * 0.25 * s->h * s->h);
    return -scene->artificial_viscosity * scene->sound_speed * scene->dt * mu / mean /
           (weight_of(s, i) * weight_of(s, j));
}

/* Writes the prediction in s->before, moved by the pressures, to s->curl; s->p holds the starts. */
static void push(solver *s, uint32_t i)
{
    double dp[3] = {0}, d[3], wall, gradient[3];
    for (uint32_t j = 0; j < s->count; j++) {
        if (!s->near[i * s->count + j]) continue;
        double r = distance(s, i, j, d);
        double slope = s->volume * slope_of(s->kernel, r, s->h);
        for (int k = 0; k < 3; k++)
            dp[k] -= (s->lambda[i] + s->lambda[j] + viscosity_of(s, i, j)) * slope * d[k] / r;
    }
    wall_terms(s, i, &wall, gradient);
    for (int k = 0; k < 3; k++)
        s->curl[i][k] = s->before[i][k] + weight_of(s, i) * (dp[k] - s->lambda[i] * gradient[k]);
    project(s, s->curl[i]);
}

/* Evaluates equation 13 with k in units of h^2, optionally scaled by the substep and iterations. */
static double artificial_pressure(const solver *s, double r)
{
    const ref_scene *scene = s->scene;
    double step = scene->dt / scene->reference_dt, k = scene->pressure * s->h * s->h;
    if (scene->scale_artificial_pressure) k *= step * step / scene->iterations;
    double reference = poly6(scene->planar, scene->artificial_pressure_distance * s->h, s->h);
    double n = scene->artificial_pressure_exponent,
           cutoff = scene->artificial_pressure_cutoff * scene->spacing;
    double power = pow(poly6(scene->planar, r, s->h) / reference, n);
    double offset = cutoff > 0 ? pow(poly6(scene->planar, cutoff, s->h) / reference, n) : 0;
    return -k * fmax(power - offset, 0);
}

/* Evaluates equations 12 and 14. */
static void correct(solver *s, uint32_t i, double acceleration)
{
    double dp[3] = {0}, d[3], wall_density, wall_gradient[3];
    for (uint32_t j = 0; j < s->count; j++) {
        if (!s->near[i * s->count + j]) continue;
        double r = distance(s, i, j, d);
        double sum = s->lambda[i] + s->lambda[j] + artificial_pressure(s, r);
        for (int k = 0; k < 3; k++)
            dp[k] += sum * s->volume * slope_of(s->kernel, r, s->h) * d[k] / r;
    }
    wall_terms(s, i, &wall_density, wall_gradient);
    for (int k = 0; k < 3; k++) {
        dp[k] += s->lambda[i] * wall_gradient[k];
        double moved = s->p[i][k] + s->scene->relaxation * weight_of(s, i) * dp[k];
        s->next[i][k] = acceleration * (moved - s->before[i][k]) + s->before[i][k];
    }
    project(s, s->next[i]);
}

/* PCISPH (Solenthaler and Pajarola 2009, equations 6 to 8): accumulates pressures p >= 0 in units
 * of rho / dt^2 until the densities predicted under them are at rest; gradients stay at the
 * start. */
static uint32_t iterate_pcisph(solver *s)
{
    uint32_t n = 0;
    size_t bytes = s->count * sizeof *s->p;
    memcpy(s->before, s->p, bytes);
    memset(s->lambda, 0, s->count * sizeof *s->lambda);
    for (; n < s->scene->iterations && !is_solved(s, n); n++) {
        for (uint32_t i = 0; i < s->count; i++) {
            double error = density_of(s, i) - 1.0;
            double step = error / (2.0 * s->stiffness * weight_of(s, i));
            s->lambda[i] = fmax(s->lambda[i] + step, 0.0);
        }
        for (uint32_t i = 0; i < s->count; i++)
            for (int k = 0; k < 3; k++)
                s->next[i][k] = s->particles[i].x[k];
        swap_positions(s);
        for (uint32_t i = 0; i < s->count; i++)
            push(s, i);
        swap_positions(s);
        memcpy(s->p, s->curl, bytes);
    }
    memset(s->curl, 0, bytes);
    return n;
}

/* Becker and Teschner 2007, equations 6 and 7, with artificial viscosity; p / rho^2 is in m2. */
static uint32_t move_by_tait(solver *s)
{
    size_t bytes = s->count * sizeof *s->p;
    double c = s->scene->sound_speed * s->scene->dt;
    memcpy(s->before, s->p, bytes);
    for (uint32_t i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++)
            s->p[i][k] = s->particles[i].x[k];
    for (uint32_t i = 0; i < s->count; i++) {
        double density = density_of(s, i);
        double pressure = c * c / 7.0 * fmax(pow(density, 7.0) - 1.0, 0.0);
        s->lambda[i] = pressure / (density * density * weight_of(s, i));
    }
    for (uint32_t i = 0; i < s->count; i++)
        push(s, i);
    memcpy(s->p, s->curl, bytes);
    memset(s->curl, 0, bytes);
    return 1;
}

static uint32_t iterate(solver *s)
{
    if (s->scene->wcsph) return move_by_tait(s);
    if (s->scene->pcisph) return iterate_pcisph(s);
    uint32_t n = 0;
    size_t bytes = s->count * sizeof *s->p;
    double rho2 = s->scene->chebyshev * s->scene->chebyshev, w = 1.0;
    memcpy(s->before, s->p, bytes);
    for (; n < s->scene->iterations && !is_solved(s, n); n++) {
        w = n == 0 ? 1.0 : n == 1 ? 2.0 / (2.0 - rho2) : 4.0 / (4.0 - rho2 * w);
        if (rho2 == 0.0) w = 1.0;
        for (uint32_t i = 0; i < s->count; i++)
            find_lambda(s, i);
        for (uint32_t i = 0; i < s->count; i++)
            correct(s, i, w);
        memcpy(s->before, s->p, bytes);
        memcpy(s->p, s->next, bytes);
    }
    return n;
}

static void find_velocity(solver *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        for (int k = 0; k < 3; k++)
            s->particles[i].v[k] = (s->p[i][k] - s->particles[i].x[k]) / s->scene->dt;
}

/* Evaluates equation 15, with the gradient at p_j, and equation 17. */
static void find_flow(solver *s, uint32_t i)
{
    double d[3], *curl = s->curl[i], *change = s->change[i];
    const ref_particle *own = &s->particles[i];
    double step = fmin(s->scene->dt / s->scene->reference_dt, 2.0);
    for (uint32_t j = 0; j < s->count; j++) {
        if (!s->near[i * s->count + j]) continue;
        double r = distance(s, i, j, d), v[3], g[3];
        const ref_particle *other = &s->particles[j];
        double wi = weight_of(s, i), wj = weight_of(s, j);
        double c = 0.5 * (s->scene->fluids[own->fluid].xsph + s->scene->fluids[other->fluid].xsph);
        double share =
            c * step * s->volume * poly6(s->scene->planar, r, s->h) * 2.0 * wi / (wi + wj);
        for (int k = 0; k < 3; k++) {
            v[k] = other->v[k] - own->v[k];
            g[k] = -s->volume * spiky_slope(s->scene->planar, r, s->h) * d[k] / r;
            change[k] += share * v[k];
        }
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            curl[k] += v[a] * g[b] - v[b] * g[a];
        }
    }
}

static double length_of(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Evaluates equation 16 without dividing by the magnitude of the curl. */
static void confine(const solver *s, uint32_t i, double force[3])
{
    double eta[3] = {0}, d[3];
    for (uint32_t j = 0; j < s->count; j++) {
        if (!s->near[i * s->count + j]) continue;
        double r = distance(s, i, j, d);
        double rise = length_of(s->curl[j]) - length_of(s->curl[i]);
        for (int k = 0; k < 3; k++)
            eta[k] += s->volume * rise * spiky_slope(s->scene->planar, r, s->h) * d[k] / r;
    }
    double size = length_of(eta), strength = s->scene->vorticity * s->h;
    for (int k = 0; k < 3; k++) {
        int a = (k + 1) % 3, b = (k + 2) % 3;
        const double *curl = s->curl[i];
        force[k] = size > 0.0 ? strength * (eta[a] * curl[b] - eta[b] * curl[a]) / size : 0.0;
    }
}

static void finish(solver *s)
{
    for (uint32_t i = 0; i < s->count; i++)
        find_flow(s, i);
    for (uint32_t i = 0; i < s->count; i++) {
        double force[3];
        confine(s, i, force);
        for (int k = 0; k < 3; k++) {
            s->particles[i].v[k] += s->change[i][k] + s->scene->dt * force[k];
            s->particles[i].x[k] = s->p[i][k];
        }
    }
}

uint32_t ref_substep(const ref_scene *scene, ref_particle *particles, uint32_t count)
{
    double s0, stiffness;
    uint32_t iterations = 0;
    solver s = {.scene = scene,
                .count = count,
                .particles = particles,
                .h = scene->support * scene->spacing};
    s.kernel = (smoothing){scene->planar, scene->wendland};
    lattice(s.kernel, scene->support, &s0, &stiffness);
    s.stiffness = stiffness * pow(scene->lattice_density_ratio, 2) / (s.h * s.h);
    s.volume = scene->lattice_density_ratio * pow(scene->spacing, scene->planar ? 2 : 3) / s0;
    if (scene->wall_density && scene->wendland)
        s.boundary_shift = shift_of(s.kernel, scene->support);
    s.p = base_alloc(count, sizeof *s.p);
    s.before = base_alloc(count, sizeof *s.before);
    s.next = base_alloc(count, sizeof *s.next);
    s.curl = base_alloc(count, sizeof *s.curl);
    s.change = base_alloc(count, sizeof *s.change);
    s.lambda = base_alloc(count, sizeof *s.lambda);
    s.near = base_alloc((size_t)count * count, sizeof *s.near);
    bool room = s.near && s.p && s.before && s.next && s.curl && s.change && s.lambda;
    if (room) {
        predict(&s);
        find_neighbours(&s);
        iterations = iterate(&s);
        find_velocity(&s);
        finish(&s);
    }
    base_free(s.p);
    base_free(s.before);
    base_free(s.next);
    base_free(s.curl);
    base_free(s.change);
    base_free(s.lambda);
    base_free(s.near);
    return iterations;
}
