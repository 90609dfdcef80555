/* foam: what the files of this room share. */
#ifndef WEIR_WHITEWATER_INTERNAL_H
#define WEIR_WHITEWATER_INTERNAL_H

#include "whitewater.h"

#include "shared/grid.h"
#include "shared/solid.h"
#include "whitewater/shaders.h"

#define WHITEWATER_MAX_PASSES 32u /* of one table */

/* A frame's tables. The births are one of their own because they alone are done again where the
 * whitewater has no room, or may not have so much. */
enum { WHITEWATER_MOTION, WHITEWATER_EMISSION, WHITEWATER_PASS_LISTS };

typedef struct whitewater_pass_list {
    const char *name; /* and the stage of its rows */
    gpu_pass passes[WHITEWATER_MAX_PASSES];
    uint32_t count;
    gpu_timers *timers;
} whitewater_pass_list;

typedef struct whitewater_buffers {
    gpu_buffer *params, *counters, *poses, *empty_buffer;
    gpu_buffer *sorted_points, *sorted_velocities, *surfaces, *potentials,
        *emission_offsets; /* of the fluid */
    gpu_buffer *particles, *advected_particles, *survivor_offsets;
    gpu_buffer *sums; /* of the scans */
} whitewater_buffers;
#define WHITEWATER_BUFFER_COUNT (sizeof(whitewater_buffers) / sizeof(gpu_buffer *))

struct whitewater {
    gpu_device *device;
    whitewater_def def;
    grid *grid;
    bool dense; /* what the kernels were made for */
    grid_scan *scan;
    gpu_pipeline *pipelines[WHITEWATER_SHADERS];
    whitewater_buffers buffers;
    uint32_t point_capacity, capacity;
    uint32_t count, next_id;
    whitewater_counts counts;
    struct whitewater_params params;
    bool limit_reported; /* that the limit was met */
    scene_pose *bodies;  /* where they were at the end of the last frame, */
    bool bodies_known;   /* if somebody has said it */
    whitewater_pass_list pass_lists[WHITEWATER_PASS_LISTS];
};

/* params.c: the numbers of a frame; `share` of the births that the scene asks for are made. */
/* poses.c: room for the bodies' poses. Errors: MEMORY. */
weir_result whitewater_poses_create(whitewater *f);
/* Solids, then bodies if the frame says where these are, that whitewater meets. */
uint32_t whitewater_solid_count(const whitewater *f, const whitewater_frame *frame);
/* Where they are in the frame. Errors: MEMORY. */
weir_result whitewater_poses_upload(const whitewater *f, const whitewater_frame *frame);
/* whitewater.c: room and poses for the rows of a frame. Errors: MEMORY. */
weir_result whitewater_prepare(whitewater *f, const whitewater_frame *frame);
void whitewater_fill_params(whitewater *f, const whitewater_frame *frame, float share);
/* Of the potentials, in the frame that was filled in last. */
vec4 whitewater_potential_units(const whitewater *f);
/* rows.c: the rows of every table of a frame, or of the births alone. A probe is one of motion. */
void whitewater_build_passes(whitewater *f, const particle_view *points);
void whitewater_build_emission(whitewater *f, const particle_view *points);
void whitewater_build_potentials(whitewater *f, const particle_view *points);
/* buffers.c: contents are lost but for those of the whitewater, moved or not. Errors: MEMORY. */
weir_result whitewater_create_buffers(whitewater *f);
weir_result whitewater_reserve_points(whitewater *f, uint32_t count);
weir_result whitewater_reserve_particles(whitewater *f, uint32_t count);
void whitewater_buffers_destroy(whitewater *f);

#endif
