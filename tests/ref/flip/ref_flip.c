#include "ref_flip.h"

#include "ref_poisson.h"
#include "ref_walls.h"

#include "shared/poisson.h"

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, 4);
    return value;
}

static bool periodic(const ref_flip *f, int axis)
{
    return ref_axis_component(f->pbf->params->period, axis) > 0.0f;
}

/* Returns the number of MAC cells along an axis, without those beyond an open side. */
static int tiles(const ref_flip *f, int axis)
{
    const ivec4 *n = &f->pbf->params->mac_cells;
    return axis == 0 ? n->x : axis == 1 ? n->y : n->z;
}

static int axes(const ref_flip *f)
{
    return f->pbf->params->planar ? 2 : 3;
}

static double size_of(const ref_flip *f, int axis)
{
    return (double)ref_axis_component(f->pbf->params->cell_size, axis);
}

size_t ref_flip_index(const ref_flip *f, const int at[3])
{
    size_t to[3];
    for (int axis = 0; axis < 3; axis++) {
        int n = (int)f->n[axis], x = at[axis];
        if (periodic(f, axis)) x = (x % n + n) % n;
        to[axis] = (size_t)(x < 0 ? 0 : x >= n ? n - 1 : x);
    }
    return to[0] + f->n[0] * (to[1] + f->n[1] * to[2]);
}

void ref_flip_offset(const ref_flip *f, const double x[3], const int at[3], double offset[3])
{
    for (int axis = 0; axis < 3; axis++) {
        offset[axis] = x[axis] - at[axis];
        double n = tiles(f, axis);
        if (periodic(f, axis)) offset[axis] -= n * rint((offset[axis] - 0.5) / n);
    }
}

/* ---- P2G ------------------------------------------------------------------------------------ */

static double hat(double x)
{
    return fmax(1.0 - fabs(x), 0.0);
}

/* Returns the weight of a particle at a cell centre along one axis, including the weight that a
 * closed side folds back. */
static double folded(const ref_flip *f, double x, const int at[3], int axis)
{
    double weight = hat(x - 0.5);
    if (at[axis] == 0 && ref_side_kind(f->pbf->params, 2u * (uint32_t)axis) == 0)
        weight += hat(x + 0.5);
    if (at[axis] + 1 == tiles(f, axis) &&
        ref_side_kind(f->pbf->params, 2u * (uint32_t)axis + 1u) == 0)
        weight += hat(x - 1.5);
    return weight;
}

static void add(const ref_flip *f, ref_gathered *sum, const ref_mover *mover, const int at[3])
{
    double x[3], full = 1.0;
    ref_flip_offset(f, mover->x, at, x);
    for (int axis = 0; axis < 3; axis++) {
        double weight = 1.0, v = mover->v[axis];
        for (int k = 0; k < 3; k++) {
            double node = k == axis ? 0.0 : 0.5;
            weight *= hat(x[k] - node);
            v += mover->c[axis][k] * (node - x[k]) * size_of(f, k);
        }
        sum->volume[axis] += weight;
        sum->weight[axis] += weight * mover->mass;
        sum->velocity[axis] += weight * mover->mass * v;
        full *= folded(f, x[axis], at, axis);
    }
    sum->fill_fraction += full / (double)f->pbf->params->cell_size.w;
    sum->fill_mass += full * mover->mass / (double)f->pbf->params->cell_size.w;
}

ref_gathered ref_flip_gather(const ref_flip *f, const int at[3])
{
    ref_gathered sum = {0};
    for (uint32_t i = 0; i < f->count; i++)
        add(f, &sum, &f->movers[i], at);
    for (int axis = 0; axis < 3; axis++)
        if (sum.weight[axis] > 0.0) sum.velocity[axis] /= sum.weight[axis];
    return sum;
}

/* ---- pressure ------------------------------------------------------------------------------- */

static bool beside(const ref_flip *f, const int at[3], int side, int to[3])
{
    int axis = side / 2;
    memcpy(to, at, 3 * sizeof *to);
    to[axis] += side % 2 ? 1 : -1;
    return periodic(f, axis) || (to[axis] >= 0 && to[axis] < (int)f->n[axis]);
}

double ref_flip_open(const ref_flip *f, const int at[3], int side)
{
    int to[3];
    const uvec4 *own = &f->cells[ref_flip_index(f, at)];
    const uint32_t shares[3] = {own->x, own->y, own->z};
    uint32_t bits = side % 2 ? shares[side / 2] >> 16 : shares[side / 2] & 0xffffu;
    bool closed = float_of(own->w) >= POISSON_CLOSED;
    if (beside(f, at, side, to))
        closed |= float_of(f->cells[ref_flip_index(f, to)].w) >= POISSON_CLOSED;
    return closed ? 0.0 : bits / 65535.0;
}

static vec3 face_metres(const ref_flip *f, const int at[3], int side)
{
    const struct sim_params *p = f->pbf->params;
    float to[3] = {(float)at[0] + 0.5f, (float)at[1] + 0.5f, (float)at[2] + 0.5f};
    to[side / 2] += side % 2 ? 0.5f : -0.5f;
    vec3 metres = {p->domain_min.x + to[0] * p->cell_size.x,
                   p->domain_min.y + to[1] * p->cell_size.y,
                   p->domain_min.z + to[2] * p->cell_size.z};
    if (p->planar) metres.z = p->plane;
    return metres;
}

double ref_flip_wall_distance(const ref_flip *f, const int at[3], int side)
{
    vec3 p = face_metres(f, at, side), normal;
    float nearest = INFINITY;
    for (uint32_t i = 0; i < f->pbf->params->solid_count; i++)
        nearest = fminf(nearest, ref_ball_distance(&f->pbf->balls[i], p, &normal));
    return (double)nearest;
}

