/* mesher: declarations shared by the files that work on surfaces on the host. */
#ifndef WEIR_SURFACE_INTERNAL_H
#define WEIR_SURFACE_INTERNAL_H

#include "mesher.h"

#define SURFACE_NO_INDEX UINT32_MAX
/* Maximum number of vertices, and of triangles, that these files can index. */
#define SURFACE_TRIANGLES_MAX (UINT32_MAX / 3u - 1u)

/* Elements per chunk of a parallel loop. */
#define SURFACE_CHUNK 16384u

/* Corner h belongs to triangle h / 3; half-edge h runs from corner h to the triangle's next
 * corner. */
static inline uint32_t surface_next_corner(uint32_t h)
{
    return h % 3 == 2 ? h - 2 : h + 1;
}
static inline uint32_t surface_prev_corner(uint32_t h)
{
    return h % 3 == 0 ? h + 2 : h - 1;
}

/* Returns twice the area, along the triangle's outward normal. */
static inline vec3 surface_area_vector(vec3 a, vec3 b, vec3 c)
{
    return vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
}

/* Computes six times the signed volume of the tetrahedron with apex `origin`, and twice the
 * area. */
static inline void surface_volume_and_area(const vec3 *position, const uint32_t *corner,
                                           vec3 origin, double *volume_6, double *area_2)
{
    double e[3][3];
    for (int k = 0; k < 3; ++k) {
        const vec3 p = position[corner[k]];
        e[k][0] = (double)p.x - (double)origin.x;
        e[k][1] = (double)p.y - (double)origin.y;
        e[k][2] = (double)p.z - (double)origin.z;
    }
    double u[3], v[3];
    for (int i = 0; i < 3; ++i) {
        u[i] = e[1][i] - e[0][i];
        v[i] = e[2][i] - e[0][i];
    }
    const double n[3] = {u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2],
                         u[0] * v[1] - u[1] * v[0]};
    *volume_6 = e[0][0] * n[0] + e[0][1] * n[1] + e[0][2] * n[2];
    *area_2 = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static inline double surface_edge_length(const vec3 *p, uint32_t a, uint32_t b)
{
    const double x = (double)p[b].x - (double)p[a].x, y = (double)p[b].y - (double)p[a].y;
    const double z = (double)p[b].z - (double)p[a].z;
    return sqrt(x * x + y * y + z * z);
}

/* Returns whether a triangle repeats a vertex, or has an area below 1e-7 of the square of its
 * longest edge. */
static inline double surface_longest_edge(const vec3 *p, const uint32_t *c)
{
    return fmax(surface_edge_length(p, c[0], c[1]),
                fmax(surface_edge_length(p, c[1], c[2]), surface_edge_length(p, c[2], c[0])));
}

static inline bool surface_is_degenerate(const vec3 *p, const uint32_t *c, double area_2)
{
    const double longest = surface_longest_edge(p, c);
    return !(longest > 0 && area_2 >= 2e-7 * longest * longest);
}

/* ---- edges ---------------------------------------------------------------------------------- */

/* One use of an edge by a triangle. */
typedef struct surface_edge_use {
    uint32_t high;   /* the edge's vertex with the higher index */
    uint32_t corner; /* the half-edge */
} surface_edge_use;

/* The uses of all edges, sorted by lower vertex, higher vertex and corner. Triangles that repeat
 * a vertex are left out. */
typedef struct surface_edge_uses {
    uint32_t vertex_count;
    uint32_t *first; /* [vertex_count + 1]: start of the uses of each lower vertex */
    surface_edge_use *items;
} surface_edge_uses;

weir_result surface_edge_uses_create(const weir_log *log, const mesher_surface *surface,
                                     surface_edge_uses *uses);
void surface_edge_uses_free(surface_edge_uses *uses);

/* One edge and its uses. */
typedef struct surface_edge {
    uint32_t low, high; /* vertices */
    uint32_t count;
    const surface_edge_use *uses; /* [count] */
    uint32_t end;                 /* index after the last of them in surface_edge_uses.items */
} surface_edge;

