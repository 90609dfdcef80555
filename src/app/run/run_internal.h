/* run: what the files of weir run share. */
#ifndef WEIR_APP_RUN_INTERNAL_H
#define WEIR_APP_RUN_INTERNAL_H

#include "app.h"
#include "mesh.h"
#include "pictures.h"
#include "run.h"

/* ---- the folder of a run, and the checkpoints in it ----------------------------------------- */

/* Whether the folder holds frames, statistics or checkpoints of a run. */
bool run_folder_is_used(const char *folder);
/* "out/NAME", or "out/NAME-2" and so on when that holds a run. Release with base_free. */
char *run_folder_choose(const char *scene_name);
/* Removes the temporaries that killed runs left. */
weir_result run_folder_remove_temporaries(const weir_log *log, const char *folder);
/* Removes what a run wrote, by the names that runs use; other files stay. */
weir_result run_folder_clear(const weir_log *log, const char *folder);

/* Saves FOLDER/checkpoint/checkpoint_NNNN.weir, then removes all but it and the one before it. */
weir_result checkpoint_save(const weir_log *log, const char *folder, weir_sim *sim);
bool checkpoint_exists(const char *folder);
/* Restores the newest checkpoint that is whole. Errors: IO when there is none. */
weir_result checkpoint_restore(const weir_log *log, const char *folder, weir_sim *sim);

/* ---- --residuals ---------------------------------------------------------------------------- */

/* Starts the file; `resume` keeps what it has. */
weir_result residuals_open(const weir_log *log, const char *path, bool resume);
/* Appends a line for every substep and iteration of the last frame. */
weir_result residuals_append(const weir_log *log, const char *path, weir_sim *sim);

/* ---- --sweep: one table of several runs ----------------------------------------------------- */

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

/* From "key=a,b,c": a run for each value; commas inside brackets or quotes separate no values.
 * False when the text is no sweep, or memory is short; the error has been printed. */
bool sweep_parse(const char *text, const char *folder, sweep *s);
void sweep_free(sweep *s);
/* Adds one frame to the figures of the run. */
void sweep_add_frame(sweep_run *run, const weir_stats *stats);
/* Prints the table and writes FOLDER/sweep.csv. */
weir_result sweep_finish(const weir_log *log, const sweep *s, const char *folder);

/* ---- one run -------------------------------------------------------------------------------- */

typedef struct run_options {
    app_scene_options source;
    const char *folder;
    args_range frames;
    uint32_t start_frame, particles, fields, up, checkpoint, gauges;
    uint32_t mesh; /* a weir_mesh_format, or its count for none */
    mesh_surface_options surface;
    const char *residuals, *sweep;
    sweep_run *sweep_run; /* for the figures of a run of a sweep; NULL outside a sweep */
    double scale, seconds;
    bool resume, force, images, any_density;
    pictures_options pictures;
    const char *trace;
} run_options;

/* Its exit status. */
int run_scene(const run_options *options);

#endif
