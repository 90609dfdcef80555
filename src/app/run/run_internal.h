/* run_internal: declarations shared by the files of weir run. */
#ifndef WEIR_APP_RUN_INTERNAL_H
#define WEIR_APP_RUN_INTERNAL_H

#include "app.h"
#include "mesh.h"
#include "pictures.h"
#include "run.h"
#include "weir/start.h"

/* ---- the folder of a run, and the checkpoints in it ----------------------------------------- */

/* Reports whether the folder contains frames, statistics or checkpoints of a run. */
bool run_folder_is_used(const char *folder);
/* Returns "out/NAME", or "out/NAME-2" and so on if that contains a run. Release with base_free. */
char *run_folder_choose(const char *scene_name);
/* Removes temporary files that killed runs have left. */
weir_result run_folder_remove_temporaries(const weir_log *log, const char *folder);
/* Removes the files that a run writes, recognized by name; other files stay. */
weir_result run_folder_clear(const weir_log *log, const char *folder);

/* Saves FOLDER/checkpoint/checkpoint_NNNN.weir, then removes all but the newest `kept`, at least
 * 1. */
weir_result checkpoint_save(const weir_log *log, const char *folder, uint32_t kept, weir_sim *sim);
bool checkpoint_exists(const char *folder);
/* Restores the newest undamaged checkpoint. Errors: IO if there is none. */
weir_result checkpoint_restore(const weir_log *log, const char *folder, weir_sim *sim);

/* ---- --from: a stored frame from which the run starts ---------------------------------------- */

typedef struct run_start {
    const weir_log *log;
    weir_sim_start def;      /* refers to the members below */
    weir_output_def written; /* how the run wrote its files */
    weir_particles particles;
    float *position, *velocity;
    bodies_jsonl bodies;
    weir_whitewater_particles whitewater; /* empty without any */
    struct json_t *run;                   /* run.json */
    const char **fluids;
    char *name;     /* of the particles' file */
    uint64_t frame; /* in the file's name */
} run_start;

/* Reads "DIR:30", or the last frame of "DIR". Release with run_start_free, also after a failure.
 * Errors: ARGUMENT (no such frame; another spacing or frame rate), IO, MEMORY. */
weir_result run_start_load(const weir_log *log, const char *from, const weir_scene *scene,
                           run_start *start);
void run_start_free(run_start *start);

/* ---- --residuals ---------------------------------------------------------------------------- */

/* Creates the file; with `resume`, keeps its contents. */
weir_result residuals_open(const weir_log *log, const char *path, bool resume);
/* Appends one line per substep and iteration of the last frame. */
weir_result residuals_append(const weir_log *log, const char *path, weir_sim *sim);

/* ---- --sweep: several runs, compared in a table --------------------------------------------- */

typedef struct sweep_run {
    char *setting, *folder; /* "key=value", DIR/key=value */
    weir_result result;
    weir_stats last;
    double error_mean, error_max; /* over all frames */
    uint64_t iterations, substeps, unconverged_substeps;
    double energy_first, seconds;
} sweep_run;

typedef struct sweep {
    BASE_ARRAY(sweep_run) runs;
} sweep;

/* Parses "key=a,b,c": one run per value; commas inside brackets or quotes do not separate values.
 * Returns false if the text is not a sweep, or without memory; the error has been printed. */
bool sweep_parse(const char *text, const char *folder, sweep *s);
void sweep_free(sweep *s);
/* Adds one frame to the statistics of the run. */
void sweep_add_frame(sweep_run *run, const weir_stats *stats);
/* Prints the table and writes FOLDER/sweep.csv. */
weir_result sweep_finish(const weir_log *log, const sweep *s, const char *folder);

/* ---- one run -------------------------------------------------------------------------------- */

typedef struct run_options {
    app_scene_options source;
    const char *folder;
    args_range frames;
    uint32_t start_frame, particles, fields, up, checkpoint, gauges;
    uint32_t mesh; /* a weir_mesh_format; its count: none */
    mesh_surface_options surface;
    const char *residuals, *sweep, *from;
    sweep_run *sweep_run; /* receives the statistics of a run of a sweep; NULL outside a sweep */
    double scale, seconds;
    bool resume, resume_auto, force, images, any_density, remove_inside;
    uint32_t checkpoints_kept;
    pictures_options pictures;
    const char *trace;
} run_options;

/* --resume=auto: chooses between continuing the run in the folder, from `resume`, and starting one,
 * from `force`. Returns false if the run is complete; the message has been printed. */
bool resume_choose(run_options *options);
/* Runs the scene; returns the exit status. */
int run_scene(const run_options *options);

/* ---- what a run takes ----------------------------------------------------------------------- */

/* Logs the memory and the disk space that a run takes, and warns if the disk has less. */
void run_needs_report(const weir_output_def *def, const weir_device_info *device,
                      const weir_stats *stats, uint32_t last_frame);

/* Wall times of the first frames. */
typedef struct run_times {
    uint32_t frames;
    double least_s, most_s; /* of a frame without its picture */
    double picture_s;       /* all pictures so far */
} run_times;
/* Adds a frame. After a few frames, logs what a frame takes and how long the rest will. */
void run_times_add(const weir_log *log, run_times *times, double frame_s, uint32_t frames_left);

#endif
