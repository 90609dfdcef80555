/* Solids as triangles, all in one set of buffers; each vertex stores the index of its model. */
#include "render_internal.h"

typedef struct packed_solids {
    vec4 *vertices, *normals;
    uint32_t *indices;
    uint32_t vertex_count, index_count;
} packed_solids;

static vec3 vertex_at(const float *list, uint32_t i)
{
    return vec3_make(list[3 * i], list[3 * i + 1], list[3 * i + 2]);
}

/* Computes vertex normals: sums over a vertex's triangles, weighted by area. */
static void add_normals(const render_solid *solid, vec4 *normals)
{
    for (uint32_t t = 0; t < solid->triangle_count; t++) {
        const uint32_t *v = &solid->indices[3 * t];
        vec3 a = vertex_at(solid->vertices, v[0]);
        vec3 n = vec3_cross(vec3_sub(vertex_at(solid->vertices, v[1]), a),
                            vec3_sub(vertex_at(solid->vertices, v[2]), a));
        for (int k = 0; k < 3; k++) {
            vec4 *sum = &normals[v[k]];
            *sum = (vec4){sum->x + n.x, sum->y + n.y, sum->z + n.z, 0.0f};
        }
    }
}

static void pack_solid(const render_solid *solid, uint32_t model, packed_solids *p)
{
    uint32_t first = p->vertex_count;
    float number;
    memcpy(&number, &model, sizeof number);
    if (!solid->normals) add_normals(solid, p->normals + first);
    for (uint32_t i = 0; i < solid->vertex_count; i++) {
        vec3 v = vertex_at(solid->vertices, i);
        vec4 sum = p->normals[first + i];
        vec3 n = solid->normals ? vertex_at(solid->normals, i) : vec3_make(sum.x, sum.y, sum.z);
        float length = vec3_length(n);
        n = length > 0.0f ? vec3_scale(n, 1.0f / length) : vec3_make(0.0f, 1.0f, 0.0f);
        p->vertices[first + i] = (vec4){v.x, v.y, v.z, number};
        p->normals[first + i] = (vec4){n.x, n.y, n.z, 0.0f};
    }
    for (uint32_t i = 0; i < 3 * solid->triangle_count; i++)
        p->indices[p->index_count++] = first + solid->indices[i];
    p->vertex_count += solid->vertex_count;
}

static weir_result upload_buffer(renderer *r, gpu_buffer_def def, const void *bytes,
                                 gpu_buffer **buffer)
{
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(r->device, &def, buffer));
    if (!def.count) return WEIR_OK;
    return gpu_buffer_upload(r->device, *buffer, 0, bytes, def.stride * def.count);
}

weir_result render_solids_create(renderer *r, const render_def *def)
{
    weir_result result = WEIR_ERROR_MEMORY;
    uint64_t vertices = 0, triangles = 0;
    packed_solids p = {0};
    for (uint32_t i = 0; i < def->solid_count; i++) {
        vertices += def->solids[i].vertex_count;
        triangles += def->solids[i].triangle_count;
    }
    if (vertices > UINT32_MAX || triangles > UINT32_MAX / 3)
        return base_fail(gpu_device_log(r->device), WEIR_ERROR_MEMORY,
                         "the solids have %llu triangles, more than can be drawn",
                         (unsigned long long)triangles);
    p.vertices = base_alloc((size_t)vertices, sizeof(vec4));
    p.normals = base_alloc((size_t)vertices, sizeof(vec4));
    p.indices = base_alloc((size_t)(3 * triangles), sizeof(uint32_t));
    r->solid_colours = base_alloc(def->solid_count, sizeof *r->solid_colours);
    if (!p.vertices || !p.normals || !p.indices || !r->solid_colours) goto fail;
    for (uint32_t i = 0; i < def->solid_count; i++) {
        pack_solid(&def->solids[i], i + 1, &p);
        memcpy(r->solid_colours[i], def->solids[i].colour, sizeof *r->solid_colours);
    }
    r->solid_count = def->solid_count;
    r->solids.triangle_count = p.index_count / 3;
    gpu_buffer_def buffer = {.name = "solid_vertices", .stride = 16, .count = p.vertex_count};
    WEIR_GOTO_IF_ERROR(upload_buffer(r, buffer, p.vertices, &r->solids.vertices));
    buffer.name = "solid_normals";
    WEIR_GOTO_IF_ERROR(upload_buffer(r, buffer, p.normals, &r->solids.normals));
    buffer = (gpu_buffer_def){.name = "solid_indices", .stride = 4, .count = p.index_count};
    WEIR_GOTO_IF_ERROR(upload_buffer(r, buffer, p.indices, &r->solids.indices));
fail:
    if (result == WEIR_ERROR_MEMORY)
        base_log(gpu_device_log(r->device), WEIR_LOG_ERROR,
                 "not enough memory for the solids' triangles");
    base_free(p.vertices);
    base_free(p.normals);
    base_free(p.indices);
    return result;
}
