#include "ref_viscous.h"

#define PI 3.14159265358979323846
#define PARTS 48 /* steps of numerical integration */

static uint32_t dimensions(const ref_viscous *r)
{
    return r->params->planar ? 2 : 3;
}

/* Returns the weight of a pair at distance q h, with the factor 2 D (D + 2) over the integral of
 * q^4 f that makes its sum over an infinite fluid the Laplacian. The fluid has volume h^D. */
static double weight(const ref_viscous *r, double q)
{
    double t = 1.0 - q * q, factor = dimensions(r) == 2 ? 577.5 / PI : 900.0 / PI;
    double h = r->spacing * r->support;
    return q < 1.0 && q > 0.0 ? factor * t * t * t / q / (h * h) : 0.0;
}

/* ---- pairs ---------------------------------------------------------------------------------- */

static double shorter(int32_t a, int32_t b, int32_t period)
{
    double d = (double)a - b;
    return period > 0 ? d - period * rint(d / period) : d;
}

/* Computes the offset of j from i in units of h; returns its length. */
static double offset(const ref_viscous *r, uint32_t i, uint32_t j, double d[3])
{
    ivec4 a = r->positions[i], b = r->positions[j], period = r->params->fixed_period;
    double unit = (double)r->params->origin.w / (r->spacing * r->support);
    d[0] = unit * shorter(a.x, b.x, period.x);
    d[1] = unit * shorter(a.y, b.y, period.y);
    d[2] = unit * shorter(a.z, b.z, period.z);
    return sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
}

static double mean_viscosity(const ref_viscous *r, uint32_t i, uint32_t j)
{
    double a = r->fluids[r->starts[i].w].viscosity, b = r->fluids[r->starts[j].w].viscosity;
    return a + b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
}

typedef struct drag {
    double force[3], diagonal;
} drag;

static void add_pair(const ref_viscous *r, uint32_t i, uint32_t j, const double (*v)[3], drag *sum)
{
    double d[3], along = 0.0, q = offset(r, i, j, d);
    if (i == j || q >= 1.0) return;
    double volume = pow(r->support, -(double)dimensions(r)); /* in units of h^D */
    double share = r->dt * mean_viscosity(r, i, j) * volume * weight(r, q);
    for (int k = 0; k < 3; k++)
        along += (v[i][k] - v[j][k]) * d[k];
    for (int k = 0; k < 3; k++)
        sum->force[k] += share * along * d[k];
    sum->diagonal += share * q * q;
}

/* ---- walls ---------------------------------------------------------------------------------- */

/* Returns the weight of a point in Simpson's rule. */
static double simpson(int k)
{
    return (k == 0 || k == PARTS ? 1.0 : k % 2 ? 4.0 : 2.0) / (3.0 * PARTS);
}

/* Computes the drag of the half space beyond `near` (in units of h) on a velocity along the wall
 * and across it. The velocity of fluid there is linear in its depth and equals that of the wall at
 * the wall: at distance z from the particle, the difference is z / near times that at the wall. The
 * integral runs over layers of depth z and rings of radius s around the normal. */
static void wall_drag(const ref_viscous *r, double near, double *along, double *across)
{
    *along = *across = 0.0;
    for (int a = 0; a <= PARTS && near < 1.0; a++) {
        double z = near + (1.0 - near) * a / PARTS, most = sqrt(fmax(1.0 - z * z, 0.0));
        for (int b = 0; b <= PARTS; b++) {
            double s = most * b / PARTS, q = sqrt(z * z + s * s);
            double ring = dimensions(r) == 2 ? 2.0 : 2.0 * PI * s;
            double cell = simpson(a) * simpson(b) * most * (1.0 - near);
            double share = weight(r, q) * (z / near) * ring * cell;
            *along += share * s * s / (dimensions(r) == 2 ? 1.0 : 2.0);
            *across += share * z * z;
        }
    }
}

typedef struct wall {
    double distance_m, normal[3], velocity[3];
    bool sticks;
} wall;

/* A particle and the sums over its walls. */
typedef struct near_walls {
    double p[3], v[3], viscosity;
    bool walls_move;
    drag sum;
} near_walls;

static void add_wall(const ref_viscous *r, const wall *w, near_walls *at)
{
    const double *v = at->v;
    drag *sum = &at->sum;
    double viscosity = at->viscosity;
    double h = r->spacing * r->support, q = w->distance_m / h, along, across, normal = 0.0;
    if (q >= 1.0) return;
    wall_drag(r, fmax(q, 0.1), &along, &across);
    if (!w->sticks) along = 0.0;
    for (int k = 0; k < 3; k++)
        normal += (v[k] - w->velocity[k]) * w->normal[k];
    for (int k = 0; k < 3; k++) {
        double slip = v[k] - w->velocity[k] - normal * w->normal[k];
        sum->force[k] += r->dt * viscosity * (along * slip + across * normal * w->normal[k]);
    }
    uint32_t n = dimensions(r);
    sum->diagonal += r->dt * viscosity * ((n - 1) * along + across);
}

