/* output: declarations shared by the files of this module. */
#ifndef WEIR_OUTPUT_INTERNAL_H
#define WEIR_OUTPUT_INTERNAL_H

#include "api_access.h"
#include "io.h"

#include <jansson.h>

/* A frame to be written. */
typedef struct output_frame {
    io_particles particles;  /* with the axes of the file; NULL positions: not written */
    io_particles whitewater; /* whitewater with the axes of the file; NULL positions: not written */
    weir_mesh *mesh;         /* NULL: not written */
    bool refined;            /* the mesh has been refined */
    weir_stats stats;
    base_text gauges;                  /* lines of gauges.csv */
    base_text bodies;                  /* the line of bodies.jsonl */
    api_deformable_meshes deformables; /* count 0: not written */
} output_frame;

/* Capacity of the queue, which lets the simulation continue while the disk is slow for a moment. */
#define OUTPUT_QUEUE 3

struct weir_output {
    weir_output_def def; /* its `folder` points to the copy below */
    weir_sim *sim;
    weir_mesher *mesher; /* NULL: no meshes are written */
    char *folder, *particles_folder, *whitewater_folder, *stats_path;
    uint32_t overcompressed_frames; /* from weir_stats of the last queued frame */
    char *gauges_path;              /* NULL: the scene has no gauges */
    char *bodies_path;              /* NULL: the scene has no bodies */
    double frame_time_s;            /* time of the last queued frame, s */
    uint64_t last_frame;            /* the last queued frame */
    base_mutex *mutex;
    base_condition *changed;
    base_thread *thread;
    /* Guarded by the mutex. The frame at `first` stays queued while it is being written. */
    output_frame queue[OUTPUT_QUEUE];
    uint32_t first, count;
    bool stop;
    weir_result result; /* of the writer thread; an error persists until weir_output_flush */
};

/* Finds the value of the enumeration `of` whose weir_enum_name is the JSON string. Returns false,
 * with *named unchanged, when there is none. */
bool output_get_enum(const json_t *value, weir_enum of, uint32_t *named);

/* Computes the mesh of the simulation's current frame, which the writer thread saves. */
weir_result output_make_mesh(weir_output *output, weir_mesh **mesh);
/* Refines the mesh of a frame, unless it has been refined, and writes it. */
weir_result output_write_mesh(const weir_output *output, output_frame *frame);
/* Returns the object "mesh" of run.json; NULL when memory runs out. */
json_t *output_describe_mesh(const weir_output_def *def);
/* Reads the object "mesh" of run.json. Returns NULL, or the setting that is missing or invalid. */
const char *output_parse_mesh_settings(const json_t *mesh, weir_output_def *def);
/* What run.json records about the progress of a run. */
typedef struct output_progress {
    enum { OUTPUT_RUNNING, OUTPUT_COMPLETE, OUTPUT_STOPPED, OUTPUT_FAILED } status;
    weir_result reason;  /* why it failed */
    const char *message; /* NULL: none */
    bool has_state;
    uint64_t state; /* weir_sim_get_state_hash */
} output_progress;
/* Writes run.json: scene, device, settings and progress. Errors go to `log`. */
weir_result output_write_run(const weir_output *output, const output_progress *progress,
                             const weir_log *log);

/* Starts stats.csv; with def.resume keeps its lines up to `frame`. The second function appends a
 * line. */
weir_result output_open_stats(const weir_output *output, uint64_t frame);
weir_result output_append_stats(const weir_output *output, const weir_stats *stats);

/* Starts gauges.csv like stats.csv; reads the gauges of the finished frame into its lines; appends
 * these lines. */
weir_result output_open_gauges(weir_output *output, const weir_stats *stats);
weir_result output_read_gauges(weir_output *output, output_frame *frame);
weir_result output_append_gauges(const weir_output *output, const output_frame *frame);

/* Prefixes of the first two numbers in a line of bodies.jsonl. */
#define OUTPUT_FRAME_KEY "{\"frame\": "
#define OUTPUT_TIME_KEY " \"time_s\": "
/* Starts bodies.jsonl like stats.csv; reads the bodies of the finished frame into its line; appends
 * this line. */
weir_result output_open_bodies(weir_output *output, uint64_t frame);
weir_result output_read_bodies(weir_output *output, output_frame *frame);
weir_result output_append_bodies(const weir_output *output, const output_frame *frame);

/* Creates the folders of deformables; writes a file for each deformable of a frame. */
weir_result output_open_deformables(weir_output *output);
weir_result output_write_deformables(const weir_output *output, const output_frame *frame);

/* Reads the whitewater of the current frame with the axes of the files; nothing when the scene has
 * no whitewater. */
weir_result output_read_whitewater(const weir_output *output, io_particles *whitewater);
weir_result output_write_whitewater(const weir_output *output, const output_frame *frame);
weir_result output_write_particles(const weir_output *output, const output_frame *frame);

/* Starts the table at `path` with the header `text`; with def.resume keeps the lines of frames up
 * to `last`. */
weir_result output_open_line_table(const weir_output *output, const char *path, base_text *text,
                                   uint64_t last);
/* Appends a number in the shortest form that reads back the same, independent of the locale.
 * Returns false when memory runs out. */
bool output_append_number(base_text *line, double number);

/* Names the attributes that the format of the particles does not hold. */
void output_warn_dropped_attributes(const weir_output *output);

/* Reads the scene's attributes, in order of particle id. */
weir_result output_read_attributes(weir_output *output, io_particles *particles);

#endif
