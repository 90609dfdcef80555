/* sim_team: one simulation on several devices of this process. Each rank has a device and, while a
 * call runs, a thread. Functions have the contract of their counterpart of sim.h, and the results
 * of a single rank. */
#ifndef WEIR_SIM_TEAM_H
#define WEIR_SIM_TEAM_H

#include "sim.h"

typedef struct sim_team sim_team;

typedef struct sim_team_def {
    gpu_device *const *devices; /* [count], each of one rank */
    uint32_t count;             /* 2 to COMM_MAX_THREADS */
    const scene_data *scene;
    /* For tests: */
    const uint32_t *cuts;          /* [count + 1] planes at which slabs begin; NULL: even */
    uint32_t balance_interval;     /* frames after which cuts may move; 0: 16 */
    const grid_capacity *capacity; /* first capacity of each rank; NULL: chosen */
} sim_team_def;

/* Errors: UNSUPPORTED (the scene has what ranks cannot do), SCENE (more ranks than fit), MEMORY. */
weir_result sim_team_create(const sim_team_def *def, sim_team **out);
void sim_team_destroy(sim_team **pointer);

/* Returns the world of rank 0, which plans frames like all others and knows the statistics of all.
 */
sim_world *sim_team_first(const sim_team *team);
uint32_t sim_team_size(const sim_team *team);

/* Steps and completes the frame. */
weir_result sim_team_step(sim_team *team, double seconds);
weir_result sim_team_stats(sim_team *team, weir_stats *stats);
weir_result sim_team_particle_count(sim_team *team, uint32_t *count);
weir_result sim_team_read_field(sim_team *team, weir_field field, void *out, size_t size);
weir_result sim_team_hash(sim_team *team, uint64_t *hash);
weir_result sim_team_save(sim_team *team, const char *path);
weir_result sim_team_restore(sim_team *team, const char *path);

#endif
