/* Reference of the boundary on the CPU: the closed sides of the domain, and balls. */
#include "ref_walls.h"

uint32_t ref_side_kind(const struct sim_params *p, uint32_t side)
{
    return p->sides >> (2u * side) & 3u;
}

static float side_distance(const struct sim_params *p, uint32_t side, vec3 at)
{
    uint32_t axis = side / 2;
    if (ref_side_kind(p, side) != 0) return 1e30f;
    return side % 2 == 0
               ? ref_axis(at, axis) - ref_axis(ref_xyz(ref_metres(p, p->fixed_min)), axis)
               : ref_axis(ref_xyz(ref_metres(p, p->fixed_max)), axis) - ref_axis(at, axis);
}

static vec3 side_normal(uint32_t side)
{
    float n[3] = {0};
    n[side / 2] = side % 2 == 0 ? 1.0f : -1.0f;
    return (vec3){n[0], n[1], n[2]};
}

float ref_side(const struct sim_params *p, uint32_t side, vec3 at, vec3 *normal)
{
    *normal = side_normal(side);
    return side_distance(p, side, at);
}

static quat quat_of(vec4 q)
{
    return (quat){q.x, q.y, q.z, q.w};
}

static vec3 ball_local(const ref_ball *ball, vec3 p)
{
    return quat_rotate(quat_conjugate(quat_of(ball->pose.rotation)),
                       vec3_sub(p, ref_xyz(ball->pose.position)));
}

float ref_ball_distance(const ref_ball *ball, vec3 p, vec3 *normal)
{
    vec3 d = vec3_sub(ball_local(ball, p), ball->centre);
    float size = vec3_length(d);
    *normal = quat_rotate(quat_of(ball->pose.rotation), vec3_scale(d, 1.0f / fmaxf(size, 1e-20f)));
    return size - ball->radius;
}

/* Returns the position at the start of the substep of the ball's point that is now at p. */
vec3 ref_ball_carried(const ref_ball *ball, vec3 p)
{
    return vec3_add(quat_rotate(quat_of(ball->pose.last_rotation), ball_local(ball, p)),
                    ref_xyz(ball->pose.last_position));
}

/* Returns 1/2 minus the integral of the poly6 kernel between the wall and the particle, in closed
 * form. */
static float wall_share(float q)
{
    float a = fminf(fabsf(q), 1.0f);
    float a3 = a * a * a, a5 = a3 * a * a, a7 = a5 * a * a, a9 = a7 * a * a, b = 1.0f - a * a;
    float share = 0.5f - 315.0f / 32.0f * (a3 / 3 - 3 * a5 / 5 + 3 * a7 / 7 - a9 / 9) -
                  315.0f / 256.0f * a * b * b * b * b;
    share = fmaxf(share, 0.0f);
    return q < 0.0f ? 1.0f - share : share;
}

static float wall_slope(float q, float h)
{
    float a = fminf(fabsf(q), 1.0f), b = 1.0f - a;
    return 1.5f / h * b * b * b * b * (1.0f + 4.0f * a);
}

/* The planar counterpart of wall_share, in a different closed form. */
static float planar_share(float q)
{
    double a = fmin(fabs((double)q), 1.0), s2 = 1.0 - a * a;
    double sum = 1.0 + s2 * (2.0 / 3.0 + s2 * (8.0 / 15.0 + s2 * 16.0 / 35.0));
    float share = (float)(0.5 - (asin(a) + a * sqrt(s2) * sum) / 3.14159265358979323846);
    return q < 0.0f ? 1.0f - share : share;
}

/* Integrates 10 / pi (1 - r)^3 along the line at distance q by the midpoint rule. */
static float planar_slope(float q, float h)
{
    enum { STEPS = 2000 };
    double a = fmin(fabs((double)q), 1.0), end = sqrt(1.0 - a * a), sum = 0.0;
    for (int k = 0; k < STEPS; k++) {
        double x = (k + 0.5) / STEPS * end, t = 1.0 - sqrt(a * a + x * x);
        sum += t * t * t;
    }
    return (float)(20.0 / 3.14159265358979323846 * sum * end / STEPS / (double)h);
}

/* Returns 7 / pi (1 - r)^4 (1 + 4 r) in the plane; in space, 21 / 2 times its integral over r^2. */
static float wendland_slope(float q, bool planar)
{
    enum { STEPS = 400 };
    double a = fmin(fabs((double)q), 1.0), end = planar ? sqrt(1.0 - a * a) : 1.0 - a, sum = 0.0;
    for (int k = 0; k < STEPS; k++) {
        double x = (k + 0.5) / STEPS * end, r = planar ? sqrt(a * a + x * x) : a + x;
        double t2 = (1.0 - r) * (1.0 - r);
        sum += t2 * t2 * (1.0 + 4.0 * r) * (planar ? 1.0 : r);
    }
    return (float)((planar ? 14.0 / 3.14159265358979323846 : 21.0) * sum * end / STEPS);
}

