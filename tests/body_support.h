/* Helpers for tests of rigid bodies. */
#ifndef WEIR_TESTS_BODY_SUPPORT_H
#define WEIR_TESTS_BODY_SUPPORT_H

#include "sim_support.h"

static inline weir_body read_body(sim_world *world, uint32_t index)
{
    weir_body bodies[8];
    uint32_t count = BASE_COUNT(bodies);
    OK(sim_bodies(world, bodies, &count));
    assert_true(index < count);
    return bodies[index];
}

#endif
