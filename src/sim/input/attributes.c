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
