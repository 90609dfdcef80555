/* Questions about a scene: what a picture of it should show, and whether a file suits it. */
#ifndef WEIR_SCENE_QUERY_H
#define WEIR_SCENE_QUERY_H

#include "scene.h"

/* What is wrong with the size or place of a file's contents, and the key to change. */
typedef struct scene_misfit {
    char text[320]; /* follows the name of the file */
} scene_misfit;
/* Returns whether contents that a pose has moved into this box, m, do not fit the domain. */
bool scene_find_misfit(const scene_data *scene, const scene_pose *pose, vec3 min, vec3 max,
                       scene_misfit *out);

typedef struct scene_subject {
    vec3 min, max;   /* m: fluid, solids and jets, from the floor up */
    bool held;       /* a solid holds the fluid */
    float volume_m3; /* of the fluid at the start and of what emitters add; approximate */
    float depth_m;   /* of the settled fluid; approximate */
} scene_subject;
/* Finds what a picture should show. `mesh_boxes`: as for scene_shape_bounds. */
scene_subject scene_find_subject(const scene_data *scene, const vec3 *mesh_boxes);

#endif
