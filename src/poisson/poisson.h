/* poisson: solves Poisson's equation on sparse blocks of cells by multigrid, as passes of a pass
 * list. Does not depend on particles.
 *
 * A solve has these passes, in this order; shaders/shared/poisson.h describes the layout:
 * 1. poisson_clear_passes: deactivates all blocks.
 * 2. The caller's passes mark the blocks of fluid and the cells around it: poisson_block_marks.
 * 3. poisson_block_passes: numbers the active blocks of all levels.
 * 4. The caller's passes write poisson_cells and poisson_rhs over
 *    poisson_blocks_dispatch_size.
 * 5. poisson_setup_passes: computes the coefficients of all levels.
 * 6. poisson_vcycle_passes: one V-cycle, a fast estimate, in poisson_vcycle_solutions; or
 *    poisson_solve_passes: conjugate gradients preconditioned by the V-cycle, to a tolerance, in
 *    poisson_solutions. */
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
    uint32_t rigids;   /* rigid bodies that the solution moves */
} poisson_def;

/* Creates a solver. Errors: MEMORY; ARGUMENT (a box with too many cells). */
weir_result poisson_create(gpu_device *device, const poisson_def *def, poisson **out);
void poisson_destroy(gpu_device *device, poisson **pointer);
/* Enlarges the buffers for more active blocks; contents are lost and passes must be rebuilt. */
weir_result poisson_grow(gpu_device *device, poisson *p, uint32_t capacity);
uint32_t poisson_capacity(const poisson *p);
uint64_t poisson_bytes(const poisson *p); /* device memory of blocks and cells */
uint32_t poisson_levels(const poisson *p);

/* Each function appends passes and returns their number. `state` is a struct grid_state: while any
 * of its flags is set, the passes do nothing. They set GRID_OVERFLOW_BLOCKS if the capacity is too
 * small. */
#define POISSON_CLEAR_PASSES 1u
#define POISSON_BLOCK_PASSES 6u
#define POISSON_SETUP_PASSES 12u  /* at most, with POISSON_MAX_LEVELS levels */
#define POISSON_VCYCLE_PASSES 67u /* maximum */
#define POISSON_SOLVE_PASSES (POISSON_VCYCLE_PASSES + 10u)
uint32_t poisson_clear_passes(const poisson *p, gpu_buffer *state, gpu_pass *passes);
uint32_t poisson_block_passes(const poisson *p, gpu_buffer *state, gpu_pass *passes);
uint32_t poisson_setup_passes(const poisson *p, gpu_pass *passes);
uint32_t poisson_vcycle_passes(const poisson *p, gpu_pass *passes);
uint32_t poisson_solve_passes(const poisson *p, uint32_t iterations, gpu_pass *passes);
/* Appends a solve whose matrix includes the rigid bodies' contribution. Before it, the caller's
 * passes write poisson_rigid_coupling, poisson_rigid_coupling_moments and the matrices of
 * poisson_rigids, and clear poisson_rigid_coupling_sums. */
#define POISSON_RIGID_SOLVE_PASSES (POISSON_SOLVE_PASSES + 3u)
uint32_t poisson_rigid_solve_passes(const poisson *p, uint32_t iterations, gpu_pass *passes);

/* Returns the dispatch size over the cells of the finest level's active blocks, with a workgroup of
 * POISSON_WORKGROUP invocations per block. */
gpu_dispatch_size poisson_blocks_dispatch_size(const poisson *p);

gpu_buffer *poisson_params_buffer(const poisson *p); /* struct poisson_params */
gpu_buffer *poisson_state_buffer(const poisson *p);  /* struct poisson_state */
gpu_buffer *poisson_block_marks(const poisson *p);   /* uint per block of every level, plus one */
/* uint per block of every level, plus one: the slot of its block, or POISSON_NONE */
gpu_buffer *poisson_block_slots(const poisson *p);
gpu_buffer *poisson_blocks(const poisson *p); /* struct poisson_block[capacity] */
/* Buffers per cell, with POISSON_BLOCK_CELLS cells for every block. */
gpu_buffer *poisson_cells(const poisson *p);            /* uvec4, finest level only */
gpu_buffer *poisson_coefficients(const poisson *p);     /* vec4 */
gpu_buffer *poisson_air_coefficients(const poisson *p); /* vec4 */
gpu_buffer *poisson_rhs(const poisson *p); /* float; a solve leaves the residual here */
gpu_buffer *poisson_vcycle_solutions(const poisson *p);       /* float */
gpu_buffer *poisson_solutions(const poisson *p);              /* float */
gpu_buffer *poisson_rigid_coupling(const poisson *p);         /* vec4; one element without rigids */
gpu_buffer *poisson_rigid_coupling_moments(const poisson *p); /* vec4; one element without rigids */
/* Buffers of the rigid bodies. */
gpu_buffer *poisson_rigids(const poisson *p);              /* struct poisson_rigid */
gpu_buffer *poisson_rigid_coupling_sums(const poisson *p); /* uint, POISSON_RIGID_WORDS each */

#endif
