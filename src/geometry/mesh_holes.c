/* Closes the holes of a mesh for drawing, as the fluid sees them: a solid's winding numbers close
 * each hole (src/solid/hole_sign.c). Each hole gets a fan of triangles around the centre of its
 * rim. */
#include "geometry.h"
#include "solid.h"

typedef struct hole_rims {
    uint32_t *parent;        /* [vertex_count] union-find forest whose trees are the rims */
    uint32_t *centre_vertex; /* [vertex_count], by root: vertex at the centre of the rim; 0: none */
    uint32_t *count;         /* [vertex_count], by root: number of edges of the rim */
} hole_rims;

static uint32_t rim_root(uint32_t *parent, uint32_t vertex)
{
    while (parent[vertex] != vertex)
        vertex = parent[vertex] = parent[parent[vertex]];
    return vertex;
}

/* Adds a vertex for each rim, at the mean of the start points of its edges. */
static void add_rim_centres(const solid_edges *edges, hole_rims *r, io_mesh *mesh)
{
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t a = rim_root(r->parent, edges->items[i].from);
        r->parent[a] = rim_root(r->parent, edges->items[i].to);
    }
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t root = rim_root(r->parent, edges->items[i].from);
        if (r->centre_vertex[root] == 0) {
            r->centre_vertex[root] = mesh->vertex_count++;
            mesh->vertices[r->centre_vertex[root]] = vec3_make(0, 0, 0);
        }
        vec3 *sum = &mesh->vertices[r->centre_vertex[root]];
        *sum = vec3_add(*sum, mesh->vertices[edges->items[i].from]);
        r->count[root]++;
    }
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t root = rim_root(r->parent, edges->items[i].from);
        if (r->count[root] == 0) continue;
        vec3 *sum = &mesh->vertices[r->centre_vertex[root]];
        *sum = vec3_scale(*sum, 1.0f / (float)r->count[root]);
        r->count[root] = 0;
    }
}

static void add_fans(const solid_edges *edges, hole_rims *r, io_mesh *mesh)
{
    for (size_t i = 0; i < edges->count; i++) {
        uint32_t *corner = mesh->indices + 3 * (size_t)mesh->triangle_count++;
        corner[0] = edges->items[i].to;
        corner[1] = edges->items[i].from;
        corner[2] = r->centre_vertex[rim_root(r->parent, edges->items[i].from)];
    }
}

/* Enlarges the arrays of the mesh for `more` vertices and triangles; normals of these are 0. */
static bool reserve_triangles(io_mesh *mesh, size_t more)
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

weir_result mesh_fill_holes(const weir_log *log, io_mesh *mesh)
{
    solid_edges edges = {0};
    hole_rims r = {0};
    const uint32_t n = mesh->vertex_count;
    weir_result result = solid_find_open_edges(log, mesh, &edges);
    if (result != WEIR_OK || edges.count == 0) return result;
    r.parent = base_alloc(n, sizeof *r.parent);
    r.centre_vertex = base_alloc(n, sizeof *r.centre_vertex);
    r.count = base_alloc(n, sizeof *r.count);
    if (r.parent && r.centre_vertex && r.count && reserve_triangles(mesh, edges.count)) {
        for (uint32_t i = 0; i < n; i++)
            r.parent[i] = i;
        add_rim_centres(&edges, &r, mesh);
        add_fans(&edges, &r, mesh);
    } else {
        result = base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a mesh");
    }
    base_free(r.parent);
    base_free(r.centre_vertex);
    base_free(r.count);
    BASE_ARRAY_FREE(&edges);
    return result;
}
