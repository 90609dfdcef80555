#include "ref_cells.h"

#include "ref_poisson.h"

typedef struct index3 {
    int x[3];
} index3;

static bool periodic(const ref_cells *c, int axis)
{
    return ref_axis_component(c->pbf->params->period, axis) > 0.0f;
}

/* Returns the dense index of a cell, wrapped on periodic axes and clamped on the others. */
static size_t index_of(const ref_cells *c, index3 at)
{
    for (int axis = 0; axis < 3; axis++) {
        int n = (int)c->n[axis];
        if (periodic(c, axis)) at.x[axis] = (at.x[axis] % n + n) % n;
        at.x[axis] = at.x[axis] < 0 ? 0 : at.x[axis] >= n ? n - 1 : at.x[axis];
    }
    return (size_t)at.x[0] + c->n[0] * ((size_t)at.x[1] + (size_t)c->n[1] * (size_t)at.x[2]);
}

/* Converts a position to cell units. */
static vec3 local_of(const ref_cells *c, vec3 p)
{
    vec4 low = c->pbf->params->domain_min, size = c->pbf->params->cell_size;
    return vec3_make((p.x - low.x) / size.x, (p.y - low.y) / size.y, (p.z - low.z) / size.z);
}

size_t ref_cell_of(const ref_cells *c, vec3 p)
{
    vec3 at = local_of(c, p);
    return index_of(c, (index3){{(int)at.x, (int)at.y, (int)at.z}});
}

/* ---- open fractions ------------------------------------------------------------------------- */

static float corner(const ref_cells *c, const int at[3])
{
    const struct sim_params *p = c->pbf->params;
    vec3 where = {p->domain_min.x + (float)at[0] * p->cell_size.x,
                  p->domain_min.y + (float)at[1] * p->cell_size.y,
                  p->domain_min.z + (float)at[2] * p->cell_size.z};
    if (p->planar) where.z = p->plane;
    return ref_solid_distance(c->pbf, where);
}

static float open_face(const ref_cells *c, const int at[3], int axis)
{
    float corners[4];
    for (int k = 0; k < 4; k++) {
        int to[3] = {at[0], at[1], at[2]};
        to[(axis + 1) % 3] += k & 1;
        to[(axis + 2) % 3] += k >> 1;
        corners[k] = corner(c, to);
    }
    return ref_square_open_fraction(corners);
}

float ref_cell_open(const ref_cells *c, size_t cell, float open[6])
{
    const struct sim_params *p = c->pbf->params;
    const int at[3] = {(int)(cell % c->n[0]), (int)(cell / c->n[0] % c->n[1]),
                       (int)(cell / c->n[0] / c->n[1])};
    float most = 0.0f; /* a cell is at most as open as its most open face */
    for (int side = 0; side < 6; side++) {
        int axis = side / 2, face[3] = {at[0], at[1], at[2]};
        face[axis] += side % 2;
        open[side] = open_face(c, face, axis);
        if (open[side] < SIM_FACE_MIN_OPEN) open[side] = 0.0f;
        most = fmaxf(most, open[side]);
        uint32_t kind = p->sides >> 2 * side & 3u;
        bool end = face[axis] == 0 || face[axis] == (int)c->n[axis];
        if (end && kind != 1u && kind != 2u) open[side] = 0.0f;
    }
    vec3 middle = {p->domain_min.x + ((float)at[0] + 0.5f) * p->cell_size.x,
                   p->domain_min.y + ((float)at[1] + 0.5f) * p->cell_size.y,
                   p->domain_min.z + ((float)at[2] + 0.5f) * p->cell_size.z};
    float least = fminf(p->cell_size.x, p->cell_size.y);
    if (p->planar)
        middle.z = p->plane;
    else
        least = fminf(least, p->cell_size.z);
    float share = fminf(fmaxf(0.5f + ref_solid_distance(c->pbf, middle) / least, 0.0f), 1.0f);
    return fminf(share, most);
}

/* ---- weights and level set ------------------------------------------------------------------ */

/* Finds the cell whose centre is the lower corner of the eight centres around a position; `part` is
 * the offset from that centre, in cells. */
static index3 middles_below(vec3 at, double part[3])
{
    const float along[3] = {at.x, at.y, at.z};
    index3 low;
    for (int k = 0; k < 3; k++) {
        low.x[k] = (int)floorf(along[k] - 0.5f);
        part[k] = (double)along[k] - 0.5 - low.x[k];
    }
    return low;
}

void ref_cell_share_out(const ref_cells *c, vec3 p, ref_cell_share out[8])
{
    double part[3];
    index3 low = middles_below(local_of(c, p), part);
    for (int corner_index = 0; corner_index < 8; corner_index++) {
        ref_cell_share *to = &out[corner_index];
        index3 at = low;
        to->share = 1.0;
        for (int k = 0; k < 3; k++) {
            bool upper = corner_index >> k & 1;
            to->share *= upper ? part[k] : 1.0 - part[k];
            at.x[k] += upper;
        }
        to->cell = index_of(c, at);
        if (c->opens[to->cell] < SIM_CELL_MIN_OPEN) to->cell = ref_cell_of(c, p);
    }
}

/* A flat surface at height s above the centre of a cell fills (1 + s)^2 / 2 of the cell where s <
 * 0, and leaves (1 - s)^2 / 2 of it empty where s > 0. */
