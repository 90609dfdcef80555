/* Computes the volume, centre and second moments of a mesh.
 *
 * For a closed mesh whose parts do not overlap they are exact: each triangle spans a tetrahedron
 * with one point, and the signed sum over all triangles is the integral (Eberly, "Polyhedral Mass
 * Properties", 2002). If parts overlap, or some parts face inwards and others outwards, the region
 * with a non-zero winding number counts once; it is integrated along columns. */
#include "solid_internal.h"

#include <stdlib.h>

#define COLUMNS 256u /* along x and along y; each column passes through the whole mesh */

/* ---- triangles ------------------------------------------------------------------------------ */

/* Adds the tetrahedron spanned by a triangle and the origin. */
static void add_tetrahedron(solid_moments *m, const double p[3][3])
{
    static const int pairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    const double *a = p[0], *b = p[1], *c = p[2];
    const double volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0])) /
                          6.0;
    m->volume += volume;
    for (int k = 0; k < 3; ++k)
        m->first[k] += volume * (a[k] + b[k] + c[k]) / 4.0;
    for (int n = 0; n < 6; ++n) {
        const int i = pairs[n][0], j = pairs[n][1];
        const double own = a[i] * a[j] + b[i] * b[j] + c[i] * c[j];
        const double mixed = (a[i] + b[i] + c[i]) * (a[j] + b[j] + c[j]);
        m->second[n] += volume * (own + mixed) / 20.0;
    }
}

/* Returns the corners of a triangle relative to `middle`. */
static void corners_of(const io_mesh *mesh, vec3 middle, size_t triangle, double p[3][3])
{
    for (size_t k = 0; k < 3; ++k) {
        const vec3 v = mesh->vertices[mesh->indices[3 * triangle + k]];
        p[k][0] = (double)v.x - (double)middle.x;
        p[k][1] = (double)v.y - (double)middle.y;
        p[k][2] = (double)v.z - (double)middle.z;
    }
}

/* Sums the moments over all triangles; they are negative if triangles face inwards. */
static solid_moments sum_triangles(const io_mesh *mesh, vec3 middle)
{
    solid_moments m = {0};
    for (size_t t = 0; t < mesh->triangle_count; ++t) {
        double p[3][3];
        corners_of(mesh, middle, t, p);
        add_tetrahedron(&m, p);
    }
    return m;
}

static void scale_moments(solid_moments *m, double by)
{
    m->volume *= by;
    for (int k = 0; k < 3; ++k)
        m->first[k] *= by;
    for (int k = 0; k < 6; ++k)
        m->second[k] *= by;
}

/* ---- winding numbers along columns ---------------------------------------------------------- */

typedef struct column_crossing {
    uint32_t column;
    int turns; /* change of the winding number in the +z direction */
    double z;
} column_crossing;

typedef BASE_ARRAY(column_crossing) crossings;

/* Columns parallel to z, one per cell of a grid in x and y. The position within the cell varies
 * from row to row, so that the columns sample axis-aligned walls evenly. */
typedef struct column_grid {
    double origin[2], step[2];
    crossings all;
} column_grid;

static double column_index(const column_grid *c, int axis, const uint32_t cell[2])
{
    const double golden = 0.61803398875, turn = golden * ((double)cell[1 - axis] + 0.5);
    return c->origin[axis] + ((double)cell[axis] + turn - floor(turn)) * c->step[axis];
}

/* Returns twice the signed area of the triangle a, b, (x, y). Exchanging a and b changes exactly
 * the sign, so of two triangles with a common edge exactly one contains the point. */
static double edge_area(const double *a, const double *b, double x, double y)
{
    const bool turned = a[0] > b[0] || (!(a[0] < b[0]) && a[1] > b[1]);
    const double *p = turned ? b : a, *q = turned ? a : b;
    const double area = (q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]);
    return turned ? -area : area;
}

static uint32_t first_column(const column_grid *c, int axis, double at)
{
    const double i = floor((at - c->origin[axis]) / c->step[axis]) - 1.0;
    return (uint32_t)fmin(fmax(i, 0.0), (double)COLUMNS);
}

