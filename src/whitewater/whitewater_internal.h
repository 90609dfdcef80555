/* whitewater_internal: defines the state of whitewater and declares the functions that its files
 * share. */
#ifndef WEIR_WHITEWATER_INTERNAL_H
#define WEIR_WHITEWATER_INTERNAL_H

#include "whitewater.h"

#include "shared/grid.h"
#include "shared/solid.h"
#include "whitewater/shaders.h"

#define WHITEWATER_MAX_PASSES 32u /* of one pass list */

/* Pass lists of a frame. Emission has a list of its own, because only emission is run again if
 * there is no room for the particles, or if their limit allows fewer. */
enum { WHITEWATER_MOTION, WHITEWATER_EMISSION, WHITEWATER_PASS_LISTS };

typedef struct whitewater_pass_list {
    const char *name; /* also the stage of its passes */
    gpu_pass passes[WHITEWATER_MAX_PASSES];
    uint32_t count;
    gpu_timers *timers;
} whitewater_pass_list;

/* Device buffers by name and by binding number: shaders/shared/whitewater_buffers.def. Those of
 * other modules are NULL. */
typedef union whitewater_buffers {
    struct {
#define BUFFER(name, type, count) gpu_buffer *name;
#define EXTERNAL(name, type, amount, owner) gpu_buffer *name;
#include "shared/whitewater_buffers.def"
    };
    gpu_buffer *all[WHITEWATER_BINDINGS];
} whitewater_buffers;

struct whitewater {
    gpu_device *device;
    whitewater_def def;
    grid *grid;
    bool dense; /* whether the pipelines are specialized for a dense grid */
    grid_scan *scan;
    gpu_pipeline *pipelines[WHITEWATER_SHADERS];
    whitewater_buffers buffers;
    gpu_buffer *scan_sums;    /* partial sums of the scans */
    gpu_buffer *empty_buffer; /* in place of solids, if there are none */
    uint32_t point_capacity, capacity;
    uint32_t count, next_id;
    uint32_t emitter_particle_count; /* particles that emitters add in the frame */
    whitewater_counts counts;
    struct whitewater_params params;
    bool limit_reported; /* the user has been warned that the limit was reached */
    /* Poses of the bodies at the end of the last frame, if bodies_known. */
    scene_pose *bodies;
    bool bodies_known;
    whitewater_pass_list pass_lists[WHITEWATER_PASS_LISTS];
};

/* emitters.c: checks that every emitter's shape has an inside. Errors: SCENE. */
weir_result whitewater_emitters_check(const whitewater *f);
/* Computes and uploads the particles that emitters add in the frame. Errors: MEMORY. */
weir_result whitewater_plan_emitters(whitewater *f, const whitewater_frame *frame);
/* poses.c: allocates the bodies' poses. Errors: MEMORY. */
weir_result whitewater_poses_create(whitewater *f);
/* Returns the number of solids, and of bodies if the frame has their poses, with which whitewater
 * collides. */
uint32_t whitewater_solid_count(const whitewater *f, const whitewater_frame *frame);
/* Uploads their poses in the frame. Errors: MEMORY. */
weir_result whitewater_poses_upload(const whitewater *f, const whitewater_frame *frame);
/* whitewater.c: prepares buffers, pipelines and poses for the passes of a frame. Errors: MEMORY. */
weir_result whitewater_prepare(whitewater *f, const whitewater_frame *frame);
/* params.c: computes the parameters of a frame. `fraction`: fraction of the scene's emission that
 * is to take place. */
void whitewater_fill_params(whitewater *f, const whitewater_frame *frame, float fraction);
/* Returns the units of the potentials, for the frame that was filled in last. */
vec4 whitewater_potential_units(const whitewater *f);
/* passes.c: build the pass lists of a frame; the list of emission alone; or, in the list of motion,
 * the passes that compute potentials. */
void whitewater_build_passes(whitewater *f, const particle_view *points);
void whitewater_build_emission(whitewater *f, const particle_view *points);
void whitewater_build_potentials(whitewater *f, const particle_view *points);
/* buffers.c: create or enlarge buffers. Only the contents of the whitewater's own particles are
 * kept. Errors: MEMORY. */
weir_result whitewater_create_buffers(whitewater *f);
weir_result whitewater_reserve_points(whitewater *f, uint32_t count);
weir_result whitewater_reserve_particles(whitewater *f, uint32_t count);
weir_result whitewater_reserve_emitter_particles(whitewater *f, uint32_t count);
void whitewater_buffers_destroy(whitewater *f);

#endif
