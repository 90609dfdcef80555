/* api: declarations shared by the density solver for host arrays and for Vulkan buffers. */
#ifndef WEIR_API_CONSTRAINT_H
#define WEIR_API_CONSTRAINT_H

#include "api_internal.h"
#include "sim_density_solver.h"

struct weir_density_solver {
    weir_device *device;
    sim_density_solver *core;
    void *commands; /* VkCommandBuffer of the last call; NULL: Weir submitted the call */
};

/* Checks the particle count and the time step. Errors: ARGUMENT. */
weir_result density_solver_check_call(const weir_log *log, uint32_t count, float seconds);

#endif
