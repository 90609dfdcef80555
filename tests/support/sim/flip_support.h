/* Reads the state between the passes of FLIP and APIC in the form that their reference needs. */
#ifndef WEIR_TESTS_FLIP_SUPPORT_H
#define WEIR_TESTS_FLIP_SUPPORT_H

#include "cells_support.h"
#include "ref_flip.h"
#include "ref_poisson.h"

/* The state before a pass, in dense arrays. */
typedef struct stage {
    sim_world *world;
    struct sim_params params;
    struct sim_status status;
    struct poisson_state solve;
    struct poisson_block *blocks;
    ref_ball ball;
    ref_pbf pbf;
    ref_flip flip;
    ref_mover *movers;
    size_t cell_count;
} stage;

size_t sparse_count(const stage *s);

/* Computes the position of a cell; returns false outside the box of cells. */
bool cell_at(const stage *s, size_t cell, int at[3]);

/* Expands a device buffer with `size` bytes per cell to a dense array; 0 where no block is
 * active. */
void *spread(const stage *s, const gpu_buffer *buffer, size_t size);

void make_movers(stage *s);

/* ---- input ---------------------------------------------------------------------------------- */

/* Moves p out of the scene's solid, a ball. */
vec4 keep_out(const sim_world *world, vec4 p);

/* Places a jittered lattice from the lower corner of the domain, compressed at first and loose at
 * the end, with random velocities and outside the solid. */
void place(sim_world *world, uint32_t count);

void near(const char *what, const int at[3], double got, double wanted, double slack);

/* Runs all passes of a substep before flip_p2g, with the placed particles. */
void enter_gather(stage *s, sim_world *world, double frame_s);

void leave(stage *s);
void run_named(const stage *s, const char *name);

#endif
