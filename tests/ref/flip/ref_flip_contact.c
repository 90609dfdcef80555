#include "ref_flip_contact.h"

#include "ref_poisson.h"
#include "ref_walls.h"

#include "shared/poisson.h"

static int axes(const ref_flip *f)
{
    return f->pbf->params->planar ? 2 : 3;
}

static double size_of(const ref_flip *f, int axis)
{
    return (double)ref_axis_component(f->pbf->params->cell_size, axis);
}

/* Converts a position in cells to metres. */
static vec3 metres(const ref_flip *f, double x, double y, double z)
{
    const struct sim_params *p = f->pbf->params;
    return (vec3){p->domain_min.x + (float)(x * size_of(f, 0)),
                  p->domain_min.y + (float)(y * size_of(f, 1)),
                  p->planar ? p->plane : p->domain_min.z + (float)(z * size_of(f, 2))};
}

static bool exists(const ref_flip *f, const int at[3], int axis)
{
    bool periodic = ref_axis_component(f->pbf->params->period, axis) > 0.0f;
    return periodic || at[axis] < (int)f->n[axis];
}

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* ---- fluid ---------------------------------------------------------------------------------- */

static double rise_of(const ref_flip *f, const int at[3], int axis)
{
    double x[3] = {at[0] + 0.5, at[1] + 0.5, at[2] + 0.5};
    x[axis] -= 0.5;
    vec3 force = ref_acceleration(f->pbf->params, metres(f, x[0], x[1], x[2]));
    return (double)f->pbf->dt * (double)ref_axis(force, (uint32_t)axis) -
           (double)ref_axis_component(f->changes[ref_flip_index(f, at)], axis);
}

ref_flip_middle ref_flip_find_middle(const ref_flip *f, const int at[3])
{
    ref_flip_middle middle = {.pressure = (double)f->changes[ref_flip_index(f, at)].w};
    for (int axis = 0; axis < axes(f); axis++) {
        int next[3] = {at[0], at[1], at[2]};
        next[axis]++;
        bool has_upper = exists(f, next, axis);
        double low = (double)ref_axis_component(f->faces[ref_flip_index(f, at)], axis), high = 0.0;
        if (has_upper) high = (double)ref_axis_component(f->faces[ref_flip_index(f, next)], axis);
        middle.velocity[axis] = 0.5 * (low + high);
        middle.rise[axis] = rise_of(f, at, axis);
        if (has_upper) middle.rise[axis] = 0.5 * (middle.rise[axis] + rise_of(f, next, axis));
    }
    return middle;
}

/* ---- walls ---------------------------------------------------------------------------------- */

/* Returns the open fraction of a side of a cell. */
static double open_of(const ref_flip *f, const int at[3], int side)
{
    float corners[4];
    int axis = side / 2;
    for (int k = 0; k < 4; k++) {
        int to[3] = {at[0], at[1], at[2]};
        to[axis] += side % 2;
        to[(axis + 1) % 3] += k & 1;
        to[(axis + 2) % 3] += k >> 1;
        corners[k] = ref_solid_distance(f->pbf, metres(f, to[0], to[1], to[2]));
    }
    double open = (double)ref_square_open_fraction(corners);
    return open < (double)SIM_FACE_MIN_OPEN ? 0.0 : open;
}

static bool touch_solid(const ref_flip *f, const int at[3], ref_contact *contact)
{
    vec3 p = metres(f, at[0] + 0.5, at[1] + 0.5, at[2] + 0.5), normal;
    const ref_ball *ball = &f->pbf->balls[0];
    *contact = (ref_contact){.open = 1.0};
    if (f->pbf->params->solid_count == 0) return false;
    for (int axis = 0; axis < axes(f); axis++)
        contact->area[axis] =
            (open_of(f, at, 2 * axis) - open_of(f, at, 2 * axis + 1)) / size_of(f, axis);
    if (length(contact->area) == 0.0) return false;
    contact->distance = (double)ref_ball_distance(ball, p, &normal);
    vec3 moved = vec3_sub(p, ref_ball_carried(ball, p));
    for (uint32_t k = 0; k < 3; k++)
        contact->velocity[k] = (double)(ref_axis(moved, k) / f->pbf->dt);
    contact->friction = (double)ball->friction;
    contact->open = fmin(fmax(0.5 + contact->distance / (double)f->pbf->params->h, 0.0), 1.0);
    return true;
}

