/* Poisson's equation on cells that stand in sparse blocks, by multigrid.
 *
 * The finest level tiles a box with cells; each level above it has half as many along every axis
 * that has more than one. The cells of a level stand in blocks of 8 x 8 x 8. A block is active when
 * the caller marks it, or when a block below it is active. The levels' tables of blocks stand one
 * behind the other in `marks`, and one scan of them numbers the active blocks of all levels: the
 * finest level first, in a level along x, then y, then z. `slots` has the number of each.
 *
 * The equation of a cell i, with neighbours j: sum of a_ij (x_i - x_j) = b_i. A face between two
 * cells of fluid has the coefficient a_ij, its open share; x is 0 at a surface towards air; a
 * closed face adds nothing.
 *
 * A rigid thing that x moves and that pushes back adds more: each cell i that it ties has a vector
 * J_i of six, and to the left side comes J_i . W sum over k of J_k x_k, with a matrix W of the
 * rigid. The sum is taken once in each iteration; the matrix that it stands for is not made. */
#ifndef WEIR_SHARED_POISSON_H
#define WEIR_SHARED_POISSON_H

#include "glue.h"

#define POISSON_BLOCK_EDGE 8u    /* cells along the edge of a block */
#define POISSON_BLOCK_CELLS 512u /* of a block */
#define POISSON_MAX_LEVELS 12u
#define POISSON_NONE 0xffffffffu        /* no block, no cell */
#define POISSON_CLOSED 1e30f            /* the level set of a cell that is neither fluid nor air */
#define POISSON_WORKGROUP 256u          /* works on one block */
#define POISSON_CELLS_PER_INVOCATION 2u /* cells that an invocation works on */
#define POISSON_SWEEPS 2u               /* of the smoother, before and after the coarser level */
#define POISSON_COARSEST_SWEEPS 32u
#define POISSON_MIN_THETA 0.01f /* nearest that a surface comes to the middle of a cell, in cells \
                                 */

/* What the kernels bind. */
#define POISSON_BIND_multigrid WEIR_STRUCT(0, poisson_params)
#define POISSON_BIND_solve WEIR_STRUCT(1, poisson_state)
#define POISSON_BIND_state WEIR_STRUCT(2, grid_state) /* its flags: no later row does any work */
/* 1 for an active block; scanned: the active blocks before each */
#define POISSON_BIND_block_marks WEIR_ARRAY(3, uint)
#define POISSON_BIND_blocks WEIR_ARRAY(4, poisson_block)
/* of the finest level: xyz open shares of the lower and the upper face along each axis, 16 bits
 * each; w bits of the level set: fluid below 0. Air at 0 has the surface at its middle.
 * From POISSON_CLOSED on the cell is closed. */
#define POISSON_BIND_cells WEIR_ARRAY(5, uvec4)
/* of all levels: xyz those of the lower faces, w the sum of all */
#define POISSON_BIND_coefficients WEIR_ARRAY(6, vec4)
/* b; on the finest level, in a solve, b - A x */
#define POISSON_BIND_right_sides WEIR_ARRAY(7, float)
#define POISSON_BIND_vcycle_solutions WEIR_ARRAY(8, float) /* x of the V-cycle */
#define POISSON_BIND_smoothed WEIR_ARRAY(9, float)         /* the same after a sweep */
#define POISSON_BIND_solutions WEIR_ARRAY(10, float)       /* x, by conjugate gradients */
#define POISSON_BIND_cg_directions WEIR_ARRAY(11, float)   /* of their step */
#define POISSON_BIND_matvec_products WEIR_ARRAY(12, float) /* A times the direction */
#define POISSON_BIND_block_sums WEIR_ARRAY(13, vec4) /* for each block: xyz sums, w a maximum */
#define POISSON_BIND_air_coefficients \
    WEIR_ARRAY(14, vec4) /* of all levels: xyz coefficients to air */
#define POISSON_BIND_block_slots \
    WEIR_ARRAY(15, uint) /* the block of every entry, or POISSON_NONE */
/* J of cells of the finest level: xyz of its shift; w 1 + the rigid, 0: there is none */
#define POISSON_BIND_rigid_coupling WEIR_ARRAY(16, vec4)
#define POISSON_BIND_rigid_coupling_angular WEIR_ARRAY(17, vec4) /* likewise, xyz of its turn */
#define POISSON_BIND_rigid_responses WEIR_ARRAY(18, poisson_rigid)
#define POISSON_BIND_rigid_projections \
    WEIR_ARRAY(19, uint) /* POISSON_RIGID_WORDS each: J x, whole */
#define POISSON_BINDINGS 20u

#define POISSON_RIGID_WORDS 12u
#define POISSON_RIGID_UNIT 24 /* J x is summed in units of 2^-24 of what x is about */

/* row.constant of a row on one level: the level, and in the upper half the number of the sweep. */
#define POISSON_LEVEL_MASK 0xffffu
#define POISSON_SWEEP_SHIFT 16u

/* row.constant of cg_scalars.comp: what the partials are. */
#define POISSON_SCALARS_SOURCE 0u       /* those of cg_source_sums.comp */
#define POISSON_SCALARS_RESIDUAL_DOT 1u /* residual times preconditioned residual */
#define POISSON_SCALARS_CURVATURE 2u    /* direction times A times direction */
#define POISSON_SCALARS_ERROR 3u        /* the largest residual */

struct poisson_params {
    uvec4 cells[POISSON_MAX_LEVELS];  /* xyz cells along the axes; w first entry of the table */
    uvec4 tables[POISSON_MAX_LEVELS]; /* xyz blocks along the axes; w in all */
    vec4 weights;                     /* xyz: factors of coefficients along the axes, 1 for cubes */
    vec4 sweeps;                      /* step lengths of the smoother */
    uint levels;
    uint entries;    /* of all tables */
    uint capacity;   /* active blocks of all levels that the buffers have room for */
    uint periodic;   /* bit 0, 1, 2: along x, y, z */
    float tolerance; /* largest b - A x over the largest b */
    uint pad0, pad1, pad2;
};
WEIR_SIZE_CHECK(struct poisson_params, 448);

struct poisson_rigid {
    vec4 matrix; /* W: x of shifts; yzw of turns, xx yy zz */
    vec4 across; /* W of turns, xy xz yz */
    vec4 shift;  /* xyz: what W makes of the sums in an iteration */
    vec4 turn;   /* likewise */
};
WEIR_SIZE_CHECK(struct poisson_rigid, 64);

struct poisson_block {
    uvec4 at;           /* xyz in blocks of its level; w level */
    uint neighbours[6]; /* -x +x -y +y -z +z */
    uint parent;
    uint pad0;
    uint children[8]; /* x fastest */
};
WEIR_SIZE_CHECK(struct poisson_block, 80);

struct poisson_state {
    uint arguments[39]; /* VkDispatchIndirectCommand for each level, a workgroup for each block:
                         none once a solve is done; then one for the finest level that stays */
    uint firsts[13];    /* the first block of each level, and the number of all */
    uint iterations;    /* of conjugate gradients */
    uint done;          /* 1: the tolerance is reached */
    float source;       /* largest size of b */
    float mean;         /* of b, where no fluid touches air; else 0 */
    float error;        /* largest size of b - A x */
    float product;      /* of residual and preconditioned residual */
    float step;         /* of the step along the direction */
    float turn;         /* share of the last direction in the next one */
};
WEIR_SIZE_CHECK(struct poisson_state, 240);

#endif
