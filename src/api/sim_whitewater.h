/* api: the whitewater of a simulation, and what stored frames share with it. */
#ifndef WEIR_API_WHITEWATER_H
#define WEIR_API_WHITEWATER_H

#include "api_internal.h"
#include "io.h"
#include "whitewater.h"

/* The scene's length L: what it gives, else the height of the fluid above the floor at the start;
 * without fluid, as high as emitters could throw it. */
float api_whitewater_scene_length(const scene_data *scene, const vec3 *position, uint32_t count);
whitewater_def api_whitewater_def(const scene_data *scene, float length, const solid_set *solids);
/* The particles; release with io_particles_free. Errors: MEMORY, DEVICE_LOST. */
weir_result api_whitewater_download(const weir_log *log, const whitewater *f, io_particles *out);

/* Makes sim->whitewater where the scene has foam; NULL stays NULL. Waits. Errors: MEMORY. */
weir_result api_whitewater_create(weir_sim *sim);
void api_whitewater_destroy(weir_sim *sim);

/* Each of these does nothing in a simulation without whitewater. */

/* Brings it to the end of the fluid's last frame, for which it waits. Must be called before the
 * next frame is begun. Errors: MEMORY, DEVICE_LOST, those of sim_wait. */
weir_result api_whitewater_advance(weir_sim *sim);
/* Gives the points a copy of it, as it is at the fluid's last frame. Errors also: MEMORY. */
weir_result api_whitewater_copy_to_points(weir_sim *sim, weir_points *points);
/* Fills in the counts. */
void api_whitewater_fill_stats(const weir_sim *sim, weir_stats *stats);
/* Appends its times to the *count entries that there are in `times`, which has `room`; *count grows
 * past the room. */
weir_result api_whitewater_pass_times(weir_sim *sim, weir_pass_time *times, uint32_t room,
                                      uint32_t *count);
void api_whitewater_reset_times(weir_sim *sim);
/* Errors: MEMORY. */
weir_result api_whitewater_explain(weir_sim *sim, void (*write)(void *user, const char *line),
                                   void *user);
/* What a checkpoint carries; release with base_blob_free. */
weir_result api_whitewater_checkpoint(weir_sim *sim, base_blob *saved);
/* Errors also: IO, ARGUMENT (what was saved cannot be). */
weir_result api_whitewater_restore(weir_sim *sim, const base_blob *saved);

/* The particles; release with io_particles_free. There must be whitewater. */
weir_result api_whitewater_read(weir_sim *sim, io_particles *out);

#endif
