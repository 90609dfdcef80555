/* picture: the renderer of the open scene and the image that it draws to. */
#ifndef WEIR_VIEW_PICTURE_H
#define WEIR_VIEW_PICTURE_H

#include "base.h"

typedef struct view_picture {
    weir_device *device;
    weir_renderer *renderer;
    weir_image *image;
    weir_mesher *mesher; /* NULL until a mesh is drawn */
    weir_mesh *mesh;
    uint64_t mesh_substep; /* substep shown by the mesh */
    uint64_t prepared;     /* number of renderers so far */
} view_picture;

/* Requests of commands to the next pictures. */
typedef struct view_requests {
    uint32_t pictures; /* pictures to draw before a script continues */
    bool capture;      /* the next frame with RenderDoc */
    bool reload;       /* compile changed shaders before the next picture */
    char shot[512];    /* the file for the next picture; "": none */
} view_requests;

/* Requests one picture unless a request is pending. */
void view_requests_add_picture(view_requests *requests);

/* Creates the renderer of a scene; on failure nothing changes. */
weir_result view_picture_prepare(view_picture *picture, const weir_scene *scene);
/* Draws a picture. `substep` identifies the state of the particles; the mesh is reused while it
 * stays the same. */
weir_result view_picture_draw(view_picture *picture, const weir_points *points,
                              const weir_camera *view, uint64_t substep);
void view_picture_close(view_picture *picture);

#endif
