/* stats.csv: a row of figures per frame. */
#include "output_internal.h"

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
    case COLUMN_DOUBLE: memcpy(&real, at, sizeof real); return output_append_number(row, real);
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

static bool keep_in_series(weir_output *output, uint64_t frame, double time_s)
{
    return !output_wants_particles(output, frame) || output_add_to_series(output, frame, time_s);
}

weir_result output_open_stats(weir_output *output, uint64_t frame)
{
    bool series = output->def.format == WEIR_FORMAT_VTK;
    base_text text = {0};
    weir_result result = WEIR_MEMORY;
    if (append_row(&text, NULL))
        result = output_open_table(output, output->stats_path, &text, frame,
                                   series ? keep_in_series : NULL);
    else
        base_fail(&output->def.log, WEIR_MEMORY, "%s: no memory for a row", output->stats_path);
    base_free(text.items);
    return result;
}