/* Advances to the next edge; `edge` starts as {0}. Returns false after the last edge. */
static inline bool surface_next_edge(const surface_edge_uses *uses, surface_edge *edge)
{
    const uint32_t start = edge->end;
    while (edge->low < uses->vertex_count && start == uses->first[edge->low + 1])
        edge->low++;
    if (edge->low == uses->vertex_count) return false;
    edge->uses = uses->items + start;
    edge->high = edge->uses->high;
    edge->end = start + 1;
    while (edge->end < uses->first[edge->low + 1] && uses->items[edge->end].high == edge->high)
        edge->end++;
    edge->count = edge->end - start;
    return true;
}
static inline bool surface_repeats_vertex(const uint32_t *corner)
{
    return corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0];
}

/* ---- union-find ----------------------------------------------------------------------------- */

/* Returns the representative of a set, its lowest member, for which parent[i] == i. */
static inline uint32_t union_find_root(uint32_t *parent, uint32_t i)
{
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}
static inline void union_find_join(uint32_t *parent, uint32_t a, uint32_t b)
{
    a = union_find_root(parent, a);
    b = union_find_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

/* ---- components ----------------------------------------------------------------------------- */

/* Part of a surface connected by shared vertices. */
typedef struct surface_component {
    uint32_t triangles;
    bool closed; /* every edge has as many uses in one direction as in the other */
    bool inside; /* negative volume, and inside another component */
    double volume, area;
} surface_component;

typedef struct surface_components {
    uint32_t count;
    surface_component *items;
    uint32_t *of_vertex; /* [vertex_count], SURFACE_NO_INDEX for an unused vertex */
} surface_components;

/* Finds the components, in the order of their lowest vertices. `uses` may be NULL: all
 * components then count as closed. */
weir_result surface_components_create(const weir_log *log, const mesher_surface *surface,
                                      const surface_edge_uses *uses,
                                      surface_components *components);
void surface_components_free(surface_components *components);
/* Sets `inside` of the closed components with a negative volume. `removed`: components that are
 * ignored; NULL: none. */
weir_result surface_components_nest(const weir_log *log, const mesher_surface *surface,
                                    surface_components *components, const bool *removed);

/* Keeps the triangles whose `keep` is set, in order, and the vertices that they use, in order,
 * with all attributes. `keep` NULL: all triangles. */
weir_result surface_compact(const weir_log *log, mesher_surface *surface, const bool *keep);
/* Removes the triangles whose corners are SURFACE_NO_INDEX; allocates no memory. */
void surface_erase_removed(mesher_surface *surface);
/* Makes a 2-manifold of a consistently wound surface whose edges have as many uses in one
 * direction as in the other: duplicates vertices, and removes triangles that cancel each other.
 * *cuts: number of vertices added. */
weir_result surface_make_manifold(const weir_log *log, mesher_surface *surface, uint32_t *cuts);
/* Returns the scalar channel of that name, or NULL. */
mesher_vertex_channel *surface_find_channel(mesher_surface *surface, const char *name);
/* Resizes the array to `count` elements of `size` bytes. On failure it remains unchanged. */
bool surface_resize_array(void **items, size_t count, size_t size);
/* Resizes all arrays of the vertices. Returns false on failure: the array that failed and later
 * ones remain unchanged. */
bool surface_resize_vertices(mesher_surface *surface, size_t count);
/* Copies a vertex with all attributes. */
void surface_copy_vertex(mesher_surface *surface, uint32_t to, uint32_t from);
/* Moves vertex `to` with all attributes towards `from` by the fraction `t` of their offset. */
void surface_move_vertex_toward(mesher_surface *surface, uint32_t to, uint32_t from, float t);

/* ---- half-edges ----------------------------------------------------------------------------- */

/* A surface as half-edges, for edits that keep it closed and 2-manifold. Removed triangles stay
 * in the surface until halfedge_mesh_compact or surface_erase_removed removes them.
 * Vertices on a boundary, on a non-manifold edge or in several fans are locked: no edit changes
 * them. */
typedef struct halfedge_mesh {
    mesher_surface *surface; /* positions and vertex attributes are edited in place */
    uint32_t *corner;        /* surface->index; three times SURFACE_NO_INDEX: a removed triangle */
    /* [3 * triangle_count] the opposite half-edge; SURFACE_NO_INDEX: locked */
    uint32_t *twin;
    /* [vertex_count] a half-edge that leaves the vertex; SURFACE_NO_INDEX: none */
    uint32_t *out;
    bool *locked;    /* [vertex_count] */
    uint32_t *stamp; /* [vertex_count] last visit */
    uint32_t visit;
} halfedge_mesh;

weir_result halfedge_mesh_create(const weir_log *log, mesher_surface *surface, halfedge_mesh *mesh);
void halfedge_mesh_free(halfedge_mesh *mesh);
/* Returns the next half-edge that leaves the same vertex, counter-clockwise as seen from
 * outside. */
static inline uint32_t halfedge_rotate(const halfedge_mesh *mesh, uint32_t h)
{
    return mesh->twin[surface_prev_corner(h)];
}
/* Returns the half-edge after h in a loop over those that leave an unlocked vertex, which starts
 * at mesh->out[vertex]; SURFACE_NO_INDEX at the end. */
static inline uint32_t halfedge_next_around(const halfedge_mesh *mesh, uint32_t vertex, uint32_t h)
{
    const uint32_t next = halfedge_rotate(mesh, h);
    return next == mesh->out[vertex] ? SURFACE_NO_INDEX : next;
}
/* Returns the number of triangles around an unlocked vertex. */
uint32_t halfedge_valence(const halfedge_mesh *mesh, uint32_t vertex);
/* Returns whether half-edge h may collapse to a point: tests the link condition, so that the
 * surface stays a closed 2-manifold without duplicate triangles. */
bool halfedge_can_collapse(halfedge_mesh *mesh, uint32_t h);
/* Removes the start of h and two triangles. The end of h remains, and takes over all other
 * triangles of the start. */
void halfedge_collapse(halfedge_mesh *mesh, uint32_t h);
/* Returns whether the edge of h may flip to join the two opposite corners. */
bool halfedge_can_flip(halfedge_mesh *mesh, uint32_t h);
void halfedge_flip(halfedge_mesh *mesh, uint32_t h);
/* Returns whether every half-edge has an opposite one. */
bool halfedge_mesh_is_closed(const halfedge_mesh *mesh);
/* Removes deleted triangles and unused vertices from the surface. `mesh` is then as if it had just
 * been created; after an error it can only be freed. */
weir_result halfedge_mesh_compact(const weir_log *log, halfedge_mesh *mesh);

/* ---- neighbours ----------------------------------------------------------------------------- */

/* The vertices around each vertex, in the order of its fan; none around a locked or unused
 * vertex. */
typedef struct surface_rings {
    uint32_t *first; /* [vertex_count + 1] */
    uint32_t *items;
} surface_rings;

weir_result surface_rings_create(const weir_log *log, const halfedge_mesh *mesh,
                                 surface_rings *rings);
void surface_rings_free(surface_rings *rings);

/* ---- steps that share half-edges ------------------------------------------------------------ */

/* As the functions of mesher.h, on a surface whose half-edges exist. They stay valid; after an
 * error they can only be freed. */
weir_result surface_clean(const weir_log *log, halfedge_mesh *mesh, float cell_m,
                          mesher_clean_info *info);
weir_result surface_remove_slivers(const weir_log *log, halfedge_mesh *mesh, float degrees,
                                   mesher_clean_info *info);
weir_result surface_smooth(const weir_log *log, const halfedge_mesh *mesh,
                           const mesher_smooth_def *def);

#endif
