/* Particle frames of an output folder. */
#include "output_internal.h"
#include "sim_whitewater.h"

static void transform_vectors(const weir_output_def *def, vec3 *vectors, uint32_t count)
{
    if (!vectors || (def->y_up && def->scale == 1.0)) return;
    float scale = (float)def->scale;
    for (uint32_t i = 0; i < count; ++i) {
        vec3 v = vectors[i];
        vectors[i] = vec3_scale(def->y_up ? v : vec3_make(v.x, -v.z, v.y), scale);
    }
}

void output_transform_particles(const weir_output_def *def, io_particles *particles)
{
    transform_vectors(def, particles->position, particles->count);
    transform_vectors(def, particles->velocity, particles->count);
}

/* One frame into DIR/FOLDER/FOLDER_0001.EXTENSION. */
static weir_result write_particle_frame(const weir_output *output, const output_frame *frame,
                                        const char *name, const io_particles *particles,
                                        io_particles_write_def write)
{
    const weir_output_def *def = &output->def;
    char *path = base_format("%s/%s/%s_%04llu.%s", output->folder, name, name,
                             (unsigned long long)def->start_frame + frame->stats.frame,
                             io_format_extension(def->particle_format));
    if (!path)
        return base_fail(&def->log, WEIR_ERROR_MEMORY, "%s: no memory for a name", def->folder);
    write.path = path;
    write.format = def->particle_format;
    weir_result result = io_particles_write(&def->log, particles, &write);
    if (result == WEIR_OK && def->particle_format == WEIR_PARTICLE_FORMAT_VTK)
        result = io_vtk_series_update(&def->log, path, frame->stats.time_s);
    base_free(path);
    return result;
}

weir_result output_write_particles(const weir_output *output, const output_frame *frame)
{
    float spacing = output->sim->scene->data->spacing;
    return write_particle_frame(
        output, frame, "particles", &frame->particles,
        (io_particles_write_def){.fields = output->def.fields,
                                 .radius_m = 0.5f * spacing * (float)output->def.scale});
}

/* ---- whitewater ----------------------------------------------------------------------------- */

void output_transform_whitewater(const weir_output_def *def, io_particles *foam)
{
    output_transform_particles(def, foam);
    for (uint32_t i = 0; i < foam->count; ++i)
        foam->radius[i] *= (float)def->scale;
}

vec3 output_inverse_transform(const weir_output_def *def, vec3 v)
{
    return vec3_scale(def->y_up ? v : vec3_make(v.x, v.z, -v.y), (float)(1.0 / def->scale));
}

weir_result output_read_whitewater(const weir_output *output, io_particles *foam)
{
    if (!output->sim->whitewater) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(api_whitewater_read(output->sim, foam));
    output_transform_whitewater(&output->def, foam);
    return WEIR_OK;
}

weir_result output_write_whitewater(const weir_output *output, const output_frame *frame)
{
    return write_particle_frame(output, frame, "whitewater", &frame->foam,
                                (io_particles_write_def){.fields = UINT32_MAX & ~IO_FIELD_RADIUS});
}
