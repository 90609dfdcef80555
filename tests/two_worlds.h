/* The two worlds of a test that compares passes with their reference: a room in 3D, which runs with
 * validation, and a plane. */
#ifndef WEIR_TESTS_TWO_WORLDS_H
#define WEIR_TESTS_TWO_WORLDS_H

#include "sim_support.h"

enum { ROOM, PLANE, WORLDS };
static gpu_device *devices[WORLDS];
static scene_data *scenes[WORLDS];
static sim_world *worlds[WORLDS];

static int open_two_worlds(const char *room, const char *plane)
{
    const char *const texts[WORLDS] = {room, plane};
    open_sims(texts, devices, scenes, worlds, WORLDS);
    return 0;
}

static int close_worlds(void **state)
{
    (void)state;
    return close_sims(devices, scenes, worlds, WORLDS);
}

#endif
