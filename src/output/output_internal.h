/* api: the parts of an output folder. */
#ifndef WEIR_API_OUTPUT_INTERNAL_H
#define WEIR_API_OUTPUT_INTERNAL_H

#include "api_internal.h"
#include "io.h"

#include <jansson.h>

/* One frame on its way to the disk. */
typedef struct output_frame {
    io_particles particles; /* as in the file; positions NULL when none are wanted */
    io_particles foam;      /* likewise, of the whitewater */
    weir_mesh *mesh;        /* NULL when none is wanted */
    bool refined;           /* the mesh is ready for its file */
    weir_stats stats;
    base_text gauges;                  /* lines of gauges.csv */
    base_text bodies;                  /* the line of bodies.jsonl */
    api_deformable_meshes deformables; /* count 0 when none are wanted */
} output_frame;

/* Frames that may wait, so that the simulation need not wait when the disk is slow for a moment. */
#define OUTPUT_QUEUE 3

struct weir_output {
    weir_output_def def; /* its folder is not the caller's but `folder` */
    weir_sim *sim;
    weir_mesher *mesher; /* NULL when no meshes are wanted */
    char *folder, *particles_folder, *whitewater_folder, *stats_path;
    uint32_t overcompressed_frames; /* weir_stats of the last frame queued */
    char *gauges_path;              /* NULL without gauges */
    char *bodies_path;              /* NULL without bodies */
    double frame_time_s;            /* of the last frame queued */
    base_mutex *mutex;
    base_condition *changed;
    base_thread *thread;
    /* The mutex guards these. The frame at `first` stays queued while it is being written. */
    output_frame queue[OUTPUT_QUEUE];
    uint32_t first, count;
    bool stop;
    weir_result result; /* of the writer: a failure stays until weir_output_flush */
};

/* Meshes the simulation's present frame into *mesh; the writer's thread saves it. */
weir_result output_make_mesh(weir_output *output, weir_mesh **mesh);
weir_result output_write_mesh(const weir_output *output, output_frame *frame);
/* The "mesh" of run.json; NULL when memory is short. */
json_t *output_describe_mesh(const weir_output_def *def);
/* NULL when all is well, else the setting that is missing or wrong. */
const char *output_parse_mesh_settings(const json_t *mesh, weir_output_def *def);
/* run.json: scene, device and settings, and whether all frames are written. */
weir_result output_write_run(const weir_output *output, bool complete);

/* stats.csv: starts it, or with def.resume keeps the lines up to `frame`. */
weir_result output_open_stats(const weir_output *output, uint64_t frame);
weir_result output_append_stats(const weir_output *output, const weir_stats *stats);

/* gauges.csv: likewise; reading the lines of the frame just finished; writing them. */
weir_result output_open_gauges(weir_output *output, const weir_stats *stats);
weir_result output_read_gauges(weir_output *output, output_frame *frame);
weir_result output_append_gauges(const weir_output *output, const output_frame *frame);

/* bodies.jsonl: likewise. Its lines start with these and the numbers. */
#define OUTPUT_FRAME_KEY "{\"frame\": "
#define OUTPUT_TIME_KEY " \"time_s\": "
weir_result output_open_bodies(weir_output *output, uint64_t frame);
weir_result output_read_bodies(weir_output *output, output_frame *frame);
weir_result output_append_bodies(const weir_output *output, const output_frame *frame);

/* The folders of cloths and ropes; a file of each. */
/* The folder of an output that has the meshes of cloths, ropes or soft bodies. */
const char *output_deformable_folder(scene_deformable_kind kind);
weir_result output_open_deformables(weir_output *output);
weir_result output_write_deformables(const weir_output *output, const output_frame *frame);

/* World to file: turned by a right angle about x when z is up, then scaled. */
void output_transform_particles(const weir_output_def *def, io_particles *particles);
/* Reads the present frame's whitewater; nothing where the scene has none. */
weir_result output_read_whitewater(const weir_output *output, io_particles *foam);
/* Turns and scales whitewater like other particles, its radii too. */
void output_transform_whitewater(const weir_output_def *def, io_particles *foam);
/* A vector of a file, in metres with y up again: files hold (x, -z, y) where z is up, times the
 * scale. */
vec3 output_inverse_transform(const weir_output_def *def, vec3 v);
weir_result output_write_whitewater(const weir_output *output, const output_frame *frame);
weir_result output_write_particles(const weir_output *output, const output_frame *frame);

/* Starts the table at `path` with `text`, its header; with def.resume the lines of frames up to
 * `last` stay. */
weir_result output_open_line_table(const weir_output *output, const char *path, base_text *text,
                                   uint64_t last);
/* Appends `number` so that it reads back the same, independent of the locale. */
bool output_append_number(base_text *line, double number);

#endif
