/* sim_density_solver: applies the density constraint to a caller's particles
 * (src/include/weir/density_solver.h). Its passes are those of a PBF substep, between one that
 * reads the caller's particles and one that writes them back. */
#ifndef WEIR_SIM_DENSITY_SOLVER_H
#define WEIR_SIM_DENSITY_SOLVER_H

#include "sim.h"
#include "weir/density_solver.h"

typedef struct sim_density_solver sim_density_solver;

/* Arrays that the caller provides. */
typedef enum sim_external_array {
    SIM_EXTERNAL_POSITION,
    SIM_EXTERNAL_VELOCITY,
    SIM_EXTERNAL_MASS, /* inverse */
    SIM_EXTERNAL_OFFSET,
    SIM_EXTERNAL_NEIGHBOUR,
    SIM_EXTERNAL_COUNT,
} sim_external_array;

typedef struct sim_density_solver_call {
    uint32_t count;           /* particles */
    uint32_t components;      /* of a position and of a velocity, 3 or 4 */
    uint32_t neighbour_count; /* entries of all lists */
    float seconds;
    bool provided[SIM_EXTERNAL_COUNT];
    /* Sources of the arrays, and destinations of positions and velocities. NULL: the caller uploads
     * the array into the solver's own buffer and reads it back from there. */
    gpu_buffer *from[SIM_EXTERNAL_COUNT];
    uint64_t offsets[SIM_EXTERNAL_COUNT]; /* bytes */
} sim_density_solver_call;

/* Creates a solver. `scene` need not outlive it. Errors: ARGUMENT, MEMORY. */
weir_result sim_density_solver_create(gpu_device *device, const scene_data *scene,
                                      sim_density_solver **constraint);
void sim_density_solver_destroy(sim_density_solver **constraint);
/* sim_density_solver_must_grow returns whether sim_density_solver_reserve would enlarge a buffer.
 * sim_density_solver_is_busy returns whether the last call may still be running. */
bool sim_density_solver_must_grow(const sim_density_solver *c, const sim_density_solver_call *call);
bool sim_density_solver_is_busy(const sim_density_solver *c);
/* Enlarges the buffers for the call, and the neighbour lists to the length that the reported calls
 * needed. If a buffer grows, the function waits, and uploaded data is lost. */
weir_result sim_density_solver_reserve(sim_density_solver *c, const sim_density_solver_call *call);
gpu_device *sim_density_solver_device(const sim_density_solver *c);
/* Return the capacity of a neighbour list, and the capacity that the finished calls needed. */
uint32_t sim_density_solver_list_size(const sim_density_solver *c);
uint32_t sim_density_solver_needed_list(const sim_density_solver *c);
/* Return the solver's own buffer for an array, and the bytes that the call uses of it. */
gpu_buffer *sim_density_solver_buffer(const sim_density_solver *c, sim_external_array which);
uint64_t sim_density_solver_array_bytes(const sim_density_solver_call *call,
                                        sim_external_array which);
/* Records the call and submits it as `submission` specifies. The buffers must be large enough. */
weir_result sim_density_solver_run(sim_density_solver *c, const sim_density_solver_call *call,
                                   const struct weir_vulkan_submit *submission);
/* Collects the results of finished calls, with `wait` of all calls, and reports the last one.
 * Errors: ARGUMENT if a call's command buffer was not submitted; those of gpu_ticket_wait. */
weir_result sim_density_solver_report(sim_density_solver *c, bool wait,
                                      weir_density_solver_report *report);

#endif
