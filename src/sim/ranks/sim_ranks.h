/* sim_ranks: one simulation on several ranks, each with a device of its own. The domain is cut into
 * slabs along one axis (src/grid/parts.h). A rank owns the particles whose predicted positions lie
 * in its slab, and holds ghosts: copies of those within two support radii of it.
 *
 *   substep   predict | migrate | sort, neighbour lists | iteration: lambda, correction | swap |
 * ...
 *
 * In the migration a rank sends its neighbours the particles that they own from now on or hold
 * ghosts of; in a swap the iterated positions of the ghosts' originals. Everything else about
 * ghosts is computed again from complete neighbourhoods: lists and multipliers of the first layer,
 * velocities of both. So a particle's neighbours come in the same order as with a single rank, and
 * its bits are the same.
 *
 * Decisions that all ranks take alike follow from numbers that they have combined: integers only. A
 * substep that one rank cannot complete is repeated by all. */
#ifndef WEIR_SIM_RANKS_H
#define WEIR_SIM_RANKS_H

#include "comm.h"
#include "parts.h"
#include "sim_state.h"

#include "shared/ranks.h"

#define SIM_RANKS_ERROR_TEXT 512u

typedef struct sim_ranks {
    comm *comm;
    uint32_t rank, size;
    uint32_t axis;                     /* of the cuts */
    uint32_t cuts[COMM_MAX_RANKS + 1]; /* planes of bins at which slabs begin; the last ends */
    bool keeps_cuts; /* the next division of the domain keeps them: those of a test */
    struct grid_parts parts;
    uint32_t held_count; /* particles that the rank held when the domain was last divided */
    uint32_t balance_interval, frames_since_balance;
    uint32_t room;     /* records that a message has room for */
    bool cancelled;    /* the running substep, on all ranks */
    bool disagreement; /* a message had another size than expected */
    gpu_buffer *counters, *report, *reply, *statistics, *readings, *sent,
        *received; /* sim_buffers.def */
    gpu_host_work migrate, swap, swap_tension, sum_errors, sum_readings, sum_statistics;
    uint32_t *packed_readings; /* scratch memory of sum_readings */
    gpu_buffer *marks, *cells; /* of the long-range correction; NULL without one */
    gpu_host_work sum_marks, sum_cells;
    /* Of the later ranks: keeps the last error. Rank 0 logs what all have in common. */
    weir_log log;
    char *error;            /* [SIM_RANKS_ERROR_TEXT] of the caller */
    uint64_t particle_hash; /* of all particles when the domain was last divided, not balanced */
    struct sim_status seen,
        totals; /* of all ranks: of the frame that is checked, of the last one */
    /* Densities of this rank's particles before the first substep: [density_count]. */
    uint32_t *density_ids;
    float *densities;
    uint32_t density_count;
} sim_ranks;

/* What sim_ranks_create needs to know. */
typedef struct sim_ranks_def {
    comm *comm;
    const uint32_t *cuts;      /* for tests: [size + 1] planes; NULL: as even as possible */
    uint32_t balance_interval; /* frames; 0: SIM_RANKS_BALANCE_INTERVAL */
    char *error;               /* [SIM_RANKS_ERROR_TEXT] receives the last error of a later rank */
} sim_ranks_def;

#define SIM_RANKS_BALANCE_INTERVAL 16u

/* Refuses, by name, what a simulation on several ranks cannot do. Errors: UNSUPPORTED. */
weir_result sim_ranks_check(const weir_log *log, const scene_data *scene, uint32_t count);

/* Makes the world one rank of several. Errors: MEMORY. */
weir_result sim_ranks_create(sim_world *world, const sim_ranks_def *def);
void sim_ranks_destroy(sim_world *world);

/* Cuts the domain so that slabs hold as many particles each, and makes the grid that of the own
 * slab. `x`: [count] all particles of the simulation. Grow the grid afterwards. Errors: ARGUMENT
 * (more ranks than fit), MEMORY. */
weir_result sim_ranks_divide(sim_world *world, const ivec4 *x, uint32_t count);
/* Returns whether the rank owns a particle. */
bool sim_ranks_own(const sim_world *world, const ivec4 *x);
/* Moves the cuts every few frames if slabs have become uneven. The grid must not be in use; *moved:
 * it has new parts, and must be grown. Collective. */
weir_result sim_ranks_balance(sim_world *world, bool *moved);

/* Creates the buffers for messages, for the present capacity. */
weir_result sim_ranks_reserve(sim_world *world);
/* Initializes the work of the host between passes: halo.c, totals.c. */
void sim_ranks_set_halo_work(sim_world *world);
void sim_ranks_set_totals_work(sim_world *world);
/* Creates the buffers for the cells of the long-range correction, for their present capacity. */
weir_result sim_ranks_reserve_cells(sim_world *world);
/* Returns the words of sim_ranks.marks. */
uint64_t sim_ranks_mark_words(const sim_world *world);
/* Prepares the sums of gauges and solids: readings.c. Errors: MEMORY. */
weir_result sim_ranks_create_readings(sim_world *world);
/* Returns whether a scene on ranks has gauges or sums the forces on solids. */
bool sim_ranks_sum_readings(const sim_world *world);
/* Returns the words of sim_ranks.readings. */
uint64_t sim_ranks_reading_words(const sim_world *world);
/* Returns the flags that this rank must raise because another one has. */
uint32_t sim_ranks_flags_from_others(uint32_t all, uint32_t own);

/* Combines the result of a frame with those of the other ranks, so that all take the same
 * decisions. Nothing to do with a single rank. Collective. */
weir_result sim_ranks_combine_results(sim_world *world, sim_frame_result *seen);
/* Returns the status of all ranks after the last frame. */
const struct sim_status *sim_total_status(const sim_world *world);
/* Keeps of a status of all ranks what belongs to this one, with `count` particles. */
void sim_ranks_split_status(sim_world *world, struct sim_status *status, uint32_t count);

static inline bool sim_has_ranks(const sim_world *world)
{
    return world->ranks != NULL;
}

#endif
