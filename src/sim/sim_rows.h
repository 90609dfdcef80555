/* sim_rows: how a solver says what its substep does. A solver is a table of sim_row; rows.c makes
 * the device's rows of it. What a kernel binds, its shader says. */
#ifndef WEIR_SIM_ROWS_H
#define WEIR_SIM_ROWS_H

#include "sim_internal.h"

enum sim_domain {
    SIM_ONE,            /* one invocation */
    SIM_ALL_PARTICLES,  /* before the sort */
    SIM_LIVE_PARTICLES, /* after it */
    SIM_ITERATED,       /* the same, as long as the iterations go on */
    SIM_SHARES,         /* the same, SIM_STATS_EACH to an invocation */
    SIM_EMITTED,        /* particles that emitters release in the frame */
    SIM_GAUGES,         /* a workgroup each */
    SIM_VISCOUS,        /* live particles, while the viscous solve goes on */
    SIM_VISCOUS_ONE,    /* a workgroup, likewise */
    SIM_MET,            /* particles that bodies meet */
    SIM_CROWDED,        /* of these, those with more bodies near than they name */
    SIM_BODIES,
    SIM_SOLIDS,
    SIM_CELLS, /* of the long-range correction or of the MAC grid, in active blocks */
};

/* Rows in a run with the same repetition repeat together. */
enum sim_repetition { SIM_ONCE, SIM_ITERATIONS, SIM_VISCOUS_ITERATIONS };

typedef struct sim_row sim_row;
struct sim_row {
    int kernel; /* SIM_LAMBDA and so on: a shader's name */
    enum sim_domain over;
    enum sim_repetition repeats;
    uint32_t constant;                                /* the shader's row.constant */
    bool (*when)(const sim_world *world);             /* NULL: always */
    const sim_row *part;                              /* in place of a kernel: another table */
    gpu_row *(*rows)(sim_world *world, gpu_row *row); /* likewise: another room's rows */
    const char *stage; /* likewise: the name of the part of the substep that the next rows are */
    bool end;          /* behind the table's last row */
};

/* Does a tolerance end the iterations? */
bool sim_is_tolerant(const sim_world *world);
bool sim_solves_viscosity(const sim_world *world);
/* The particles of the viscous solve, or the workgroup that decides. */
gpu_domain sim_viscous_domain(const sim_world *world, bool one);

/* What the solvers share: all up to the neighbour lists, and all behind the solve. */
extern const sim_row sim_opening[], sim_closing[];
extern const sim_row sim_long_range[];
extern const sim_row sim_pbf[], sim_pcisph[], sim_wcsph[], sim_flip[];
extern const sim_row sim_alone[]; /* of the density constraint alone */

/* Rows of other rooms that several tables have. */
gpu_row *sim_sort_rows(sim_world *world, gpu_row *row);
gpu_row *sim_list_rows(sim_world *world, gpu_row *row);
gpu_row *sim_clear_rows(sim_world *world, gpu_row *row); /* of the cells */
gpu_row *sim_block_rows(sim_world *world, gpu_row *row);
gpu_row *sim_setup_rows(sim_world *world, gpu_row *row);
/* Rows of the room of bodies: src/body/body.h. */
gpu_row *sim_body_begin_rows(sim_world *world, gpu_row *row);
gpu_row *sim_body_cell_rows(sim_world *world, gpu_row *row);
gpu_row *sim_body_tally_rows(sim_world *world, gpu_row *row);
gpu_row *sim_body_solve_rows(sim_world *world, gpu_row *row);
gpu_row *sim_body_shift_rows(sim_world *world, gpu_row *row);
gpu_row *sim_body_end_rows(sim_world *world, gpu_row *row);
/* Of the room of cloths and ropes: src/soft/soft.h. */
gpu_row *sim_soft_begin_rows(sim_world *world, gpu_row *row);
gpu_row *sim_soft_file_rows(sim_world *world, gpu_row *row);
gpu_row *sim_soft_solve_rows(sim_world *world, gpu_row *row);
gpu_row *sim_soft_end_rows(sim_world *world, gpu_row *row);
/* What several tables ask. */
bool sim_emits(const sim_world *world);
bool sim_has_gauges(const sim_world *world);
bool sim_has_solids(const sim_world *world); /* or sinks or bodies */
bool sim_has_bodies(const sim_world *world);
/* What the kernels that meet them bind. */
/* Live particles, as long as the iterations go on. */
gpu_domain sim_iterated(const sim_world *world);
bool sim_has_softs(const sim_world *world);
bool sim_has_drags(const sim_world *world); /* of cloths, ropes and soft bodies on fluid */

#endif
