/* api: the parts of an output folder. */
#ifndef WEIR_API_OUTPUT_INTERNAL_H
#define WEIR_API_OUTPUT_INTERNAL_H

#include "api_internal.h"
#include "io.h"

#include <jansson.h>

/* The frames' names and times, for ParaView; kept only for VTK. */
typedef struct output_series {
    BASE_ARRAY(char *) names;
    BASE_ARRAY(double) times_s;
} output_series;

/* One frame on its way to the disk. */
typedef struct output_frame {
    io_particles particles; /* as simulated; positions NULL when none are wanted */
    weir_mesh *mesh;        /* NULL when none is wanted */
    weir_stats stats;
    base_text gauges; /* rows of gauges.csv */
} output_frame;

/* Frames that may wait: one being written, one ready, so that the simulation need not wait for
 * a disk that is slow once in a while. */
#define OUTPUT_QUEUE 3

struct weir_output {
    weir_output_def def; /* its folder is not the caller's but `folder` */
    weir_sim *sim;
    weir_mesher *mesher; /* NULL when no meshes are wanted */
    char *folder, *particles_folder, *stats_path;
    char *gauges_path;   /* NULL without gauges */
    double frame_time_s; /* of the last frame queued */
    base_mutex *mutex;
    base_condition *changed;
    base_thread *thread;
    /* The mutex guards these. The frame at `first` stays queued while it is being written. */
    output_frame queue[OUTPUT_QUEUE];
    uint32_t first, count;
    bool stop;
    weir_result result; /* of the writer: the first failure stays */
    /* Only the writer's, once it runs. */
    output_series series;
};

/* Meshes the simulation's present frame into *mesh; the writer's thread saves it. */
weir_result output_make_mesh(weir_output *output, weir_mesh **mesh);
weir_result output_write_mesh(const weir_output *output, const output_frame *frame);
/* The "mesh" of run.json; NULL when memory is short. */
json_t *output_mesh_settings(const weir_output_def *def);
/* NULL when all is well, else the setting that is missing or wrong. */
const char *output_read_mesh(const json_t *mesh, weir_output_def *def);
/* run.json: scene, device and settings. */
weir_result output_write_run(const weir_output *output);

/* stats.csv: starts it, or with def.resume keeps the rows up to `frame` and fills the series. */
weir_result output_open_stats(weir_output *output, uint64_t frame);
weir_result output_append_stats(const weir_output *output, const weir_stats *stats);

/* gauges.csv: likewise; the rows of the frame just finished, then writing them. */
weir_result output_open_gauges(weir_output *output, const weir_stats *stats);
weir_result output_read_gauges(weir_output *output, output_frame *frame);
weir_result output_append_gauges(const weir_output *output, const output_frame *frame);

/* Particles: is the frame one of those that the caller wants written? */
bool output_is_written(const weir_output *output, uint64_t frame);
bool output_wants_particles(const weir_output *output, uint64_t frame);
/* Turns, scales and writes the particles, then the series. */
weir_result output_write_particles(weir_output *output, output_frame *frame);
bool output_add_to_series(weir_output *output, uint64_t frame, double time_s);
void output_series_free(output_series *series);

/* Tables: one more row stays from before; false when memory is short. */
typedef bool output_row_kept(weir_output *output, uint64_t frame, double time_s);
/* Starts the table at `path` with `text`, its header; with def.resume the rows of frames up to
 * `last` stay. `kept` may be NULL. */
weir_result output_open_table(weir_output *output, const char *path, base_text *text, uint64_t last,
                              output_row_kept *kept);
/* Appends `number` so that it reads back the same, independent of the locale. */
bool output_append_number(base_text *row, double number);

#endif
