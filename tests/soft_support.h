/* Scenes of cloths and ropes alone. */
#ifndef WEIR_TESTS_SOFT_SUPPORT_H
#define WEIR_TESTS_SOFT_SUPPORT_H

#include "sim_support.h"

/* A drop far away, because a scene has a fluid. */
#define SCENE(more)                                                          \
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [3, 3, 3]}," more \
    " 'fluids': [{'name': 'drop', 'fill': {'shape': {'box': {"               \
    "'min': [2.9, 0, 2.9], 'max': [3, 0.1, 3]}}}}]}"

#endif
