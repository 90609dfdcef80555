/* Exact distance and winding number of a triangle mesh.
 *
 * Distance: branch and bound over a tree of boxes; closest point on a triangle after Ericson,
 * "Real-Time Collision Detection", 2005, section 5.1.5.
 * Winding number: Jacobson, Kavan, Sorkine-Hornung, "Robust Inside-Outside Segmentation using
 * Generalized Winding Numbers", 2013, section 4: seen from outside the box of a part of the mesh,
 * the part and any other surface with the same boundary subtend the same angle, so a fan over the
 * part's boundary edges replaces the part. There is no approximation. Solid angle: van Oosterom and
 * Strackee, 1983. */
#include "ref_mesh_distance.h"

#include <stdlib.h>

#define LEAF 8u

typedef struct point {
    double x, y, z;
} point;

typedef struct edge {
    uint32_t low, high;
    int sign; /* +1 if it runs from the low to the high vertex */
} edge;

typedef struct node {
    point min, max;
    uint32_t right;        /* the left child is the next node; 0 for a leaf */
    uint32_t first, count; /* triangles */
    /* boundary edges in `fans`, as pairs of vertices; SIZE_MAX without a fan */
    size_t fan, fan_count;
} node;

struct ref_mesh {
    point *vertices;
    uint32_t (*triangles)[3];
    uint32_t triangle_count;
    BASE_ARRAY(node) nodes;
    BASE_ARRAY(uint32_t) fans; /* per node: the hub, then both ends of each edge */
};

