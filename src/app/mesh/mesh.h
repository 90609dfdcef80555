/* mesh: weir mesh, stored particles to surfaces; and the options about surfaces, which weir run has
 * too. */
#ifndef WEIR_APP_MESH_H
#define WEIR_APP_MESH_H

#include "app.h"

int mesh_main(int argc, char **argv);

/* Options about surfaces. ARGS_NOT_GIVEN, 0 or false keeps the value of the preset or run.json. */
typedef struct mesh_surface_options {
    uint32_t preset, field, normals, smoothing;
    uint32_t spray, memory_mb, smooth, min_triangles, max_triangles;
    double cell, search, radius, iso, stretch, keep, decimate_error, min_volume, solid_band;
    double smooth_neighbours;
    bool decider, no_damping, no_velocity, attributes;
    bool raw, no_clean, fill_voids, solids;
    const char *box;
} mesh_surface_options;

mesh_surface_options mesh_surface_options_default(void);

#define MESH_OPTIONS 27u
typedef struct mesh_option_list {
    args_option items[MESH_OPTIONS];
    char names[MESH_OPTIONS][32];
} mesh_option_list;

/* Lists the options that fill `settings`; `prefix` starts each name. They point into both structs.
 */
void mesh_option_list_create(mesh_surface_options *settings, const char *prefix,
                             mesh_option_list *list);

/* Changes the defs by the options that were given. Errors: ARGUMENT (a faulty box), logged. */
weir_result mesh_surface_options_apply(const mesh_surface_options *settings, const weir_log *log,
                                       weir_mesher_def *mesher, weir_mesh_refine_def *refine);

#endif