bool ref_flip_contact(const ref_flip *f, const int at[3], int wall, ref_contact *contact)
{
    if (wall == 0) return touch_solid(f, at, contact);
    int side = wall - 1, axis = side / 2, last = (int)f->n[axis] - 1;
    touch_solid(f, at, contact);
    double cut = contact->open;
    *contact = (ref_contact){.open = cut, .friction = (double)f->pbf->params->friction};
    if (ref_side_kind(f->pbf->params, (uint32_t)side) != 0) return false;
    if (axis >= axes(f) || at[axis] != (side % 2 ? last : 0)) return false;
    double open = f->pbf->params->solid_count ? open_of(f, at, side) : 1.0;
    contact->area[axis] = (side % 2 ? open : -open) / size_of(f, axis);
    contact->distance = 0.5 * size_of(f, axis);
    return true;
}

double ref_flip_wall_pressure(const ref_flip_middle *middle, const ref_contact *contact)
{
    double area = length(contact->area), along = dot(middle->rise, contact->area);
    return area > 0.0 ? middle->pressure + contact->distance * along / area : 0.0;
}

/* ---- friction ------------------------------------------------------------------------------- */

static bool is_fluid(const ref_flip *f, const int at[3])
{
    float level;
    for (int axis = 0; axis < 3; axis++) {
        bool periodic = ref_axis_component(f->pbf->params->period, axis) > 0.0f;
        if (!periodic && (at[axis] < 0 || at[axis] >= (int)f->n[axis])) return false;
    }
    memcpy(&level, &f->cells[ref_flip_index(f, at)].w, 4);
    return level < 0.0f;
}

bool ref_flip_takes_friction(const ref_flip *f, const int at[3], int axis)
{
    int below[3] = {at[0], at[1], at[2]};
    below[axis]--;
    if (!is_fluid(f, at) && !is_fluid(f, below)) return false;
    bool periodic = ref_axis_component(f->pbf->params->period, axis) > 0.0f;
    return ref_flip_open(f, at, 2 * axis) > 0.0 ||
           (f->pbf->params->solid_count > 0 && (periodic || at[axis] > 0));
}

/* Returns the mass of the particles that read a face: a flat wall keeps a part of what they give
 * to it, the integral of the linear weight beyond the wall. */
static double received(const ref_flip *f, const int at[3], int axis, double open)
{
    double mass = (double)ref_axis_component(f->masses[ref_flip_index(f, at)], axis);
    double beyond = fmax(open - 0.5, 0.0), kept = 1.0 - 0.5 * beyond * beyond / fmax(open, 0.5);
    for (int side = 0; side < 2 * axes(f); side++) {
        int to[3] = {at[0], at[1], at[2]}, k = side / 2;
        to[k] += side % 2 ? 1 : -1;
        bool periodic = ref_axis_component(f->pbf->params->period, k) > 0.0f;
        bool inside = periodic || (to[k] >= 0 && to[k] < (int)f->n[k]);
        if (k == axis || ref_flip_open(f, at, side) > 0.0) continue;
        if (!inside || !((uint32_t)f->faces[ref_flip_index(f, to)].w >> axis & 1u)) mass /= kept;
    }
    return mass;
}

static void find_mass(const ref_flip *f, const int at[3], double open, double mass[3])
{
    for (int side = 0; side < 2 * axes(f); side++) {
        int face[3] = {at[0], at[1], at[2]}, other[3] = {at[0], at[1], at[2]}, axis = side / 2;
        face[axis] += side % 2;
        other[axis] += side % 2 ? 1 : -1;
        if (side % 2 && !exists(f, face, axis)) continue;
        if (!ref_flip_takes_friction(f, face, axis)) continue;
        mass[axis] += (is_fluid(f, other) ? 0.5 : 1.0) * received(f, face, axis, open);
    }
}

static void rub(ref_flip_middle *middle, const ref_contact *contact, const double mass[3])
{
    double area = length(contact->area), along[3], relative[3], moved = 0.0;
    double pressure = fmax(ref_flip_wall_pressure(middle, contact), 0.0);
    if (area == 0.0) return;
    for (int k = 0; k < 3; k++)
        relative[k] = middle->velocity[k] - contact->velocity[k];
    double into = dot(relative, contact->area) / area;
    for (int k = 0; k < 3; k++)
        along[k] = relative[k] - into * contact->area[k] / area;
    double size = fmax(length(along), 1e-30);
    for (int k = 0; k < 3; k++)
        moved += mass[k] * along[k] * along[k] / size;
    double lost = contact->friction * pressure * area;
    for (int k = 0; k < 3; k++)
        middle->velocity[k] -= (lost < moved ? lost / moved : 1.0) * along[k];
}

