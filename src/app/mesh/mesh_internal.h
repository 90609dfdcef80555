/* mesh: stored particles to meshes: what is asked for, and the pipeline that does it. */
#ifndef WEIR_APP_MESH_INTERNAL_H
#define WEIR_APP_MESH_INTERNAL_H

#include "mesh.h"

typedef struct mesh_options {
    args_words words; /* what to read */
    const char *output;
    uint32_t format; /* a weir_mesh_format, or its count */
    args_steps frames;
    bool skip_done, watch, dry_run;
    uint32_t up, from_up; /* 0: y, 1: z, or ARGS_NOT_GIVEN */
    double scale, spacing;
    app_source source; /* its device */
    mesh_settings settings;
} mesh_options;

/* What a run.json says of the frames beside it. */
typedef struct mesh_source {
    bool known;
    double spacing_m; /* in the files' units */
    double scale;
    double frame_rate_hz;
    bool z_up;
    uint32_t first_frame; /* the number of the run's frame 0 */
    uint32_t last_frame;  /* the number that its last file will have */
} mesh_source;

typedef struct mesh_plan {
    const mesh_options *options;
    weir_log log;
    sequence sequence;
    mesh_source source;
    char *pattern, *spray_pattern; /* of the files to write */
    float spacing_m;               /* 0: not known yet */
    weir_mesher_def mesher;
    weir_mesh_refine_def refine;
    weir_scene *scene; /* whose solids hold the surfaces back; NULL: none */
} mesh_plan;

typedef struct mesh_tally {
    uint32_t done, failed, skipped, empty;
    uint64_t triangles, particles, spray;
    bool stopped;
} mesh_tally;

/* Fills the plan from the options. Errors: ARGUMENT, IO (nothing to mesh), MEMORY. */
weir_result mesh_plan_make(const mesh_options *options, mesh_plan *plan);
void mesh_plan_free(mesh_plan *plan);
/* The next file to mesh, marked as taken; looks for new ones when `options.watch`. NULL when there
 * is none any more, or none yet (*wait). */
const sequence_file *mesh_plan_next(mesh_plan *plan, mesh_tally *tally, bool *wait);
/* Frames that are asked for and there. */
uint32_t mesh_plan_count(const mesh_plan *plan);

/* How a frame is written: format, turn and scale. */
weir_mesh_save_def mesh_save_def(const mesh_plan *plan, const mesh_source *source);

/* The plan's log for a device: names the file of the frame that a message is about. */
weir_log mesh_device_log(mesh_plan *plan);

/* Reads, meshes and writes all frames of the plan, each stage on a thread of its own; a frame that
 * fails is counted and does not stop the others. Errors: what stops all (DEVICE_LOST, MEMORY). */
weir_result mesh_run(weir_device *device, mesh_plan *plan, mesh_tally *tally);

#endif
