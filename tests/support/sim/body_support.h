/* Helpers for tests of rigid bodies. */
#ifndef WEIR_TESTS_BODY_SUPPORT_H
#define WEIR_TESTS_BODY_SUPPORT_H

#include "sim_support.h"

weir_body read_body(sim_world *world, uint32_t index);

#endif
