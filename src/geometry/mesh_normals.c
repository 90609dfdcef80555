/* Normals of a mesh from a file: the file's own; where it has none, round where its faces meet at
 * small angles, apart where at large ones, so that a box has edges. A vertex on an edge becomes
 * several, one for each normal. */
#include "renderer_internal.h"

#define CREASE_COSINE 0.77f    /* of 40 degrees: the largest angle that counts as round */
#define MAX_FAN_TRIANGLES 128u /* triangles at a vertex: around more, each keeps its own normal */
#define EQUAL_NORMAL_COSINE 0.9999f

typedef struct crease_mesh {
    const io_mesh *mesh;
    vec3 *area_normals;          /* [triangle_count] normals, as long as twice the area */
    vec3 *unit_normals;          /* the same, of length 1 or 0 */
    uint32_t *first;             /* [vertex_count + 1] in `around` */
    uint32_t *corners_by_vertex; /* [3 * triangle_count] corners, vertex by vertex */
    uint32_t
        *output_vertices; /* [3 * triangle_count] the vertex that each corner gets, in the output */
} crease_mesh;

static vec3 unit_or_zero(vec3 v)
{
    float length = vec3_length(v);
    return length > 0.0f ? vec3_make(v.x / length, v.y / length, v.z / length)
                         : vec3_make(0.0f, 0.0f, 0.0f);
}

static bool allocate_arrays(crease_mesh *c)
{
    const size_t triangles = c->mesh->triangle_count;
    c->area_normals = base_alloc(triangles, sizeof *c->area_normals);
    c->unit_normals = base_alloc(triangles, sizeof *c->unit_normals);
    c->first = base_alloc((size_t)c->mesh->vertex_count + 1, sizeof *c->first);
    c->corners_by_vertex = base_alloc(3 * triangles, sizeof *c->corners_by_vertex);
    c->output_vertices = base_alloc(3 * triangles, sizeof *c->output_vertices);
    return c->area_normals && c->unit_normals && c->first && c->corners_by_vertex &&
           c->output_vertices;
}

static void free_arrays(crease_mesh *c)
{
    base_free(c->area_normals);
    base_free(c->unit_normals);
    base_free(c->first);
    base_free(c->corners_by_vertex);
    base_free(c->output_vertices);
}

static void measure_faces(crease_mesh *c)
{
    for (size_t t = 0; t < c->mesh->triangle_count; t++) {
        const uint32_t *v = &c->mesh->indices[3 * t];
        const vec3 *p = c->mesh->vertices;
        c->area_normals[t] = vec3_cross(vec3_sub(p[v[1]], p[v[0]]), vec3_sub(p[v[2]], p[v[0]]));
        c->unit_normals[t] = unit_or_zero(c->area_normals[t]);
    }
}

/* Counts into first[v + 1], then sums, so that first[v] is where the next corner goes. */
static void group_corners(crease_mesh *c)
{
    const uint32_t count = 3 * c->mesh->triangle_count, n = c->mesh->vertex_count;
    for (uint32_t i = 0; i < count; i++)
        c->first[c->mesh->indices[i]]++;
    for (uint32_t v = 0, sum = 0; v <= n; v++) {
        uint32_t here = c->first[v];
        c->first[v] = sum;
        sum += here;
    }
    for (uint32_t i = 0; i < count; i++)
        c->corners_by_vertex[c->first[c->mesh->indices[i]]++] = i;
    for (uint32_t v = n; v > 0; v--)
        c->first[v] = c->first[v - 1];
    c->first[0] = 0;
}

/* A file's normal that does not point out of its face is none. */
static bool has_file_normal(const crease_mesh *c, uint32_t corner)
{
    return c->mesh->normals &&
           vec3_dot(c->mesh->normals[corner], c->unit_normals[corner / 3]) > 0.0f;
}

static vec3 corner_normal(const crease_mesh *c, uint32_t vertex, uint32_t corner)
{
    if (has_file_normal(c, corner)) return unit_or_zero(c->mesh->normals[corner]);
    const uint32_t triangle = corner / 3;
    const uint32_t first = c->first[vertex], end = c->first[vertex + 1];
    vec3 sum = c->area_normals[triangle];
    if (end - first > MAX_FAN_TRIANGLES) return unit_or_zero(sum);
    for (uint32_t k = first; k < end; k++) {
        uint32_t other = c->corners_by_vertex[k] / 3;
        if (other != triangle &&
            vec3_dot(c->unit_normals[other], c->unit_normals[triangle]) >= CREASE_COSINE)
            sum = vec3_add(sum, c->area_normals[other]);
    }
    return unit_or_zero(sum);
}

/* The vertex with this normal among those that `vertex` has become, from `start` on. */
static size_t find_output_vertex(const triangle_list *out, size_t start, vec3 normal)
{
    size_t seat = start;
    while (seat < out->normals.count &&
           vec3_dot(out->normals.items[seat], normal) < EQUAL_NORMAL_COSINE)
        seat++;
    return seat;
}

static bool add_vertex_copies(crease_mesh *c, uint32_t vertex, triangle_list *out)
{
    const uint32_t first = c->first[vertex], end = c->first[vertex + 1];
    const size_t start = out->vertices.count;
    for (uint32_t k = first; k < end; k++) {
        vec3 normal = corner_normal(c, vertex, c->corners_by_vertex[k]);
        bool many = end - first > MAX_FAN_TRIANGLES;
        size_t seat = many ? out->vertices.count : find_output_vertex(out, start, normal);
        c->output_vertices[c->corners_by_vertex[k]] = (uint32_t)seat;
        if (seat == out->vertices.count &&
            !triangle_list_add_vertex(out, c->mesh->vertices[vertex], normal))
            return false;
    }
    return true;
}

bool mesh_add_creased_normals(const io_mesh *mesh, triangle_list *out)
{
    crease_mesh c = {.mesh = mesh};
    bool good = allocate_arrays(&c);
    if (good) {
        measure_faces(&c);
        group_corners(&c);
    }
    for (uint32_t v = 0; good && v < mesh->vertex_count; v++)
        good = add_vertex_copies(&c, v, out);
    good = good &&
           triangle_list_add_indices(out, 0, c.output_vertices, 3 * (size_t)mesh->triangle_count);
    free_arrays(&c);
    return good;
}