static bool cross_column(column_grid *c, const double p[3][3], const uint32_t cell[2])
{
    const double x = column_index(c, 0, cell), y = column_index(c, 1, cell);
    const double u = edge_area(p[1], p[2], x, y), v = edge_area(p[2], p[0], x, y),
                 w = edge_area(p[0], p[1], x, y), all = u + v + w;
    const bool up = u > 0.0 && v > 0.0 && w > 0.0, down = u < 0.0 && v < 0.0 && w < 0.0;
    if (!up && !down) return true;
    const column_crossing hit = {.column = cell[1] * COLUMNS + cell[0],
                                 .turns = up ? -1 : 1,
                                 .z = (u * p[0][2] + v * p[1][2] + w * p[2][2]) / all};
    return BASE_ARRAY_PUSH(&c->all, hit);
}

static bool cross_triangle(column_grid *c, const double p[3][3])
{
    uint32_t low[2], high[2];
    for (int axis = 0; axis < 2; ++axis) {
        const double a = p[0][axis], b = p[1][axis], d = p[2][axis];
        low[axis] = first_column(c, axis, fmin(a, fmin(b, d)));
        high[axis] = first_column(c, axis, fmax(a, fmax(b, d)) + 2.0 * c->step[axis]);
    }
    for (uint32_t j = low[1]; j < high[1]; ++j)
        for (uint32_t i = low[0]; i < high[0]; ++i)
            if (!cross_column(c, p, (const uint32_t[2]){i, j})) return false;
    return true;
}

static int compare_crossings(const void *a, const void *b)
{
    const column_crossing *p = a, *q = b;
    if (p->column != q->column) return p->column < q->column ? -1 : 1;
    return (p->z > q->z) - (p->z < q->z);
}

/* Result of the columns: winding numbers, and the moments of the region where they are not 0. */
typedef struct column_moments {
    int least, most;
    solid_moments moments;
} column_moments;

/* Adds the part of a column between two heights. */
static void add_column_span(solid_moments *m, const column_grid *c, const column_crossing *from,
                            double to)
{
    const double width[2] = {c->step[0], c->step[1]}, area = width[0] * width[1];
    const uint32_t cell[2] = {from->column % COLUMNS, from->column / COLUMNS};
    const double x = column_index(c, 0, cell), y = column_index(c, 1, cell), height = to - from->z,
                 z = 0.5 * (to + from->z), volume = area * height;
    const double first[3] = {x, y, z};
    const double second[6] = {x * x + width[0] * width[0] / 12.0,
                              y * y + width[1] * width[1] / 12.0,
                              z * z + height * height / 12.0,
                              x * y,
                              x * z,
                              y * z};
    m->volume += volume;
    for (int k = 0; k < 3; ++k)
        m->first[k] += volume * first[k];
    for (int k = 0; k < 6; ++k)
        m->second[k] += volume * second[k];
}

/* Integrates along the columns; surfaces closer to each other than `near` count as one. */
static column_moments accumulate_columns(const column_grid *c, double near)
{
    column_moments seen = {0};
    int now = 0;
    for (size_t i = 0; i < c->all.count; ++i) {
        const column_crossing *at = &c->all.items[i], *next = at + 1;
        now += at->turns;
        const bool last = i + 1 == c->all.count || next->column != at->column;
        if (last) now = 0;
        if (now == 0 || next->z - at->z <= near) continue;
        seen.least = now < seen.least ? now : seen.least;
        seen.most = now > seen.most ? now : seen.most;
        add_column_span(&seen.moments, c, at, next->z);
    }
    return seen;
}

