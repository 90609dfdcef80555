/* Finds the open edges of a mesh, which belong to one triangle only, and checks whether the mesh is
 * closed. */
#include "solid_internal.h"

#include <stdlib.h>

typedef struct vertex_position {
    vec3 at;
    uint32_t vertex;
} vertex_position;

static int compare_positions(const void *a, const void *b)
{
    const vertex_position *x = a, *y = b;
    const float p[3] = {x->at.x, x->at.y, x->at.z}, q[3] = {y->at.x, y->at.y, y->at.z};
    for (int k = 0; k < 3; ++k)
        if (p[k] < q[k] || p[k] > q[k]) return p[k] < q[k] ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static bool same_position(vec3 a, vec3 b)
{
    return !(a.x < b.x || a.x > b.x || a.y < b.y || a.y > b.y || a.z < b.z || a.z > b.z);
}

/* Maps each vertex to the first one at its position; files split vertices where normals differ. */
static uint32_t *first_vertices(const io_mesh *mesh)
{
    const uint32_t n = mesh->vertex_count;
    vertex_position *positions = base_alloc(n, sizeof *positions);
    uint32_t *first = base_alloc(n, sizeof *first);
    for (uint32_t i = 0; positions && i < n; ++i)
        positions[i] = (vertex_position){mesh->vertices[i], i};
    if (positions && first) qsort(positions, n, sizeof *positions, compare_positions);
    for (uint32_t i = 0, start = 0; positions && first && i < n; ++i) {
        if (!same_position(positions[start].at, positions[i].at)) start = i;
        first[positions[i].vertex] = positions[start].vertex;
    }
    if (!positions) {
        base_free(first);
        first = NULL;
    }
    base_free(positions);
    return first;
}

/* An undirected edge, and its place in the triangle. */
typedef struct half_edge {
    uint64_t key;
    uint32_t corner; /* of 3 * triangle_count: where the edge starts */
} half_edge;

static int compare_half_edges(const void *a, const void *b)
{
    const half_edge *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->corner > y->corner) - (x->corner < y->corner);
}

static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/* Lists the edges of all triangles, except those of length zero. */
static size_t list_half_edges(const io_mesh *mesh, const uint32_t *first, half_edge *half_edges)
{
    size_t count = 0;
    for (uint32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        uint32_t a = first[mesh->indices[c]], b = first[mesh->indices[next_corner(c)]];
        if (a == b) continue;
        half_edges[count++] = (half_edge){a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, c};
    }
    return count;
}

/* The half edges of a mesh, sorted so that those of one edge are adjacent. */
typedef struct open_rims {
    uint32_t *first; /* maps each vertex to the first one at its position */
    half_edge *half_edges;
    size_t count;
} open_rims;

static weir_result find_open_rims(const weir_log *log, const io_mesh *mesh, open_rims *r)
{
    r->first = first_vertices(mesh);
    r->half_edges = base_alloc(3 * (size_t)mesh->triangle_count, sizeof *r->half_edges);
    if (!r->first || !r->half_edges)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to find the holes of a mesh");
    r->count = list_half_edges(mesh, r->first, r->half_edges);
    qsort(r->half_edges, r->count, sizeof *r->half_edges, compare_half_edges);
    return WEIR_OK;
}

static void free_open_rims(open_rims *r)
{
    base_free(r->first);
    base_free(r->half_edges);
}

static size_t edge_group_end(const open_rims *r, size_t begin)
{
    size_t end = begin + 1;
    while (end < r->count && r->half_edges[end].key == r->half_edges[begin].key)
        ++end;
    return end;
}

static solid_edge edge_from_half_edge(const open_rims *r, const io_mesh *mesh, const half_edge *s)
{
    const uint32_t *indices = mesh->indices;
    return (solid_edge){r->first[indices[s->corner]], r->first[indices[next_corner(s->corner)]]};
}

weir_result solid_find_open_edges(const weir_log *log, const io_mesh *mesh, solid_edges *edges)
{
    open_rims r = {0};
    weir_result result = find_open_rims(log, mesh, &r);
    for (size_t i = 0, end; result == WEIR_OK && i < r.count; i = end) {
        end = edge_group_end(&r, i);
        if (end == i + 1 &&
            !BASE_ARRAY_PUSH(edges, edge_from_half_edge(&r, mesh, &r.half_edges[i])))
            result =
                base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to find the holes of a mesh");
    }
    free_open_rims(&r);
    return result;
}

weir_result solid_mesh_check_winding(const weir_log *log, const io_mesh *mesh,
                                     solid_winding *winding)
{
    open_rims r = {0};
    weir_result result = find_open_rims(log, mesh, &r);
    *winding = (solid_winding){.closed = result == WEIR_OK};
    for (size_t i = 0, end; result == WEIR_OK && i < r.count; i = end) {
        const size_t begin = i;
        int64_t balance = 0;
        for (end = edge_group_end(&r, i); i < end; ++i) {
            const solid_edge edge = edge_from_half_edge(&r, mesh, &r.half_edges[i]);
            balance += edge.from < edge.to ? 1 : -1;
        }
        winding->closed = winding->closed && balance == 0;
        winding->mixed = winding->mixed || (end - begin == 2 && balance != 0);
    }
    free_open_rims(&r);
    return result;
}
