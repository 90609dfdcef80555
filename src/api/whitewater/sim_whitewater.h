/* api: the whitewater of a simulation; functions shared with the whitewater of stored frames. */
#ifndef WEIR_API_WHITEWATER_H
#define WEIR_API_WHITEWATER_H

#include "api_internal.h"
#include "io.h"
#include "whitewater.h"

/* Returns the length L of the scene: the key of the scene, or the initial height of the fluid above
 * the floor, or, without fluid, the height to which emitters can throw it. */
float api_whitewater_scene_length(const scene_data *scene, const vec3 *position, uint32_t count);
/* Returns the settings of whitewater for a scene of this length. */
whitewater_def api_whitewater_def(const scene_data *scene, float length, const solid_set *solids);
/* Downloads the particles. Free with io_particles_free. Errors: MEMORY, DEVICE_LOST. */
weir_result api_whitewater_download(const weir_log *log, const whitewater *f, io_particles *out);

/* Hands the arrays of `read` over to `particles`, or frees them if memory runs out. */
weir_result api_whitewater_hand_over(const weir_log *log, io_particles *read,
                                     weir_whitewater_particles *particles);

/* Creates sim->whitewater if the scene has whitewater; otherwise it stays NULL. Waits. Errors:
 * MEMORY. */
weir_result api_whitewater_create(weir_sim *sim);
void api_whitewater_destroy(weir_sim *sim);
/* Returns whether given whitewater has the arrays that it needs. */
bool api_whitewater_has_arrays(const weir_whitewater_particles *from);
/* Starts with given whitewater, which may be NULL. Errors: ARGUMENT (invalid numbers), MEMORY. */
weir_result api_whitewater_start(weir_sim *sim, const weir_whitewater_particles *from);

/* The functions below do nothing in a simulation without whitewater. */

/* Advances the whitewater to the last frame of the fluid. Waits. Call it before the next frame
 * begins. Errors: MEMORY, DEVICE_LOST, those of sim_wait. */
weir_result api_whitewater_advance(weir_sim *sim);
/* Copies the whitewater at the last frame of the fluid into the points. Errors: those of
 * api_whitewater_advance. */
weir_result api_whitewater_copy_to_points(weir_sim *sim, weir_points *points);
/* Fills in the whitewater counts of the statistics. */
void api_whitewater_fill_stats(const weir_sim *sim, weir_stats *stats);
/* Appends the pass times of the whitewater to the *count entries of `times`, whose capacity is
 * `capacity`; *count may exceed the capacity. */
weir_result api_whitewater_pass_times(weir_sim *sim, weir_pass_time *times, uint32_t capacity,
                                      uint32_t *count);
void api_whitewater_reset_times(weir_sim *sim);
/* Describes the passes of the whitewater, like weir_sim_explain. Errors: MEMORY. */
weir_result api_whitewater_explain(weir_sim *sim, gpu_explainer *e);
/* Returns the part of a checkpoint for the whitewater. Free with base_blob_free. */
weir_result api_whitewater_checkpoint(weir_sim *sim, base_blob *saved);
/* Restores the whitewater from a checkpoint. Errors: IO, ARGUMENT (invalid data), those of
 * api_whitewater_advance. */
weir_result api_whitewater_restore(weir_sim *sim, const base_blob *saved);

#endif
