#include "ref_flip_air.h"

#include "ref_poisson.h"

#include "shared/poisson.h"

static double level_at(const ref_flip *f, const int at[3])
{
    float level;
    memcpy(&level, &f->cells[ref_flip_index(f, at)].w, 4);
    return (double)level;
}

static bool beside(const ref_flip *f, const int at[3], int side, int to[3])
{
    int axis = side / 2;
    memcpy(to, at, 3 * sizeof *to);
    to[axis] += side % 2 ? 1 : -1;
    bool periodic = ref_axis_component(f->pbf->params->period, axis) > 0.0f;
    return periodic || (to[axis] >= 0 && to[axis] < (int)f->n[axis]);
}

static int sides(const ref_flip *f)
{
    return f->pbf->params->planar ? 4 : 6;
}

static bool known(const ref_flip *f, const int at[3], int axis)
{
    return ((uint32_t)f->faces[ref_flip_index(f, at)].w >> axis & 1u) != 0;
}

static double along(const ref_flip *f, const vec4 *array, const int at[3], int axis)
{
    return (double)ref_axis_component(array[ref_flip_index(f, at)], axis);
}

ref_face ref_air_kind(const ref_air *a, const int at[3], int axis)
{
    int under[3];
    const ref_flip *f = a->flip;
    if (known(f, at, axis)) return REF_FACE_FLUID;
    if (along(f, f->masses, at, axis) <= 0.0) return REF_FACE_NONE;
    bool closed = level_at(f, at) >= (double)POISSON_CLOSED;
    if (beside(f, at, 2 * axis, under)) closed |= level_at(f, under) >= (double)POISSON_CLOSED;
    return closed ? REF_FACE_NONE : REF_FACE_AIR;
}

void ref_air_change(const ref_air *a, const int at[3], int axis, double *change, double *slope)
{
    const ref_flip *f = a->flip;
    double count = 0.0;
    *change = *slope = 0.0;
    for (int side = 0; side < sides(f); side++) {
        int to[3];
        if (!beside(f, at, side, to) || !known(f, to, axis)) continue;
        *change += along(f, f->changes, to, axis);
        *slope += along(f, f->slopes, to, axis);
        count++;
    }
    if (count > 0.0)
        *change /= count, *slope /= count;
    else
        *change = along(f, f->changes, at, axis);
}

static double mass_at(const ref_air *a, const int at[3], int axis)
{
    double mass = along(a->flip, a->flip->masses, at, axis);
    for (int side = 0; side < sides(a->flip); side++)
        if (side / 2 != axis && ref_flip_open(a->flip, at, side) == 0.0) mass /= 0.875;
    return mass;
}

static double force_at(const ref_flip *f, const int at[3], int axis)
{
    const struct sim_params *p = f->pbf->params;
    float to[3] = {(float)at[0] + 0.5f, (float)at[1] + 0.5f, (float)at[2] + 0.5f};
    to[axis] -= 0.5f;
    vec3 where = {p->domain_min.x + to[0] * p->cell_size.x,
                  p->domain_min.y + to[1] * p->cell_size.y,
                  p->domain_min.z + to[2] * p->cell_size.z};
    if (p->planar) where.z = p->plane;
    return (double)f->pbf->dt * (double)ref_axis(ref_acceleration(p, where), (uint32_t)axis);
}

ref_face_momentum ref_air_momentum(const ref_air *a, const int at[3], int axis)
{
    const ref_flip *f = a->flip;
    ref_face kind = ref_air_kind(a, at, axis);
    double open = ref_flip_open(f, at, 2 * axis), change, slope, mass = mass_at(a, at, axis);
    if (kind == REF_FACE_NONE || (kind == REF_FACE_FLUID && open == 0.0))
        return (ref_face_momentum){0};
    if (kind == REF_FACE_AIR) {
        ref_air_change(a, at, axis, &change, &slope);
        return (ref_face_momentum){mass * (change - force_at(f, at, axis)), 0.0, mass};
    }
    int under[3];
    double own = level_at(f, at), other = 0.0;
    if (beside(f, at, 2 * axis, under)) other = level_at(f, under);
    double least = fmin(own, other), most = fmax(own, other), theta = 1.0;
    if (most >= 0.0) theta = fmax(least / (least - most), (double)POISSON_MIN_THETA);
    slope = along(f, f->slopes, at, axis);
    return (ref_face_momentum){mass * slope, open * theta * slope, mass};
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void ref_air_residual(const double particles[3], const double solve[3], const double weight[3],
                      double residual[3])
{
    double size = sqrt(dot(solve, solve)), held = 0.0;
    double lift = size > 0.0 ? dot(particles, solve) / size : 0.0;
    if (lift > 0.0) {
        double most = fmax(-dot(weight, solve) / size, 0.0);
        held = fmin(lift, most) / lift * (lift - size);
    }
    for (int axis = 0; axis < 3; axis++) {
        residual[axis] = particles[axis] - solve[axis];
        if (size > 0.0) residual[axis] -= held * solve[axis] / size;
    }
}

double ref_closed_face_velocity(const ref_closed_face *face, int axis)
{
    double relative[3];
    for (int k = 0; k < 3; k++)
        relative[k] = (k == axis ? face->before + face->change : face->around[k]) - face->wall[k];
    return face->wall[axis] + relative[axis] - face->normal[axis] * dot(relative, face->normal);
}