/* Integrates the Wendland kernel behind the wall, over spherical caps, or arcs in the plane, of
 * larger radii. */
static float wendland_share(float q, bool planar)
{
    enum { STEPS = 400 };
    double a = fmin(fabs((double)q), 1.0), sum = 0.0;
    for (int k = 0; k < STEPS; k++) {
        double u = (k + 0.5) / STEPS, r = a + (1.0 - a) * u * u, t2 = (1.0 - r) * (1.0 - r);
        double cap = planar ? 14.0 / 3.14159265358979323846 * r * acos(a / r) : 21.0 * r * (r - a);
        sum += t2 * t2 * (1.0 + 4.0 * r) * cap * 2.0 * (1.0 - a) * u;
    }
    float share = (float)(sum / STEPS);
    return q < 0.0f ? 1.0f - share : share;
}

/* Returns the slope of the correction kernel's wall term, times h. */
static float slope_of(const struct sim_params *params, float q)
{
    bool planar = params->planar != 0u;
    if (params->smoothing_kernel == SIM_KERNEL_WENDLAND) return wendland_slope(q, planar);
    return planar ? planar_slope(q, 1.0f) : wall_slope(q, 1.0f);
}

static void add_wall(ref_wall *sum, const struct sim_params *params, float phi, vec3 normal,
                     vec3 motion)
{
    float h = params->h, q = (phi + params->boundary_shift) / h;
    if (phi >= h) return;
    if (params->planar) normal.z = 0.0f;
    float share = params->planar ? planar_share(q) : wall_share(q);
    if (params->smoothing_kernel == SIM_KERNEL_WENDLAND)
        share = wendland_share(q, params->planar != 0u);
    float slope = slope_of(params, phi / h) / h;
    vec3 gradient = vec3_scale(normal, -slope * (1.0f - sum->density));
    sum->moved = sum->moved * (1.0f - share) - vec3_dot(gradient, motion);
    sum->gradient = vec3_add(vec3_scale(sum->gradient, 1.0f - share), gradient);
    sum->density += share - sum->density * share;
}

ref_wall ref_wall_density(const ref_pbf *pbf, vec3 p)
{
    const struct sim_params *params = pbf->params;
    ref_wall sum = {0};
    if (params->boundary_density == 0u) return sum;
    for (uint32_t side = 0; side < 6; side++)
        add_wall(&sum, params, side_distance(params, side, p), side_normal(side), (vec3){0});
    for (uint32_t i = 0; i < params->solid_count; i++) {
        vec3 normal;
        float phi = ref_ball_distance(&pbf->balls[i], p, &normal);
        add_wall(&sum, params, phi, normal, vec3_sub(p, ref_ball_carried(&pbf->balls[i], p)));
    }
    return sum;
}

vec3 ref_solid_displacement(const ref_pbf *pbf, vec3 p)
{
    float nearest = pbf->params->h;
    vec3 moved = {0}, normal;
    for (uint32_t i = 0; i < pbf->params->solid_count; i++) {
        float distance = ref_ball_distance(&pbf->balls[i], p, &normal);
        if (distance >= nearest) continue;
        nearest = distance;
        moved = vec3_sub(p, ref_ball_carried(&pbf->balls[i], p));
    }
    return moved;
}

float ref_solid_distance(const ref_pbf *pbf, vec3 p)
{
    float nearest = 1e30f;
    vec3 normal;
    for (uint32_t i = 0; i < pbf->params->solid_count; i++)
        nearest = fminf(nearest, ref_ball_distance(&pbf->balls[i], p, &normal));
    return nearest;
}

float ref_wall_distance(const ref_pbf *pbf, vec3 p)
{
    float nearest = ref_solid_distance(pbf, p);
    for (uint32_t side = 0; side < 6; side++)
        nearest = fminf(nearest, side_distance(pbf->params, side, p));
    return nearest;
}

static vec3 friction(vec3 slip, vec3 normal, float push, float coefficient)
{
    vec3 tangential = vec3_sub(slip, vec3_scale(normal, vec3_dot(slip, normal)));
    float size = vec3_length(tangential);
    if (size <= 0.0f) return (vec3){0};
    return vec3_scale(tangential, -fminf(1.0f, coefficient * push / size));
}

