/* TEMP picture */
#include "view_internal.h"
struct view_picture {
    weir_image *image;
    uint32_t width, height, mode;
};
weir_result view_picture_create(viewer *v)
{
    v->picture = base_alloc(1, sizeof *v->picture);
    return v->picture ? WEIR_OK : WEIR_MEMORY;
}
void view_picture_destroy(viewer *v)
{
    if (!v->picture) return;
    weir_image_destroy(&v->picture->image);
    base_free(v->picture);
}
weir_result view_picture_draw(viewer *v, uint32_t width, uint32_t height)
{
    struct view_picture *p = v->picture;
    if (p->image && p->width == width && p->height == height) return WEIR_OK;
    weir_image_destroy(&p->image);
    p->width = width;
    p->height = height;
    return weir_image_create(v->work.device, width, height, &p->image);
}
weir_result view_picture_save(viewer *v, const char *path)
{
    (void)v;
    (void)path;
    return WEIR_OK;
}
weir_result view_picture_show(viewer *v, const weir_overlay *drawing)
{
    struct view_picture *p = v->picture;
    weir_result r = weir_draw_overlay(drawing, p->image);
    return r == WEIR_OK ? weir_presenter_show(v->presenter, p->image, p->width, p->height) : r;
}
const char *const *view_picture_modes(uint32_t *count)
{
    static const char *const names[] = {"surface"};
    *count = 1;
    return names;
}
uint32_t *view_picture_mode(viewer *v)
{
    return &v->picture->mode;
}
