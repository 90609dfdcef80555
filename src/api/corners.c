/* Normals of a mesh from a file: the file's own; where it has none, round where its faces meet at
 * small angles, apart where at large ones, so that a box has edges. A vertex on an edge becomes
 * several, one for each normal. */
#include "picture_internal.h"

#define SMOOTH_COSINE 0.77f /* of 40 degrees: the largest angle that counts as round */
#define FAN_MOST 128u       /* triangles at a vertex: around more, each keeps its own normal */
#define SAME_COSINE 0.9999f

typedef struct corners {
    const io_mesh *mesh;
    vec3 *faces;      /* [triangle_count] normals, as long as twice the area */
    vec3 *units;      /* the same, of length 1 or 0 */
    uint32_t *first;  /* [vertex_count + 1] in `around` */
    uint32_t *around; /* [3 * triangle_count] corners, vertex by vertex */
    uint32_t *seats;  /* [3 * triangle_count] the vertex that each corner gets, in the output */
} corners;

static vec3 unit(vec3 v)
{
    float length = vec3_length(v);
    return length > 0.0f ? vec3_make(v.x / length, v.y / length, v.z / length)
                         : vec3_make(0.0f, 0.0f, 0.0f);
}

static bool allocate(corners *c)
{
    const size_t triangles = c->mesh->triangle_count;
    c->faces = base_alloc(triangles, sizeof *c->faces);
    c->units = base_alloc(triangles, sizeof *c->units);
    c->first = base_alloc((size_t)c->mesh->vertex_count + 1, sizeof *c->first);
    c->around = base_alloc(3 * triangles, sizeof *c->around);
    c->seats = base_alloc(3 * triangles, sizeof *c->seats);
    return c->faces && c->units && c->first && c->around && c->seats;
}

static void release(corners *c)
{
    base_free(c->faces);
    base_free(c->units);
    base_free(c->first);
    base_free(c->around);
    base_free(c->seats);
}

static void measure_faces(corners *c)
{
    for (size_t t = 0; t < c->mesh->triangle_count; t++) {
        const uint32_t *v = &c->mesh->indices[3 * t];
        const vec3 *p = c->mesh->vertices;
        c->faces[t] = vec3_cross(vec3_sub(p[v[1]], p[v[0]]), vec3_sub(p[v[2]], p[v[0]]));
        c->units[t] = unit(c->faces[t]);
    }
}

/* Counts into first[v + 1], then sums, so that first[v] is where the next corner goes. */
static void sort_corners(corners *c)
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
        c->around[c->first[c->mesh->indices[i]]++] = i;
    for (uint32_t v = n; v > 0; v--)
        c->first[v] = c->first[v - 1];
    c->first[0] = 0;
}

/* A file's normal that does not point out of its face is none. */
static bool has_own(const corners *c, uint32_t corner)
{
    return c->mesh->normals && vec3_dot(c->mesh->normals[corner], c->units[corner / 3]) > 0.0f;
}

static vec3 normal_of(const corners *c, uint32_t vertex, uint32_t corner)
{
    if (has_own(c, corner)) return unit(c->mesh->normals[corner]);
    const uint32_t triangle = corner / 3;
    const uint32_t first = c->first[vertex], end = c->first[vertex + 1];
    vec3 sum = c->faces[triangle];
    if (end - first > FAN_MOST) return unit(sum);
    for (uint32_t k = first; k < end; k++) {
        uint32_t other = c->around[k] / 3;
        if (other != triangle && vec3_dot(c->units[other], c->units[triangle]) >= SMOOTH_COSINE)
            sum = vec3_add(sum, c->faces[other]);
    }
    return unit(sum);
}

/* The vertex with this normal among those that `vertex` has become, from `start` on. */
static size_t find_seat(const api_triangles *out, size_t start, vec3 normal)
{
    size_t seat = start;
    while (seat < out->normals.count && vec3_dot(out->normals.items[seat], normal) < SAME_COSINE)
        seat++;
    return seat;
}

static bool put_vertex(corners *c, uint32_t vertex, api_triangles *out)
{
    const uint32_t first = c->first[vertex], end = c->first[vertex + 1];
    const size_t start = out->vertices.count;
    for (uint32_t k = first; k < end; k++) {
        vec3 normal = normal_of(c, vertex, c->around[k]);
        bool many = end - first > FAN_MOST;
        size_t seat = many ? out->vertices.count : find_seat(out, start, normal);
        c->seats[c->around[k]] = (uint32_t)seat;
        if (seat == out->vertices.count && !api_put_vertex(out, c->mesh->vertices[vertex], normal))
            return false;
    }
    return true;
}

bool api_put_sharp(const io_mesh *mesh, api_triangles *out)
{
    corners c = {.mesh = mesh};
    bool good = allocate(&c);
    if (good) {
        measure_faces(&c);
        sort_corners(&c);
    }
    for (uint32_t v = 0; good && v < mesh->vertex_count; v++)
        good = put_vertex(&c, v, out);
    good = good && api_put_indices(out, 0, c.seats, 3 * (size_t)mesh->triangle_count);
    release(&c);
    return good;
}
