/* Particle frames of an output folder. */
#include "output_internal.h"

static void turn_vectors(const weir_output_def *def, vec3 *vectors, uint32_t count)
{
    if (!vectors || (def->y_up && def->scale == 1.0)) return;
    float scale = (float)def->scale;
    for (uint32_t i = 0; i < count; ++i) {
        vec3 v = vectors[i];
        vectors[i] = vec3_scale(def->y_up ? v : vec3_make(v.x, -v.z, v.y), scale);
    }
}

void output_turn_particles(const weir_output_def *def, io_particles *particles)
{
    turn_vectors(def, particles->position, particles->count);
    turn_vectors(def, particles->velocity, particles->count);
}

weir_result output_write_particles(const weir_output *output, const output_frame *frame)
{
    const weir_output_def *def = &output->def;
    const weir_scene *scene = output->sim->scene;
    char *path = base_format("%s/particles_%04llu.%s", output->particles_folder,
                             (unsigned long long)def->start_frame + frame->stats.frame,
                             io_format_extension(def->format));
    if (!path) return base_fail(&def->log, WEIR_MEMORY, "%s: no memory for a name", def->folder);
    weir_result result = io_particles_write(
        &def->log, &frame->particles,
        &(io_particles_write_def){.path = path,
                                  .format = def->format,
                                  .fields = def->fields,
                                  .radius_m = 0.5f * scene->data->spacing * (float)def->scale});
    if (result == WEIR_OK && def->format == WEIR_FORMAT_VTK)
        result = api_series_update(&def->log, path, frame->stats.time_s);
    base_free(path);
    return result;
}
