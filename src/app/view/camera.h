/* camera: the viewer's camera, which orbits a pivot. It consists of arithmetic only. World space is
 * right-handed with y up. Points in the picture are fractions of its width and height, from the top
 * left. */
#ifndef WEIR_VIEW_CAMERA_H
#define WEIR_VIEW_CAMERA_H

#include "base.h"

typedef struct camera {
    vec3 pivot;       /* m: at the centre of the picture */
    float distance;   /* m, from the eye to the pivot; > 0 */
    float yaw, pitch; /* rad: at 0, 0 the eye is at +z of the pivot; pitch raises it */
    float fov;        /* rad: vertical field of view */
} camera;

typedef struct camera_basis {
    vec3 right, up, back; /* unit vectors; `back` points from the pivot to the eye */
} camera_basis;

typedef struct camera_ray {
    vec3 origin, direction; /* direction is a unit vector */
} camera_ray;

typedef struct camera_world_to_view {
    float x, y;   /* position in the picture, 0 to 1 */
    float aspect; /* width over height */
} camera_world_to_view;

/* Returns a camera with a 45 degree field of view that sees the whole box from in front and above.
 * An empty box counts as one of 1 m around the origin. */
camera camera_frame_box(vec3 min, vec3 max, float aspect);
/* Looks from `eye` at `target`, which becomes the pivot. Does nothing if they coincide. */
void camera_look_at(camera *c, vec3 eye, vec3 target);
/* Convert between the camera of a scene with that domain and that of a picture; camera_to_view_def
 * sets eye, target, up and angle of `view`. */
camera camera_from_view(const weir_camera *view, vec3 domain_min, vec3 domain_max);
void camera_to_view_def(const camera *c, weir_camera *view);
vec3 camera_eye(const camera *c);
camera_basis camera_get_basis(const camera *c);
camera_ray camera_ray_at(const camera *c, camera_world_to_view point);

/* Turns the camera by these angles, rad; the pitch stops short of straight up and down. */
void camera_orbit(camera *c, float yaw, float pitch);
/* Pans by fractions of the picture's height: the plane of the pivot follows the mouse. */
void camera_pan(camera *c, float right, float down);
/* Moves the eye closer by `factor` > 1. The point at `point`, in the plane of the pivot, stays
 * there. */
void camera_zoom(camera *c, float factor, camera_world_to_view point);
/* Makes `point` the pivot: the eye stays, and the camera turns. */
void camera_set_pivot(camera *c, vec3 point);

/* Prints "eye=1,2,3 target=0,0,0 fov=45", which camera_parse reads; fov in degrees. */
#define CAMERA_TEXT 272
void camera_print(const camera *c, char out[CAMERA_TEXT]);
/* Parses a camera; returns false, with `c` unchanged, if `text` has another format. */
bool camera_parse(camera *c, const char *text);

#endif
