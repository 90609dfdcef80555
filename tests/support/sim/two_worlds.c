#include "two_worlds.h"

gpu_device *devices[WORLDS];
static scene_data *scenes[WORLDS];
sim_world *worlds[WORLDS];

int open_two_worlds(const char *room, const char *plane)
{
    const char *const texts[WORLDS] = {room, plane};
    open_sims(texts, devices, scenes, worlds, WORLDS);
    return 0;
}

int close_worlds(void **state)
{
    return close_sims(devices, scenes, worlds, WORLDS);
}
