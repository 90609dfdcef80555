/* What a rank of several exchanges with its neighbours: src/sim/ranks/sim_ranks.h. The blocks and
 * the messages are in mapped memory, which the host reads and writes between passes. */
#ifndef WEIR_SHARED_RANKS_H
#define WEIR_SHARED_RANKS_H

#include "glue.h"

/* A record of a particle that a neighbour owns from now on, or holds a ghost of, in vectors:
 * position (w fluid index), prediction (w bits of the inverse mass), velocity, and id and
 * clearance. */
#define RANK_RECORD_VECTORS 4u

/* grid_state.flags: another rank has outgrown a buffer */
#define RANK_FLAG_ELSEWHERE 0x400u

/* pass.constant of halo_apply.comp */
#define RANK_APPLY_MIGRATION 1u /* particles have come: adds them to those to be sorted */
#define RANK_APPLY_FLAGS 0u

/* pass.constant of rank_density_errors.comp */
#define RANK_ERRORS_REPORT 0u
#define RANK_ERRORS_APPLY 1u

/* pass.constant of rank_block_marks.comp and rank_cells.comp */
#define RANK_CELLS_REPORT 0u
#define RANK_CELLS_APPLY 1u

/* pass.constant of rank_readings.comp: the number of gauges, and this bit to apply the sums */
#define RANK_READINGS_APPLY 0x80000000u

/* pass.constant of statistics_total.comp */
#define RANK_STATISTICS_SUMMED 1u /* the partial sums have been added up already */

/* Records that halo_pack.comp has packed, or wanted to: they may be more than there is room for. */
struct rank_counters {
    uint packed_left, packed_right;
    uint strays; /* particles that have moved past a neighbour */
    uint alive;  /* particles that stay; each is counted on one rank */
};
WEIR_SIZE_CHECK(struct rank_counters, 16);

/* Density errors of an iteration: the arrays of SIM_DENSITY_ERRORS_. */
struct rank_density_errors {
    uint sum, max, above, sum_low, sum_high;
};
WEIR_SIZE_CHECK(struct rank_density_errors, 20);
#ifdef __STDC_VERSION__
typedef struct rank_density_errors
    rank_density_errors; /* GLSL names a struct without the keyword */
#endif

/* State of the device before an exchange. */
struct rank_report {
    uint flags;   /* grid_state.flags */
    uint running; /* sim_status.running */
    uint count;   /* particles before the sort */
    uint live, near, held;
    uint part_starts[9]; /* grid_state.part_starts */
    uint packed_left, packed_right, strays, alive;
    uint particles; /* sim_status.count */
    uint lost;      /* particles that became non-finite since the start, up to this substep */
    uint solved;    /* sim_status.iterations_done */
    rank_density_errors errors; /* of the running iteration */
    uint blocks;                /* active ones of the finest level: shaders/shared/poisson.h */
};
WEIR_SIZE_CHECK(struct rank_report, 112);

/* What the host reports to the device after an exchange. */
struct rank_reply {
    uint flags; /* to raise in grid_state.flags */
    uint first; /* index of the first received particle */
    uint received_left, received_right;
    uint required_capacity;            /* particles; 0: there is room */
    uint groups_x, groups_y, groups_z; /* VkDispatchIndirectCommand over the received particles */
    uint everyone;                     /* live particles of all ranks */
    rank_density_errors errors;        /* of all ranks */
};
WEIR_SIZE_CHECK(struct rank_reply, 56);

#endif
