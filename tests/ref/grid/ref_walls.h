/* Functions of the boundary that the other reference files use, in addition to ref_wall_*. */
#ifndef WEIR_TESTS_REF_WALLS_H
#define WEIR_TESTS_REF_WALLS_H

#include "ref_pbf.h"

/* Returns 0 for a closed, 1 for an open and 2 for a periodic side; sides are -x +x -y +y -z +z. */
uint32_t ref_side_kind(const struct sim_params *p, uint32_t side);
/* Returns the distance of a closed side, m, and its normal; a very large distance where it is not
 * closed. */
float ref_side(const struct sim_params *p, uint32_t side, vec3 at, vec3 *normal);
/* Returns the distance from the ball's surface, m, negative inside; `normal` points outwards. */
float ref_ball_distance(const ref_ball *ball, vec3 p, vec3 *normal);
/* Returns the position at the start of the substep of the ball's point that is now at p. */
vec3 ref_ball_carried(const ref_ball *ball, vec3 p);

#endif
