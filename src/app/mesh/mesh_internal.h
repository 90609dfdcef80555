/* mesh_internal: the plan and the pipeline of weir mesh. */
#ifndef WEIR_APP_MESH_INTERNAL_H
#define WEIR_APP_MESH_INTERNAL_H

#include "mesh.h"

typedef struct mesh_options {
    args_words words; /* files to read */
    const char *output;
    uint32_t format; /* a weir_mesh_format; its count: not given */
    args_steps frames;
    bool skip_done, watch, dry_run;
    uint32_t up, from_up; /* 0: y, 1: z, or ARGS_NOT_GIVEN */
    double scale, spacing;
    app_particle_options particles;
    app_scene_options source; /* selects the device */
    mesh_surface_options settings;
} mesh_options;

/* Particles from which on the spacing of a frame can be estimated well. */
#define MESH_ENOUGH_PARTICLES 1000u

/* The fields of a run.json that describe the frames next to it. */
typedef struct mesh_run_info {
    bool known;
    double spacing_m; /* in the files' units */
    double scale;
    double frame_rate_hz;
    bool z_up;
    uint32_t first_frame;      /* the number of the run's frame 0 */
    uint32_t last_frame;       /* the number of the run's last frame */
    app_attributes attributes; /* of the run's particles */
} mesh_run_info;

typedef struct mesh_plan {
    const mesh_options *options;
    weir_log log;
    sequence sequence;
    mesh_run_info source;
    char *pattern, *spray_pattern; /* names of the files to write */
    float spacing_m;               /* 0: unknown so far */
    bool spacing_estimated;
    weir_output_def surface; /* its settings of meshes */
    weir_scene *scene;       /* the surfaces are snapped to its solids; NULL: none */
} mesh_plan;

typedef struct mesh_counts {
    uint32_t done, failed, skipped, empty;
    uint64_t triangles, particles, spray;
    bool stopped;
} mesh_counts;

/* Creates the plan from the options. Errors: ARGUMENT, IO (nothing to mesh), MEMORY. */
weir_result mesh_plan_create(const mesh_options *options, mesh_plan *plan);
void mesh_plan_free(mesh_plan *plan);
/* Returns the next file to mesh and marks it as taken; looks for new files with `options.watch`.
 * Returns NULL if there is none: with *wait set, none yet; otherwise, no more. */
const sequence_file *mesh_plan_next_file(mesh_plan *plan, mesh_counts *tally, bool *wait);
/* Returns the number of requested frames that have a file. */
uint32_t mesh_plan_frame_count(const mesh_plan *plan);

/* Returns how a frame is written: format, up axis and scale. */
weir_mesh_save_def mesh_frame_save_def(const mesh_plan *plan, const mesh_run_info *source);

/* Returns a log for the device that adds the name of the frame's file to each message. */
weir_log mesh_device_log(mesh_plan *plan);

/* Reads, meshes and writes all frames of the plan, with one thread per stage. A frame that fails is
 * counted and does not stop the others. Errors: DEVICE_LOST, MEMORY, which stop everything. */
weir_result mesh_run_pipeline(weir_device *device, mesh_plan *plan, mesh_counts *tally);

#endif
