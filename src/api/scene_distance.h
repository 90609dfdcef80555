/* api: signed distance to the solids of a scene, for weir_mesh_refine. */
#ifndef WEIR_API_SOLIDS_H
#define WEIR_API_SOLIDS_H

#include "api_internal.h"
#include "mesher.h"
#include "solid.h"

/* Returns the baked solids of a scene, which the device caches for the last scene. Errors: those of
 * solid_set_create. */
weir_result scene_distance_get(weir_device *device, const weir_scene *scene,
                               scene_distance **solids);
const solid_set *scene_distance_solid_set(const scene_distance *solids);
/* Sets the poses of the solids to those at `time_s`; host-driven ones get their poses in
 * `host_driven`, if it has any. */
void scene_distance_set_poses(scene_distance *solids, const weir_log *log, double time_s,
                              const api_poses *host_driven);
/* Sets the walls of `solid` to the closed sides of the domain. */
void scene_distance_get_walls(const scene_distance *solids, mesher_solid *solid);
/* Evaluates the signed distance to the solids, m, negative inside; a callback of mesher_solid,
 * whose `user` is the scene_distance. */
float scene_distance_at(void *user, vec3 point);

#endif
