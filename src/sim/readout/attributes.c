/* Reads and writes the attributes of the particles, in the order of their ids. */
#include "sim_frame.h"
#include "sim_readout.h"

/* Finds an attribute, and checks the size of the caller's array. Waits. */
static weir_result find_attribute(sim_world *world, const char *name, size_t size,
                                  const scene_attribute **found)
{
    const scene_data *scene = world->scene;
    const uint32_t index = scene_find_attribute(scene, name);
    if (index == UINT32_MAX) {
        char hint[SCENE_ATTRIBUTE_HINT];
        scene_attribute_hint(scene, name, hint);
        return base_fail(world->log, WEIR_ERROR_ARGUMENT, "\"%s\" is no attribute of %s%s", name,
                         scene->source, hint);
    }
    *found = &scene->attributes[index];
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    const size_t each = (*found)->components * sizeof(float),
                 expected = world->last_result.status.count * each;
    if (size == expected) return WEIR_OK;
    return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                     "attribute \"%s\": size is %zu bytes, expected %zu: %u particles of %zu bytes",
                     name, size, expected, world->last_result.status.count, each);
}

weir_result sim_read_attribute(sim_world *world, const char *name, float *out, size_t size)
{
    const scene_attribute *attribute;
    const void *gathered;
    WEIR_RETURN_IF_ERROR(find_attribute(world, name, size, &attribute));
    const uint32_t what = SIM_READ_ATTRIBUTE | attribute->first << SIM_READ_FIRST_SHIFT |
                          attribute->components << SIM_READ_COMPONENTS_SHIFT;
    WEIR_RETURN_IF_ERROR(sim_gather_by_id(world, what, attribute->components, &gathered));
    if (size) memcpy(out, gathered, size);
    return WEIR_OK;
}

static weir_result check_finite(const sim_world *world, const scene_attribute *attribute,
                                const float *values, size_t size)
{
    for (size_t i = 0; i < size / sizeof *values; i++)
        if (!isfinite(values[i]))
            return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                             "attribute \"%s\": value %zu is %g, expected a finite number",
                             attribute->name, i, (double)values[i]);
    return WEIR_OK;
}

weir_result sim_write_attribute(sim_world *world, const char *name, const float *values,
                                size_t size)
{
    weir_result result;
    const scene_attribute *attribute;
    uint32_t *order = NULL, count;
    float *state = NULL;
    WEIR_RETURN_IF_ERROR(find_attribute(world, name, size, &attribute));
    WEIR_RETURN_IF_ERROR(check_finite(world, attribute, values, size));
    const size_t stride = 4u * sim_attribute_vectors(world->scene);
    WEIR_GOTO_IF_ERROR(sim_download_id_order(world, &order, &count));
    state = base_alloc(count, stride * sizeof *state);
    if (!state) {
        result = base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for attributes");
        goto fail;
    }
    const uint64_t bytes = sim_attribute_bytes(world, count);
    if (bytes == 0) goto fail;
    WEIR_GOTO_IF_ERROR(
        gpu_buffer_download(world->device, world->buffers.attributes, 0, state, bytes));
    for (uint32_t i = 0; i < count; i++)
        memcpy(state + order[i] * stride + attribute->first,
               values + (size_t)i * attribute->components, attribute->components * sizeof *values);
    result = gpu_buffer_upload(world->device, world->buffers.attributes, 0, state, bytes);
fail:
    base_free(order);
    base_free(state);
    return result;
}
