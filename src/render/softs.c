/* Cloths and ropes as triangles: in the buffers of the frame's slot, which the host writes. */
#include "render_internal.h"

weir_result render_softs_create(renderer *r, const render_def *def)
{
    r->soft_colours = base_alloc(def->soft_count, sizeof *r->soft_colours);
    if (!r->soft_colours)
        return base_fail(gpu_device_log(r->device), WEIR_MEMORY, "no memory for a renderer");
    if (def->soft_count)
        memcpy(r->soft_colours, def->soft_colours, def->soft_count * sizeof *r->soft_colours);
    r->soft_count = def->soft_count;
    return WEIR_OK;
}

static void fill(const renderer *r, const render_softs *softs, render_mesh *mesh)
{
    vec4 *vertices = gpu_buffer_map(mesh->vertices), *normals = gpu_buffer_map(mesh->normals);
    uint32_t *indices = gpu_buffer_map(mesh->indices);
    for (uint32_t s = 0; s < softs->count; s++) {
        uint32_t first = softs->first_vertex[s], model = r->solid_count + 1 + s;
        float number;
        memcpy(&number, &model, sizeof number);
        for (uint32_t i = first; i < softs->first_vertex[s + 1]; i++) {
            vec3 p = softs->positions[i], n = softs->normals[i];
            vertices[i] = (vec4){p.x, p.y, p.z, number};
            normals[i] = (vec4){n.x, n.y, n.z, 0.0f};
        }
        for (uint32_t i = 3 * softs->first_triangle[s]; i < 3 * softs->first_triangle[s + 1]; i++)
            indices[i] = first + softs->indices[i];
    }
}

weir_result render_softs_prepare(renderer *r, const render_softs *softs, uint32_t slot)
{
    render_mesh *mesh = &r->softs[slot];
    r->drawn_softs = NULL;
    if (softs->count == 0) return WEIR_OK;
    WEIR_ASSERT(softs->count == r->soft_count);
    uint32_t vertices = softs->first_vertex[softs->count];
    uint32_t triangles = softs->first_triangle[softs->count];
    gpu_buffer_def def = {
        .name = "soft_vertices", .stride = 16, .count = vertices, .memory = GPU_MEMORY_HOST};
    WEIR_NEED(render_grow(r, def, &mesh->vertices));
    def.name = "soft_normals";
    WEIR_NEED(render_grow(r, def, &mesh->normals));
    def = (gpu_buffer_def){
        .name = "soft_indices", .stride = 4, .count = 3ull * triangles, .memory = GPU_MEMORY_HOST};
    WEIR_NEED(render_grow(r, def, &mesh->indices));
    fill(r, softs, mesh);
    mesh->triangle_count = triangles;
    if (triangles > 0) r->drawn_softs = mesh;
    return WEIR_OK;
}
