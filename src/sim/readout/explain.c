/* Describes the passes of a frame as they will run. */
#include "sim_readout.h"
#include "sim_solvers.h"

void sim_explain_passes(const sim_world *world, gpu_explainer *e)
{
    char title[64];
    gpu_explain_passes(e, "at the start of a frame", &world->begin_pass, 1);
    snprintf(title, sizeof title, "each of %u substeps", world->scene->solver.substeps);
    gpu_explain_passes(e, title, world->passes, world->pass_count);
    gpu_explain_passes(e, "at the end of a frame", world->end_passes, world->end_pass_count);
}

void sim_explain_totals(const sim_world *world, gpu_explainer *e)
{
    const uint32_t dispatches = gpu_passes_dispatch_count(world->passes, world->pass_count);
    const uint32_t bits = grid_is_compact(world->grid) ? 16u : 32u;
    const uint64_t memory = gpu_device_memory_used(world->device) - world->memory_before;
    const uint64_t each = sim_world_bytes_per_particle(world);
    const uint64_t tables = grid_table_bytes(world->grid);
    const uint64_t pressure = sim_pressure_grid_bytes(world);
    char line[160];
    snprintf(line, sizeof line, "dispatches in a substep: at most %u", dispatches);
    gpu_explain_note(e, line);
    snprintf(line, sizeof line, "neighbour lists: %s, %u bits for a neighbour",
             bits == 16 ? "compact" : "wide", bits);
    gpu_explain_note(e, line);
    snprintf(line, sizeof line,
             "memory: %.1f MiB, of which %llu bytes per particle, %.1f MiB bin tables and %.1f MiB "
             "pressure grid",
             (double)memory / 1048576.0, (unsigned long long)each, (double)tables / 1048576.0,
             (double)pressure / 1048576.0);
    gpu_explain_note(e, line);
    gpu_explain_total(e, "substeps_per_frame", world->scene->solver.substeps);
    gpu_explain_total(e, "dispatches_per_substep", dispatches);
    gpu_explain_total(e, "neighbour_bits", bits);
    gpu_explain_total(e, "memory_bytes", (double)memory);
    gpu_explain_total(e, "bytes_per_particle", (double)each);
    gpu_explain_total(e, "bin_table_bytes", (double)tables);
    gpu_explain_total(e, "pressure_grid_bytes", (double)pressure);
}
