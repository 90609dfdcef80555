/* sim_team: one simulation on several devices. Each rank has a device and, while a call runs, a
 * thread of this process; or the ranks are the processes of a job, where rank 0 has a sim_team and
 * the others serve it. Functions have the contract of their counterpart of sim.h, and the results
 * of a single rank. */
#ifndef WEIR_SIM_TEAM_H
#define WEIR_SIM_TEAM_H

#include "comm.h"
#include "sim.h"

typedef struct sim_team sim_team;

typedef struct sim_team_def {
    gpu_device *const *devices; /* [count], each of one rank; with `job` that of this process */
    uint32_t count;             /* of ranks: 2 to COMM_MAX_RANKS */
    comm *job;                  /* the other ranks are its processes; NULL: threads of this one */
    const scene_data *scene;
    /* For tests: */
    const uint32_t *cuts;          /* [count + 1] planes at which slabs begin; NULL: even */
    uint32_t balance_interval;     /* frames after which cuts may move; 0: 16 */
    const grid_capacity *capacity; /* first capacity of each rank; NULL: chosen */
} sim_team_def;

/* Errors: UNSUPPORTED (the scene has what ranks cannot do), SCENE (more ranks than fit), ARGUMENT
 * (processes with different versions, devices, scenes or files), IO (a process has failed), MEMORY.
 * With a job, for its rank 0; the others call sim_team_serve. */
weir_result sim_team_create(const sim_team_def *def, sim_team **out);
/* Returns whether all ranks have ended the simulation without a failure. */
bool sim_team_destroy(sim_team **pointer);
/* Creates the world of a later rank of a job and does what rank 0 does, until that destroys its
 * sim_team. Errors: those of sim_team_create, and of the calls of rank 0. */
weir_result sim_team_serve(const sim_team_def *def);

/* Returns the world of rank 0, which plans frames like all others and knows the statistics of all.
 */
sim_world *sim_team_first(const sim_team *team);
uint32_t sim_team_size(const sim_team *team);

/* Steps and completes the frame. */
weir_result sim_team_step(sim_team *team, double seconds);
weir_result sim_team_stats(sim_team *team, weir_stats *stats);
/* Describes each rank: [sim_team_size]. */
weir_result sim_team_ranks(sim_team *team, struct weir_rank_info *ranks);
weir_result sim_team_set_solid_pose(sim_team *team, uint32_t solid, const scene_pose *pose,
                                    bool teleport);
weir_result sim_team_set_emitter_opening(sim_team *team, uint32_t emitter,
                                         const sim_emitter_opening *opening, bool teleport);
weir_result sim_team_particle_count(sim_team *team, uint32_t *count);
weir_result sim_team_read_field(sim_team *team, weir_field field, void *out, size_t size);
weir_result sim_team_hash(sim_team *team, uint64_t *hash);
weir_result sim_team_save(sim_team *team, const char *path);
weir_result sim_team_restore(sim_team *team, const char *path);

#endif
