/* Targets: checkpoints, which are restored and stepped, and stored volumes. Of both the harness
 * puts the hash right, so that what lies behind it is reached. */
#include "fuzz.h"
#include "solid_internal.h"

#include <stdlib.h>

/* ---- checkpoints ---------------------------------------------------------------------------- */

static weir_device *device;
static weir_sim *sim;

static void close_sim(void)
{
    weir_sim_destroy(&sim);
    weir_device_destroy(&device);
}

/* Of the scene tests/fuzz/checkpoint.json, from which the corpus was saved. */
static void open_sim(void)
{
    weir_device_def device_def = weir_device_def_default();
    weir_scene_def scene_def = weir_scene_def_default();
    weir_scene *scene = NULL;
    device_def.log = fuzz_log;
    device_def.cache_folder = "";
    WEIR_ASSERT(weir_device_create(&device_def, &device) == WEIR_OK);
    WEIR_ASSERT(weir_scene_load("tests/fuzz/checkpoint.json", &scene_def, &scene) == WEIR_OK);
    WEIR_ASSERT(weir_sim_create(device, scene, &sim) == WEIR_OK);
    weir_scene_destroy(&scene);
    atexit(close_sim);
}

/* A state that was accepted takes a frame, or fails with words. */
bool fuzz_checkpoint(const fuzz_input *input)
{
    weir_stats stats;
    if (!sim) open_sim();
    if (weir_sim_restore(sim, input->path) != WEIR_OK) return false;
    if (weir_sim_step(sim, 0) != WEIR_OK || weir_sim_stats(sim, &stats) != WEIR_OK) return false;
    WEIR_ASSERT(isfinite(stats.kinetic_energy) && isfinite(stats.speed_max));
    return true;
}

/* ---- stored volumes ------------------------------------------------------------------------- */

bool fuzz_volume(const fuzz_input *input)
{
    const struct solid_volume grid = {-0.1f, -0.1f, -0.1f, 0.1f, 3, 3, 3, 0};
    float distances[3 * 3 * 3];
    return solid_cache_load(&fuzz_log, input->path, &grid, distances);
}
