/* Lids over the holes of a mesh, as the fluid meets them: a solid's winding numbers close each hole
 * (src/solid/holes.c). A hole gets a fan of triangles about the middle of its rim. */
#include "picture_internal.h"
#include "solid.h"

typedef struct rims {
    uint32_t *parent; /* [vertex_count] of a forest whose trees are the rims */
    uint32_t *middle; /* [vertex_count] of a tree's root: the vertex in its middle; 0: none yet */
    uint32_t *count;  /* of a root: edges of its rim */
} rims;

static uint32_t root_of(uint32_t *parent, uint32_t vertex)
{
    while (parent[vertex] != vertex)
        vertex = parent[vertex] = parent[parent[vertex]];
    return vertex;
}

/* Every root's middle becomes a new vertex at the mean of its edges' starts. */
static void place_middles(const solid_edges *edges, rims *r, io_mesh *mesh)
{
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t a = root_of(r->parent, edges->items[i].from);
        r->parent[a] = root_of(r->parent, edges->items[i].to);
    }
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t root = root_of(r->parent, edges->items[i].from);
        if (r->middle[root] == 0) {
            r->middle[root] = mesh->vertex_count++;
            mesh->vertices[r->middle[root]] = vec3_make(0, 0, 0);
        }
        vec3 *sum = &mesh->vertices[r->middle[root]];
        *sum = vec3_add(*sum, mesh->vertices[edges->items[i].from]);
        r->count[root]++;
    }
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t root = root_of(r->parent, edges->items[i].from);
        if (r->count[root] == 0) continue;
        vec3 *sum = &mesh->vertices[r->middle[root]];
        *sum = vec3_scale(*sum, 1.0f / (float)r->count[root]);
        r->count[root] = 0;
    }
}

static void put_fans(const solid_edges *edges, rims *r, io_mesh *mesh)
{
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t *corner = mesh->indices + 3 * (size_t)mesh->triangle_count++;
        corner[0] = edges->items[i].to;
        corner[1] = edges->items[i].from;
        corner[2] = r->middle[root_of(r->parent, edges->items[i].from)];
    }
}

/* Room for a middle and a triangle, whose normals the file does not say, per open edge. */
static bool make_room(io_mesh *mesh, size_t more)
{
    const size_t v = mesh->vertex_count, t = mesh->triangle_count;
    vec3 *vertices = base_alloc(v + more, sizeof *vertices);
    uint32_t *indices = base_alloc(3 * (t + more), sizeof *indices);
    vec3 *normals = mesh->normals ? base_alloc(3 * (t + more), sizeof *normals) : NULL;
    if (!vertices || !indices || (mesh->normals && !normals) || v + more > UINT32_MAX ||
        t + more > UINT32_MAX / 3) {
        base_free(vertices);
        base_free(indices);
        base_free(normals);
        return false;
    }
    if (normals) memcpy(normals, mesh->normals, 3 * t * sizeof *normals);
    memcpy(vertices, mesh->vertices, v * sizeof *vertices);
    memcpy(indices, mesh->indices, 3 * t * sizeof *indices);
    base_free(mesh->vertices);
    base_free(mesh->indices);
    base_free(mesh->normals);
    mesh->normals = normals;
    mesh->vertices = vertices;
    mesh->indices = indices;
    return true;
}

weir_result api_put_lids(const weir_log *log, io_mesh *mesh)
{
    solid_edges edges = {0};
    rims r = {0};
    const uint32_t n = mesh->vertex_count;
    weir_result result = solid_open_edges(log, mesh, &edges);
    if (result != WEIR_OK || edges.count == 0) return result;
    r.parent = base_alloc(n, sizeof *r.parent);
    r.middle = base_alloc(n, sizeof *r.middle);
    r.count = base_alloc(n, sizeof *r.count);
    if (r.parent && r.middle && r.count && make_room(mesh, edges.count)) {
        for (uint32_t i = 0; i < n; i++)
            r.parent[i] = i;
        place_middles(&edges, &r, mesh);
        put_fans(&edges, &r, mesh);
    } else {
        result = base_fail(log, WEIR_MEMORY, "no memory for a mesh");
    }
    base_free(r.parent);
    base_free(r.middle);
    base_free(r.count);
    BASE_ARRAY_FREE(&edges);
    return result;
}
