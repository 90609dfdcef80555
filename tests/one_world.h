/* The single world of a test that compares passes with their reference. */
#ifndef WEIR_TESTS_ONE_WORLD_H
#define WEIR_TESTS_ONE_WORLD_H

#include "device_support.h"
#include "sim_support.h"

static scene_data *scene;
static sim_world *world;

static inline int open_one_world(const char *text, bool validated)
{
    device = open_gpu(validated);
    scene = make_scene(text, NULL);
    world = make_sim_sized(device, scene, SIMS_ROOM);
    return 0;
}

static inline int close_one_world(void **state)
{
    sim_destroy(&world);
    scene_destroy(&scene);
    return close_device(state);
}

#endif
