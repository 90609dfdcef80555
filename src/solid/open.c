/* The open edges of a mesh: those of one triangle only; and whether it is closed. */
#include "solid_internal.h"

#include <stdlib.h>

typedef struct seat {
    vec3 at;
    uint32_t vertex;
} seat;

static int compare_seats(const void *a, const void *b)
{
    const seat *x = a, *y = b;
    const float p[3] = {x->at.x, x->at.y, x->at.z}, q[3] = {y->at.x, y->at.y, y->at.z};
    for (int k = 0; k < 3; ++k)
        if (p[k] < q[k] || p[k] > q[k]) return p[k] < q[k] ? -1 : 1;
    return (x->vertex > y->vertex) - (x->vertex < y->vertex);
}

static bool same_place(vec3 a, vec3 b)
{
    return !(a.x < b.x || a.x > b.x || a.y < b.y || a.y > b.y || a.z < b.z || a.z > b.z);
}

/* For each vertex the first at its position: files split vertices where normals differ. */
static uint32_t *first_vertices(const io_mesh *mesh)
{
    const uint32_t n = mesh->vertex_count;
    seat *seats = base_alloc(n, sizeof *seats);
    uint32_t *first = base_alloc(n, sizeof *first);
    for (uint32_t i = 0; seats && i < n; ++i)
        seats[i] = (seat){mesh->vertices[i], i};
    if (seats && first) qsort(seats, n, sizeof *seats, compare_seats);
    for (uint32_t i = 0, start = 0; seats && first && i < n; ++i) {
        if (!same_place(seats[start].at, seats[i].at)) start = i;
        first[seats[i].vertex] = seats[start].vertex;
    }
    if (!seats) {
        base_free(first);
        first = NULL;
    }
    base_free(seats);
    return first;
}

/* An edge without its direction, and where its triangle has it. */
typedef struct side {
    uint64_t key;
    uint32_t corner; /* of 3 * triangle_count: the edge's start */
} side;

static int compare_sides(const void *a, const void *b)
{
    const side *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->corner > y->corner) - (x->corner < y->corner);
}

static uint32_t next_corner(uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

/* Edges without length belong to no rim. */
static size_t list_sides(const io_mesh *mesh, const uint32_t *first, side *sides)
{
    size_t count = 0;
    for (uint32_t c = 0; c < 3 * mesh->triangle_count; ++c) {
        uint32_t a = first[mesh->indices[c]], b = first[mesh->indices[next_corner(c)]];
        if (a == b) continue;
        sides[count++] = (side){a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a, c};
    }
    return count;
}

/* The sides of a mesh's triangles, those of one edge together. */
typedef struct rims {
    uint32_t *first; /* for each vertex the first at its position */
    side *sides;
    size_t count;
} rims;

static weir_result find_rims(const weir_log *log, const io_mesh *mesh, rims *r)
{
    r->first = first_vertices(mesh);
    r->sides = base_alloc(3 * (size_t)mesh->triangle_count, sizeof *r->sides);
    if (!r->first || !r->sides)
        return base_fail(log, WEIR_MEMORY, "no memory to look for a mesh's holes");
    r->count = list_sides(mesh, r->first, r->sides);
    qsort(r->sides, r->count, sizeof *r->sides, compare_sides);
    return WEIR_OK;
}

static void free_rims(rims *r)
{
    base_free(r->first);
    base_free(r->sides);
}

static size_t end_of_edge(const rims *r, size_t begin)
{
    size_t end = begin + 1;
    while (end < r->count && r->sides[end].key == r->sides[begin].key)
        ++end;
    return end;
}

static solid_edge edge_of(const rims *r, const io_mesh *mesh, const side *s)
{
    const uint32_t *indices = mesh->indices;
    return (solid_edge){r->first[indices[s->corner]], r->first[indices[next_corner(s->corner)]]};
}

weir_result solid_open_edges(const weir_log *log, const io_mesh *mesh, solid_edges *edges)
{
    rims r = {0};
    weir_result result = find_rims(log, mesh, &r);
    for (size_t i = 0, end; result == WEIR_OK && i < r.count; i = end) {
        end = end_of_edge(&r, i);
        if (end == i + 1 && !BASE_PUSH(edges, edge_of(&r, mesh, &r.sides[i])))
            result = base_fail(log, WEIR_MEMORY, "no memory to look for a mesh's holes");
    }
    free_rims(&r);
    return result;
}

weir_result solid_mesh_winding(const weir_log *log, const io_mesh *mesh, solid_winding *winding)
{
    rims r = {0};
    weir_result result = find_rims(log, mesh, &r);
    *winding = (solid_winding){.closed = result == WEIR_OK};
    for (size_t i = 0, end; result == WEIR_OK && i < r.count; i = end) {
        const size_t begin = i;
        int64_t balance = 0;
        for (end = end_of_edge(&r, i); i < end; ++i) {
            const solid_edge edge = edge_of(&r, mesh, &r.sides[i]);
            balance += edge.from < edge.to ? 1 : -1;
        }
        winding->closed = winding->closed && balance == 0;
        winding->mixed = winding->mixed || (end - begin == 2 && balance != 0);
    }
    free_rims(&r);
    return result;
}
