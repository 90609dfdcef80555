/* api: declarations shared by the files that draw pictures. */
#ifndef WEIR_API_PICTURE_INTERNAL_H
#define WEIR_API_PICTURE_INTERNAL_H

#include "api_internal.h"
#include "io.h"
#include "render.h"

#define API_CAMERA_COOKIE 0x57455601u
#define API_RENDERER_COOKIE 0x57455201u

struct weir_renderer {
    weir_device *device;
    weir_scene *scene; /* NULL: none */
    renderer *render;
    render_pose *poses;            /* one per solid of the scene, then per body */
    api_posed_bodies posed_bodies; /* for points and meshes without body poses */
};

struct weir_image {
    weir_device *device;
    gpu_image *image;
    gpu_image *light; /* linear light; NULL: not enabled in the last view */
    uint64_t ticket;
    uint8_t *pixels; /* of the last weir_image_read */
    float *lights;   /* of the last weir_image_read_linear */
};

/* Creates the image unless *image already has the size of the view. Errors: those of
 * gpu_image_create; there is then no image. */
weir_result api_image_prepare(weir_device *device, const weir_camera *view, weir_image **image);
/* Checks the numbers of a view. Errors: ARGUMENT; the log names the field. */
weir_result api_view_check(const weir_log *log, const weir_camera *view);
/* Moves the view to the position of one exposure, `extrapolation_s` after its time: along the
 * keyframes of the scene, and to a point on the lens. */
void api_view_at_exposure(const weir_scene *scene, weir_camera *view, uint32_t exposure,
                          double extrapolation_s);

/* Returns the colours of a scene's deformables; NULL when memory runs out. Free with base_free. */
float (*api_deformable_colours(const scene_data *scene))[3];
/* Returns the deformables as the render module draws them. */
render_deformables api_deformables_to_render(const weir_renderer *r,
                                             const api_deformable_meshes *deformables);

#endif
