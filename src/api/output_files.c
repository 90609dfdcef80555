/* The files of an output folder: particle frames with their series, and stats.csv. */
#include "output_internal.h"

#define STATS_FILE_MAX ((size_t)1 << 30)
#define SERIES_NAME "particles.vtk.series"

/* ---- particles ------------------------------------------------------------------------------ */

char *output_frame_name(const weir_output *output, uint64_t frame)
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
    char *name = output_frame_name(output, frame);
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
    char *name = output_frame_name(output, frame->stats.frame);
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

/* ---- stats.csv ------------------------------------------------------------------------------ */

typedef struct stats_column {
    const char *name;
    size_t offset;
    enum { COLUMN_DOUBLE, COLUMN_U32, COLUMN_U64 } type;
} stats_column;

#define COLUMN(name, member, type)               \
    {                                            \
        name, offsetof(weir_stats, member), type \
    }

/* The first two are read back on resume. */
static const stats_column columns[] = {
    COLUMN("frame", frame, COLUMN_U64),
    COLUMN("time_s", time_s, COLUMN_DOUBLE),
    COLUMN("substep", substep, COLUMN_U64),
    COLUMN("substeps_in_frame", substeps_in_frame, COLUMN_U32),
    COLUMN("particles", particle_count, COLUMN_U32),
    COLUMN("density_error_mean", density_error_mean, COLUMN_DOUBLE),
    COLUMN("density_error_max", density_error_max, COLUMN_DOUBLE),
    COLUMN("neighbours_mean", neighbours_mean, COLUMN_DOUBLE),
    COLUMN("neighbours_max", neighbours_max, COLUMN_U32),
    COLUMN("speed_max_m_s", speed_max, COLUMN_DOUBLE),
    COLUMN("kinetic_energy_j", kinetic_energy, COLUMN_DOUBLE),
    COLUMN("potential_energy_j", potential_energy, COLUMN_DOUBLE),
    COLUMN("momentum_x_kg_m_s", momentum[0], COLUMN_DOUBLE),
    COLUMN("momentum_y_kg_m_s", momentum[1], COLUMN_DOUBLE),
    COLUMN("momentum_z_kg_m_s", momentum[2], COLUMN_DOUBLE),
    COLUMN("centre_of_mass_x_m", centre_of_mass[0], COLUMN_DOUBLE),
    COLUMN("centre_of_mass_y_m", centre_of_mass[1], COLUMN_DOUBLE),
    COLUMN("centre_of_mass_z_m", centre_of_mass[2], COLUMN_DOUBLE),
    COLUMN("correction_caps", correction_caps, COLUMN_U64),
    COLUMN("speed_caps", speed_caps, COLUMN_U64),
    COLUMN("non_finite", non_finite, COLUMN_U32),
    COLUMN("escaped", escaped, COLUMN_U32),
    COLUMN("sunk", sunk, COLUMN_U32),
    COLUMN("predicted_compression", predicted_compression, COLUMN_DOUBLE),
    COLUMN("sound_speed_m_s", sound_speed, COLUMN_DOUBLE),
    COLUMN("sound_ratio", sound_ratio, COLUMN_DOUBLE),
    COLUMN("gpu_ms", gpu_ms, COLUMN_DOUBLE),
    COLUMN("memory_bytes", memory_bytes, COLUMN_U64),
};

static bool append_column(base_text *row, const stats_column *column, const weir_stats *stats)
{
    const char *at = (const char *)stats + column->offset;
    double real = 0;
    uint32_t word = 0;
    uint64_t wide = 0;
    switch (column->type) {
    case COLUMN_DOUBLE: memcpy(&real, at, sizeof real); return api_json_append_number(row, real);
    case COLUMN_U32: memcpy(&word, at, sizeof word); return base_text_append(row, "%u", word);
    case COLUMN_U64: memcpy(&wide, at, sizeof wide); break;
    }
    return base_text_append(row, "%llu", (unsigned long long)wide);
}

/* The header when `stats` is NULL. */
static bool append_row(base_text *text, const weir_stats *stats)
{
    bool ok = true;
    for (size_t i = 0; ok && i < BASE_COUNT(columns); ++i) {
        if (i > 0) ok = base_text_append(text, ",");
        if (!ok) break;
        ok = stats ? append_column(text, &columns[i], stats)
                   : base_text_append(text, "%s", columns[i].name);
    }
    return ok && base_text_append(text, "\n");
}

weir_result output_append_stats(const weir_output *output, const weir_stats *stats)
{
    base_text row = {0};
    weir_result result = WEIR_MEMORY;
    if (append_row(&row, stats)) {
        result = base_file_append(&output->def.log, output->stats_path, row.items, row.count);
    } else {
        base_fail(&output->def.log, WEIR_MEMORY, "%s: no memory for a row", output->stats_path);
    }
    base_free(row.items);
    return result;
}

/* Whether the line, with its newline, is a row of a frame up to `last`. */
static bool read_row(const char *line, const char *end, uint64_t last, weir_stats *row)
{
    int64_t frame;
    const char *next;
    if (!base_parse_int64(line, end, &frame, &next) || frame < 0) return false;
    if (next == end || *next != ',') return false;
    if (!base_parse_double(next + 1, end, &row->time_s, &next)) return false;
    row->frame = (uint64_t)frame;
    return row->frame <= last;
}

/* Moves the rows up to `last` from the old file's text into `text` and the series. */
static bool keep_rows(weir_output *output, const base_blob *old, uint64_t last, base_text *text)
{
    bool series = output->def.format == WEIR_FORMAT_VTK;
    if (old->size == 0) return true;
    const char *at = (const char *)old->bytes, *end = at + old->size;
    for (const char *stop; at < end; at = stop) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        weir_stats row = {0};
        if (!newline) break; /* cut short: its frame was not finished */
        stop = newline + 1;
        if (!read_row(at, newline, last, &row)) continue;
        if (!base_text_bytes(text, at, (size_t)(stop - at))) return false;
        if (series && output_wants_particles(output, row.frame) &&
            !output_add_to_series(output, row.frame, row.time_s))
            return false;
    }
    return true;
}

weir_result output_open_stats(weir_output *output, uint64_t frame)
{
    const weir_log *log = &output->def.log;
    base_blob old = {0};
    base_text text = {0};
    weir_result result = WEIR_OK;
    if (output->def.resume && base_path_is_file(output->stats_path))
        WEIR_TRY(base_file_read(log, output->stats_path, STATS_FILE_MAX, &old));
    if (!append_row(&text, NULL) || !keep_rows(output, &old, frame, &text)) {
        result = base_fail(log, WEIR_MEMORY, "%s: no memory for its rows", output->stats_path);
        goto fail;
    }
    WEIR_TRY(base_file_write(log, output->stats_path, text.items, text.count));
fail:
    base_blob_free(&old);
    base_free(text.items);
    return result;
}
