/* Particle frames of an output folder, and ParaView's list of them. */
#include "output_internal.h"

#define SERIES_NAME "particles.vtk.series"

bool output_is_written(const weir_output *output, uint64_t frame)
{
    return frame >= output->def.first_frame && frame <= output->def.last_frame;
}

bool output_wants_particles(const weir_output *output, uint64_t frame)
{
    return output->def.particles && output_is_written(output, frame);
}

/* "particles_0001.ply". Release with base_free. */
static char *frame_name(const weir_output *output, uint64_t frame)
{
    return base_format("particles_%04llu.%s", (unsigned long long)output->def.start_frame + frame,
                       io_format_extension(output->def.format));
}

/* World to file: turned by a right angle about x when z is up, then scaled. */
static void place_vectors(const weir_output_def *def, vec3 *vectors, uint32_t count)
{
    if (!vectors || (def->y_up && def->scale == 1.0)) return;
    float scale = (float)def->scale;
    for (uint32_t i = 0; i < count; ++i) {
        vec3 v = vectors[i];
        vectors[i] = vec3_scale(def->y_up ? v : vec3_make(v.x, -v.z, v.y), scale);
    }
}

bool output_add_to_series(weir_output *output, uint64_t frame, double time_s)
{
    output_series *series = &output->series;
    char *name = frame_name(output, frame);
    bool room = name && BASE_RESERVE(&series->names, 1) && BASE_RESERVE(&series->times_s, 1);
    if (!room) {
        base_free(name);
        return false;
    }
    series->names.items[series->names.count++] = name;
    series->times_s.items[series->times_s.count++] = time_s;
    return true;
}

void output_series_free(output_series *series)
{
    for (size_t i = 0; i < series->names.count; ++i)
        base_free(series->names.items[i]);
    BASE_ARRAY_FREE(&series->names);
    BASE_ARRAY_FREE(&series->times_s);
}

static weir_result write_series(weir_output *output, const weir_stats *stats)
{
    const weir_log *log = &output->def.log;
    char *path = base_path_join(output->particles_folder, SERIES_NAME);
    weir_result result = WEIR_MEMORY;
    if (path && output_add_to_series(output, stats->frame, stats->time_s)) {
        result = io_series_write(log, path, (const char *const *)output->series.names.items,
                                 output->series.times_s.items, output->series.names.count);
    } else {
        base_fail(log, WEIR_MEMORY, "%s: no memory for the series", output->particles_folder);
    }
    base_free(path);
    return result;
}

weir_result output_write_particles(weir_output *output, output_frame *frame)
{
    const weir_output_def *def = &output->def;
    const weir_scene *scene = output->sim->scene;
    char *name = frame_name(output, frame->stats.frame);
    char *path = name ? base_path_join(output->particles_folder, name) : NULL;
    base_free(name);
    if (!path) return base_fail(&def->log, WEIR_MEMORY, "%s: no memory for a name", def->folder);

    place_vectors(def, frame->particles.position, frame->particles.count);
    place_vectors(def, frame->particles.velocity, frame->particles.count);
    weir_result result = io_particles_write(
        &def->log, &frame->particles,
        &(io_particles_write_def){.path = path,
                                  .format = def->format,
                                  .fields = def->fields,
                                  .radius_m = 0.5f * scene->data->spacing * (float)def->scale});
    base_free(path);
    if (result == WEIR_OK && def->format == WEIR_FORMAT_VTK)
        result = write_series(output, &frame->stats);
    return result;
}
