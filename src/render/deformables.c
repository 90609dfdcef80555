/* Cloths and ropes as triangles, in the buffers of the frame's slot, which the host writes. */
#include "render_internal.h"

weir_result render_deformables_create(renderer *r, const render_def *def)
{
    r->deformable_colours = base_alloc(def->deformable_count, sizeof *r->deformable_colours);
    if (!r->deformable_colours)
        return base_fail(gpu_device_log(r->device), WEIR_ERROR_MEMORY,
                         "not enough memory for a renderer");
    if (def->deformable_count)
        memcpy(r->deformable_colours, def->deformable_colours,
               def->deformable_count * sizeof *r->deformable_colours);
    r->deformable_count = def->deformable_count;
    return WEIR_OK;
}

static void write_vertices(const renderer *r, const render_deformables *deformables,
                           render_mesh *mesh)
{
    vec4 *vertices = gpu_buffer_map(mesh->vertices), *normals = gpu_buffer_map(mesh->normals);
    uint32_t *indices = gpu_buffer_map(mesh->indices);
    for (uint32_t s = 0; s < deformables->count; s++) {
        uint32_t first = deformables->first_vertex[s], model = r->solid_count + 1 + s;
        float number;
        memcpy(&number, &model, sizeof number);
        for (uint32_t i = first; i < deformables->first_vertex[s + 1]; i++) {
            vec3 p = deformables->positions[i], n = deformables->normals[i];
            vertices[i] = (vec4){p.x, p.y, p.z, number};
            normals[i] = (vec4){n.x, n.y, n.z, 0.0f};
        }
        for (uint32_t i = 3 * deformables->first_triangle[s];
             i < 3 * deformables->first_triangle[s + 1]; i++)
            indices[i] = first + deformables->indices[i];
    }
}

weir_result render_deformables_upload(renderer *r, const render_deformables *deformables,
                                      uint32_t slot)
{
    render_mesh *mesh = &r->deformables[slot];
    r->drawn_deformables = NULL;
    if (deformables->count == 0) return WEIR_OK;
    WEIR_ASSERT(deformables->count == r->deformable_count);
    uint32_t vertices = deformables->first_vertex[deformables->count];
    uint32_t triangles = deformables->first_triangle[deformables->count];
    gpu_buffer_def def = {.name = "deformable_vertices",
                          .stride = 16,
                          .count = vertices,
                          .memory = GPU_MEMORY_UPLOAD};
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, def, &mesh->vertices));
    def.name = "deformable_normals";
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, def, &mesh->normals));
    def = (gpu_buffer_def){.name = "deformable_indices",
                           .stride = 4,
                           .count = 3ull * triangles,
                           .memory = GPU_MEMORY_UPLOAD};
    WEIR_RETURN_IF_ERROR(render_buffer_reserve(r, def, &mesh->indices));
    write_vertices(r, deformables, mesh);
    mesh->triangle_count = triangles;
    if (triangles > 0) r->drawn_deformables = mesh;
    return WEIR_OK;
}
