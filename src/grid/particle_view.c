/* particle_view: the buffers that pass particles from one module to another. */
#include "grid.h"

weir_result particle_view_create(gpu_device *device, uint32_t fields, uint32_t count,
                                 particle_view *points)
{
    weir_result result;
    const struct {
        weir_field field;
        gpu_buffer **buffer;
        gpu_buffer_def def;
    } attributes[] = {
        {WEIR_FIELD_POSITION,
         &points->position,
         {.name = "points_position", .stride = 16, .texels = GPU_TEXELS_VEC4}},
        {WEIR_FIELD_VELOCITY,
         &points->velocity,
         {.name = "points_velocity", .stride = 16, .texels = GPU_TEXELS_VEC4}},
        {WEIR_FIELD_ID, &points->id, {.name = "points_id", .stride = 4}},
        {WEIR_FIELD_FLUID, &points->fluid, {.name = "points_fluid", .stride = 4}},
        {WEIR_FIELD_DENSITY, &points->density, {.name = "points_density", .stride = 4}},
    };
    *points = (particle_view){0};
    for (size_t i = 0; i < BASE_COUNT(attributes); i++) {
        gpu_buffer_def def = attributes[i].def;
        bool wanted =
            attributes[i].field == WEIR_FIELD_POSITION || fields >> attributes[i].field & 1u;
        def.count = count;
        if (wanted) WEIR_GOTO_IF_ERROR(gpu_buffer_create(device, &def, attributes[i].buffer));
    }
    points->count = count;
    return WEIR_OK;
fail:
    particle_view_destroy(device, points);
    return result;
}

weir_result particle_view_add_attributes(gpu_device *device, const base_attributes *attributes,
                                         uint32_t count, particle_view *points)
{
    points->attributes = *attributes;
    const gpu_buffer_def def = {.name = "points_attributes",
                                .stride = 16u * particle_attribute_vectors(points),
                                .count = count};
    if (attributes->count == 0) return WEIR_OK;
    weir_result result = gpu_buffer_create(device, &def, &points->attribute_values);
    if (result != WEIR_OK) particle_view_destroy(device, points);
    return result;
}

void particle_view_destroy(gpu_device *device, particle_view *points)
{
    gpu_buffer_destroy(device, &points->position);
    gpu_buffer_destroy(device, &points->velocity);
    gpu_buffer_destroy(device, &points->id);
    gpu_buffer_destroy(device, &points->fluid);
    gpu_buffer_destroy(device, &points->density);
    gpu_buffer_destroy(device, &points->lambda);
    gpu_buffer_destroy(device, &points->attribute_values);
    *points = (particle_view){0};
}
