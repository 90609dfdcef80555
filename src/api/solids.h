/* api: a scene's solids for meshes to rest against. */
#ifndef WEIR_API_SOLIDS_H
#define WEIR_API_SOLIDS_H

#include "api_internal.h"
#include "solid.h"

/* The scene's solids, baked; the device keeps those of the last scene that was asked for. Errors:
 * those of solid_set_create. */
weir_result api_solids_get(weir_device *device, const weir_scene *scene, api_solids **solids);
const solid_set *api_solids_set(const api_solids *solids);
/* Moves them to where they are at `time_s`, and steered ones to where a mesh says. */
void api_solids_place(api_solids *solids, const weir_log *log, double time_s,
                      const api_poses *steered);
/* A mesher_solid's distance; user: the api_solids. m, negative inside. */
float api_solids_distance(void *user, vec3 point);

#endif
