/* Poisson's equation on cells in sparse blocks, solved by conjugate gradients with a multigrid
 * preconditioner.
 *
 * The finest level tiles a box with cells; each level above it has half as many along every axis
 * that has more than one. The cells of a level are grouped in blocks of 8 x 8 x 8. A block is
 * active if the caller marks it, or if a block below it is active. The levels' tables of blocks are
 * stored one after another in `block_marks`, and one scan of them numbers the active blocks of all
 * levels: the finest level first, within a level along x, then y, then z. `block_slots` holds the
 * number of each block.
 *
 * The equation of a cell i with neighbours j is: sum of a_ij (x_i - x_j) = b_i. A face between two
 * fluid cells has the coefficient a_ij, its open fraction. x is 0 at a surface towards air. A
 * closed face adds nothing. If the medium varies (poisson_def.variable_coefficients), a_ij is the
 * open fraction times the face's own coefficient, which the caller writes.
 *
 * A rigid body that x moves and that pushes back adds another term. Each cell i coupled to it has a
 * vector J_i of six components, and the left side gains J_i . W sum over k of J_k x_k, where W is a
 * matrix of the body. The sum is computed once per iteration; its matrix is never formed. */
#ifndef WEIR_SHARED_POISSON_H
#define WEIR_SHARED_POISSON_H

#include "glue.h"

#define POISSON_BLOCK_EDGE 8u    /* cells along the edge of a block */
#define POISSON_BLOCK_CELLS 512u /* cells of a block */
#define POISSON_MAX_LEVELS 12u
#define POISSON_NONE 0xffffffffu        /* no block or no cell */
#define POISSON_CLOSED 1e30f            /* level set of a cell that is neither fluid nor air */
#define POISSON_WORKGROUP 256u          /* one workgroup per block */
#define POISSON_CELLS_PER_INVOCATION 2u /* cells per invocation */
#define POISSON_SWEEPS 2u               /* smoother sweeps before and after the coarser level */
#define POISSON_COARSEST_SWEEPS 32u
/* minimum distance of the surface from the centre of a cell, in cells */
#define POISSON_MIN_THETA 0.01f

/* Specialization constants: id and name. */
#define POISSON_CONSTANTS(FLAG) \
    FLAG(1, VARIABLE_COEFFICIENTS) /* poisson_def.variable_coefficients: faces have own ones */

#ifdef __STDC_VERSION__
/* Binding numbers of poisson_buffers.def; the build generates the same numbers for GLSL. */
enum {
#define BUFFER(name, type, count) POISSON_BIND_##name,
#define EXTERNAL(name, type, amount, owner) POISSON_BIND_##name,
#include "poisson_buffers.def"
    POISSON_BINDINGS
};
#endif

#define POISSON_RIGID_WORDS 12u
#define POISSON_RIGID_UNIT 24 /* J x is summed in units of 2^-24 times the magnitude of x */

/* Levels of at most so many blocks are solved by one workgroup:
 * shaders/poisson/solve_coarse_levels.comp. */
#define POISSON_COARSE_BLOCKS 2u

/* Block tables of fewer entries are numbered by one workgroup: shaders/poisson/number_blocks.comp.
 */
#define POISSON_NUMBERED_ENTRIES 4096u

/* pass.constant of a pass over one level: the level, and flags. */
#define POISSON_LEVEL_MASK 0xffffu
#define POISSON_DOT_FLAG \
    0x10000u /* the last pass of a V-cycle whose result goes to conjugate gradients */
#define POISSON_RESIDUAL_FLAG \
    0x20000u /* the residual of the finest level is right_sides - alpha A p */
#define POISSON_START_FLAG 0x40000u /* the right-hand side of the finest level has its mean */

/* pass.constant of cg_update.comp: the pass begins the next V-cycle, whose next pass stores the
 * residual. */
#define POISSON_SMOOTHS 1u

/* pass.constant of cg_matvec.comp: rigid bodies add to the product. */
#define POISSON_RIGIDS_FOLLOW 1u

/* Kinds of partial sums that the last workgroup of a pass reduces:
 * shaders/lib/poisson/cg_scalars.glsl. */
#define POISSON_SCALARS_RESIDUAL_DOT 0u /* residual times preconditioned residual */
#define POISSON_SCALARS_CURVATURE 1u    /* direction times A times direction */
#define POISSON_SCALARS_ERROR 2u        /* largest residual */
#define POISSON_SCALARS_START 3u        /* those of cg_start.comp */

struct poisson_params {
    uvec4 cells[POISSON_MAX_LEVELS];  /* xyz cells along the axes; w first table entry */
    uvec4 tables[POISSON_MAX_LEVELS]; /* xyz blocks along the axes; w total */
    vec4 weights; /* xyz: factors of the coefficients along the axes; 1 for cubes */
    vec4 sweeps;  /* step lengths of the smoother */
    uint levels;
    uint entries;    /* entries of all tables */
    uint capacity;   /* active blocks of all levels that the buffers have room for */
    uint periodic;   /* bit 0, 1, 2: along x, y, z */
    float tolerance; /* bound of the largest b - A x over the largest b */
    uint pad0, pad1, pad2;
};
WEIR_SIZE_CHECK(struct poisson_params, 448);

/* Response of a rigid body. */
struct poisson_rigid {
    vec4 matrix;              /* W: x translation; yzw rotation, xx yy zz */
    vec4 matrix_off_diagonal; /* W: rotation, xy xz yz */
    vec4 translation;         /* xyz: W times the sums of an iteration */
    vec4 rotation;            /* xyz: the same */
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
    /* VkDispatchIndirectCommand for each level, one workgroup per block: 0 once a solve is done.
     * Then one for the finest level that stays valid after the solve. */
    uint arguments[39];
    uint firsts[13];    /* first block of each level, then the number of all blocks */
    uint iterations;    /* of conjugate gradients */
    uint done;          /* 1: the tolerance is reached */
    float source;       /* largest |b| */
    float mean;         /* mean of b if no fluid touches air, else 0 */
    float error;        /* largest |b - A x| */
    float residual_dot; /* dot product of the residual and the preconditioned residual */
    float alpha;        /* step length along the search direction */
    float beta;         /* weight of the last direction in the next one */
    /* 1 if fluid touches more air than some cells that chance has emptied in a full tank: the sum
     * of the coefficients to air is above 8 + n^(2/3) / 20 for n cells of fluid */
    uint has_surface;
    uint arrived; /* workgroups of the running pass that have stored their sums */
};
WEIR_SIZE_CHECK(struct poisson_state, 248);

#endif
