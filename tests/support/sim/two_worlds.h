/* The two worlds of a test that compares passes with their reference: a room in 3D, which runs with
 * validation, and a plane. */
#ifndef WEIR_TESTS_TWO_WORLDS_H
#define WEIR_TESTS_TWO_WORLDS_H

#include "sim_support.h"

enum { ROOM, PLANE, WORLDS };
extern gpu_device *devices[WORLDS];
extern sim_world *worlds[WORLDS];

int open_two_worlds(const char *room, const char *plane);
int close_worlds(void **state);

#endif