static weir_result measure_frame(const weir_log *log, const io_mesh *mesh, const vec3 box[2],
                                 column_moments *seen)
{
    const vec3 middle = vec3_scale(vec3_add(box[0], box[1]), 0.5f), size = vec3_sub(box[1], box[0]);
    column_grid c = {.origin = {-0.5 * (double)size.x, -0.5 * (double)size.y},
                     .step = {(double)size.x / COLUMNS, (double)size.y / COLUMNS}};
    bool good = true;
    for (size_t t = 0; good && t < mesh->triangle_count; ++t) {
        double p[3][3];
        corners_of(mesh, middle, t, p);
        good = cross_triangle(&c, p);
    }
    if (good && c.all.count > 0)
        qsort(c.all.items, c.all.count, sizeof *c.all.items, compare_crossings);
    if (good) *seen = accumulate_columns(&c, 1e-6 * (double)vec3_length(size));
    BASE_ARRAY_FREE(&c.all);
    return good ? WEIR_OK
                : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for the moments of a mesh");
}

/* ---- meshes --------------------------------------------------------------------------------- */

weir_result solid_mesh_moments(const weir_log *log, const io_mesh *mesh, const vec3 box[2],
                               solid_mesh_properties *properties)
{
    column_moments seen = {0};
    solid_winding winding;
    properties->middle = vec3_scale(vec3_add(box[0], box[1]), 0.5f);
    properties->moments = sum_triangles(mesh, properties->middle);
    properties->inwards = properties->moments.volume < 0.0;
    WEIR_RETURN_IF_ERROR(solid_mesh_check_winding(log, mesh, &winding));
    properties->mixed = winding.mixed;
    if (winding.closed) WEIR_RETURN_IF_ERROR(measure_frame(log, mesh, box, &seen));
    properties->known = seen.least < 0 || seen.most > 0;
    if (!properties->known) return WEIR_OK;
    properties->inwards = seen.least < 0;
    if (seen.most - seen.least > 1)
        properties->moments = seen.moments;
    else if (properties->inwards)
        scale_moments(&properties->moments, -1.0);
    return WEIR_OK;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static void rotation_matrix(quat q, double r[3][3])
{
    const double x = (double)q.x, y = (double)q.y, z = (double)q.z, w = (double)q.w;
    const double over = 2.0 / (x * x + y * y + z * z + w * w);
    const double rows[3][3] = {
        {1.0 - over * (y * y + z * z), over * (x * y - z * w), over * (x * z + y * w)},
        {over * (x * y + z * w), 1.0 - over * (x * x + z * z), over * (y * z - x * w)},
        {over * (x * z - y * w), over * (y * z + x * w), 1.0 - over * (x * x + y * y)}};
    memcpy(r, rows, sizeof rows);
}

solid_moments solid_transform_moments(const solid_mesh_properties *properties,
                                      const scene_pose *pose, vec3 origin)
{
    static const int index[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}}; /* in `second` */
    const solid_moments *m = &properties->moments;
    const double s = (double)pose->scale, cube = s * s * s;
    const double mid[3] = {s * (double)properties->middle.x, s * (double)properties->middle.y,
                           s * (double)properties->middle.z};
    const double at[3] = {(double)pose->position.x - (double)origin.x,
                          (double)pose->position.y - (double)origin.y,
                          (double)pose->position.z - (double)origin.z};
    double r[3][3], off[3], first[3]; /* `off`: from the origin to the mesh's middle */
    rotation_matrix(pose->rotation, r);
    solid_moments out = {.volume = cube * m->volume};
    for (int i = 0; i < 3; ++i) {
        off[i] = at[i] + r[i][0] * mid[0] + r[i][1] * mid[1] + r[i][2] * mid[2];
        first[i] =
            cube * s * (r[i][0] * m->first[0] + r[i][1] * m->first[1] + r[i][2] * m->first[2]);
        out.first[i] = first[i] + out.volume * off[i];
    }
    for (int i = 0; i < 3; ++i)
        for (int j = i; j < 3; ++j) {
            double turned = 0.0;
            for (int a = 0; a < 3; ++a)
                for (int b = 0; b < 3; ++b)
                    turned += r[i][a] * m->second[index[a][b]] * r[j][b];
            out.second[index[i][j]] = cube * s * s * turned + first[i] * off[j] +
                                      off[i] * first[j] + out.volume * off[i] * off[j];
        }
    return out;
}
