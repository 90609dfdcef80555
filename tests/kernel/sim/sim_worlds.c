#include "sim_worlds.h"
#include "scene_text.h"

static const char plain[] =
    "{'spacing': 0.05, 'domain': {'min': [0, 0, 0], 'max': [3, 3, 3]}, 'solver': {'boundary_gap': "
    "0.4}, 'fluids': [{'name': 'water', 'xsph': 0.05, 'surface_tension': 300, 'fill': {'shape': "
    "{'box': {'min': [0, 0, 0], 'max': [0.5, 0.5, 0.5]}}}}]}";

static gpu_device *devices[WORLDS];

static scene_data *scenes[WORLDS];

sim_world *sim_worlds[WORLDS];

int open_sim_worlds(void **state)
{
    const char *const all[] = {scene_text("sim_everything"), plain,
                               scene_text("sim_planar"),     plain,
                               scene_text("sim_planar"),     scene_text("sim_everything")};
    static const char *const pcisph[] = {"solver.method=pcisph",
                                         "solver.chebyshev_spectral_radius=0",
                                         "solver.residuals=true", NULL};
    static const char *const pair[] = {"solver.kernel=poly6", "solver.artificial_pressure=0.0014",
                                       NULL};
    const char *const *const overrides[] = {NULL, NULL, NULL, pair, pair, pcisph};
    for (int w = 0; w < WORLDS; w++) {
        devices[w] = open_gpu(w == EVERYTHING);
        scenes[w] = make_scene(all[w], overrides[w]);
        const grid_capacity first = {w == PLAIN ? LARGE : 2 * MANY, 96, 4096};
        const sim_create_options choices = {.initial_capacity = &first,
                                            .compact_lists = w == EVERYTHING || w == PCISPH};
        OK(sim_create_with_options(devices[w], scenes[w], &choices, &sim_worlds[w]));
    }
    return 0;
}

int close_sim_worlds(void **state)
{
    return close_sims(devices, scenes, sim_worlds, WORLDS);
}

void at_every_size(void (*check)(stage *s, sim_world *world, uint32_t count))
{
    static const uint32_t sizes[] = {0, 1, 63, 64, 65, MANY, LARGE};
    for (int w = 0; w < PCISPH; w++) {
        for (size_t i = 0; i < BASE_COUNT(sizes); i++) {
            stage s;
            if (w != PLAIN && sizes[i] > MANY) continue;
            check(&s, sim_worlds[w], sizes[i]);
            free_lists(&s.lists);
        }
    }
}
