/* Cloths and ropes in pictures. */
#include "picture_internal.h"

float (*api_soft_colours(const scene_data *scene))[3]
{
    uint32_t count = scene_soft_count(scene);
    float(*colours)[3] = base_alloc(count, sizeof *colours);
    for (uint32_t i = 0; i < count && colours; i++)
        memcpy(colours[i], scene_soft_at(scene, i)->colour, sizeof *colours);
    return colours;
}

render_softs api_drawn_softs(const weir_renderer *r, const api_softs *softs)
{
    uint32_t count = r->scene ? scene_soft_count(r->scene->data) : 0;
    if (softs->count == 0 || softs->count != count) return (render_softs){0};
    return (render_softs){.count = count,
                          .first_vertex = softs->first_vertex,
                          .first_triangle = softs->first_triangle,
                          .positions = softs->positions,
                          .normals = softs->normals,
                          .indices = softs->indices};
}
