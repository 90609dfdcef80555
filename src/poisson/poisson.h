/* poisson: solves Poisson's equation on sparse blocks of cells by multigrid, as passes of a pass
 * list. Does not depend on particles.
 *
 * A solve has these passes, in this order; shaders/shared/poisson.h describes the layout:
 * 1. poisson_clear_passes: deactivates all blocks.
 * 2. The caller's passes mark the blocks of fluid and the cells around it: block_marks.
 * 3. poisson_block_passes: numbers the active blocks of all levels.
 * 4. The caller's passes write cells and right_sides over poisson_blocks_dispatch_size.
 * 5. poisson_setup_passes: computes the coefficients of all levels.
 * 6. poisson_vcycle_passes: one V-cycle, a fast estimate, in vcycle_solutions; or
 *    poisson_solve_passes: conjugate gradients preconditioned by the V-cycle, to a tolerance, in
 *    solutions. */
#ifndef WEIR_POISSON_H
#define WEIR_POISSON_H

#include "gpu.h"
#include "grid.h"

#include "shared/poisson.h"

typedef struct poisson poisson;

typedef struct poisson_def {
    uint32_t cells[3];          /* of the finest level, along the axes; 1 in z for the plane */
    float sizes_m[3];           /* of a cell; their ratios count */
    bool periodic[3];           /* an axis of more than one cell needs an even number of them */
    float tolerance;            /* of a solve: largest residual over the largest source */
    uint32_t capacity;          /* active blocks of all levels */
    uint32_t rigids;            /* rigid bodies that the solution moves */
    bool variable_coefficients; /* the caller writes face_coefficients before the setup passes */
} poisson_def;

/* Creates a solver. Errors: MEMORY; ARGUMENT (a box with too many cells). */
weir_result poisson_create(gpu_device *device, const poisson_def *def, poisson **out);
void poisson_destroy(gpu_device *device, poisson **pointer);
/* Enlarges the buffers for more active blocks; contents are lost and passes must be rebuilt. */
weir_result poisson_grow(gpu_device *device, poisson *p, uint32_t capacity);
uint32_t poisson_capacity(const poisson *p);
uint64_t poisson_bytes(const poisson *p); /* device memory of blocks and cells */
uint32_t poisson_levels(const poisson *p);
uint32_t poisson_table_entries(const poisson *p); /* blocks of the finest level, active or not */

/* Each function appends passes and returns their number. `state` is a struct grid_state: while any
 * of its flags is set, the passes do nothing. They set GRID_OVERFLOW_BLOCKS if the capacity is too
 * small. */
#define POISSON_CLEAR_PASSES 1u   /* maximum */
#define POISSON_BLOCK_PASSES 6u   /* maximum */
#define POISSON_SETUP_PASSES 12u  /* at most, with POISSON_MAX_LEVELS levels */
#define POISSON_VCYCLE_PASSES 45u /* maximum */
#define POISSON_SOLVE_PASSES (POISSON_VCYCLE_PASSES + 4u)
uint32_t poisson_clear_passes(const poisson *p, gpu_buffer *state, gpu_pass *passes);
uint32_t poisson_block_passes(const poisson *p, gpu_buffer *state, gpu_pass *passes);
uint32_t poisson_setup_passes(const poisson *p, gpu_pass *passes);
uint32_t poisson_vcycle_passes(const poisson *p, gpu_pass *passes);
uint32_t poisson_solve_passes(const poisson *p, uint32_t iterations, gpu_pass *passes);
/* The same after a pass of the caller that writes right_sides and starts the solve
 * (shaders/lib/poisson/start.glsl), over poisson_blocks_dispatch_size. */
uint32_t poisson_started_solve_passes(const poisson *p, uint32_t iterations, gpu_pass *passes);
/* Appends a solve whose matrix includes the rigid bodies' contribution. Before it, the caller's
 * passes write rigid_coupling, rigid_coupling_angular and the matrices of rigid_responses, and
 * clear rigid_projections. */
#define POISSON_RIGID_SOLVE_PASSES (POISSON_SOLVE_PASSES + 3u)
uint32_t poisson_rigid_solve_passes(const poisson *p, uint32_t iterations, gpu_pass *passes);

/* Returns the dispatch size over the cells of the finest level's active blocks, with a workgroup of
 * POISSON_WORKGROUP invocations per block. */
gpu_dispatch_size poisson_blocks_dispatch_size(const poisson *p);

/* Device buffers by name and by binding number: shaders/shared/poisson_buffers.def. Those of other
 * modules are NULL. Growth replaces the buffers of blocks and cells. */
typedef union poisson_buffers {
    struct {
#define BUFFER(name, type, count) gpu_buffer *name;
#define EXTERNAL(name, type, amount, owner) gpu_buffer *name;
#include "shared/poisson_buffers.def"
    };
    gpu_buffer *all[POISSON_BINDINGS];
} poisson_buffers;
const poisson_buffers *poisson_get_buffers(const poisson *p);

#endif