static vec3 project_out_of_ball(const ref_pbf *pbf, const ref_ball *ball, vec3 p, vec3 start)
{
    vec3 normal;
    float push = pbf->params->boundary_gap - ref_ball_distance(ball, p, &normal);
    if (push <= 0.0f) return p;
    vec3 slip = vec3_sub(vec3_sub(p, start), vec3_sub(p, ref_ball_carried(ball, p)));
    return vec3_add(
        p, vec3_add(vec3_scale(normal, push), friction(slip, normal, push, ball->friction)));
}

/* Returns the part of a wall in the displacement by the density of all walls, m. */
static float wall_push(const ref_wall_load *load, const ref_wall *all, const ref_wall *own)
{
    float others = (1.0f - all->density) / (1.0f - own->density);
    return fabsf(load->factor) * others * vec3_length(own->gradient);
}

/* Returns p displaced by the friction of the walls whose density has carried the particle to p. */
static vec3 rub_on_walls(const ref_pbf *pbf, vec3 p, vec3 start, const ref_wall_load *load)
{
    const struct sim_params *params = pbf->params;
    ref_wall all = ref_wall_density(pbf, load->at);
    for (uint32_t i = 0; params->boundary_density && i < params->solid_count; i++) {
        const ref_ball *ball = &pbf->balls[i];
        ref_wall own = {0};
        vec3 normal;
        float phi = ref_ball_distance(ball, load->at, &normal);
        vec3 slip =
            vec3_sub(vec3_sub(p, start), vec3_sub(load->at, ref_ball_carried(ball, load->at)));
        add_wall(&own, params, phi, normal, (vec3){0});
        p = vec3_add(p, friction(slip, normal, wall_push(load, &all, &own), ball->friction));
    }
    for (uint32_t side = 0; params->boundary_density && side < 6; side++) {
        ref_wall own = {0};
        vec3 normal = side_normal(side);
        add_wall(&own, params, side_distance(params, side, load->at), normal, (vec3){0});
        p = vec3_add(
            p, friction(vec3_sub(p, start), normal, wall_push(load, &all, &own), params->friction));
    }
    return p;
}

vec3 ref_wall_project_loaded(const ref_pbf *pbf, vec3 p, vec3 start, const ref_wall_load *load)
{
    if (pbf->params->has_friction) p = rub_on_walls(pbf, p, start, load);
    return ref_wall_project(pbf, p, start);
}

/* Returns the push by a wall at the distance phi of the pressure p (m2) whose -grad p is `move`
 * (m). */
static float pressure_push(const struct sim_params *params, float p, vec3 move, float phi,
                           vec3 normal)
{
    float on_wall = p + fmaxf(phi, params->cell_size.x / 2.0f) * vec3_dot(move, normal);
    float share = 2.0f * (1.0f - fmaxf(phi, 0.0f) / params->h) / params->h;
    return phi < params->h ? fmaxf(on_wall, 0.0f) * share : 0.0f;
}

vec3 ref_wall_rub_pressure(const ref_pbf *pbf, vec3 p, vec3 start, float pressure, vec3 move)
{
    const struct sim_params *params = pbf->params;
    vec3 moved = p;
    for (uint32_t i = 0; i < params->solid_count; i++) {
        vec3 normal, still = ref_ball_carried(&pbf->balls[i], p);
        float phi = ref_ball_distance(&pbf->balls[i], p, &normal);
        float push = pressure_push(params, pressure, move, phi, normal);
        vec3 slip = vec3_sub(vec3_sub(moved, start), vec3_sub(p, still));
        moved = vec3_add(moved, friction(slip, normal, push, pbf->balls[i].friction));
    }
    for (uint32_t side = 0; side < 6; side++) {
        vec3 normal = side_normal(side);
        float phi = side_distance(params, side, p);
        float push = pressure_push(params, pressure, move, phi, normal);
        moved = vec3_add(moved, friction(vec3_sub(moved, start), normal, push, params->friction));
    }
    return vec3_sub(moved, p);
}

vec3 ref_wall_project(const ref_pbf *pbf, vec3 p, vec3 start)
{
    for (uint32_t i = 0; i < pbf->params->solid_count; i++)
        p = project_out_of_ball(pbf, &pbf->balls[i], p, start);
    for (uint32_t side = 0; side < 6; side++) {
        float push = pbf->params->boundary_gap - side_distance(pbf->params, side, p);
        if (push <= 0.0f) continue;
        vec3 normal = side_normal(side);
        vec3 rub = friction(vec3_sub(p, start), normal, push, pbf->params->friction);
        p = vec3_add(p, vec3_add(vec3_scale(normal, push), rub));
    }
    if (pbf->params->planar) p.z = pbf->params->plane;
    return p;
}
