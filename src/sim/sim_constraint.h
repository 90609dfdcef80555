/* sim_constraint: the density constraint alone, of a caller's particles
 * (src/include/weir_constraint.h). Its rows are those of a substep of PBF, between two that take
 * and give the particles. */
#ifndef WEIR_SIM_CONSTRAINT_H
#define WEIR_SIM_CONSTRAINT_H

#include "sim.h"
#include "weir_constraint.h"

typedef struct sim_constraint sim_constraint;

/* What a caller gives. */
typedef enum sim_given {
    SIM_GIVEN_POSITION,
    SIM_GIVEN_VELOCITY,
    SIM_GIVEN_MASS, /* inverse */
    SIM_GIVEN_OFFSET,
    SIM_GIVEN_NEIGHBOUR,
    SIM_GIVEN_COUNT,
} sim_given;

typedef struct sim_constraint_call {
    uint32_t count;           /* particles */
    uint32_t words;           /* of a position and of a velocity, 3 or 4 */
    uint32_t neighbour_count; /* entries of all lists */
    float seconds;
    bool given[SIM_GIVEN_COUNT];
    /* Where the arrays come from, and where positions and velocities go back to; NULL: nowhere,
     * they are uploaded into the constraint's own buffers and read there. */
    gpu_buffer *from[SIM_GIVEN_COUNT];
    uint64_t offsets[SIM_GIVEN_COUNT]; /* bytes */
} sim_constraint_call;

/* Errors: ARGUMENT, MEMORY. `scene` may die before the constraint. */
weir_result sim_constraint_create(gpu_device *device, const scene_data *scene,
                                  sim_constraint **constraint);
void sim_constraint_destroy(sim_constraint **constraint);
/* Will sim_constraint_room make room? Is the last call not known to be done? */
bool sim_constraint_grows(const sim_constraint *c, const sim_constraint_call *call);
bool sim_constraint_busy(const sim_constraint *c);
/* Makes room for the call, and for lists as long as the calls have asked for that
 * sim_constraint_report has seen. What was uploaded is lost where it does, and it then waits. */
weir_result sim_constraint_room(sim_constraint *c, const sim_constraint_call *call);
gpu_device *sim_constraint_device(const sim_constraint *c);
/* Neighbours that a list has room for, and what lists of calls that are done have asked for. */
uint32_t sim_constraint_list(const sim_constraint *c);
uint32_t sim_constraint_wants_list(const sim_constraint *c);
/* The constraint's own buffer; and the bytes that the call has there. */
gpu_buffer *sim_constraint_buffer(const sim_constraint *c, sim_given which);
uint64_t sim_constraint_bytes(const sim_constraint_call *call, sim_given which);
/* Records and submits as `submission` says; there is room. */
weir_result sim_constraint_run(sim_constraint *c, const sim_constraint_call *call,
                               const struct weir_vulkan_submit *submission);
weir_result sim_constraint_report(sim_constraint *c, bool wait, weir_constraint_report *report);

#endif
