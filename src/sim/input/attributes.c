/* The attributes with which particles enter a simulation. */
#include "sim_input.h"

void sim_attribute_values(const scene_data *scene, const scene_attribute_values *values, vec4 *to)
{
    float *out = &to->x;
    memset(to, 0, sim_attribute_vectors(scene) * sizeof *to);
    for (uint32_t i = 0; i < scene->attribute_count; i++) {
        const scene_attribute *attribute = &scene->attributes[i];
        const float *from = values ? values->values + attribute->first : attribute->initial;
        memcpy(out + attribute->first, from, attribute->components * sizeof *from);
    }
}

void sim_attribute_columns_add(sim_attribute_columns *columns, const scene_data *scene,
                               const scene_attribute_values *values,
                               const weir_attribute_values *from)
{
    const uint32_t index = scene_find_attribute(scene, from->name);
    if (index == UINT32_MAX || scene->attributes[index].components != from->components) return;
    if ((values && values->given >> index & 1u) || columns->count == SCENE_MAX_ATTRIBUTES) return;
    columns->items[columns->count].first = scene->attributes[index].first;
    columns->items[columns->count].components = from->components;
    columns->items[columns->count].stride = from->stride;
    columns->items[columns->count++].values = from->values;
}

void sim_attribute_columns_read(const sim_attribute_columns *columns, uint32_t index, vec4 *to)
{
    for (uint32_t i = 0; i < columns->count; i++)
        memcpy(&to->x + columns->items[i].first,
               columns->items[i].values + index * columns->items[i].stride,
               columns->items[i].components * sizeof(float));
}

weir_result sim_upload_attribute_sources(sim_world *world)
{
    const scene_data *scene = world->scene;
    const uint32_t vectors = sim_attribute_vectors(scene);
    vec4 values[SIM_MAX_ATTRIBUTE_VECTORS];
    const size_t size = vectors * sizeof *values;
    for (uint32_t i = 0; i <= scene->emitter_count && vectors; i++) {
        const bool is_hose = i == scene->emitter_count;
        sim_attribute_values(scene, is_hose ? NULL : &scene->emitters[i].attributes, values);
        WEIR_RETURN_IF_ERROR(gpu_buffer_upload(world->device, world->buffers.attribute_sources,
                                               i * size, values, size));
    }
    return WEIR_OK;
}
