/* sim_coupling: stores the states of bodies and deformables after a frame, and the fluid's forces
 * on them. */
#ifndef WEIR_SIM_COUPLING_H
#define WEIR_SIM_COUPLING_H

#include "sim_state.h"

/* Returns the potential energy of a body, J. */
double sim_body_potential_energy(const sim_world *world, uint32_t body);

/* Adds the energies of a deformable, J. */
void sim_add_deformable_energies(const sim_world *world, const deformable_info *f, double *kinetic,
                                 double *potential);

/* Returns the largest speed of any body's surface point, m/s, for the choice of adaptive substeps.
 * Same as shaders/sim/body_coupling/max_body_speed.comp, without gravity's part. */
float sim_max_body_speed(const sim_world *world);

/* Return the total mass, kg, and the energies, J, of all bodies. */
double sim_total_body_mass(const sim_world *world);
void sim_body_energies(const sim_world *world, double *kinetic, double *potential_j);

/* Wakes all sleeping bodies. */
weir_result sim_wake_bodies(sim_world *world);

/* Stores the body states of a complete frame; warns of lost bodies. */
void sim_store_body_states(sim_world *world, const sim_frame *frame);

/* Warns once when max_speed has cut the speed of a body. Call it after sim_store_forces. */
void sim_warn_capped_bodies(sim_world *world, const sim_frame_result *seen, uint64_t frame);

/* Returns whether the length of q is about 1. */
bool sim_is_rotation(quat q);

/* Returns whether a run could have saved these states. `saved` needs no alignment. */
bool sim_body_states_valid(const sim_world *world, const void *saved);

weir_result sim_forces_create(sim_world *world);
void sim_forces_destroy(sim_world *world);

/* Stores the forces of a complete frame. */
void sim_store_forces(sim_world *world, const sim_frame *frame);

/* Marks the forces as unknown until the next frame finishes. */
void sim_clear_forces(sim_world *world);

weir_result sim_deformables_create(sim_world *world);

/* Return the total mass, kg, and the energies, J, of all deformables. */
double sim_deformable_mass(const sim_world *world);

/* Returns the number of torn edges of all deformables. */
uint32_t sim_torn_edge_count(const sim_world *world);
void sim_deformable_energies(const sim_world *world, double *kinetic, double *potential_j);

/* Stores the deformable states of a complete frame; warns of lost vertices. */
void sim_store_deformable_states(sim_world *world, const struct deformable_state *states);

/* Returns whether a run could have saved these states. `saved` needs no alignment. */
bool sim_deformable_states_valid(const sim_world *world, const void *saved);

#endif
