#include "one_world.h"

scene_data *scene;
sim_world *world;

int open_one_world(const char *text, bool validated)
{
    device = open_gpu(validated);
    scene = make_scene(text, NULL);
    world = make_sim_sized(device, scene, SIMS_ROOM);
    return 0;
}

int close_one_world(void **state)
{
    sim_destroy(&world);
    scene_destroy(&scene);
    return close_device(state);
}
