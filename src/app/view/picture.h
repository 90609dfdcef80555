/* The viewer's picture of the fluid. */
#ifndef WEIR_VIEW_PICTURE_H
#define WEIR_VIEW_PICTURE_H

#include "view_internal.h"

weir_result view_picture_create(viewer *v);
void view_picture_destroy(viewer *v);
/* For another scene, or one whose colours are others; on failure all is as it was. */
weir_result view_picture_prepare(viewer *v, const weir_scene *scene);
/* The camera that the scene starts with. */
camera view_picture_camera(const viewer *v);
/* Draws what the simulation stands at, for a window of this size. */
weir_result view_picture_draw(viewer *v, uint32_t width, uint32_t height);
/* The pixels, which live until the next drawing. */
weir_result view_picture_read(viewer *v, uint32_t *width, uint32_t *height, const uint8_t **pixels);
weir_result view_picture_save(viewer *v, const char *path);
/* Panels over the picture, then to the window. */
weir_result view_picture_show(viewer *v, const weir_overlay *drawing);
weir_result view_picture_times(viewer *v, weir_row_time *times, uint32_t *count);

#endif
