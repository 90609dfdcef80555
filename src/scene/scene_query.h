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

/* ---- the sea (docs/equations.md) --------------------------------------------------------------
 */

/* Returns the depth of the still water, m. */
double scene_sea_depth(const scene_data *scene);
/* Computes the components of the sea's waves at their full height; returns their number. */
uint32_t scene_sea_components(const scene_data *scene, scene_sea_wave out[SCENE_MAX_SEA_WAVES]);
/* Returns the wave number, rad/m, of waves with this frequency, rad/s, on a current of `speed` m/s
 * in their direction; 0: the current stops them. */
double scene_sea_wave_number(const scene_data *scene, double frequency, double speed);
/* Returns the length of regular waves, or of irregular ones at the spectrum's peak, m; 0 without
 * waves. */
double scene_sea_wavelength(const scene_data *scene);
/* Returns the rate at which velocities relax at the outer end of a zone, 1/s. */
double scene_sea_zone_rate(const scene_data *scene, scene_sea_zone zone);
/* Returns the reflection coefficient of a zone for waves of this length, m, by linear theory. */
double scene_sea_zone_reflection(const scene_data *scene, scene_sea_zone zone, double wavelength);
/* Returns the factor by which the waves have grown at a time. */
double scene_sea_growth(const scene_sea *sea, double time_s);
/* Return the elevation, m, and the velocity, m/s, with which a developed sea starts. */
double scene_sea_start_elevation(const scene_data *scene, const scene_sea_wave *waves,
                                 uint32_t count, vec3 p);
vec3 scene_sea_start_velocity(const scene_data *scene, const scene_sea_wave *waves, uint32_t count,
                              vec3 p);

#endif
