/* Triangulates polygons that are not convex, by clipping ears (Meisters 1975) in the projection
 * along the axis that is closest to their normal. Orientations are exact: the projection keeps the
 * coordinates' bits. */
#include "io_internal.h"

typedef struct point2 {
    double x, y;
} point2;

/* A polygon that is being clipped: its corners form a ring. */
typedef struct ring {
    point2 *points;
    uint32_t *previous, *next;
    uint32_t count; /* corners that are left */
} ring;

/* ---- the polygons of a mesh ----------------------------------------------------------------- */

/* Returns where in the indices corner `k` of a polygon first stands. */
static size_t corner_place(const io_polygon_run *run, uint64_t k)
{
    const size_t second = run->reversed ? 2 : 1, third = run->reversed ? 1 : 2;
    if (k == 0) return run->first;
    return run->first + (k == 1 ? second : 3 * (size_t)(k - 2) + third);
}

/* Returns twice the area vector of a polygon (Newell). */
static void find_normal(const io_mesh_build *build, const io_polygon_run *run, double normal[3])
{
    const uint32_t *indices = build->indices.items;
    vec3 last = build->vertices.items[indices[corner_place(run, run->corners - 1)]];
    normal[0] = normal[1] = normal[2] = 0.0;
    for (uint64_t k = 0; k < run->corners; k++) {
        vec3 p = build->vertices.items[indices[corner_place(run, k)]];
        normal[0] += ((double)last.y - (double)p.y) * ((double)last.z + (double)p.z);
        normal[1] += ((double)last.z - (double)p.z) * ((double)last.x + (double)p.x);
        normal[2] += ((double)last.x - (double)p.x) * ((double)last.y + (double)p.y);
        last = p;
    }
}

/* Projects the corners so that the polygon runs counterclockwise. */
static void project(const io_mesh_build *build, const io_polygon_run *run, point2 *points)
{
    double normal[3];
    find_normal(build, run, normal);
    const double x = fabs(normal[0]), y = fabs(normal[1]), z = fabs(normal[2]);
    const int axis = x > y && x > z ? 0 : y > z ? 1 : 2;
    const bool turned = normal[axis] < 0.0;
    for (uint64_t k = 0; k < run->corners; k++) {
        vec3 p = build->vertices.items[build->indices.items[corner_place(run, k)]];
        point2 q = axis == 0   ? (point2){(double)p.y, (double)p.z}
                   : axis == 1 ? (point2){(double)p.z, (double)p.x}
                               : (point2){(double)p.x, (double)p.y};
        points[k] = turned ? (point2){q.y, q.x} : q;
    }
}

/* ---- ears ----------------------------------------------------------------------------------- */

/* Returns a value whose sign is exactly that of the triangle's area, above 0 counterclockwise.
 * Coordinates are floats, whose differences a double holds as long as they are within 2^29 of each
 * other. */
static double orientation(point2 a, point2 b, point2 c)
{
    double px = a.x - c.x, py = b.y - c.y, qx = b.x - c.x, qy = a.y - c.y;
    double p = px * py, q = qx * qy;
    return (p - q) + (fma(px, py, -p) - fma(qx, qy, -q));
}

static bool is_same(point2 a, point2 b)
{
    return a.x == b.x && a.y == b.y;
}

/* Returns whether p is in the closed triangle, but at none of its corners. */
static bool is_covered(point2 p, point2 a, point2 b, point2 c)
{
    if (is_same(p, a) || is_same(p, b) || is_same(p, c)) return false;
    return orientation(a, b, p) >= 0.0 && orientation(b, c, p) >= 0.0 &&
           orientation(c, a, p) >= 0.0;
}

static bool is_ear(const ring *ring, uint32_t k)
{
    uint32_t before = ring->previous[k], after = ring->next[k];
    point2 a = ring->points[before], b = ring->points[k], c = ring->points[after];
    if (!(orientation(a, b, c) > 0.0)) return false;
    for (uint32_t i = ring->next[after]; i != before; i = ring->next[i])
        if (is_covered(ring->points[i], a, b, c)) return false;
    return true;
}

/* Returns the corner to clip next, searching from `from` on. Polygons that touch or cross
 * themselves may have no ear; then the corner that encloses the least. */
