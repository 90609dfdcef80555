/* team_internal: what the ranks of a simulation do when rank 0 is called. */
#ifndef WEIR_SIM_TEAM_INTERNAL_H
#define WEIR_SIM_TEAM_INTERNAL_H

#include "sim_ranks.h"
#include "sim_team.h"

#include "weir/ranks.h"

/* One rank of this process. */
typedef struct team_rank {
    const weir_log *log;
    comm *comm;
    sim_world *world;
    char error[SIM_RANKS_ERROR_TEXT]; /* of a later rank: the last one */
    bool agreed;                      /* on the last failure: all ranks return it */
} team_rank;

typedef enum team_call {
    TEAM_STEP,
    TEAM_STATS,
    TEAM_RANKS,
    TEAM_STATE,
    TEAM_FIELD,
    TEAM_INITIAL_DENSITIES,
    TEAM_RESTORE,
    TEAM_SET_SOLID,
    TEAM_SET_EMITTER,
    TEAM_END, /* of the simulation */
} team_call;

#define TEAM_PATH 4096u

/* What all ranks do together. */
typedef struct team_command {
    uint32_t call;
    uint32_t field; /* a weir_field */
    uint32_t item;  /* a solid or an emitter */
    uint32_t teleports;
    double seconds;
    scene_pose pose;
    sim_emitter_opening opening;
    char path[TEAM_PATH];
} team_command;

/* What rank 0 receives. Release with team_results_free. */
typedef struct team_results {
    weir_stats stats;
    weir_rank_info ranks[COMM_MAX_RANKS];
    sim_host_state state;
    uint32_t *values;    /* of a field */
    uint64_t *densities; /* id << 32 | bits of a float, in the order of ids */
    uint32_t count;      /* of particles in `state`, `values` or `densities` */
} team_results;

/* Performs a rank's part of a command. `results` is NULL on the later ranks. Collective. */
weir_result team_perform(team_rank *rank, const team_command *command, team_results *results);
void team_results_free(team_results *results);

/* Returns the words for a field of a particle. */
uint32_t team_field_words(weir_field field);

/* Makes the world of a rank, after a check that the ranks have the same version, device, driver and
 * scene. Collective. */
weir_result team_create_world(team_rank *rank, const sim_team_def *def, gpu_device *device);
/* Checks that all ranks have read the same particles and files. Collective. Errors: ARGUMENT. */
weir_result team_compare_contents(team_rank *rank);
/* Makes all ranks return the largest result, and their failures agreed. */
weir_result team_agree(team_rank *rank, weir_result own);

#endif
