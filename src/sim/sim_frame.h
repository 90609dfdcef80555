/* sim_frame: plans, records and completes frames, and transfers the state between them. */
#ifndef WEIR_SIM_FRAME_H
#define WEIR_SIM_FRAME_H

#include "sim_internal.h"

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

/* Measures the densities and neighbours of the initial particles, once, before the first substep,
 * and stores them in their buffer and in the last sums. Leaves the state unchanged. */
weir_result sim_measure_densities(sim_world *world);

/* Plan a frame's input and record its copy to the device. Called by sim_step, and by callers that
 * run a frame's passes without it. */
void sim_plan_frame(sim_world *world, sim_frame *frame, double seconds);
weir_result sim_record_frame_input(sim_world *world, sim_frame *frame);

/* Checks the emissions up to `end_s`; changes nothing. Errors: ARGUMENT if there are more layers
 * than one frame takes, UNSUPPORTED if ids run out. */
weir_result sim_check_emissions(const sim_world *world, double end_s);
/* Layers that emitters release in a frame, in order of time. */
typedef struct sim_emission_plan {
    struct sim_emission *items;          /* [SIM_MAX_EMISSIONS], the caller's */
    struct sim_emitter *moving_emitters; /* [sim_moving_layer_capacity], the caller's */
    uint32_t count, moving_count, particles;
    float max_speed; /* of the fastest layer, m/s; 0 without layers */
} sim_emission_plan;
void sim_plan_emissions(sim_world *world, double start_s, double seconds, sim_emission_plan *plan);

/* Record copies to the frame's host buffers: of the gauge readings, and of the residuals of one
 * substep. */
weir_result sim_record_readings(sim_world *world, sim_frame *frame);
weir_result sim_record_residuals(sim_world *world, sim_frame *frame, uint32_t substep);
/* Stores the readings and residuals of a finished frame in the world. */
void sim_store_readings(sim_world *world, sim_frame *frame);

/* State of the particles on the host, in the device's order. */
typedef struct sim_host_state {
    ivec4 *x;
    vec4 *v;
    uint32_t *ids;
    vec4 *affine;                               /* 3 per particle; NULL without APIC */
    struct body_state *bodies;                  /* one per body; NULL without any */
    struct body_cached_force *contact_impulses; /* one per sample of a body; NULL without any */
    struct deformable_state *deformables;       /* one per deformable vertex; NULL without any */
} sim_host_state;
/* Release with sim_host_state_free, also after an error. */
weir_result sim_host_state_download(const sim_world *world, uint32_t count, sim_host_state *state);
void sim_host_state_free(sim_host_state *state);
/* Pointers to the arrays of a sim_host_state, in memory of any owner. */
typedef struct sim_state_arrays {
    const void *x, *v, *ids;
    const void *affine;           /* with APIC; NULL: all velocity gradients are 0 */
    const void *bodies;           /* NULL without any */
    const void *contact_impulses; /* NULL: there are no contacts yet */
    const void *deformables;      /* NULL without any */
} sim_state_arrays;
weir_result sim_host_state_upload(sim_world *world, uint32_t count, const sim_state_arrays *arrays);
/* Marks all clearances as unknown. Call it after particles have been moved other than by a
 * substep. */
weir_result sim_clear_clearances(sim_world *world);
/* Downloads the particles' order by id. `order` [count] indexes the device's arrays. */
weir_result sim_download_id_order(sim_world *world, uint32_t **order, uint32_t *count);
/* Gathers a field in order of id, with `words` words per particle, 1 or 3. The result is valid
 * until the next call. */
weir_result sim_gather_field_by_id(sim_world *world, weir_field field, uint32_t words,
                                   const void **gathered);

/* Runs the next frame's first substep up to one pass of the pass list. Groups before the group of
 * that pass repeat as in a substep; its own group runs only once. */
weir_result sim_run_up_to_pass(sim_world *world, uint32_t pass);
/* Returns the index of the first pass of a shader, or pass_count if there is none. */
uint32_t sim_find_pass(const sim_world *world, int shader);
/* Waits for all frames, runs `work`, and restores the state from before it. */
weir_result sim_run_and_restore(sim_world *world, weir_result (*work)(sim_world *world, void *user),
                                void *user);
/* Work for sim_run_and_restore: enlarges the buffers to what the next frame needs, so that no flag
 * stops its passes. */
weir_result sim_grow_for_next_frame(sim_world *world, void *user);

#endif
