/* Checks of single passes for test_flip.c: what happens to the face velocities after the pressure
 * solve. */
#ifndef WEIR_TESTS_FLIP_CHECKS_H
#define WEIR_TESTS_FLIP_CHECKS_H

#include "flip_support.h"

#define MANY 1500u

/* Compares the velocities of faces that the solid closes. */
void check_closed(stage *s);

/* Compares the momentum residual and its redistribution at the corners of the blocks. */
void check_surplus(stage *s);

/* Compares the packed face values. */
void check_pack(stage *s);

/* Compares the friction of walls, the gauges and the forces on solids. */
void check_friction(stage *s);

/* Compares the correction of the drift in density. */
void check_drift(stage *s);

#endif
