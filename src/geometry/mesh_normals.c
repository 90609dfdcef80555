/* Computes vertex normals. A mesh from a file keeps the normals of the file. Without any, faces
 * that meet at small angles are shaded smoothly, and faces that meet at large angles get a hard
 * edge, so that a box looks like a box. A vertex on a hard edge is duplicated, once for each
 * normal. */
#include "geometry.h"

#define MAX_FAN_TRIANGLES 128u /* at a vertex with more, each triangle keeps its own normal */
#define EQUAL_NORMAL_COSINE 0.9999f

typedef struct crease_mesh {
    const io_mesh *mesh;
    float cosine;                /* of the largest angle that is smoothed */
    vec3 *area_normals;          /* [triangle_count] normals whose length is twice the area */
    vec3 *unit_normals;          /* [triangle_count] normals of length 1, or 0 */
    uint32_t *first;             /* [vertex_count + 1] offsets into corners_by_vertex */
    uint32_t *corners_by_vertex; /* [3 * triangle_count] corners, grouped by vertex */
    uint32_t *output_vertices;   /* [3 * triangle_count] output vertex of each corner */
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

/* Groups the corners by vertex with a counting sort. */
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

/* Returns whether the file has a usable normal for the corner; one that does not point out of its
 * face is ignored. */
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
            vec3_dot(c->unit_normals[other], c->unit_normals[triangle]) >= c->cosine)
            sum = vec3_add(sum, c->area_normals[other]);
    }
    return unit_or_zero(sum);
}

/* Finds the copy with this normal among the output vertices from `start` on; the end if there is
 * none. */
static size_t find_output_vertex(const triangle_list *out, size_t start, vec3 normal)
{
    size_t slot = start;
    while (slot < out->normals.count &&
           vec3_dot(out->normals.items[slot], normal) < EQUAL_NORMAL_COSINE)
        slot++;
    return slot;
}

static bool add_vertex_copies(crease_mesh *c, uint32_t vertex, triangle_list *out)
{
    const uint32_t first = c->first[vertex], end = c->first[vertex + 1];
    const size_t start = out->vertices.count;
    for (uint32_t k = first; k < end; k++) {
        vec3 normal = corner_normal(c, vertex, c->corners_by_vertex[k]);
        bool many = end - first > MAX_FAN_TRIANGLES;
        size_t slot = many ? out->vertices.count : find_output_vertex(out, start, normal);
        c->output_vertices[c->corners_by_vertex[k]] = (uint32_t)slot;
        if (slot == out->vertices.count &&
            !triangle_list_add_vertex(out, c->mesh->vertices[vertex], normal))
            return false;
    }
    return true;
}

bool mesh_add_creased_normals(const io_mesh *mesh, float cosine, triangle_list *out)
{
    crease_mesh c = {.mesh = mesh, .cosine = cosine};
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

/* ---- smooth normals ------------------------------------------------------------------------- */

vec3 *mesh_vertex_normals(const weir_mesh_arrays *mesh)
{
    const vec3 *position = (const vec3 *)mesh->position;
    vec3 *normals = base_alloc(mesh->vertex_count, sizeof *normals);
    for (size_t t = 0; normals && t < mesh->triangle_count; t++) {
        const uint32_t *corner = &mesh->index[3 * t];
        vec3 n = vec3_cross(vec3_sub(position[corner[1]], position[corner[0]]),
                            vec3_sub(position[corner[2]], position[corner[0]]));
        for (int k = 0; k < 3; k++)
            normals[corner[k]] = vec3_add(normals[corner[k]], n);
    }
    for (size_t i = 0; normals && i < mesh->vertex_count; i++) {
        vec3 n = normals[i];
        float length = vec3_length(n);
        normals[i] = length > 0.0f ? vec3_make(n.x / length, n.y / length, n.z / length)
                                   : vec3_make(0.0f, 1.0f, 0.0f);
    }
    return normals;
}
