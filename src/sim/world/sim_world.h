/* sim_world: creates a simulation, and saves, replaces and restores its state. */
#ifndef WEIR_SIM_WORLD_H
#define WEIR_SIM_WORLD_H

#include "sim_state.h"

/* Returns the maximum number of particles that the device has memory for. */
uint64_t sim_max_particles(gpu_device *device, const scene_data *scene);

/* Refuses fluids that certainly have more particles than the device has memory for, before anything
 * is computed from their shapes. Errors: MEMORY; SCENE, IO (of files). */
weir_result sim_check_particle_bound(gpu_device *device, const scene_data *scene);

/* Measures the fluid's extent along gravity at the start, for the hydrostatic law. */
void sim_measure_fluid_depth(sim_world *world, const sim_initial_particles *particles);

/* Uploads the state to start from: all particles, of which a rank keeps its own, with the ids
 * `ids`. */
weir_result sim_upload_initial_state(sim_world *world, const sim_initial_particles *particles,
                                     const uint32_t *ids);

/* Moves initial particles apart where they are too dense, at rest; upload the particles afterwards.
 * sim_pre_stabilizes returns whether the scene needs and wants it. Collective. */
bool sim_pre_stabilizes(const sim_world *world, const sim_initial_particles *particles);
weir_result sim_pre_stabilize(sim_world *world, sim_initial_particles *particles);

/* Sets the bodies' initial states to those of an earlier state. `bodies`: NULL changes nothing.
 * Errors: ARGUMENT. */
weir_result sim_start_bodies(sim_world *world, const sim_start_body *bodies);

/* Waits for all frames, runs `work`, and restores the state from before it. */
weir_result sim_run_and_restore(sim_world *world, weir_result (*work)(sim_world *world, void *user),
                                void *user);

#endif
