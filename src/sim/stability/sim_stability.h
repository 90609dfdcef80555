/* sim_stability: predicts the limits of a scene, and warns of what leaves them. */
#ifndef WEIR_SIM_STABILITY_H
#define WEIR_SIM_STABILITY_H

#include "sim_state.h"

/* Returns the speed of sound in the fluid as the solver simulates it, m/s (docs/equations.md); 0
 * with a MAC grid. */
double sim_sound_speed(const sim_world *world, double dt);

/* Returns the compression rho/rho0 - 1 at the floor of the fluid that the hydrostatic law predicts
 * for substeps of `dt` seconds, with the number of iterations that they take at rest. */
double sim_predicted_compression(const sim_world *world, double dt);

/* Returns the length of a substep when a frame takes all of its substeps, s. */
double sim_max_substep_s(const scene_data *scene);

/* Returns the predicted compression with all substeps and iterations. sim_is_too_compressible
 * returns whether it is large enough to be visible. */
double sim_initial_compression(const sim_world *world);
bool sim_is_too_compressible(const sim_world *world);
/* Reports whether the level of the fluid would sink under its weight, and bounce, visibly. */
bool sim_sinks_too_far(const sim_world *world);

/* Returns whether, by the hydrostatic law, a tolerance would take more iterations than the
 * long-range correction costs. */
bool sim_converges_slowly(const sim_world *world);

/* Settings that keep the compression at the floor below 1 %; changing one of them suffices. `dt` is
 * the present length of a substep, s. */
typedef struct sim_solver_settings {
    uint32_t substeps, iterations;
} sim_solver_settings;
sim_solver_settings sim_recommended_settings(const sim_world *world, double dt);

/* Warns if the scene leaves the range in which the solver works. */
void sim_warn_limits(const sim_world *world);

/* Returns the distance that a particle or a solid may move in a substep, in spacings. */
double sim_cfl_limit(const scene_solver *solver);

/* Warns of solids that move farther in a substep than particles can see. */
void sim_warn_fast_solids(const weir_log *log, const scene_data *scene,
                          const struct solid_set *solids);

/* Warns of bodies that start so fast that they may pass through thin objects. */
void sim_warn_fast_bodies(const weir_log *log, const scene_data *scene);

/* Computes the initial mass and energies, and those statistics of the initial particles that need
 * no neighbours. */
void sim_measure_initial_sums(sim_world *world, const sim_initial_particles *particles);

/* Warns once when the fastest particle moves farther in a substep than sim_cfl_limit. */
void sim_check_speed(sim_world *world, double speed, double dt, double time_s);

/* Warns once when iterations have ended above the tolerance. */
void sim_warn_unconverged(sim_world *world, const sim_frame_result *seen, double time_s);

/* Returns the energy of fluid, bodies and deformables, J. */
double sim_total_energy(const sim_world *world, const sim_frame_result *seen);

/* Returns whether fluid and bodies that nothing drives have gained more energy than their initial
 * kinetic energy, a fall across the domain and a motion of one spacing per substep can account
 * for. */
bool sim_has_gained_energy(const sim_world *world, const sim_frame_result *seen);

#endif