static point subtract(point a, point b)
{
    return (point){a.x - b.x, a.y - b.y, a.z - b.z};
}
static double dot(point a, point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static point cross(point a, point b)
{
    return (point){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static point point_on_segment(point a, point b, double t)
{
    return (point){a.x + t * b.x, a.y + t * b.y, a.z + t * b.z};
}
static double length_2(point a)
{
    return dot(a, a);
}

/* ---- one triangle --------------------------------------------------------------------------- */

static double edge_distance_2(point p, point a, point b)
{
    point ab = subtract(b, a), ap = subtract(p, a);
    double l = length_2(ab), t = l > 0 ? fmin(fmax(dot(ap, ab) / l, 0), 1) : 0;
    return length_2(subtract(ap, point_on_segment((point){0, 0, 0}, ab, t)));
}

static double triangle_distance_2(const point *t, point p)
{
    double edges = fmin(edge_distance_2(p, t[0], t[1]),
                        fmin(edge_distance_2(p, t[1], t[2]), edge_distance_2(p, t[2], t[0])));
    point ab = subtract(t[1], t[0]), ac = subtract(t[2], t[0]), ap = subtract(p, t[0]);
    point normal = cross(ab, ac);
    double n = length_2(normal);
    if (n == 0) return edges;
    double v = dot(cross(ap, ac), normal) / n, w = dot(cross(ab, ap), normal) / n;
    if (v < 0 || w < 0 || v + w > 1) return edges;
    double height = dot(ap, normal);
    return fmin(edges, height * height / n);
}

static double solid_angle(point a, point b, point c)
{
    double la = sqrt(length_2(a)), lb = sqrt(length_2(b)), lc = sqrt(length_2(c));
    double y = dot(a, cross(b, c));
    double x = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    return y == 0 ? 0 : 2 * atan2(y, x);
}

static void corners(const ref_mesh *mesh, uint32_t triangle, point *out)
{
    for (size_t k = 0; k < 3; ++k)
        out[k] = mesh->vertices[mesh->triangles[triangle][k]];
}

static double triangle_angle(const ref_mesh *mesh, uint32_t triangle, point p)
{
    point t[3];
    corners(mesh, triangle, t);
    return solid_angle(subtract(t[0], p), subtract(t[1], p), subtract(t[2], p));
}

/* ---- the tree ------------------------------------------------------------------------------- */

static int compare_edges(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return 0;
}

static bool push_fan_edge(ref_mesh *mesh, node *n, const edge *e, int net)
{
    uint32_t from = net > 0 ? e->low : e->high, to = net > 0 ? e->high : e->low;
    if (n->fan_count == 0 && !BASE_ARRAY_PUSH(&mesh->fans, from)) return false;
    for (int i = 0; i < abs(net); ++i, ++n->fan_count)
        if (!BASE_ARRAY_PUSH(&mesh->fans, from) || !BASE_ARRAY_PUSH(&mesh->fans, to)) return false;
    return true;
}

/* Stores the edges that the node's triangles do not cancel, unless there are as many as
 * triangles. */
static bool build_vertex_fan(ref_mesh *mesh, node *n, edge *edges)
{
    size_t count = 0, start = mesh->fans.count;
    for (uint32_t i = n->first; i < n->first + n->count; ++i)
        for (size_t k = 0; k < 3; ++k) {
            uint32_t a = mesh->triangles[i][k], b = mesh->triangles[i][(k + 1) % 3];
            if (a != b) edges[count++] = a < b ? (edge){a, b, 1} : (edge){b, a, -1};
        }
    qsort(edges, count, sizeof *edges, compare_edges);
    n->fan = start;
    for (size_t i = 0; i < count;) {
        int net = 0;
        size_t first = i;
        for (; i < count && compare_edges(&edges[first], &edges[i]) == 0; ++i)
            net += edges[i].sign;
        if (net != 0 && !push_fan_edge(mesh, n, &edges[first], net)) return false;
    }
    if (n->fan_count < n->count) return true;
    mesh->fans.count = start;
    n->fan = SIZE_MAX;
    return true;
}

static void set_box(const ref_mesh *mesh, node *n)
{
    n->min = (point){INFINITY, INFINITY, INFINITY};
    n->max = (point){-INFINITY, -INFINITY, -INFINITY};
    for (uint32_t i = n->first; i < n->first + n->count; ++i) {
        point t[3];
        corners(mesh, i, t);
        for (size_t k = 0; k < 3; ++k) {
            n->min =
                (point){fmin(n->min.x, t[k].x), fmin(n->min.y, t[k].y), fmin(n->min.z, t[k].z)};
            n->max =
                (point){fmax(n->max.x, t[k].x), fmax(n->max.y, t[k].y), fmax(n->max.z, t[k].z)};
        }
    }
}

static double centroid(const ref_mesh *mesh, uint32_t triangle, int axis)
{
    point t[3];
    corners(mesh, triangle, t);
    if (axis == 0) return t[0].x + t[1].x + t[2].x;
    if (axis == 1) return t[0].y + t[1].y + t[2].y;
    return t[0].z + t[1].z + t[2].z;
}

/* Splits the triangles at the middle of the box's longest axis, lower ones first; in two halves by
 * count when that leaves one side empty. */
static uint32_t split(ref_mesh *mesh, const node *n)
{
    point extent = subtract(n->max, n->min), sum = point_on_segment(n->min, n->max, 1);
    int axis = extent.x >= extent.y && extent.x >= extent.z ? 0 : extent.y >= extent.z ? 1 : 2;
    double middle = 1.5 * (axis == 0 ? sum.x : axis == 1 ? sum.y : sum.z);
    uint32_t below = n->first;
    for (uint32_t i = n->first; i < n->first + n->count; ++i) {
        if (centroid(mesh, i, axis) >= middle) continue;
        uint32_t swap[3];
        memcpy(swap, mesh->triangles[i], sizeof swap);
        memcpy(mesh->triangles[i], mesh->triangles[below], sizeof swap);
        memcpy(mesh->triangles[below++], swap, sizeof swap);
    }
    uint32_t count = below - n->first;
    return count == 0 || count == n->count ? n->count / 2 : count;
}

/* Recurses as deep as boxes can be halved, about forty levels for real meshes. */
static bool build(ref_mesh *mesh, uint32_t first, uint32_t count, edge *edges)
{
    node n = {.first = first, .count = count};
    const size_t index = mesh->nodes.count;
    set_box(mesh, &n);
    if (!build_vertex_fan(mesh, &n, edges) || !BASE_ARRAY_PUSH(&mesh->nodes, n)) return false;
    if (count <= LEAF) return true;
    uint32_t left = split(mesh, &n);
    if (!build(mesh, first, left, edges)) return false;
    mesh->nodes.items[index].right = (uint32_t)mesh->nodes.count;
    return build(mesh, first + left, count - left, edges);
}

ref_mesh *ref_mesh_create(const vec3 *vertices, uint32_t vertex_count, const uint32_t *indices,
                          uint32_t triangle_count)
{
    ref_mesh *mesh = base_alloc(1, sizeof *mesh);
    edge *edges = base_alloc(triangle_count, 3 * sizeof *edges);
    if (!mesh || !edges) goto fail;
    mesh->triangle_count = triangle_count;
    mesh->vertices = base_alloc(vertex_count, sizeof *mesh->vertices);
    mesh->triangles = base_alloc(triangle_count, sizeof *mesh->triangles);
    if (!mesh->vertices || !mesh->triangles) goto fail;
    for (uint32_t i = 0; i < vertex_count; ++i)
        mesh->vertices[i] =
            (point){(double)vertices[i].x, (double)vertices[i].y, (double)vertices[i].z};
    memcpy(mesh->triangles, indices, triangle_count * sizeof *mesh->triangles);
    if (!build(mesh, 0, triangle_count, edges)) goto fail;
    base_free(edges);
    return mesh;
fail:
    base_free(edges);
    ref_mesh_destroy(&mesh);
    return NULL;
}

void ref_mesh_destroy(ref_mesh **mesh)
{
    if (!*mesh) return;
    base_free((*mesh)->vertices);
    base_free((*mesh)->triangles);
    BASE_ARRAY_FREE(&(*mesh)->nodes);
    BASE_ARRAY_FREE(&(*mesh)->fans);
    base_free(*mesh);
    *mesh = NULL;
}

/* ---- queries -------------------------------------------------------------------------------- */

static double box_distance_2(const node *n, point p)
{
    double x = fmax(fmax(n->min.x - p.x, p.x - n->max.x), 0);
    double y = fmax(fmax(n->min.y - p.y, p.y - n->max.y), 0);
    double z = fmax(fmax(n->min.z - p.z, p.z - n->max.z), 0);
    return x * x + y * y + z * z;
}

static void nearest(const ref_mesh *mesh, size_t index, point p, double *best)
{
    const node *n = &mesh->nodes.items[index];
    if (box_distance_2(n, p) >= *best) return;
    if (n->right == 0) {
        for (uint32_t i = n->first; i < n->first + n->count; ++i) {
            point t[3];
            corners(mesh, i, t);
            *best = fmin(*best, triangle_distance_2(t, p));
        }
        return;
    }
    size_t left = index + 1, right = n->right;
    bool left_first =
        box_distance_2(&mesh->nodes.items[left], p) < box_distance_2(&mesh->nodes.items[right], p);
    nearest(mesh, left_first ? left : right, p, best);
    nearest(mesh, left_first ? right : left, p, best);
}

static double fan_angle(const ref_mesh *mesh, const node *n, point p)
{
    const uint32_t *fan = mesh->fans.items + n->fan;
    double angle = 0;
    for (size_t i = 0; i < n->fan_count; ++i)
        angle += solid_angle(subtract(mesh->vertices[fan[0]], p),
                             subtract(mesh->vertices[fan[1 + 2 * i]], p),
                             subtract(mesh->vertices[fan[2 + 2 * i]], p));
    return angle;
}

static double angle_of(const ref_mesh *mesh, size_t index, point p)
{
    const node *n = &mesh->nodes.items[index];
    if (n->fan != SIZE_MAX && box_distance_2(n, p) > 0) return fan_angle(mesh, n, p);
    if (n->right != 0) return angle_of(mesh, index + 1, p) + angle_of(mesh, n->right, p);
    double angle = 0;
    for (uint32_t i = n->first; i < n->first + n->count; ++i)
        angle += triangle_angle(mesh, i, p);
    return angle;
}

static ref_distance make_distance(double distance_2, double angle)
{
    double winding = angle / (4 * 3.14159265358979323846);
    double distance = sqrt(distance_2);
    return (ref_distance){fabs(winding) > 0.5 ? -distance : distance, winding};
}

ref_distance ref_mesh_distance(const ref_mesh *mesh, vec3 at)
{
    point p = {(double)at.x, (double)at.y, (double)at.z};
    double best = INFINITY;
    nearest(mesh, 0, p, &best);
    return make_distance(best, angle_of(mesh, 0, p));
}

ref_distance ref_mesh_distance_brute_force(const ref_mesh *mesh, vec3 at)
{
    point p = {(double)at.x, (double)at.y, (double)at.z};
    double best = INFINITY, angle = 0;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        point t[3];
        corners(mesh, i, t);
        best = fmin(best, triangle_distance_2(t, p));
        angle += triangle_angle(mesh, i, p);
    }
    return make_distance(best, angle);
}
