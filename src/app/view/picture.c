/* The viewer's picture: the renderer of the scene, its image, and the way to the window. */
#include "picture.h"

struct view_picture {
    weir_renderer *renderer;
    weir_image *image;
    uint32_t width, height; /* of the image */
    weir_mesher *mesher;    /* made when meshes are first wanted */
    weir_mesh *mesh;
    uint64_t mesh_frame; /* that the mesh is of */
};

static void forget_mesh(struct view_picture *p)
{
    weir_mesh_destroy(&p->mesh);
    weir_mesher_destroy(&p->mesher);
}

weir_result view_picture_create(viewer *v)
{
    v->picture = base_alloc(1, sizeof *v->picture);
    if (v->picture) return WEIR_OK;
    return base_fail(&v->work.log, WEIR_MEMORY, "no memory for the picture");
}

void view_picture_destroy(viewer *v)
{
    if (!v->picture) return;
    forget_mesh(v->picture);
    weir_image_destroy(&v->picture->image);
    weir_renderer_destroy(&v->picture->renderer);
    base_free(v->picture);
    v->picture = NULL;
}

weir_result view_picture_prepare(viewer *v, const weir_scene *scene)
{
    weir_renderer *renderer = NULL;
    weir_renderer_def def = weir_renderer_def_default();
    def.scene = scene;
    weir_result result = weir_renderer_create(v->work.device, &def, &renderer);
    if (result != WEIR_OK) return result;
    forget_mesh(v->picture);
    weir_image_destroy(&v->picture->image);
    weir_renderer_destroy(&v->picture->renderer);
    v->picture->renderer = renderer;
    return WEIR_OK;
}

camera view_picture_camera(const viewer *v)
{
    weir_view view = weir_view_default(v->work.scene);
    camera c = camera_frame(v->domain_min, v->domain_max, 16.0f / 9);
    camera_look(&c, vec3_make(view.eye[0], view.eye[1], view.eye[2]),
                vec3_make(view.target[0], view.target[1], view.target[2]));
    c.fov = view.fov_y_degrees / 57.2957795f;
    return c;
}

static void aim(const viewer *v, weir_view *view)
{
    vec3 eye = camera_eye(&v->camera), target = v->camera.pivot;
    const float from[3] = {eye.x, eye.y, eye.z}, to[3] = {target.x, target.y, target.z};
    memcpy(view->eye, from, sizeof from);
    memcpy(view->target, to, sizeof to);
    view->up[0] = view->up[2] = 0;
    view->up[1] = 1;
    view->fov_y_degrees = v->camera.fov * 57.2957795f;
}

/* The surface as the mesher gives it; meshing waits for the device. */
static weir_result draw_mesh(viewer *v, const weir_points *points, const weir_view *view)
{
    weir_result result;
    struct view_picture *p = v->picture;
    if (!p->mesher) {
        weir_mesher_def def = weir_mesher_def_default(NULL);
        WEIR_TRY(weir_mesher_create(v->work.device, &def, &p->mesher));
    }
    if (!p->mesh || p->mesh_frame != v->stats.substep) {
        weir_mesh_destroy(&p->mesh);
        WEIR_TRY(weir_mesher_run(p->mesher, points, &p->mesh));
        p->mesh_frame = v->stats.substep;
    }
    WEIR_TRY(weir_render_mesh(p->renderer, p->mesh, view, &p->image));
fail:
    return result;
}

weir_result view_picture_draw(viewer *v, uint32_t width, uint32_t height)
{
    weir_result result;
    weir_points *points = NULL;
    struct view_picture *p = v->picture;
    weir_view view = weir_view_default(v->work.scene);
    /* Not moved, the camera is the scene's to the bit: the picture is that of weir run --images. */
    if (memcmp(&v->camera, &v->home, sizeof v->home) != 0) aim(v, &view);
    view.width = p->width = width;
    view.height = p->height = height;
    view.mode = v->look.mode;
    view.colouring = v->look.colouring;
    view.filter = v->look.filter;
    view.shadows = v->look.shadows;
    view.legend = v->look.legend;
    view.samples = v->look.samples;
    view.time_s = v->stats.time_s;
    view.reload = v->reload;
    v->reload = false;
    if (v->row_points) {
        view.mode = WEIR_MODE_PARTICLES;
        view.colouring = WEIR_COLOUR_DENSITY;
        view.range[0] = 0;
        view.range[1] = 1;
        view.legend = false;
        return weir_render_points(p->renderer, v->row_points, &view, &p->image);
    }
    WEIR_TRY(weir_sim_acquire_points(v->sim, &points));
    if (view.mode == WEIR_MODE_MESH)
        WEIR_TRY(draw_mesh(v, points, &view));
    else
        WEIR_TRY(weir_render_points(p->renderer, points, &view, &p->image));
fail:
    weir_points_release(&points);
    return result;
}

weir_result view_picture_read(viewer *v, uint32_t *width, uint32_t *height, const uint8_t **pixels)
{
    return weir_image_read(v->picture->image, width, height, pixels);
}

weir_result view_picture_save(viewer *v, const char *path)
{
    return weir_image_save(v->picture->image, path);
}

weir_result view_picture_show(viewer *v, const weir_overlay *drawing)
{
    struct view_picture *p = v->picture;
    return weir_presenter_show(v->presenter, p->image, drawing, p->width, p->height);
}

weir_result view_picture_times(viewer *v, weir_row_time *times, uint32_t *count)
{
    return weir_renderer_row_times(v->picture->renderer, times, count);
}
