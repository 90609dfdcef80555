#include "ref_flip_viscous.h"

#include "ref_poisson.h"

/* A single face whose velocity differs from the array by `by`. */
typedef struct changed_face {
    int at[3], axis;
    double by;
} changed_face;

static bool is_outside(const ref_flip *f, const int at[3], int *side)
{
    for (int axis = 0; axis < 3; axis++) {
        bool turns = ref_axis_component(f->pbf->params->period, axis) > 0.0f;
        *side = 2 * axis + (at[axis] >= 0);
        if (!turns && (at[axis] < 0 || at[axis] >= (int)f->n[axis])) return true;
    }
    return false;
}

static uint32_t cell_of(const ref_flip_viscous *v, const int at[3])
{
    int side;
    const struct sim_params *p = v->f->pbf->params;
    if (!is_outside(v->f, at, &side)) return v->cells[ref_flip_index(v->f, at)];
    if ((p->sides >> 2 * side & 3u) != 0) return 0;
    return SIM_VISCOUS_CLOSED | SIM_VISCOUS_FIXED_XYZ | (p->no_slip ? 0 : SIM_VISCOUS_SLIP);
}

static double nu_of(uint32_t cell)
{
    uint32_t bits = cell & ~SIM_VISCOUS_FLAGS_MASK;
    float nu;
    memcpy(&nu, &bits, 4);
    return (double)nu;
}

static double velocity_of(const ref_flip_viscous *v, const int at[3], int axis,
                          const changed_face *changed)
{
    int side;
    bool same = changed->axis == axis;
    for (int k = 0; k < 3; k++)
        same &= at[k] == changed->at[k];
    double by = same ? changed->by : 0.0;
    if (is_outside(v->f, at, &side)) return by;
    return (double)ref_axis_component(v->velocities[ref_flip_index(v->f, at)], axis) + by;
}

static double size_of(const ref_flip_viscous *v, int axis)
{
    return (double)ref_axis_component(v->f->pbf->params->cell_size, axis);
}

/* Returns the power that stretching a cell along an axis dissipates. */
static double stretch_power(const ref_flip_viscous *v, const int at[3], int axis,
                            const changed_face *changed)
{
    uint32_t cell = cell_of(v, at);
    int next[3] = {at[0], at[1], at[2]};
    next[axis]++;
    if (!(cell & SIM_VISCOUS_FLUID)) return 0.0;
    double rate = (velocity_of(v, next, axis, changed) - velocity_of(v, at, axis, changed)) /
                  size_of(v, axis);
    return 2.0 * nu_of(cell) * rate * rate;
}

/* Finds the four cells around the edge where a cell's lower faces across a and b meet: the cell
 * itself, and its neighbours below along a, along b and along both. */
static void find_corners(const int at[3], int a, int b, int corners[4][3])
{
    for (int k = 0; k < 4; k++) {
        memcpy(corners[k], at, 3 * sizeof *at);
        corners[k][a] -= k & 1;
        corners[k][b] -= k >> 1;
    }
}

/* Returns the power that shear at that edge dissipates. Between a wall and fluid, half of the
 * edge's volume is fluid. */
static double shear_power(const ref_flip_viscous *v, const int at[3], int a, int b,
                          const changed_face *changed)
{
    int corners[4][3];
    double nu = 0.0, fluids = 0.0;
    uint32_t closed = 0;
    find_corners(at, a, b, corners);
    for (int k = 0; k < 4; k++) {
        uint32_t cell = cell_of(v, corners[k]);
        bool fluid = cell & SIM_VISCOUS_FLUID, wall = cell & SIM_VISCOUS_CLOSED;
        if (!fluid && !wall) return 0.0;
        if (cell & SIM_VISCOUS_SLIP) return 0.0;
        nu += fluid ? nu_of(cell) : 0.0;
        fluids += fluid;
        closed |= (uint32_t)wall << k;
    }
    if (fluids == 0.0) return 0.0;
    bool wall_a = (closed & 3u) == 3u || (closed & 12u) == 12u,
         wall_b = (closed & 5u) == 5u || (closed & 10u) == 10u;
    double along_a =
        (velocity_of(v, corners[0], a, changed) - velocity_of(v, corners[2], a, changed)) /
        size_of(v, b);
    double along_b =
        (velocity_of(v, corners[0], b, changed) - velocity_of(v, corners[1], b, changed)) /
        size_of(v, a);
    double rate = (wall_a ? 2.0 : 1.0) * along_a + (wall_b ? 2.0 : 1.0) * along_b;
    return (wall_a || wall_b ? 0.5 : 1.0) * nu / fluids * rate * rate;
}

/* Sums the power of all terms that contain the velocity of the face. */
static double power(const ref_flip_viscous *v, const changed_face *changed)
{
    int axis = changed->axis, axes = v->f->pbf->params->planar ? 2 : 3;
    int at[3] = {changed->at[0], changed->at[1], changed->at[2]};
    double sum = stretch_power(v, at, axis, changed);
    at[axis]--;
    sum += stretch_power(v, at, axis, changed);
    at[axis]++;
    for (int other = 0; other < axes; other++) {
        if (other == axis) continue;
        sum += shear_power(v, at, axis, other, changed);
        at[other]++;
        sum += shear_power(v, at, axis, other, changed);
        at[other]--;
    }
    return sum;
}

ref_flip_face ref_flip_viscous_face(const ref_flip_viscous *v, const int at[3], int axis)
{
    ref_flip_face face = {0};
    int low[3] = {at[0], at[1], at[2]};
    double dt = (double)v->f->pbf->dt;
    low[axis]--;
    uint32_t own = cell_of(v, at), below = cell_of(v, low);
    if (own & SIM_VISCOUS_FIXED_X << axis) return face;
    face.mass =
        0.5 * ((own & SIM_VISCOUS_FLUID ? 1.0 : 0.0) + (below & SIM_VISCOUS_FLUID ? 1.0 : 0.0));
    if (face.mass == 0.0) return face;
    if (v->inverse_densities)
        face.mass /=
            (double)ref_axis_component(v->inverse_densities[ref_flip_index(v->f, at)], axis);
    changed_face changed = {{at[0], at[1], at[2]}, axis, 1.0};
    double up = power(v, &changed), here, down;
    changed.by = -1.0, down = power(v, &changed);
    changed.by = 0.0, here = power(v, &changed);
    face.taken = dt * (up - down) / 4.0;
    face.own = dt * (up - 2.0 * here + down) / 2.0;
    return face;
}
