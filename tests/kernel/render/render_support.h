/* Renderers for tests: ellipsoids placed by hand, single passes, images read back. A test first
 * renders a frame, so that its pass list and images exist; then it writes the inputs of a pass and
 * runs the passes from that one on. */
#ifndef WEIR_TESTS_RENDER_SUPPORT_H
#define WEIR_TESTS_RENDER_SUPPORT_H

#include "device_support.h"
#include "ref_render.h"
#include "render_internal.h"

/* Splats as large as their matrices say, in a box of 20 m under a uniform white sky. */
render_look plain_look(void);

renderer *make_renderer(const render_look *look, const render_liquid *liquid);

/* A box of 180 m with one solid: a wall made of two triangles between four corners. */
renderer *make_walled_renderer(const float corners[12]);

weir_camera make_view(uint32_t width, uint32_t height);
ref_camera camera_of(const weir_camera *view);

/* ---- ellipsoids ----------------------------------------------------------------------------- */

typedef struct splats {
    uint32_t count;
    vec4 *centres, *shapes;
    ref_ellipsoid *references;
} splats;

splats make_splats(uint32_t count);
void free_splats(splats *s);

/* Sets a splat with radii along the axes of `q`. */
void set_splat(splats *s, uint32_t i, vec3 centre, vec3 radii, quat q);

/* ---- frames --------------------------------------------------------------------------------- */

typedef struct shot {
    renderer *r;
    gpu_image *target;
    gpu_buffer *positions;
} shot;

/* Runs the passes from the first one with this name on. */
void run_from(renderer *r, const char *name);

/* Records the passes of a frame of `s`, and runs those after the anisotropy with its shapes. */
shot shoot(renderer *r, const weir_camera *view, const splats *s);

void free_shot(shot *s);
/* Draws the picture of one particle at the origin, and waits for it. */
void draw_lone_particle(renderer *r, const weir_camera *view, float spacing_m, vec4 velocity);
void *read_image(gpu_image *image);
float half_float(uint16_t h);
uint16_t float_half(float f); /* toward zero; of a normal number or 0 */
/* Writes thickness, and thickness times fraction, of each pixel; all of it is the first layer. */
void upload_thickness(gpu_image *image, const float *values);
/* Reads an image of thickness of any format as numbers, [2] per pixel. */
float *read_thickness(gpu_image *image);
/* Returns for each pixel of the last frame whether its thickness was sampled and not interpolated.
 */
bool *read_sampled(const renderer *r);
double encode(double c);

#endif
