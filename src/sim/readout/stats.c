/* Queries of a simulation: fields, statistics, hash. */
#include "sim_coupling.h"
#include "sim_frame.h"
#include "sim_input.h"
#include "sim_ranks.h"
#include "sim_readout.h"
#include "sim_solvers.h"
#include "sim_stability.h"

static float float_from_bits(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void fill_stats(const sim_world *world, weir_stats *stats)
{
    const struct sim_status *status = sim_total_status(world);
    const struct sim_statistics *sums = &world->last_result.sums;
    double count = sums->count ? sums->count : 1.0, dt = (double)status->dt;
    double mass = sums->moment.w > 0.0f ? (double)sums->moment.w : 1.0;
    double kinetic, potential, deformable_kinetic, deformable_potential;
    sim_body_energies(world, &kinetic, &potential);
    sim_deformable_energies(world, &deformable_kinetic, &deformable_potential);
    *stats = (weir_stats){
        .time_s = world->last_time_s,
        .frame = world->frame,
        .substep = status->total_substeps,
        .particle_count = status->count,
        .substeps_in_frame = status->substeps,
        .density_error_mean = sim_mean_density_error(world),
        .density_error_max = (double)sums->error_max,
        .iterations = status->total_iterations,
        .iterations_in_frame = status->frame_iterations,
        .unconverged_substeps = status->frame_unconverged,
        .solver_error_mean = (double)status->frame_error_mean,
        .solver_error_max = (double)status->frame_error_max,
        .neighbours_mean = (double)sums->neighbours / count,
        .neighbours_max = sums->neighbours_max,
        .speed_max_m_s = (double)sums->speed_max,
        .kinetic_energy_j = (double)sums->momentum.w,
        .potential_energy_j = (double)sums->potential,
        .momentum_kg_m_s = {(double)sums->momentum.x, (double)sums->momentum.y,
                            (double)sums->momentum.z},
        .centre_of_mass_m = {(double)sums->moment.x / mass, (double)sums->moment.y / mass,
                             (double)sums->moment.z / mass},
        .clamped_corrections = status->total_capped_corrections,
        .clamped_speeds = status->total_capped_speeds,
        .removed_non_finite = status->total_non_finite,
        .removed_outside = status->total_escaped,
        .removed_by_sinks = status->total_removed_by_sinks,
        .not_emitted = sim_not_emitted_count(world),
        .torn_edges = sim_torn_edge_count(world),
        .reseeded = status->total_reseeded,
        .overcompressed_frames = world->overcompressed_frames,
        .recommended_substeps = dt > 0.0 ? sim_recommended_settings(world, dt).substeps : 0,
        .bodies_kinetic_energy_j = kinetic + deformable_kinetic,
        .bodies_potential_energy_j = potential + deformable_potential,
        .predicted_compression = dt > 0.0 ? sim_predicted_compression(world, dt) : 0.0,
        .sound_speed_m_s = dt > 0.0 ? sim_sound_speed(world, dt) : 0.0,
        .inverse_mach_number = dt > 0.0 && sums->speed_max > 0.0f
                                   ? sim_sound_speed(world, dt) / (double)sums->speed_max
                                   : 0.0,
        .viscous_iterations = status->frame_viscous_iterations,
        .viscous_residual = (double)float_from_bits(status->frame_viscous_residual),
        .gpu_ms = world->gpu_ms,
        .record_ms = world->record_ms,
        .memory_bytes = gpu_device_memory_used(world->device) - world->memory_before,
        .memory_bytes_per_particle = (double)sim_world_bytes_per_particle(world) +
                                     (double)sim_pressure_grid_bytes(world) / count,
    };
}

double sim_completed_time_s(const sim_world *world)
{
    return world->last_time_s;
}

double sim_begun_time_s(const sim_world *world)
{
    return world->time_s;
}

weir_result sim_stats(sim_world *world, weir_stats *stats)
{
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    WEIR_RETURN_IF_ERROR(sim_measure_densities(world));
    fill_stats(world, stats);
    return WEIR_OK;
}

uint64_t sim_hash_state(const sim_world *world, const sim_host_state *state, uint32_t count)
{
    const uint32_t vectors = sim_attribute_vectors(world->scene);
    uint64_t h = base_hash64(&world->last_time_s, sizeof world->last_time_s, count);
    for (uint32_t i = 0; i < count; i++) {
        h = base_hash64(&state->x[i], sizeof *state->x, h);
        h = base_hash64(&state->v[i], 12, h);
        h = base_hash64(&state->ids[i], sizeof *state->ids, h);
        if (state->affine) h = base_hash64(&state->affine[3ull * i], 3 * sizeof(vec4), h);
        if (state->attributes)
            h = base_hash64(&state->attributes[(size_t)vectors * i], vectors * sizeof(vec4), h);
    }
    if (world->bodies) h = base_hash64(state->bodies, (size_t)sim_body_bytes(world), h);
    if (world->deformables)
        h = base_hash64(state->deformables, (size_t)sim_deformable_bytes(world), h);
    return h;
}

weir_result sim_hash(sim_world *world, uint64_t *hash)
{
    weir_result result;
    uint32_t count = 0;
    sim_host_state state = {0};
    WEIR_GOTO_IF_ERROR(sim_complete_frames(world));
    WEIR_GOTO_IF_ERROR(sim_download_by_id(world, &state, &count));
    *hash = sim_hash_state(world, &state, count);
fail:
    sim_host_state_free(&state);
    return result;
}