static uint32_t find_ear(const ring *ring, uint32_t from)
{
    uint32_t best = from;
    double least = INFINITY;
    for (uint32_t n = 0, k = from; n < ring->count; n++, k = ring->next[k]) {
        if (is_ear(ring, k)) return k;
        double area = fabs(orientation(ring->points[ring->previous[k]], ring->points[k],
                                       ring->points[ring->next[k]]));
        if (area < least) least = area, best = k;
    }
    return best;
}

/* Writes the triangles as numbers of corners, 3 (count - 2) of them. */
static void clip_ears(ring *ring, uint32_t *triangles)
{
    uint32_t k = 0;
    while (ring->count > 2) {
        uint32_t ear = find_ear(ring, k), before = ring->previous[ear], after = ring->next[ear];
        *triangles++ = before, *triangles++ = ear, *triangles++ = after;
        ring->next[before] = after;
        ring->previous[after] = before;
        ring->count--;
        k = after; /* not its neighbour again, which would make a fan of slivers */
    }
}

/* ---- meshes --------------------------------------------------------------------------------- */

/* Returns whether all triangles of a polygon's fan lie on the same side of it. */
static bool is_fan_valid(const point2 *points, uint64_t corners)
{
    for (uint64_t k = 2; k < corners; k++)
        if (orientation(points[0], points[k - 1], points[k]) < 0.0) return false;
    return true;
}

/* Replaces the fan of a polygon by triangles of the same corners. `old`: 2 * corners elements. */
static void rewrite(io_mesh_build *build, const io_polygon_run *run, const uint32_t *triangles,
                    uint32_t *corners, vec3 *normals)
{
    const bool has_normals = build->normals.count > 0;
    for (uint64_t k = 0; k < run->corners; k++) {
        size_t at = corner_place(run, k);
        corners[k] = build->indices.items[at];
        if (has_normals) normals[k] = build->normals.items[at];
    }
    for (size_t i = 0; i < 3 * (size_t)(run->corners - 2); i++) {
        /* a reversed polygon keeps its winding: the last two corners of a triangle change places */
        size_t to = run->first + (run->reversed && i % 3 ? i / 3 * 3 + 3 - i % 3 : i);
        build->indices.items[to] = corners[triangles[i]];
        if (has_normals) build->normals.items[to] = normals[triangles[i]];
    }
}

static weir_result triangulate(const io_reader *reader, io_mesh_build *build,
                               const io_polygon_run *run)
{
    const size_t n = (size_t)run->corners;
    weir_result result = WEIR_OK;
    point2 *points = base_alloc(n, sizeof *points);
    uint32_t *words = base_alloc(6 * n, sizeof *words); /* the ring, corners and triangles */
    vec3 *normals = base_alloc(n, sizeof *normals);
    if (!points || !words || !normals) {
        result = io_fail_memory(reader, "its polygons");
        goto fail;
    }
    project(build, run, points);
    if (is_fan_valid(points, n)) goto fail;
    if (n > IO_POLYGON_CORNERS_MAX) {
        result =
            base_fail(reader->log, WEIR_ERROR_IO,
                      "%s: a face with %zu corners that is not convex; at most %u: triangulate "
                      "the mesh in the program that wrote it",
                      reader->path, n, IO_POLYGON_CORNERS_MAX);
        goto fail;
    }
    ring ring = {points, words, words + n, (uint32_t)n};
    for (uint32_t k = 0; k < n; k++) {
        ring.previous[k] = k ? k - 1 : (uint32_t)n - 1;
        ring.next[k] = k + 1 < n ? k + 1 : 0;
    }
    clip_ears(&ring, words + 3 * n);
    rewrite(build, run, words + 3 * n, words + 2 * n, normals);
fail:
    base_free(points);
    base_free(words);
    base_free(normals);
    return result;
}

weir_result io_mesh_triangulate(const io_reader *reader, io_mesh_build *build)
{
    for (size_t i = 0; i < build->polygons.count; i++)
        WEIR_RETURN_IF_ERROR(triangulate(reader, build, &build->polygons.items[i]));
    return WEIR_OK;
}
