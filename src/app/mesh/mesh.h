/* mesh: weir mesh, which turns stored particles into surfaces, and the surface options, which weir
 * run has as well. */
#ifndef WEIR_APP_MESH_H
#define WEIR_APP_MESH_H

#include "app.h"
#include "weir/output.h"

int mesh_main(int argc, char **argv);

/* Surface options. ARGS_NOT_GIVEN, 0 or false keeps the value of the preset or of run.json. */
typedef struct mesh_surface_options {
    uint32_t preset, spray_neighbours, smooth_iterations, memory_mb;
    double cell_size, decimate_ratio;
    bool no_refine, snap_to_solids, no_snap_to_solids, attributes;
    args_list set; /* settings by name, "KEY=VALUE" */
} mesh_surface_options;

mesh_surface_options mesh_surface_options_default(void);

#define MESH_OPTIONS 10u
typedef struct mesh_option_list {
    args_option items[MESH_OPTIONS];
    char names[MESH_OPTIONS][32];
} mesh_option_list;

/* Lists the options that fill `settings`; `prefix` starts each name. The list points into both
 * structs. */
void mesh_option_list_create(mesh_surface_options *settings, const char *prefix,
                             mesh_option_list *list);

/* Applies the given options to the mesh settings of `def`. Errors: ARGUMENT (an unknown setting or
 * a value of another type), logged to `def->log`. */
weir_result mesh_surface_options_apply(const mesh_surface_options *settings, weir_output_def *def);

#endif
