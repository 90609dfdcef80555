/* Draws the fluid, as particles or as a mesh. */
#include "picture.h"

void view_requests_add_picture(view_requests *requests)
{
    if (requests->pictures == 0) requests->pictures = 1;
}

void view_picture_close(view_picture *picture)
{
    weir_mesh_destroy(&picture->mesh);
    weir_mesher_destroy(&picture->mesher);
    weir_image_destroy(&picture->image);
    weir_renderer_destroy(&picture->renderer);
}

weir_result view_picture_prepare(view_picture *picture, const weir_scene *scene)
{
    weir_renderer *renderer = NULL;
    weir_renderer_def def = weir_renderer_def_default();
    def.scene = scene;
    WEIR_RETURN_IF_ERROR(weir_renderer_create(picture->device, &def, &renderer));
    view_picture_close(picture);
    picture->renderer = renderer;
    picture->prepared++;
    return WEIR_OK;
}

/* Creates the mesh of the particles, which waits for the device. */
static weir_result create_mesh(view_picture *picture, const weir_points *points, uint64_t substep)
{
    if (picture->mesh && picture->mesh_substep == substep) return WEIR_OK;
    if (!picture->mesher) {
        weir_mesher_def def = weir_mesher_def_default(NULL);
        WEIR_RETURN_IF_ERROR(weir_mesher_create(picture->device, &def, &picture->mesher));
    }
    weir_mesh_destroy(&picture->mesh);
    WEIR_RETURN_IF_ERROR(weir_mesher_run(picture->mesher, points, &picture->mesh));
    picture->mesh_substep = substep;
    return WEIR_OK;
}

weir_result view_picture_draw(view_picture *picture, const weir_points *points,
                              const weir_camera *view, uint64_t substep)
{
    if (view->mode != WEIR_RENDER_MODE_MESH)
        return weir_render_points(picture->renderer, points, view, &picture->image);
    WEIR_RETURN_IF_ERROR(create_mesh(picture, points, substep));
    return weir_render_mesh(picture->renderer, picture->mesh, view, &picture->image);
}