static void add_sides(const ref_viscous *r, near_walls *at)
{
    const struct sim_params *params = r->params;
    vec4 low = ref_metres(params, params->fixed_min), high = ref_metres(params, params->fixed_max);
    const double lows[3] = {(double)low.x, (double)low.y, (double)low.z};
    const double highs[3] = {(double)high.x, (double)high.y, (double)high.z};
    for (uint32_t side = 0; side < 6; side++) {
        uint32_t axis = side / 2;
        wall w = {.sticks = r->sides_stick};
        if ((params->sides >> 2 * side & 3u) != 0) continue;
        w.distance_m = side % 2 ? highs[axis] - at->p[axis] : at->p[axis] - lows[axis];
        w.normal[axis] = side % 2 ? -1.0 : 1.0;
        add_wall(r, &w, at);
    }
}

static vec3 turned(vec4 rotation, vec3 p)
{
    return quat_rotate((quat){rotation.x, rotation.y, rotation.z, rotation.w}, p);
}

static vec3 back(vec4 rotation, vec3 p)
{
    return quat_rotate((quat){-rotation.x, -rotation.y, -rotation.z, rotation.w}, p);
}

static void cross(const double a[3], const double b[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Adds the force that the wall has added to the particle's sum to the body itself. */
static void give(ref_viscous_body *b, const near_walls *near, const double before[3])
{
    double arm[3], lost[3], moment[3];
    for (int k = 0; k < 3; k++) {
        arm[k] = near->p[k] - b->centre[k];
        lost[k] = near->sum.force[k] - before[k];
    }
    cross(arm, lost, moment);
    for (int k = 0; k < 3; k++) {
        b->force[k] += lost[k];
        b->moment[k] += moment[k];
    }
}

static void add_ball(const ref_viscous *r, uint32_t ball, near_walls *near)
{
    const ref_ball *b = &r->balls[ball];
    const vec4 *to = &b->pose.position, *from = &b->pose.last_position;
    vec3 at = {(float)near->p[0], (float)near->p[1], (float)near->p[2]};
    vec3 local = back(b->pose.rotation, vec3_sub(at, (vec3){to->x, to->y, to->z}));
    vec3 out = turned(b->pose.rotation, vec3_sub(local, b->centre));
    if (r->params->planar) out.z = 0.0f;
    vec3 was = vec3_add(turned(b->pose.last_rotation, local), (vec3){from->x, from->y, from->z});
    vec3 moved = vec3_sub(at, was);
    double size = (double)vec3_length(vec3_sub(local, b->centre)),
           s = near->walls_move ? 1.0 / r->dt : 0.0;
    wall w = {.distance_m = size - (double)b->radius,
              .normal = {(double)out.x / size, (double)out.y / size, (double)out.z / size},
              .velocity = {(double)moved.x * s, (double)moved.y * s, (double)moved.z * s},
              .sticks = r->ball_sticks[ball]};
    const double before[3] = {near->sum.force[0], near->sum.force[1], near->sum.force[2]};
    add_wall(r, &w, near);
    if (r->solids) give(&r->solids[ball], near, before);
}

static void add_body(const ref_viscous *r, ref_viscous_body *b, near_walls *near)
{
    double arm[3], turn[3], before[3], size = 0.0;
    for (int k = 0; k < 3; k++) {
        arm[k] = near->p[k] - b->centre[k];
        size += arm[k] * arm[k];
        before[k] = near->sum.force[k];
    }
    size = sqrt(size);
    cross(b->rate, arm, turn);
    wall w = {.distance_m = size - b->radius_m, .sticks = true};
    for (int k = 0; k < 3; k++) {
        w.normal[k] = arm[k] / size;
        w.velocity[k] = b->velocity[k] + turn[k];
    }
    add_wall(r, &w, near);
    give(b, near, before);
}

/* ---- the matrix ----------------------------------------------------------------------------- */

void ref_viscous_apply(const ref_viscous *r, bool walls_move, const double (*v)[3],
                       double (*out)[3], double *diagonal)
{
    for (uint32_t i = 0; i < r->count; i++) {
        const ref_viscous_fluid *fluid = &r->fluids[r->starts[i].w];
        vec4 m = ref_metres(r->params, r->positions[i]);
        near_walls near = {.p = {(double)m.x, (double)m.y, (double)m.z},
                           .v = {v[i][0], v[i][1], v[i][2]},
                           .viscosity = fluid->viscosity,
                           .walls_move = walls_move};
        for (uint32_t j = 0; j < r->count; j++)
            add_pair(r, i, j, v, &near.sum);
        add_sides(r, &near);
        for (uint32_t b = 0; b < r->params->solid_count; b++)
            add_ball(r, b, &near);
        for (uint32_t b = 0; b < r->body_count; b++)
            add_body(r, &r->bodies[b], &near);
        for (int k = 0; k < 3; k++)
            out[i][k] = fluid->density * v[i][k] + near.sum.force[k];
        if (diagonal) diagonal[i] = fluid->density + near.sum.diagonal / dimensions(r);
    }
}
