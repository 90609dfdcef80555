/* sim_frame: plans, records and completes frames, and takes snapshots of them. */
#ifndef WEIR_SIM_FRAME_H
#define WEIR_SIM_FRAME_H

#include "sim_state.h"

weir_result sim_gauges_create(sim_world *world);
void sim_gauges_destroy(sim_world *world);

/* Returns the number of particles that a planned frame adds. */
uint32_t sim_frame_emitted_count(const sim_frame *frame);

/* Creates the snapshot's buffers, or enlarges them to the world's particle capacity.
 * sim_snapshot_set_max_count sets the snapshot's count to an upper bound of the particles after the
 * planned frame. */
weir_result sim_snapshot_reserve(sim_world *world, sim_snapshot *snapshot);
void sim_snapshot_set_max_count(const sim_world *world, const sim_frame *frame,
                                sim_snapshot *snapshot);

/* Records the passes and copies that fill the frame's snapshot. */
weir_result sim_snapshot_record(sim_world *world, const sim_frame *frame);

/* Enlarge the view to at least `count` particles, with room for those that emitters add; set its
 * count and its constants; and return the pass that fills it. */
weir_result sim_points_reserve(sim_world *world, particle_view *points, uint32_t count);
void sim_points_fill_header(const sim_world *world, particle_view *points, uint32_t count);
gpu_pass sim_points_pass(const sim_world *world, const particle_view *points);

void sim_id_order_destroy(sim_world *world);

/* Waits for all frames, and replays those that outgrew a buffer. Returns OK even if the simulation
 * is unstable, so that its state can be read. */
weir_result sim_complete_frames(sim_world *world);

/* Collects the results of finished frames without waiting. A frame that must be replayed is left to
 * sim_complete_frames. */
weir_result sim_collect_finished_frames(sim_world *world);

/* Handle the flags of buffers that were too small. sim_can_grow_buffers returns whether they may
 * grow to the size they need; sim_grow_buffers enlarges them, clears the flags and rebuilds the
 * pass list. */
bool sim_can_grow_buffers(const sim_frame_result *seen);
weir_result sim_grow_buffers(sim_world *world, const sim_frame_result *seen);

/* Plan a frame's input and record its copy to the device. Called by sim_step, and by callers that
 * run a frame's passes without it. */
void sim_plan_frame(sim_world *world, sim_frame *frame, double seconds);
weir_result sim_record_frame_input(sim_world *world, sim_frame *frame);

/* Set the iterations of each solve that a planned frame records; limit the pass list to them, and
 * restore it; and take note of what a finished frame has needed. */
void sim_expect_solves(const sim_world *world, sim_frame *frame);
void sim_limit_solves(sim_world *world, const uint32_t limits[SIM_SOLVES]);
void sim_unlimit_solves(sim_world *world);
void sim_learn_solves(sim_world *world, const struct sim_status *status);

/* Selected passes of a substep and of the end of a frame. */
typedef struct sim_pass_selection {
    gpu_pass passes[SIM_PASS_CAPACITY + SIM_END_PASS_CAPACITY];
    uint32_t count;
} sim_pass_selection;
void sim_pass_selection_add(sim_pass_selection *list, const gpu_pass *pass);

/* Returns the index after the last pass of a stage; 0 if there is none. */
uint32_t sim_find_stage_end(const sim_world *world, const char *stage);

/* Runs the selected passes of a substep in which velocities and forces move nothing. Enlarges
 * buffers as a frame does, and selects again. seen->state.flags is not 0 if no buffers can hold the
 * fluid. Use it as work for sim_run_and_restore. */
typedef void sim_select_passes(const sim_world *world, sim_pass_selection *list);
weir_result sim_run_instant_frame(sim_world *world, sim_select_passes *select,
                                  sim_frame_result *seen);

/* Record copies to the frame's host buffers: of the gauge readings, and of the residuals of one
 * substep. */
weir_result sim_record_readings(sim_world *world, sim_frame *frame);
weir_result sim_record_residuals(sim_world *world, sim_frame *frame, uint32_t substep);

/* Keep the readings of the last substeps for averages longer than a frame: append the substeps of a
 * finished frame, each `substep_s` long; average a gauge up to so many substeps before the last, or
 * since the start while the run is shorter; and save and restore rows that a run can have saved.
 * Extending and restoring return false if memory is short. */
bool sim_extend_gauge_history(sim_world *world, double substep_s, uint32_t taken);
void sim_average_gauge(const sim_world *world, uint32_t gauge, uint32_t later_substeps,
                       double mean[3]);
uint64_t sim_gauge_history_bytes(const sim_world *world);
bool sim_are_gauge_rows_valid(const sim_world *world, const base_blob *rows);
bool sim_restore_gauge_history(sim_world *world, const base_blob *rows);

/* Stores the readings and residuals of a finished frame in the world. */
void sim_store_readings(sim_world *world, sim_frame *frame);

/* Downloads the particles' order by id. `order` [count] indexes the device's arrays. */
weir_result sim_download_id_order(sim_world *world, uint32_t **order, uint32_t *count);

/* Downloads the state with its particles in the order of ids. Release with sim_host_state_free,
 * also after an error. */
weir_result sim_download_by_id(sim_world *world, sim_host_state *state, uint32_t *count);

/* Gathers a field or an attribute in order of id, with `words` words per particle, 1 to 4. `what`:
 * SIM_READ_ constants. The result is valid until the next call. */
weir_result sim_gather_by_id(sim_world *world, uint32_t what, uint32_t words,
                             const void **gathered);

#endif