void ref_flip_rub(const ref_flip *f, const int at[3], double change[3])
{
    ref_flip_middle middle = ref_flip_find_middle(f, at);
    double before[3] = {middle.velocity[0], middle.velocity[1], middle.velocity[2]}, mass[3] = {0};
    ref_contact contact;
    ref_flip_contact(f, at, 0, &contact);
    find_mass(f, at, contact.open, mass);
    for (int wall = 0; wall <= 6; wall++)
        if (ref_flip_contact(f, at, wall, &contact)) rub(&middle, &contact, mass);
    for (int k = 0; k < 3; k++)
        change[k] = middle.velocity[k] - before[k];
}

/* ---- gauges --------------------------------------------------------------------------------- */

static double over_dt(const ref_flip *f)
{
    return (double)f->pbf->params->fluids[0].density / (double)f->pbf->dt;
}

void ref_flip_force(const ref_flip *f, const int at[3], double force[3])
{
    ref_contact contact;
    ref_flip_middle middle = ref_flip_find_middle(f, at), rubbed = middle;
    double volume = size_of(f, 0) * size_of(f, 1) * (axes(f) == 2 ? 1.0 : size_of(f, 2));
    double mass[3] = {0};
    force[0] = force[1] = force[2] = 0.0;
    if (!ref_flip_contact(f, at, 0, &contact)) return;
    find_mass(f, at, contact.open, mass);
    rub(&rubbed, &contact, mass);
    for (int k = 0; k < 3; k++) {
        double lost = mass[k] * (middle.velocity[k] - rubbed.velocity[k]);
        double pushed = ref_flip_wall_pressure(&middle, &contact) * contact.area[k];
        force[k] = over_dt(f) * volume * (pushed + lost);
    }
}

void ref_flip_place(const ref_flip *f, const int at[3], double place[3])
{
    ref_contact contact;
    vec3 middle = metres(f, at[0] + 0.5, at[1] + 0.5, at[2] + 0.5);
    bool touches = ref_flip_contact(f, at, 0, &contact);
    for (int k = 0; k < 3; k++) {
        place[k] = (double)ref_axis(middle, (uint32_t)k);
        if (touches) place[k] += contact.distance * contact.area[k] / length(contact.area);
    }
}

/* Computes the offset from a position to the centre of a cell, m; returns false where the cell is
 * outside the ball. */
static bool in_ball(const ref_flip *f, const int at[3], const double ball[4], double offset[3])
{
    const struct sim_params *p = f->pbf->params;
    for (int k = 0; k < 3; k++) {
        double period = (double)ref_axis_component(p->period, k);
        double middle =
            (double)ref_axis_component(p->domain_min, k) + (at[k] + 0.5) * size_of(f, k);
        offset[k] = k < axes(f) ? middle - ball[k] : 0.0;
        if (period > 0.0) offset[k] -= period * rint(offset[k] / period);
    }
    return length(offset) < ball[3];
}

double ref_flip_pressure(const ref_flip *f, const double place[3], double radius)
{
    const double ball[4] = {place[0], place[1], place[2], radius};
    double weights = 0.0, sum = 0.0, places[3] = {0}, rises[3] = {0};
    for (size_t cell = 0; cell < (size_t)f->n[0] * f->n[1] * f->n[2]; cell++) {
        const int at[3] = {(int)(cell % f->n[0]), (int)(cell / f->n[0] % f->n[1]),
                           (int)(cell / f->n[0] / f->n[1])};
        float level;
        double offset[3];
        memcpy(&level, &f->cells[cell].w, 4);
        if (level >= POISSON_CLOSED || !in_ball(f, at, ball, offset)) continue;
        double t = 1.0 - dot(offset, offset) / (radius * radius), weight = t * t * t;
        ref_flip_middle middle = ref_flip_find_middle(f, at);
        bool fluid = level < 0.0f;
        weights += weight;
        sum += fluid ? weight * middle.pressure : 0.0;
        for (int k = 0; k < 3; k++) {
            places[k] += weight * offset[k];
            rises[k] += fluid ? weight * middle.rise[k] : 0.0;
        }
    }
    if (weights == 0.0) return 0.0;
    return over_dt(f) * (sum - dot(rises, places) / weights) / weights;
}
