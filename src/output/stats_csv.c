/* Writes stats.csv: one line of statistics per frame. */
#include "output_internal.h"

typedef struct stats_column {
    const char *name;
    size_t offset;
    enum { COLUMN_DOUBLE, COLUMN_U32, COLUMN_U64 } type;
    bool needs_substep; /* defined from the first substep on; empty before */
} stats_column;

#define COLUMN(name, member, type)                      \
    {                                                   \
        name, offsetof(weir_stats, member), type, false \
    }
#define SUBSTEP_COLUMN(name, member, type)             \
    {                                                  \
        name, offsetof(weir_stats, member), type, true \
    }

/* On resume, line_table.c reads the first two columns. */
static const stats_column columns[] = {
    COLUMN("frame", frame, COLUMN_U64),
    COLUMN("time_s", time_s, COLUMN_DOUBLE),
    COLUMN("substep", substep, COLUMN_U64),
    COLUMN("substeps_in_frame", substeps_in_frame, COLUMN_U32),
    COLUMN("particle_count", particle_count, COLUMN_U32),
    COLUMN("density_error_mean", density_error_mean, COLUMN_DOUBLE),
    COLUMN("density_error_max", density_error_max, COLUMN_DOUBLE),
    COLUMN("iterations_in_frame", iterations_in_frame, COLUMN_U32),
    COLUMN("unconverged_substeps", unconverged_substeps, COLUMN_U32),
    SUBSTEP_COLUMN("solver_error_mean", solver_error_mean, COLUMN_DOUBLE),
    SUBSTEP_COLUMN("solver_error_max", solver_error_max, COLUMN_DOUBLE),
    COLUMN("neighbours_mean", neighbours_mean, COLUMN_DOUBLE),
    COLUMN("neighbours_max", neighbours_max, COLUMN_U32),
    COLUMN("speed_max_m_s", speed_max_m_s, COLUMN_DOUBLE),
    COLUMN("kinetic_energy_j", kinetic_energy_j, COLUMN_DOUBLE),
    COLUMN("potential_energy_j", potential_energy_j, COLUMN_DOUBLE),
    COLUMN("momentum_kg_m_s_x", momentum_kg_m_s[0], COLUMN_DOUBLE),
    COLUMN("momentum_kg_m_s_y", momentum_kg_m_s[1], COLUMN_DOUBLE),
    COLUMN("momentum_kg_m_s_z", momentum_kg_m_s[2], COLUMN_DOUBLE),
    COLUMN("centre_of_mass_m_x", centre_of_mass_m[0], COLUMN_DOUBLE),
    COLUMN("centre_of_mass_m_y", centre_of_mass_m[1], COLUMN_DOUBLE),
    COLUMN("centre_of_mass_m_z", centre_of_mass_m[2], COLUMN_DOUBLE),
    COLUMN("clamped_corrections", clamped_corrections, COLUMN_U64),
    COLUMN("clamped_speeds", clamped_speeds, COLUMN_U64),
    COLUMN("removed_non_finite", removed_non_finite, COLUMN_U32),
    COLUMN("removed_outside", removed_outside, COLUMN_U32),
    COLUMN("removed_by_sinks", removed_by_sinks, COLUMN_U32),
    COLUMN("not_emitted", not_emitted, COLUMN_U32),
    COLUMN("reseeded", reseeded, COLUMN_U32),
    SUBSTEP_COLUMN("predicted_compression", predicted_compression, COLUMN_DOUBLE),
    SUBSTEP_COLUMN("sound_speed_m_s", sound_speed_m_s, COLUMN_DOUBLE),
    SUBSTEP_COLUMN("inverse_mach_number", inverse_mach_number, COLUMN_DOUBLE),
    COLUMN("viscous_iterations", viscous_iterations, COLUMN_U32),
    COLUMN("viscous_residual", viscous_residual, COLUMN_DOUBLE),
    COLUMN("spray", spray, COLUMN_U32),
    COLUMN("foam", foam, COLUMN_U32),
    COLUMN("bubbles", bubbles, COLUMN_U32),
    COLUMN("tracers", tracers, COLUMN_U32),
    COLUMN("emitted_by_trapped_air", emitted_by_trapped_air, COLUMN_U32),
    COLUMN("emitted_by_wave_crests", emitted_by_wave_crests, COLUMN_U32),
    COLUMN("emitted_by_curl", emitted_by_curl, COLUMN_U32),
    COLUMN("bodies_kinetic_energy_j", bodies_kinetic_energy_j, COLUMN_DOUBLE),
    COLUMN("bodies_potential_energy_j", bodies_potential_energy_j, COLUMN_DOUBLE),
    COLUMN("torn_edges", torn_edges, COLUMN_U32),
    COLUMN("gpu_ms", gpu_ms, COLUMN_DOUBLE),
    COLUMN("memory_bytes", memory_bytes, COLUMN_U64),
};

static bool append_column(base_text *line, const stats_column *column, const weir_stats *stats)
{
    const char *at = (const char *)stats + column->offset;
    double real = 0;
    uint32_t word = 0;
    uint64_t wide = 0;
    if (column->needs_substep && stats->substep == 0) return true;
    switch (column->type) {
    case COLUMN_DOUBLE: memcpy(&real, at, sizeof real); return output_append_number(line, real);
    case COLUMN_U32: memcpy(&word, at, sizeof word); return base_text_append(line, "%u", word);
    case COLUMN_U64: memcpy(&wide, at, sizeof wide); break;
    }
    return base_text_append(line, "%llu", (unsigned long long)wide);
}

/* Appends a line of statistics, or the header when `stats` is NULL. */
static bool append_line(base_text *text, const weir_stats *stats)
{
    bool ok = true;
    for (size_t i = 0; ok && i < BASE_COUNT(columns); ++i) {
        ok = i == 0 || base_text_append(text, ",");
        ok = ok && (stats ? append_column(text, &columns[i], stats)
                          : base_text_append(text, "%s", columns[i].name));
    }
    return ok && base_text_append(text, "\n");
}

weir_result output_append_stats(const weir_output *output, const weir_stats *stats)
{
    const weir_log *log = &output->def.log;
    base_text line = {0};
    weir_result result = append_line(&line, stats)
                             ? base_file_append(log, output->stats_path, line.items, line.count)
                             : base_fail(log, WEIR_ERROR_MEMORY, "%s: not enough memory for a line",
                                         output->stats_path);
    base_free(line.items);
    return result;
}

weir_result output_open_stats(const weir_output *output, uint64_t frame)
{
    base_text header = {0};
    weir_result result = append_line(&header, NULL)
                             ? output_open_line_table(output, output->stats_path, &header, frame)
                             : base_fail(&output->def.log, WEIR_ERROR_MEMORY,
                                         "%s: not enough memory for a line", output->stats_path);
    base_free(header.items);
    return result;
}
