/* api: declarations shared by the files that draw pictures. */
#ifndef WEIR_API_PICTURE_INTERNAL_H
#define WEIR_API_PICTURE_INTERNAL_H

#include "api_internal.h"
#include "io.h"
#include "render.h"

#define API_CAMERA_COOKIE 0x57455601u
#define API_RENDERER_COOKIE 0x57455201u

/* Pictures of meshes whose triangles may be on their way to the device. */
#define API_MESHES_IN_FLIGHT 3u
/* The triangles of the last mesh drawn, on the device. */
typedef struct api_uploaded_mesh {
    render_mesh mesh; /* the buffers may be larger */
    uint64_t version; /* of the weir_mesh; 0: none */
    /* In turn, what the host writes and the device copies. */
    gpu_buffer *staging[API_MESHES_IN_FLIGHT];
    uint64_t tickets[API_MESHES_IN_FLIGHT];
    uint32_t turn;
} api_uploaded_mesh;

struct weir_renderer {
    weir_device *device;
    weir_scene *scene; /* NULL: none */
    renderer *render;
    render_pose *poses;            /* one per solid of the scene, then per body */
    api_posed_bodies posed_bodies; /* for points and meshes without body poses */
    /* range of values of the pictures so far, of this quantity */
    bool range_known;
    weir_colouring range_of;
    float held_range[2];
    uint64_t range_steps; /* `steps` of the points that it was last found for */
    api_uploaded_mesh uploaded;
};

struct weir_image {
    weir_device *device;
    gpu_image *image;
    gpu_image *light; /* linear light; NULL: not enabled in the last view */
    uint64_t ticket;
    uint8_t *pixels; /* of the last weir_image_read */
    float *lights;   /* of the last weir_image_read_linear */
};

/* Brings a mesh to the device, unless it was the last one drawn, without waiting for pictures of
 * other meshes that are being drawn; a larger mesh than any before waits. *out is valid until the
 * next call. Errors: MEMORY. */
weir_result api_mesh_upload(weir_renderer *r, const weir_mesh *mesh, const weir_mesh_arrays *arrays,
                            render_mesh *out);
void api_mesh_upload_destroy(weir_renderer *r);

/* Creates the image unless *image already has the size of the view. Errors: those of
 * gpu_image_create; there is then no image. */
weir_result api_image_prepare(weir_device *device, const weir_camera *view, weir_image **image);
/* Checks the numbers of a view. Errors: ARGUMENT; the log names the field. */
weir_result api_view_check(const weir_log *log, const weir_camera *view);
/* Moves the view to the position of one exposure, `extrapolation_s` after its time: along the
 * keyframes of the scene, and to a point on the lens. */
void api_view_at_exposure(const weir_scene *scene, weir_camera *view, uint32_t exposure,
                          double extrapolation_s);

/* Returns what pictures of a scene show, which is computed once; NULL: the cube from -1 to 1. Reads
 * the scene's meshes. Any thread. */
scene_subject api_scene_subject(const weir_scene *scene);
/* Places the camera so that the box fills the picture, seen from slightly above, or from higher
 * up. Uses the view's angle and size. */
void api_frame_box(weir_camera *view, vec3 low, vec3 high, bool from_above);

/* Sets the view's range, if it is to be chosen from the data, to the percentiles of the points'
 * values. Waits. */
weir_result api_choose_value_range(weir_renderer *r, const weir_points *points, weir_camera *view);
/* Computes two percentiles of values to within a millionth of the range that all of them span. */
weir_result api_percentiles(const weir_log *log, const float *values, uint32_t count,
                            const float percentiles[2], float range[2]);

/* Light and colours of a renderer's pictures. */
typedef struct api_surroundings {
    const render_look_preset *preset;
    render_look look; /* without an environment */
    scene_subject subject;
    float extent_m; /* longest edge of the domain */
} api_surroundings;
/* Errors: ARGUMENT (there is no such look). */
weir_result api_surroundings_find(const weir_log *log, const weir_renderer_def *def,
                                  api_surroundings *around);
/* Computes how a fluid looks. */
void api_liquid_appearance(const api_surroundings *around, const scene_fluid *fluid,
                           const scene_look *look, render_liquid *liquid);

/* Returns the colours of a scene's deformables; NULL when memory runs out. Free with base_free. */
float (*api_deformable_colours(const scene_data *scene))[3];
/* Returns the deformables as the render module draws them. */
render_deformables api_deformables_to_render(const weir_renderer *r,
                                             const api_deformable_meshes *deformables);

#endif
