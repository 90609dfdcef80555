/* mesh: weir mesh, which turns stored particles into surfaces, and the surface options, which weir
 * run has as well. */
#ifndef WEIR_APP_MESH_H
#define WEIR_APP_MESH_H

#include "app.h"

int mesh_main(int argc, char **argv);

/* Surface options. ARGS_NOT_GIVEN, 0 or false keeps the value of the preset or of run.json. */
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

/* Lists the options that fill `settings`; `prefix` starts each name. The list points into both
 * structs. */
void mesh_option_list_create(mesh_surface_options *settings, const char *prefix,
                             mesh_option_list *list);

/* Applies the given options to the defs. Errors: ARGUMENT (an invalid box), logged. */
weir_result mesh_surface_options_apply(const mesh_surface_options *settings, const weir_log *log,
                                       weir_mesher_def *mesher, weir_mesh_refine_def *refine);

#endif
