/* What the reference's kernels ask of walls beside ref_wall_*. */
#ifndef WEIR_TESTS_REF_WALLS_H
#define WEIR_TESTS_REF_WALLS_H

#include "ref_pbf.h"

/* 0 closed, 1 open, 2 periodic; -x +x -y +y -z +z. */
uint32_t ref_side_kind(const struct sim_params *p, uint32_t side);
/* Distance of a closed side, m, and its normal; very far where it is not closed. */
float ref_side(const struct sim_params *p, uint32_t side, vec3 at, vec3 *normal);
/* Distance from the ball's surface, m, below 0 inside; `normal` points out of it. */
float ref_ball_distance(const ref_ball *ball, vec3 p, vec3 *normal);
/* Where the ball's point that is now at p was at the substep's start. */
vec3 ref_ball_carried(const ref_ball *ball, vec3 p);

#endif
