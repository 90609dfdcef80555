/* poisson: Poisson's equation on sparse blocks of cells, by multigrid, as rows. Knows no particles.
 *
 * A solve, as rows in this order; the layout is that of shaders/shared/poisson.h:
 *   poisson_clear_rows   no block is active
 *   the caller's rows    mark the blocks that hold fluid, and the cells around it (poisson_marks)
 *   poisson_block_rows   numbers the active blocks of all levels
 *   the caller's rows    write poisson_cells and poisson_sources, over poisson_blocks_domain
 *   poisson_setup_rows   coefficients of all levels
 *   poisson_cycle_rows   one V-cycle: a quick guess, poisson_guesses
 *   or poisson_solve_rows   conjugate gradients with the V-cycle as preconditioner, to a tolerance:
 *                           poisson_solutions */
#ifndef WEIR_POISSON_H
#define WEIR_POISSON_H

#include "gpu.h"
#include "grid.h"

typedef struct poisson poisson;

typedef struct poisson_def {
    uint32_t cells[3]; /* of the finest level, along the axes; 1 in z for the plane */
    float sizes_m[3];  /* of a cell; their ratios count */
    bool periodic[3];  /* an axis of more than one cell needs an even number of them */
    float tolerance;   /* of a solve: largest residual over the largest source */
    uint32_t capacity; /* active blocks of all levels */
    uint32_t rigids;   /* things that the solution moves */
} poisson_def;

/* Errors: MEMORY; ARGUMENT (a box of too many cells). */
weir_result poisson_create(gpu_device *device, const poisson_def *def, poisson **out);
void poisson_destroy(gpu_device *device, poisson **pointer);
/* Makes room for more active blocks; contents are lost, and rows must be made anew. */
weir_result poisson_grow(gpu_device *device, poisson *p, uint32_t capacity);
uint32_t poisson_capacity(const poisson *p);
uint64_t poisson_bytes(const poisson *p); /* of device memory for blocks and cells */
uint32_t poisson_levels(const poisson *p);

/* Each appends rows, returns how many. `state` is a struct grid_state: while its flags are set no
 * row does anything, and GRID_OVERFLOW_BLOCKS is set when the capacity is short. */
#define POISSON_CLEAR_ROWS 1u
#define POISSON_BLOCK_ROWS 6u
#define POISSON_SETUP_ROWS 12u /* at most, with POISSON_LEVELS levels */
#define POISSON_CYCLE_ROWS 67u /* likewise */
#define POISSON_SOLVE_ROWS (POISSON_CYCLE_ROWS + 10u)
uint32_t poisson_clear_rows(const poisson *p, gpu_buffer *state, gpu_row *rows);
uint32_t poisson_block_rows(const poisson *p, gpu_buffer *state, gpu_row *rows);
uint32_t poisson_setup_rows(const poisson *p, gpu_row *rows);
uint32_t poisson_cycle_rows(const poisson *p, gpu_row *rows);
uint32_t poisson_solve_rows(const poisson *p, uint32_t iterations, gpu_row *rows);
/* The same of a matrix with that of the rigids. Before it the caller's rows write poisson_ties,
 * poisson_tie_turns and the matrices of poisson_rigids, and 0 to poisson_rigid_sums. */
#define POISSON_TIED_ROWS (POISSON_SOLVE_ROWS + 3u)
uint32_t poisson_tied_rows(const poisson *p, uint32_t iterations, gpu_row *rows);

/* Cells of the active blocks of the finest level, a workgroup of POISSON_WORKGROUP a block. */
gpu_domain poisson_blocks_domain(const poisson *p);

gpu_buffer *poisson_params_buffer(const poisson *p); /* struct poisson_params */
gpu_buffer *poisson_state_buffer(const poisson *p);  /* struct poisson_state */
gpu_buffer *poisson_marks(const poisson *p);         /* uint per block of every level, and one */
gpu_buffer *poisson_slots(const poisson *p);         /* likewise: its block or POISSON_NONE */
gpu_buffer *poisson_blocks(const poisson *p);        /* struct poisson_block[capacity] */
/* Per cell, POISSON_CELLS of every block: */
gpu_buffer *poisson_cells(const poisson *p);        /* uvec4, of the finest level */
gpu_buffer *poisson_coefficients(const poisson *p); /* vec4 */
gpu_buffer *poisson_links(const poisson *p);        /* vec4 */
gpu_buffer *poisson_sources(const poisson *p);      /* float; a solve leaves the residual here */
gpu_buffer *poisson_guesses(const poisson *p);      /* float */
gpu_buffer *poisson_solutions(const poisson *p);    /* float */
gpu_buffer *poisson_ties(const poisson *p);         /* vec4; one element without rigids */
gpu_buffer *poisson_tie_turns(const poisson *p);    /* likewise */
/* Of the rigids: */
gpu_buffer *poisson_rigids(const poisson *p);     /* struct poisson_rigid */
gpu_buffer *poisson_rigid_sums(const poisson *p); /* uint, POISSON_RIGID_WORDS each */

#endif
