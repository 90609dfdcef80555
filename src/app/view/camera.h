/* The viewer's camera, which turns about a pivot. Pure arithmetic. World: right-handed, y up.
 * Points in the picture are fractions of its width and height from the top left. */
#ifndef WEIR_VIEW_CAMERA_H
#define WEIR_VIEW_CAMERA_H

#include "base.h"

typedef struct camera {
    vec3 pivot;       /* m: in the middle of the picture */
    float distance;   /* m, from the eye to the pivot; > 0 */
    float yaw, pitch; /* rad: at 0, 0 the eye is at +z from the pivot; pitch raises it */
    float fov;        /* rad, from the top to the bottom of the picture */
} camera;

typedef struct camera_basis {
    vec3 right, up, back; /* unit; `back` points from the pivot to the eye */
} camera_basis;

typedef struct camera_ray {
    vec3 origin, direction; /* direction is unit */
} camera_ray;

typedef struct camera_world_to_view {
    float x, y;   /* in the picture, from 0 to 1 */
    float aspect; /* width over height */
} camera_world_to_view;

/* 45 degrees wide, looking at the box from in front and above so that all of it is seen. An empty
 * box counts as one of 1 m about the origin. */
camera camera_frame_box(vec3 min, vec3 max, float aspect);
/* Looks from `eye` at `target`, the new pivot. Does nothing when both are one point. */
void camera_look_at(camera *c, vec3 eye, vec3 target);
/* The camera of a picture of a scene with that domain, and the reverse: `view` takes eye, target,
 * up and angle from `c`. */
camera camera_from_view(const weir_camera *view, vec3 domain_min, vec3 domain_max);
void camera_to_view_def(const camera *c, weir_camera *view);
vec3 camera_eye(const camera *c);
camera_basis camera_get_basis(const camera *c);
camera_ray camera_ray_at(const camera *c, camera_world_to_view point);

/* Radians; the pitch stops short of straight up and down. */
void camera_orbit(camera *c, float yaw, float pitch);
/* Moves the picture by fractions of its height: the pivot's plane follows the mouse. */
void camera_pan(camera *c, float right, float down);
/* Brings the eye nearer by `factor` > 1; the point of the pivot's plane that is seen at `point`
 * stays there. */
void camera_zoom(camera *c, float factor, camera_world_to_view point);
/* The eye stays, the camera turns to `point`. */
void camera_set_pivot(camera *c, vec3 point);

/* "eye=1,2,3 target=0,0,0 fov=45", which camera_parse reads back; fov in degrees. */
#define CAMERA_TEXT 272
void camera_print(const camera *c, char out[CAMERA_TEXT]);
/* False, with `c` unchanged, when `text` has another form. */
bool camera_parse(camera *c, const char *text);

#endif
