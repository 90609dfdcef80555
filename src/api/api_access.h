/* api: access of src/output to the opaque handles of the public API. */
#ifndef WEIR_API_ACCESS_H
#define WEIR_API_ACCESS_H

#include "io.h"
#include "scene.h"

weir_device *api_sim_device(const weir_sim *sim);
/* Returns the trace of the simulation's device; NULL when none is being written. */
base_trace *api_sim_trace(const weir_sim *sim);
const weir_log *api_sim_log(const weir_sim *sim);

/* Returned scenes are valid until weir_sim_set_controls replaces the scene of the simulation. */
const weir_scene *api_sim_scene(const weir_sim *sim);
const scene_data *api_sim_scene_data(const weir_sim *sim);
/* Returns the absolute folder to which file names in the scene are relative. */
const char *api_sim_scene_folder(const weir_sim *sim);

bool api_sim_has_whitewater(const weir_sim *sim);
/* Returns whether the simulation runs on several devices. */
bool api_sim_has_ranks(const weir_sim *sim);
/* Downloads the whitewater after the last frame; no particles when the scene has no whitewater.
 * Waits. Free with io_particles_free. Errors: MEMORY, DEVICE_LOST, those of weir_sim_wait. */
weir_result api_sim_read_whitewater(weir_sim *sim, io_particles *out);

/* Triangle meshes of the deformables of one frame. A rope is a tube. */
typedef struct api_deformable_meshes {
    uint32_t count; /* number of deformables; 0: unknown */
    /* [count + 1] first vertex and triangle of each deformable, then the totals. */
    uint32_t *first_vertex, *first_triangle;
    vec3 *positions, *normals, *velocities; /* m; unit; m/s, may be NULL */
    uint32_t *indices; /* three per triangle, relative to the first vertex of the deformable */
} api_deformable_meshes;

/* Computes the meshes after the last frame, with velocities. Waits. Errors: MEMORY, those of
 * weir_sim_wait. */
weir_result api_sim_read_deformables(weir_sim *sim, api_deformable_meshes *out);
void api_deformable_meshes_free(api_deformable_meshes *deformables);

/* Returns the axes of the files that the def describes. */
static inline io_file_axes api_file_axes(const weir_output_def *def)
{
    return (io_file_axes){.y_up = def->y_up, .scale = def->scale};
}

#endif
