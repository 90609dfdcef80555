/* The single world of a test that compares passes with their reference. */
#ifndef WEIR_TESTS_ONE_WORLD_H
#define WEIR_TESTS_ONE_WORLD_H

#include "device_support.h"
#include "sim_support.h"

extern scene_data *scene;
extern sim_world *world;

int open_one_world(const char *text, bool validated);
int close_one_world(void **state);

#endif
