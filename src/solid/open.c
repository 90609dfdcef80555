/* The open edges of a mesh: those of one triangle only. */
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

weir_result solid_open_edges(const weir_log *log, const io_mesh *mesh, solid_edges *edges)
{
    uint32_t *first = first_vertices(mesh);
    side *sides = base_alloc(3 * (size_t)mesh->triangle_count, sizeof *sides);
    bool good = first && sides;
    size_t count = good ? list_sides(mesh, first, sides) : 0;
    if (good) qsort(sides, count, sizeof *sides, compare_sides);
    for (size_t i = 0, end; good && i < count; i = end) {
        for (end = i + 1; end < count && sides[end].key == sides[i].key;)
            ++end;
        const uint32_t c = sides[i].corner;
        const solid_edge edge = {first[mesh->indices[c]], first[mesh->indices[next_corner(c)]]};
        if (end == i + 1) good = BASE_PUSH(edges, edge);
    }
    base_free(first);
    base_free(sides);
    return good ? WEIR_OK : base_fail(log, WEIR_MEMORY, "no memory to look for a mesh's holes");
}
