/* What the recorder passes to every dispatch of a row. */
#ifndef WEIR_SHARED_PASS_H
#define WEIR_SHARED_PASS_H

#include "glue.h"

struct gpu_pass_push {
    uint outer;    /* index of the table's repetition: the substep in the frame */
    uint inner;    /* index of the group's repetition: the iteration */
    uint first;    /* first element of this range; 0 unless the row is chunked */
    uint constant; /* from the row */
    uint part;     /* this dispatch has the workgroups part, part + parts, part + 2 parts ... */
    uint parts;    /* 1 unless the row is long */
};
WEIR_SIZE_CHECK(struct gpu_pass_push, 24);

/* A group of rows that one of its kernels can end: what the group's rows are dispatched with. */
struct gpu_loop {
    uint groups_x, groups_y, groups_z; /* all 0 once the loop has ended: its rows do nothing more */
    uint ended;                        /* the repetition in which it ended; before, GPU_LOOP_RUNS */
};
WEIR_SIZE_CHECK(struct gpu_loop, 16);
#define GPU_LOOP_RUNS 0xffffffffu
#ifdef __STDC_VERSION__
typedef struct gpu_loop gpu_loop; /* GLSL names a struct without the keyword */
#endif

#endif
