/* foam: what the files of this room share. */
#ifndef WEIR_FOAM_INTERNAL_H
#define WEIR_FOAM_INTERNAL_H

#include "foam.h"

#include "foam/shaders.h"
#include "shared/grid.h"
#include "shared/solid.h"

#define FOAM_ROWS 32u /* of one table */

/* A frame's tables. The births are one of their own because they alone are done again where the
 * whitewater has no room, or may not have so much. */
enum { FOAM_MOTION, FOAM_BIRTHS, FOAM_TABLES };

typedef struct foam_table {
    const char *name; /* and the stage of its rows */
    gpu_row rows[FOAM_ROWS];
    uint32_t count;
    gpu_timers *timers;
} foam_table;

typedef struct foam_buffers {
    gpu_buffer *params, *census, *poses, *nothing;
    gpu_buffer *sorted_points, *sorted_velocities, *surfaces, *potentials,
        *births; /* of the fluid */
    gpu_buffer *particles, *moved, *kept;
    gpu_buffer *sums; /* of the scans */
} foam_buffers;
#define FOAM_BUFFERS (sizeof(foam_buffers) / sizeof(gpu_buffer *))

struct foam {
    gpu_device *device;
    foam_def def;
    grid *cells;
    bool dense; /* what the kernels were made for */
    grid_scan *scan;
    gpu_kernel *kernels[FOAM_SHADERS];
    foam_buffers buffers;
    uint32_t point_capacity, capacity;
    uint32_t count, next_id;
    foam_counts counts;
    struct foam_params params;
    bool told;          /* that the limit was met */
    scene_pose *bodies; /* where they were at the end of the last frame, */
    bool bodies_known;  /* if somebody has said it */
    foam_table tables[FOAM_TABLES];
};

/* params.c: the numbers of a frame; `share` of the births that the scene asks for are made. */
/* poses.c: room for the bodies' poses. Errors: MEMORY. */
weir_result foam_poses_create(foam *f);
/* Solids, then bodies if the frame says where these are, that whitewater meets. */
uint32_t foam_solid_count(const foam *f, const foam_frame *frame);
/* Where they are in the frame. Errors: MEMORY. */
weir_result foam_poses_upload(const foam *f, const foam_frame *frame);
/* foam.c: room and poses for the rows of a frame. Errors: MEMORY. */
weir_result foam_prepare(foam *f, const foam_frame *frame);
void foam_fill_params(foam *f, const foam_frame *frame, float share);
/* Of the potentials, in the frame that was filled in last. */
vec4 foam_units(const foam *f);
/* rows.c: the rows of every table of a frame, or of the births alone. A probe is one of motion. */
void foam_rows_build(foam *f, const grid_points *points);
void foam_rows_build_births(foam *f, const grid_points *points);
void foam_rows_build_probe(foam *f, const grid_points *points);
/* buffers.c: contents are lost but for those of the whitewater, moved or not. Errors: MEMORY. */
weir_result foam_fixed_buffers(foam *f);
weir_result foam_room_for_points(foam *f, uint32_t count);
weir_result foam_room_for_particles(foam *f, uint32_t count);
void foam_buffers_destroy(foam *f);

#endif
