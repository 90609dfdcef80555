/* sim_frame: frames under way, and the state between them. */
#ifndef WEIR_SIM_FRAME_H
#define WEIR_SIM_FRAME_H

#include "sim_internal.h"

/* Waits for all frames, and replays those that outgrew a buffer. OK also when the simulation is
 * unstable: its state can be read. */
weir_result sim_settle(sim_world *world);

/* Takes what finished frames have left, and waits for none: one that has to be replayed stays for
 * sim_settle. */
weir_result sim_take_finished(sim_world *world);

/* After flags of buffers that were too small: may they grow as they ask; makes room, clears the
 * flags, and builds the rows anew. */
bool sim_can_grow(const sim_result *seen);
weir_result sim_grow(sim_world *world, const sim_result *seen);

/* Before the first substep, once: the densities and neighbours of the particles as they stand, into
 * their buffer and the last sums. The state is as before. */
weir_result sim_measure_densities(sim_world *world);

/* For callers that record a frame in another way than sim_step: the input of a frame, and its copy
 * to the device. */
void sim_frame_plan(sim_world *world, sim_frame *frame, double seconds);
weir_result sim_frame_record_input(sim_world *world, sim_frame *frame);

/* Errors, with nothing changed: ARGUMENT for more layers than one frame takes, UNSUPPORTED when ids
 * run out. */
weir_result sim_emissions_check(const sim_world *world, double end_s);
/* The layers that leave in a frame, in order of time. */
typedef struct sim_emissions {
    struct sim_emission *items; /* [SIM_EMISSIONS], the caller's */
    struct sim_emitter *moved;  /* [sim_moved_layers], likewise */
    uint32_t count, moved_count, particles;
    float speed; /* of the fastest, m/s; 0 without any */
} sim_emissions;
void sim_emissions_plan(sim_world *world, double start_s, double seconds, sim_emissions *plan);

weir_result sim_record_readings(sim_world *world, sim_frame *frame);
weir_result sim_record_residuals(sim_world *world, sim_frame *frame, uint32_t substep);
/* Takes the readings of a finished frame. */
void sim_keep_readings(sim_world *world, sim_frame *frame);

/* The particles' state on the host, in the device's own order. */
typedef struct sim_state {
    ivec4 *x;
    vec4 *v;
    uint32_t *ids;
    vec4 *affine;              /* 3 per particle; NULL without APIC */
    struct body_state *bodies; /* one per body; NULL without any */
    struct body_hold *holds;   /* one per sample of a body; likewise */
    struct soft_state *softs;  /* one per vertex of cloths and ropes; likewise */
} sim_state;
/* Release with sim_state_free, also after an error. */
weir_result sim_state_download(const sim_world *world, uint32_t count, sim_state *state);
void sim_state_free(sim_state *state);
/* The same arrays, wherever they are. */
typedef struct sim_arrays {
    const void *x, *v, *ids;
    const void *affine; /* with APIC; NULL: no gradients */
    const void *bodies; /* NULL without any */
    const void *holds;  /* NULL: there are no contacts yet */
    const void *softs;  /* NULL without any */
} sim_arrays;
weir_result sim_state_upload(sim_world *world, uint32_t count, const sim_arrays *arrays);
/* Must be called when particles were moved by other means than a substep: their clearances are
 * unknown from then on. */
weir_result sim_forget_solids(sim_world *world);
/* Particles in order of id, from the device. `order` [count] indexes the device's arrays. */
weir_result sim_download_order(sim_world *world, uint32_t **order, uint32_t *count);
/* The words of a field in that order, `words` for each particle, 1 or 3; they stand until the next
 * call. */
weir_result sim_order_take(sim_world *world, weir_field field, uint32_t words, const void **taken);

/* Runs the next frame's first substep up to a row of the table. Groups before the row's own repeat
 * as in a substep; its own group runs only once. */
weir_result sim_run_to(sim_world *world, uint32_t row);
/* The first row of a kernel; row_count where there is none. */
uint32_t sim_row_index(const sim_world *world, int kernel);
/* Runs `work` on the settled state, then puts that back. */
weir_result sim_preserve(sim_world *world, weir_result (*work)(sim_world *world, void *user),
                         void *user);
/* Work for sim_preserve: finds the room that the next frame needs, so that no flag stops its rows.
 */
weir_result sim_make_room(sim_world *world, void *user);

#endif
