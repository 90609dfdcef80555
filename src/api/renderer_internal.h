/* renderer_internal: what the files of this room that make pictures share. */
#ifndef WEIR_API_PICTURE_INTERNAL_H
#define WEIR_API_PICTURE_INTERNAL_H

#include "api_internal.h"
#include "io.h"
#include "render.h"

#define API_VIEW_COOKIE 0x57455601u
#define API_RENDERER_COOKIE 0x57455201u

struct weir_renderer {
    weir_device *device;
    weir_scene *scene; /* NULL: none */
    renderer *render;
    render_pose *poses;            /* one per solid of the scene, then per body */
    api_posed_bodies posed_bodies; /* where bodies are that points and meshes say nothing of */
};

struct weir_image {
    weir_device *device;
    gpu_image *image;
    gpu_image *light; /* NULL: the last view did not ask for it */
    uint64_t ticket;
    uint8_t *pixels; /* as last read */
    float *lights;   /* likewise */
};

/* Makes the image, unless there is one as large as the view asks for. Errors: those of
 * gpu_image_create, after which there is none. */
weir_result api_image_prepare(weir_device *device, const weir_camera *view, weir_image **image);
/* Errors: ARGUMENT; the log names the field. */
weir_result api_view_check(const weir_log *log, const weir_camera *view);
/* Brings the view to where it is in one of its exposures, `extrapolation_s` after its time: on the
 * lens, and where the keyframes of the scene have the camera. */
void api_view_at_exposure(const weir_scene *scene, weir_camera *view, uint32_t exposure,
                          double extrapolation_s);

/* Solids of a scene as triangles. */
typedef struct triangle_list {
    BASE_ARRAY(vec3) vertices;
    BASE_ARRAY(vec3) normals;
    BASE_ARRAY(uint32_t) indices;
} triangle_list;

/* The colours of a scene's cloths and ropes; NULL when memory is short. Release with base_free. */
float (*api_deformable_colours(const scene_data *scene))[3];
/* Those that a frame of the renderer's scene shows. */
render_deformables api_deformables_to_render(const weir_renderer *r,
                                             const api_deformable_meshes *deformables);

/* Both false when memory is short. */
bool triangle_list_add_vertex(triangle_list *t, vec3 position, vec3 normal);
/* Triangles of vertices counted from `first`. */
bool triangle_list_add_indices(triangle_list *t, size_t first, const uint32_t *indices,
                               size_t count);

/* Appends the triangles of a shape in the space of its solid. Errors: IO (a mesh file), MEMORY. */
weir_result shape_mesh_append(const weir_log *log, const scene_data *scene, uint32_t shape,
                              triangle_list *out);
/* Does it hold a set whose surface is not that of its parts (any set but a union)? */
bool shape_needs_csg(const scene_data *scene, uint32_t shape);
/* Appends the triangles of the surface where a shape's distance is 0. Errors: those of
 * scene_distance_get. */
weir_result csg_mesh_append(weir_device *device, const weir_scene *scene, uint32_t shape,
                            triangle_list *out);
/* Unit normals of the vertices, summed over their triangles by area; NULL when memory is short.
 * Release with base_free. */
vec3 *mesh_vertex_normals(const weir_mesh_arrays *mesh);
/* Appends a mesh with its file's normals, and where it has none with normals that are round where
 * faces meet at less than 40 degrees and hard elsewhere. False when memory is short. */
bool mesh_add_creased_normals(const io_mesh *mesh, triangle_list *out);
/* Closes the holes of a solid's mesh, as the fluid meets it. Errors: MEMORY; the mesh is then as it
 * was. */
weir_result mesh_fill_holes(const weir_log *log, io_mesh *mesh);
void triangle_list_free(triangle_list *t);

#endif
