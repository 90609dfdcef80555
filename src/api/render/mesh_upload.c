/* Meshes on their way to the device. The host writes the triangles of one picture while the device
 * draws those of earlier ones. */
#include "geometry.h"
#include "renderer_internal.h"

/* Enlarges a buffer to the def's count, by at least half, so that a growing mesh seldom waits. */
static weir_result reserve(weir_device *device, gpu_buffer_def def, gpu_buffer **buffer)
{
    uint64_t has = *buffer ? gpu_buffer_count(*buffer) : 0;
    if (has && has >= def.count) return WEIR_OK;
    gpu_buffer_destroy(device->gpu, buffer);
    if (def.count < has + has / 2) def.count = has + has / 2;
    return gpu_buffer_create(device->gpu, &def, buffer);
}

static weir_result reserve_buffers(weir_renderer *r, const weir_mesh_arrays *mesh)
{
    api_uploaded_mesh *u = &r->uploaded;
    uint64_t vertices = mesh->vertex_count, indices = 3ull * mesh->triangle_count;
    const gpu_buffer_def defs[] = {
        {.name = "mesh_vertices", .stride = 16, .count = vertices},
        {.name = "mesh_normals", .stride = 16, .count = vertices},
        {.name = "mesh_indices", .stride = 4, .count = indices},
        {.name = "mesh_staging",
         .stride = 4,
         .count = 8 * vertices + indices,
         .memory = GPU_MEMORY_HOST},
    };
    gpu_buffer **buffers[] = {&u->mesh.vertices, &u->mesh.normals, &u->mesh.indices,
                              &u->staging[u->turn]};
    for (size_t i = 0; i < BASE_COUNT(defs); i++)
        WEIR_RETURN_IF_ERROR(reserve(r->device, defs[i], buffers[i]));
    return WEIR_OK;
}

static void write_vectors(vec4 *to, const float *from, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = (vec4){from[3 * i], from[3 * i + 1], from[3 * i + 2], 0.0f};
}

/* Writes the triangles to the staging buffer and submits the copies. */
static weir_result submit_copies(weir_renderer *r, const weir_mesh_arrays *mesh,
                                 const float *normals)
{
    api_uploaded_mesh *u = &r->uploaded;
    gpu_device *gpu = r->device->gpu;
    uint64_t vectors = 16ull * mesh->vertex_count, indices = 12ull * mesh->triangle_count;
    gpu_buffer *from = u->staging[u->turn];
    char *bytes = gpu_buffer_map(from);
    const gpu_copy copies[] = {
        {.from = from, .to = u->mesh.vertices, .size = vectors},
        {.from = from, .to = u->mesh.normals, .from_offset = vectors, .size = vectors},
        {.from = from, .to = u->mesh.indices, .from_offset = 2 * vectors, .size = indices},
    };
    write_vectors((vec4 *)(void *)bytes, mesh->position, mesh->vertex_count);
    write_vectors((vec4 *)(void *)(bytes + vectors), normals, mesh->vertex_count);
    if (indices) memcpy(bytes + 2 * vectors, mesh->index, (size_t)indices);
    WEIR_RETURN_IF_ERROR(gpu_record_begin(gpu));
    for (size_t i = 0; i < BASE_COUNT(copies); i++)
        WEIR_RETURN_IF_ERROR(gpu_record_copy(gpu, &copies[i]));
    return gpu_record_submit(gpu, &u->tickets[u->turn]);
}

weir_result api_mesh_upload(weir_renderer *r, const weir_mesh *mesh, const weir_mesh_arrays *arrays,
                            render_mesh *out)
{
    weir_result result;
    api_uploaded_mesh *u = &r->uploaded;
    vec3 *made = NULL;
    bool known = mesh->device == r->device && mesh->version == u->version && u->version;
    if (known) {
        *out = u->mesh;
        return WEIR_OK;
    }
    u->version = 0;
    u->turn = (u->turn + 1) % API_MESHES_IN_FLIGHT;
    if (!arrays->normal) {
        made = mesh_vertex_normals(arrays);
        if (!made)
            return base_fail(api_log(r->device), WEIR_ERROR_MEMORY,
                             "not enough memory to draw a mesh");
    }
    if (u->tickets[u->turn])
        WEIR_GOTO_IF_ERROR(gpu_ticket_wait(r->device->gpu, u->tickets[u->turn]));
    WEIR_GOTO_IF_ERROR(reserve_buffers(r, arrays));
    WEIR_GOTO_IF_ERROR(submit_copies(r, arrays, made ? &made->x : arrays->normal));
    u->mesh.triangle_count = arrays->triangle_count;
    u->version = mesh->device == r->device ? mesh->version : 0;
    *out = u->mesh;
fail:
    base_free(made);
    return result;
}

void api_mesh_upload_destroy(weir_renderer *r)
{
    api_uploaded_mesh *u = &r->uploaded;
    gpu_device *gpu = r->device->gpu;
    gpu_buffer_destroy(gpu, &u->mesh.vertices);
    gpu_buffer_destroy(gpu, &u->mesh.normals);
    gpu_buffer_destroy(gpu, &u->mesh.indices);
    for (uint32_t i = 0; i < API_MESHES_IN_FLIGHT; i++)
        gpu_buffer_destroy(gpu, &u->staging[i]);
}
