/* api: a scene's solids for meshes to rest against. */
#ifndef WEIR_API_SOLIDS_H
#define WEIR_API_SOLIDS_H

#include "api_internal.h"
#include "solid.h"

/* The scene's solids, baked; the device keeps those of the last scene that was asked for. Errors:
 * those of solid_set_create. */
weir_result scene_distance_get(weir_device *device, const weir_scene *scene,
                               scene_distance **solids);
const solid_set *scene_distance_solid_set(const scene_distance *solids);
/* Moves them to where they are at `time_s`, and steered ones to where a mesh says. */
void scene_distance_set_poses(scene_distance *solids, const weir_log *log, double time_s,
                              const api_poses *steered);
/* A mesher_solid's distance; user: the scene_distance. m, negative inside. */
float scene_distance_at(void *user, vec3 point);

#endif
