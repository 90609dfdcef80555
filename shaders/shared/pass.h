/* Push constants of a pass, and loops that the GPU ends. */
#ifndef WEIR_SHARED_PASS_H
#define WEIR_SHARED_PASS_H

#include "glue.h"

struct gpu_pass_push {
    uint outer;    /* repetition of the pass list: the substep within the frame */
    uint inner;    /* repetition of the loop: the iteration */
    uint first;    /* first element of this range; 0 unless the pass is split into ranges */
    uint constant; /* constant of the pass */
    uint part;     /* this dispatch runs the workgroups part, part + parts, part + 2 parts ... */
    uint parts;    /* 1 unless the pass is long */
};
WEIR_SIZE_CHECK(struct gpu_pass_push, 24);

/* Quads of an instance of a draw of quads; the last instance may have fewer. The vertices 4 q to
 * 4 q + 3 are the corners of quad q: first those of one side, then those opposite. An index buffer
 * lets each be computed once, and large instances fill the device's workgroups. */
#define GPU_INSTANCE_QUADS 256u
#define GPU_INSTANCE_INDICES 1536u

/* Dispatch size of the passes of a loop, which one of them can end. */
struct gpu_loop {
    /* all 0 once the loop has ended: its passes then do nothing */
    uint groups_x, groups_y, groups_z;
    uint ended; /* repetition in which the loop ended; GPU_LOOP_RUNS until then */
};
WEIR_SIZE_CHECK(struct gpu_loop, 16);
#define GPU_LOOP_RUNS 0xffffffffu
#ifdef __STDC_VERSION__
typedef struct gpu_loop gpu_loop; /* GLSL names a struct without the keyword */
#endif

#endif
