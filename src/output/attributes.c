/* Reads the attributes of the particles for a frame of an output folder. */
#include "output_internal.h"

#include "weir/attributes.h"

/* Reads one attribute, and stores it next to those before it. */
static weir_result read_attribute(weir_output *output, const base_attribute *attribute,
                                  io_particles *particles)
{
    const size_t stride = particles->attributes.components;
    float *values = base_alloc(particles->count, attribute->components * sizeof *values);
    if (!values)
        return base_fail(&output->def.log, WEIR_ERROR_MEMORY,
                         "not enough memory for a frame of %u particles", particles->count);
    weir_result result =
        weir_sim_read_attribute(output->sim, attribute->name, values,
                                particles->count * attribute->components * sizeof *values);
    for (size_t i = 0; i < particles->count && result == WEIR_OK; i++)
        memcpy(particles->attribute_values + i * stride + attribute->first,
               values + i * attribute->components, attribute->components * sizeof *values);
    base_free(values);
    return result;
}

/* Returns the names of the attributes, "dye, heat"; NULL: there are none. Free with base_free. */
static char *list_names(const weir_output *output)
{
    weir_attribute attribute;
    base_text names = {0};
    const weir_scene *scene = api_sim_scene(output->sim);
    for (uint32_t i = 0; weir_scene_get_attribute(scene, i, &attribute); i++)
        base_text_append(&names, "%s%s", i ? ", " : "", attribute.name);
    return names.items;
}

void output_warn_dropped_attributes(const weir_output *output)
{
    const weir_output_def *def = &output->def;
    char *names = list_names(output);
    if (names && def->particles && !io_format_has_fields(def->particle_format))
        base_log(&def->log, WEIR_LOG_WARNING,
                 "%s: files of the format %s hold positions only, so the attributes are left out "
                 "(%s): choose ply, vtp, vtk, bgeo, npy or xyz to keep them",
                 output->folder, io_format_extension(def->particle_format), names);
    if (names && def->mesh && def->mesher.particle_attributes &&
        !io_mesh_format_has_fields(def->mesh_format))
        base_log(&def->log, WEIR_LOG_WARNING,
                 "%s: meshes of the format %s hold no attributes of vertices, so those of the "
                 "particles are left out (%s): choose ply, vtp, vtk or bgeo to keep them",
                 output->folder, io_mesh_format_extension(def->mesh_format), names);
    base_free(names);
}

weir_result output_read_attributes(weir_output *output, io_particles *particles)
{
    weir_attribute attribute;
    const weir_scene *scene = api_sim_scene(output->sim);
    if (!io_format_has_fields(output->def.particle_format)) return WEIR_OK;
    for (uint32_t i = 0; weir_scene_get_attribute(scene, i, &attribute); i++)
        base_attributes_add(&particles->attributes, attribute.name, attribute.components);
    if (particles->attributes.count == 0) return WEIR_OK;
    particles->attribute_values =
        base_alloc(particles->count, particles->attributes.components * sizeof(float));
    if (!particles->attribute_values)
        return base_fail(&output->def.log, WEIR_ERROR_MEMORY,
                         "not enough memory for a frame of %u particles", particles->count);
    for (uint32_t i = 0; i < particles->attributes.count; i++)
        WEIR_RETURN_IF_ERROR(read_attribute(output, &particles->attributes.items[i], particles));
    return WEIR_OK;
}
