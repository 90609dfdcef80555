/* constraint: what the two doors to the density constraint alone share. */
#ifndef WEIR_API_CONSTRAINT_H
#define WEIR_API_CONSTRAINT_H

#include "api_internal.h"
#include "sim_constraint.h"

struct weir_constraint {
    weir_device *device;
    sim_constraint *core;
    void *commands; /* VkCommandBuffer, of the last call; NULL: it was submitted */
};

/* Errors: ARGUMENT. */
weir_result api_constraint_check(const weir_log *log, uint32_t count, float seconds);

#endif
