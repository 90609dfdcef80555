/* run_internal: declarations shared by the files of weir run. */
#ifndef WEIR_APP_RUN_INTERNAL_H
#define WEIR_APP_RUN_INTERNAL_H

#include "app.h"
#include "mesh.h"
#include "pictures.h"
#include "run.h"
#include "weir/comm.h"
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

#define SWEEP_MAX_AXES 8u

/* The values of one --sweep: "key=a", "key=b" and so on. */
typedef struct sweep_axis {
    BASE_ARRAY(char *) settings;
    size_t key_length;
} sweep_axis;

typedef struct sweep_run {
    const char *settings[SWEEP_MAX_AXES]; /* one of each axis */
    char *label, *folder;                 /* "key=value key=value"; DIR/key=value,key=value */
    char outcome[32];                     /* weir_result_name, or "stopped", "running", "missing" */
    weir_stats last;
    double error_mean, error_max; /* over all frames */
    uint64_t iterations, substeps, unconverged_substeps;
    double energy_first, seconds; /* seconds < 0: unknown */
} sweep_run;

typedef struct sweep {
    sweep_axis axes[SWEEP_MAX_AXES];
    size_t axis_count;
    BASE_ARRAY(sweep_run) runs; /* every combination; the last axis varies fastest */
} sweep;

/* Parses one "key=a,b,c" per axis; commas inside brackets or quotes do not separate values. Returns
 * false if a text is not a sweep, or without memory; the error has been printed. */
bool sweep_parse(const args_list *texts, const char *folder, sweep *s);
void sweep_free(sweep *s);
/* Prints the command of each run, of the words after "weir run". */
void sweep_list(const sweep *s, int argc, char *const *argv);
/* Adds one frame to the statistics of the run. */
void sweep_add_frame(sweep_run *run, const weir_stats *stats);
/* Reads the statistics and the outcome of a run from its folder. Errors: IO, MEMORY. */
weir_result sweep_read_run(const weir_log *log, sweep_run *run);
bool sweep_run_is_complete(const sweep_run *run);
/* Prints the table and writes FOLDER/sweep.csv. */
weir_result sweep_finish(const weir_log *log, const sweep *s, const char *folder);

/* ---- one run -------------------------------------------------------------------------------- */

typedef struct run_options {
    app_scene_options source;
    const char *folder;
    args_range frames;
    const char *ranks_text; /* "mpi" or a number; NULL: as many as a launcher has started */
    uint32_t ranks;         /* of this process */
    weir_comm *comm;        /* the ranks are the processes of its job; NULL: of this process */
    weir_comm_info job;
    uint32_t start_frame, particles, fields, up, checkpoint, gauges;
    uint32_t mesh; /* a weir_mesh_format; its count: none */
    mesh_surface_options surface;
    const char *residuals, *from;
    args_list sweeps;
    bool list, collect;   /* of a sweep: print the commands; write the table of finished folders */
    uint32_t only;        /* of a sweep: the number of the run; ARGS_NOT_GIVEN: all */
    sweep_run *sweep_run; /* receives the statistics of a run of a sweep; NULL outside a sweep */
    double scale, seconds;
    bool resume, resume_auto, force, images, any_density, remove_inside;
    uint32_t checkpoints_kept;
    pictures_options pictures;
    const char *trace;
    uint32_t capture; /* the frame for RenderDoc; 0: none */
} run_options;

/* --resume=auto: chooses between continuing the run in the folder, from `resume`, and starting one,
 * from `force`. Returns false if the run is complete; the message has been printed. */
bool resume_choose(run_options *options);
/* Runs the scene; returns the exit status. */
int run_scene(const run_options *options);
/* Opens the scene and the device of a run. `log`: NULL for that of the program. Errors: those of
 * app_context_open. */
weir_result run_open_context(const run_options *options, const weir_log *log, app_context *work);
/* Does what the options say with the runs of a sweep; returns the exit status. `argv`: the words
 * after "weir run". */
int sweep_main(const run_options *options, int argc, char *const *argv);

/* ---- --ranks: several devices ---------------------------------------------------------------- */

/* Returns whether the ranks are the processes that an MPI launcher has started. */
bool run_job_is_wanted(const run_options *options);
/* All processes of a job find the same mistakes in the command that they have in common, and rank 0
 * says so. From the first call on a later rank of a launcher keeps its messages; the others show
 * them, or end the process without them. They do nothing in all other processes. */
void run_job_hold_messages(void);
void run_job_show_messages(void);
void run_job_drop_messages(int status);
/* Runs the scene, or this process' rank of it; returns the exit status, the same on all. */
int run_job(run_options *options);

/* Parses --ranks. Returns false if it is not a number; the error has been printed. */
bool run_ranks_parse(run_options *options);

typedef struct run_ranks {
    uint32_t count;                       /* of this process */
    weir_device *devices[WEIR_MAX_RANKS]; /* of all ranks; the first is that of the context */
} run_ranks;
/* Checks the options, and opens the devices of the later ranks: those with the name of the first
 * one's, in turn. Close them also after an error. Errors: ARGUMENT, and those of
 * weir_device_create. */
weir_result run_ranks_open(const run_options *options, app_context *work, run_ranks *ranks);
/* Replaces the device of a rank of a job: those on one computer take the devices with the name of
 * the first one's in turn. Errors: those of weir_device_create. */
weir_result run_ranks_take_turn(const run_options *options, app_context *work);
/* Logs a line for each rank of several: what it has had to do, and what it has exchanged. */
weir_result run_ranks_report(const weir_log *log, weir_sim *sim, uint64_t substeps, double wall_s);
/* Returns how many messages of the Vulkan validation layers their devices have had. */
uint32_t run_ranks_close(run_ranks *ranks);

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
