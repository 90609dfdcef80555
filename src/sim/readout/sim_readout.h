/* sim_readout: runs passes out of turn to read what a frame does not report. */
#ifndef WEIR_SIM_READOUT_H
#define WEIR_SIM_READOUT_H

#include "sim_state.h"

/* Measures the densities and neighbours of the initial particles, once, before the first substep,
 * and stores them in their buffer and in the last sums. Leaves the state unchanged. */
weir_result sim_measure_densities(sim_world *world);

/* Runs the next frame's first substep up to one pass of the pass list. Groups before the group of
 * that pass repeat as in a substep; its own group runs only once. */
weir_result sim_run_up_to_pass(sim_world *world, uint32_t pass);

/* Returns the index of the first pass of a shader, or pass_count if there is none. */
uint32_t sim_find_pass(const sim_world *world, int shader);

/* Work for sim_run_and_restore: enlarges the buffers to what the next frame needs, so that no flag
 * stops its passes. */
weir_result sim_grow_for_next_frame(sim_world *world, void *user);

#endif