double ref_flip_wall(const ref_flip *f, const int at[3], int side)
{
    vec3 p = face_metres(f, at, side), normal;
    float nearest = f->pbf->params->h, velocity = 0.0f;
    for (uint32_t i = 0; i < f->pbf->params->solid_count; i++) {
        const ref_ball *ball = &f->pbf->balls[i];
        float distance = ref_ball_distance(ball, p, &normal);
        if (distance >= nearest) continue;
        nearest = distance;
        vec3 moved = vec3_sub(p, ref_ball_carried(ball, p));
        velocity = ref_axis(moved, (uint32_t)side / 2) / f->pbf->dt;
    }
    return (double)velocity;
}

double ref_flip_source(const ref_flip *f, const int at[3])
{
    double divergence = 0.0, edge = INFINITY;
    for (int axis = 0; axis < 3; axis++)
        edge = fmin(edge, size_of(f, axis));
    for (int side = 0; side < 2 * axes(f); side++) {
        int to[3], face[3] = {at[0], at[1], at[2]}, axis = side / 2;
        double open = ref_flip_open(f, at, side), velocity = 0.0;
        face[axis] += side % 2;
        if (side % 2 == 0 || beside(f, at, side, to))
            velocity = (double)ref_axis_component(f->faces[ref_flip_index(f, face)], axis);
        double flow = open * velocity;
        if (open < 1.0) flow += (1.0 - open) * ref_flip_wall(f, at, side);
        divergence += (side % 2 ? flow : -flow) / size_of(f, axis);
    }
    return -edge * edge * divergence;
}

/* ---- G2P ------------------------------------------------------------------------------------ */

ref_component ref_flip_axis_component(const ref_flip *f, const double x[3], int axis)
{
    ref_component sum = {0};
    double part[3], slopes_known[3] = {0};
    int low[3];
    for (int k = 0; k < 3; k++) {
        double local = x[k] - (k == axis ? 0.0 : 0.5);
        low[k] = (int)floor(local);
        part[k] = k < axes(f) ? local - low[k] : 0.0;
    }
    for (int corner = 0; corner < 1 << axes(f); corner++) {
        int at[3];
        double weight = 1.0, slope[3] = {1.0, 1.0, 1.0}, u = 0.0;
        for (int k = 0; k < 3; k++) {
            int upper = corner >> k & 1;
            double along = upper ? part[k] : 1.0 - part[k];
            at[k] = low[k] + upper;
            weight *= along;
            for (int m = 0; m < 3; m++)
                slope[m] *= m == k ? (upper ? 1.0 : -1.0) : along;
        }
        bool end = !periodic(f, axis) && at[axis] >= (int)f->n[axis];
        if (end) at[axis] = (int)f->n[axis] - 1;
        size_t cell = ref_flip_index(f, at);
        bool known =
            end ? float_of(f->cells[cell].w) < 0.0 : ((uint32_t)f->faces[cell].w >> axis & 1u) != 0;
        if (!known) continue;
        if (!end) {
            u = (double)ref_axis_component(f->faces[cell], axis);
            sum.change += weight * (double)ref_axis_component(f->changes[cell], axis);
            sum.slope += weight * (double)ref_axis_component(f->slopes[cell], axis);
        }
        sum.velocity += weight * u;
        sum.known += weight;
        for (int k = 0; k < 3; k++) {
            sum.gradient[k] += slope[k] * u;
            slopes_known[k] += slope[k];
        }
    }
    if (sum.known <= 0.0) return (ref_component){0};
    sum.velocity /= sum.known;
    sum.change /= sum.known;
    sum.slope /= sum.known;
    for (int k = 0; k < 3; k++)
        sum.gradient[k] = (sum.gradient[k] - slopes_known[k] * sum.velocity) / size_of(f, k);
    return sum;
}

static void velocity_at(const ref_flip *f, const double x[3], double share, const double last[3],
                        double velocity[3])
{
    double to[3];
    for (int k = 0; k < 3; k++)
        to[k] = x[k] + share * (double)f->pbf->dt * last[k] / size_of(f, k);
    for (int k = 0; k < axes(f); k++) {
        ref_component found = ref_flip_axis_component(f, to, k);
        velocity[k] = found.known > 0.0 ? found.velocity : last[k];
    }
}

void ref_flip_way(const ref_flip *f, const double x[3], double velocity[3], double way[3])
{
    double second[3] = {0};
    velocity_at(f, x, 0.0, velocity, velocity);
    velocity_at(f, x, 2.0 / 3.0, velocity, second);
    for (int k = 0; k < 3; k++)
        way[k] = (double)f->pbf->dt / 4.0 * (velocity[k] + 3.0 * second[k]);
}

double ref_flip_fill_fraction(const ref_flip *f, const double x[3])
{
    double sum = 0.0, known = 0.0;
    for (int corner = 0; corner < 8; corner++) {
        int at[3];
        double weight = 1.0;
        for (int k = 0; k < 3; k++) {
            int low = (int)floor(x[k] - 0.5), upper = corner >> k & 1;
            double part = x[k] - 0.5 - low;
            weight *= upper ? part : 1.0 - part;
            at[k] = low + upper;
        }
        size_t cell = ref_flip_index(f, at);
        if (float_of(f->cells[cell].w) >= POISSON_CLOSED) continue;
        sum += weight * (double)f->fill_fractions[cell];
        known += weight;
    }
    return known > 0.0 ? sum / known : 0.0;
}