double ref_cell_level(double filled, bool fluid)
{
    double depth = filled < 0.5   ? sqrt(2.0 * filled) - 1.0
                   : filled < 1.0 ? 1.0 - sqrt(2.0 - 2.0 * filled)
                                  : 1.0;
    return fluid ? -fmax(depth, (double)SIM_LEVEL_SET_MIN_DEPTH) : fmax(-depth, 0.0);
}

float ref_cell_theta(float fluid, float air)
{
    return fmaxf(-fluid / (air - fluid), POISSON_MIN_THETA);
}

/* ---- solids in motion ----------------------------------------------------------------------- */

/* Returns the centre of the lower (`up` 0) or upper (1) face of a cell, m. */
static vec3 face_centre(const ref_cells *c, size_t cell, int axis, float up)
{
    const struct sim_params *p = c->pbf->params;
    const uint32_t *n = c->n;
    float at[3] = {(float)(cell % n[0]) + 0.5f, (float)(cell / n[0] % n[1]) + 0.5f,
                   (float)(cell / n[0] / n[1]) + 0.5f};
    at[axis] += up - 0.5f;
    return vec3_make(p->domain_min.x + at[0] * p->cell_size.x,
                     p->domain_min.y + at[1] * p->cell_size.y,
                     p->planar ? p->plane : p->domain_min.z + at[2] * p->cell_size.z);
}

float ref_cell_solid_way(const ref_cells *c, size_t cell, int axis, float up)
{
    vec3 moved = ref_solid_displacement(c->pbf, face_centre(c, cell, axis, up));
    return ref_axis_component((vec4){moved.x, moved.y, moved.z, 0}, axis);
}

double ref_cell_solid_flow(const ref_cells *c, uvec4 faces, size_t cell)
{
    const uint32_t bits[3] = {faces.x, faces.y, faces.z};
    const vec4 size = c->pbf->params->cell_size;
    const float sizes[3] = {size.x, size.y, size.z}, edge = fminf(size.x, fminf(size.y, size.z));
    double flow = 0.0;
    for (int side = 0; side < 6; side++) {
        int axis = side / 2, up = side % 2;
        double open = (double)(up ? bits[axis] >> 16 : bits[axis] & 0xffffu) / 65535.0;
        double way = (double)ref_cell_solid_way(c, cell, axis, (float)up);
        flow += (up ? -way : way) * (1.0 - open) / (double)sizes[axis];
    }
    return (double)(edge * edge) * flow;
}

/* ---- displacements -------------------------------------------------------------------------- */

/* Reads the displacement at the lower face of a cell. At the upper side of the domain, a face has
 * no cell beyond it. Returns false where no fluid touches the face, or where it does not count. */
static bool slope_at(const ref_cells *c, const ref_cell_slopes *slopes, index3 at, int axis,
                     float *slope)
{
    size_t cell = index_of(c, at);
    bool past = at.x[axis] >= (int)c->n[axis] && !periodic(c, axis);
    vec4 own = slopes->faces[cell], moved = {slopes->moved.x, slopes->moved.y, slopes->moved.z, 0};
    uint32_t side = c->pbf->params->sides >> (4 * axis + 2) & 3u;
    bool known =
        past ? c->levels[cell] < 0.0f && (side == 0 || side == 3) : (uint32_t)own.w >> axis & 1u;
    bool closed = past || ((uint32_t)own.w >> axis & SIM_CLOSED_FACE) != 0;
    *slope = past ? 0.0f : ref_axis_component(own, axis);
    if (closed) *slope = 0.5f * (*slope - ref_axis_component(moved, axis));
    return known && (!closed || slopes->walls_count);
}

static float displacement(const ref_cells *c, const ref_cell_slopes *slopes, vec3 local, int axis)
{
    float at[3] = {local.x, local.y, local.z}, sum = 0.0f, known = 0.0f, slope;
    index3 low;
    for (int k = 0; k < 3; k++) {
        if (k != axis) at[k] -= 0.5f;
        low.x[k] = (int)floorf(at[k]);
        at[k] -= (float)low.x[k];
    }
    for (int corner_index = 0; corner_index < 8; corner_index++) {
        float weight = 1.0f;
        index3 to = low;
        for (int k = 0; k < 3; k++) {
            bool upper = corner_index >> k & 1;
            weight *= upper ? at[k] : 1.0f - at[k];
            to.x[k] += upper;
        }
        if (!slope_at(c, slopes, to, axis, &slope)) continue;
        sum += weight * slope;
        known += weight;
    }
    return known > 0.0f ? sum / known : 0.0f;
}

vec3 ref_cell_move(const ref_cells *c, const ref_cell_slopes *slopes, vec3 p)
{
    vec3 local = local_of(c, p);
    float deep = c->pbf->params->planar ? 0.0f : displacement(c, slopes, local, 2);
    return vec3_make(displacement(c, slopes, local, 0), displacement(c, slopes, local, 1), deep);
}

float ref_cell_pressure(const ref_cells *c, const float *pressures, vec3 p)
{
    double part[3], sum = 0.0, known = 0.0;
    index3 low = middles_below(local_of(c, p), part);
    for (int k = 0; k < 8; k++) {
        double weight = 1.0;
        index3 to = low;
        for (int axis = 0; axis < 3; axis++) {
            bool upper = k >> axis & 1;
            weight *= upper ? part[axis] : 1.0 - part[axis];
            to.x[axis] += upper;
        }
        size_t cell = index_of(c, to);
        if (c->opens[cell] < 0.0f || c->levels[cell] >= POISSON_CLOSED) continue;
        sum += weight * (double)pressures[cell];
        known += weight;
    }
    return known > 0.0 ? (float)(sum / known) : 0.0f;
}
