/* Converts deformables for the render module. */
#include "renderer_internal.h"

float (*api_deformable_colours(const scene_data *scene))[3]
{
    uint32_t count = scene_deformable_count(scene);
    float(*colours)[3] = base_alloc(count, sizeof *colours);
    for (uint32_t i = 0; i < count && colours; i++)
        memcpy(colours[i], scene_deformable_at(scene, i)->colour, sizeof *colours);
    return colours;
}

render_deformables api_deformables_to_render(const weir_renderer *r,
                                             const api_deformable_meshes *deformables)
{
    uint32_t count = r->scene ? scene_deformable_count(r->scene->data) : 0;
    if (deformables->count == 0 || deformables->count != count) return (render_deformables){0};
    return (render_deformables){.count = count,
                                .first_vertex = deformables->first_vertex,
                                .first_triangle = deformables->first_triangle,
                                .positions = deformables->positions,
                                .normals = deformables->normals,
                                .indices = deformables->indices};
}
