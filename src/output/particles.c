/* Writes the particles and the whitewater of frames. */
#include "output_internal.h"

/* Writes particles to DIR/FOLDER/FOLDER_0001.EXTENSION. */
static weir_result write_particle_frame(const weir_output *output, const output_frame *frame,
                                        const char *name, const io_particles *particles,
                                        io_particles_write_def write)
{
    const weir_output_def *def = &output->def;
    char *path = base_format("%s/%s/%s_%04llu.%s", output->folder, name, name,
                             (unsigned long long)def->start_frame + frame->stats.frame,
                             io_format_extension(def->particle_format));
    if (!path)
        return base_fail(&def->log, WEIR_ERROR_MEMORY, "%s: not enough memory for a name",
                         def->folder);
    write.path = path;
    write.format = def->particle_format;
    weir_result result = io_particles_write(&def->log, particles, &write);
    base_free(path);
    return result;
}

weir_result output_write_particles(const weir_output *output, const output_frame *frame)
{
    float spacing = api_sim_scene_data(output->sim)->spacing;
    return write_particle_frame(
        output, frame, "particles", &frame->particles,
        (io_particles_write_def){.fields = output->def.fields,
                                 .radius_m = 0.5f * spacing * (float)output->def.scale});
}

/* ---- whitewater ----------------------------------------------------------------------------- */

weir_result output_read_whitewater(const weir_output *output, io_particles *whitewater)
{
    WEIR_RETURN_IF_ERROR(api_sim_read_whitewater(output->sim, whitewater));
    io_particles_to_file_axes(whitewater, api_file_axes(&output->def));
    return WEIR_OK;
}

weir_result output_write_whitewater(const weir_output *output, const output_frame *frame)
{
    return write_particle_frame(output, frame, "whitewater", &frame->whitewater,
                                (io_particles_write_def){.fields = UINT32_MAX & ~IO_FIELD_RADIUS});
}
