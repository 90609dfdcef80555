/* mesh: weir mesh, stored particles to surfaces; and the options about surfaces, which weir run
 * takes, too. */
#ifndef WEIR_APP_MESH_H
#define WEIR_APP_MESH_H

#include "app.h"

int mesh_main(int argc, char **argv);

/* As given; ARGS_NOT_GIVEN, 0 or false leaves what the preset or a run.json says. */
typedef struct mesh_settings {
    uint32_t preset, field, normals, smoothing;
    uint32_t spray, memory_mb, smooth, min_triangles, max_triangles;
    double cell, search, radius, iso, stretch, keep, decimate_error, min_volume, solid_band;
    double smooth_neighbours;
    bool decider, no_damping, no_velocity, attributes;
    bool raw, no_clean, fill_voids, solids;
    const char *box;
} mesh_settings;

mesh_settings mesh_settings_default(void);

#define MESH_ROWS 27u
typedef struct mesh_rows {
    args_option items[MESH_ROWS];
    char names[MESH_ROWS][32];
} mesh_rows;

/* The options' rows, each name behind `prefix`; they point into `settings` and `rows`. */
void mesh_rows_make(mesh_settings *settings, const char *prefix, mesh_rows *rows);

/* Changes the defs by what was given. Errors: ARGUMENT (a box that is none), logged. */
weir_result mesh_settings_apply(const mesh_settings *settings, const weir_log *log,
                                weir_mesher_def *mesher, weir_mesh_refine_def *refine);

#endif
