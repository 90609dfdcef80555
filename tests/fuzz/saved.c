/* Targets: checkpoints, which are restored and stepped, and stored volumes. The harness corrects
   the hash of both, so that the code behind the check is reached. */
#include "fuzz.h"
#include "sim_whitewater.h"
#include "solid_internal.h"
#include "weir/bodies.h"
#include "weir/deformables.h"

#include <stdlib.h>

/* ---- devices and scenes --------------------------------------------------------------------- */

static weir_device *device;

static void close_device(void)
{
    weir_device_destroy(&device);
}

weir_device *fuzz_device(void)
{
    weir_device_def def = weir_device_def_default();
    if (device) return device;
    def.log = fuzz_log;
    def.cache_folder = "";
    WEIR_ASSERT(weir_device_create(&def, &device) == WEIR_OK);
    atexit(close_device);
    return device;
}

weir_scene *fuzz_load_scene(const char *path)
{
    weir_scene_def def = weir_scene_def_default();
    weir_scene *scene = NULL;
    WEIR_ASSERT(weir_scene_load(path, &def, &scene) == WEIR_OK);
    return scene;
}

/* ---- checkpoints ---------------------------------------------------------------------------- */

static weir_sim *plain, *things;

static void close_sims(void)
{
    weir_sim_destroy(&plain);
    weir_sim_destroy(&things);
}

/* Opens a simulation of the scene from which the target's corpus was saved. */
static weir_sim *open_sim(weir_sim **sim, const char *path)
{
    if (*sim) return *sim;
    if (!plain && !things) {
        fuzz_device(); /* whose exit handler runs last */
        atexit(close_sims);
    }
    weir_scene *scene = fuzz_load_scene(path);
    WEIR_ASSERT(weir_sim_create(fuzz_device(), scene, sim) == WEIR_OK);
    weir_scene_destroy(&scene);
    return *sim;
}

static bool are_finite(const float *numbers, uint32_t count)
{
    bool finite = true;
    for (uint32_t i = 0; i < count; i++)
        finite = finite && isfinite(numbers[i]);
    return finite;
}

static void check_bodies(weir_sim *sim)
{
    weir_body bodies[4];
    uint32_t count = BASE_COUNT(bodies);
    WEIR_ASSERT(weir_sim_get_bodies(sim, bodies, &count) == WEIR_OK);
    for (uint32_t i = 0; i < count; i++) {
        const weir_body *b = &bodies[i];
        WEIR_ASSERT(isfinite(b->kinetic_energy_j) && isfinite(b->potential_energy_j));
        WEIR_ASSERT(are_finite(b->position, 3) && are_finite(b->rotation, 4));
        WEIR_ASSERT(are_finite(b->velocity, 3) && are_finite(b->angular_momentum, 3));
    }
}

static void check_softs(weir_sim *sim)
{
    enum { MOST = 64 };
    weir_deformable deformables[4];
    float positions[3 * MOST], velocities[3 * MOST];
    uint32_t count = BASE_COUNT(deformables), vertices = MOST;
    WEIR_ASSERT(weir_sim_get_deformables(sim, deformables, &count) == WEIR_OK);
    WEIR_ASSERT(weir_sim_get_deformable_vertices(sim, positions, velocities, &vertices) == WEIR_OK);
    WEIR_ASSERT(are_finite(positions, 3 * vertices) && are_finite(velocities, 3 * vertices));
    for (uint32_t i = 0; i < count; i++) {
        const weir_deformable *s = &deformables[i];
        WEIR_ASSERT(isfinite(s->kinetic_energy_j) && isfinite(s->potential_energy_j));
        for (uint32_t k = 0; k < 3 * s->triangle_count; k++)
            WEIR_ASSERT(s->triangles[k] < vertices);
    }
}

static void check_whitewater(weir_sim *sim)
{
    io_particles p;
    if (!sim->whitewater) return;
    WEIR_ASSERT(api_sim_read_whitewater(sim, &p) == WEIR_OK);
    WEIR_ASSERT(are_finite(&p.position->x, 3 * p.count) && are_finite(p.radius, p.count));
    io_particles_free(&p);
}

static void check_stats(weir_sim *sim)
{
    weir_stats stats;
    WEIR_ASSERT(weir_sim_get_stats(sim, &stats) == WEIR_OK);
    WEIR_ASSERT(isfinite(stats.kinetic_energy_j) && isfinite(stats.speed_max_m_s));
    WEIR_ASSERT(isfinite(stats.bodies_kinetic_energy_j) &&
                isfinite(stats.bodies_potential_energy_j));
}

/* An accepted state is finite; for chosen inputs it runs a frame, or fails with a message. */
static bool restore(weir_sim *sim, const fuzz_input *input)
{
    if (weir_sim_restore(sim, input->path) != WEIR_OK) return false;
    check_stats(sim);
    check_bodies(sim);
    check_softs(sim);
    if (!fuzz_is_chosen(input)) return true;
    check_whitewater(sim);
    if (weir_sim_step(sim, 0) != WEIR_OK || weir_sim_wait(sim) != WEIR_OK) return false;
    check_stats(sim);
    check_bodies(sim);
    check_softs(sim);
    check_whitewater(sim);
    return true;
}

bool fuzz_checkpoint(const fuzz_input *input)
{
    return restore(open_sim(&plain, "tests/fuzz/checkpoint.json"), input);
}

bool fuzz_checkpoint_things(const fuzz_input *input)
{
    return restore(open_sim(&things, FUZZ_THINGS), input);
}

/* ---- stored volumes ------------------------------------------------------------------------- */

bool fuzz_volume(const fuzz_input *input)
{
    const struct solid_volume grid = {-0.1f, -0.1f, -0.1f, 0.1f, 3, 3, 3, 0};
    float distances[3 * 3 * 3];
    return solid_cache_load(&fuzz_log, input->path, &grid, distances);
}
