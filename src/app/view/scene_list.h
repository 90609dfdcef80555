/* scene_list: the scenes of a folder, with a small picture of each. Pictures are drawn when the
 * list is first shown, one at a time, from few particles, and kept in the user's cache folder. */
#ifndef WEIR_VIEW_SCENE_LIST_H
#define WEIR_VIEW_SCENE_LIST_H

#include "open_scene.h"
#include "weir/render.h"

typedef struct view_scene_list {
    char *folder;             /* NULL: none was read */
    BASE_ARRAY(char *) names; /* of the files */
    uint8_t *pictures;        /* [names.count][GUI_PICTURE_HEIGHT][GUI_PICTURE_WIDTH][4] */
    bool *empty;              /* [names.count]: a picture could not be drawn */
    uint32_t drawn;           /* number of pictures so far, in the order of the names */
    bool changed;             /* pictures were added since gui_set_pictures */
} view_scene_list;

/* Reads the folder of the source's scene, unless it is the one that was read last. */
weir_result view_scene_list_read(view_scene_list *list, const view_scene_source *scene_source,
                                 const weir_log *log);
/* Returns the index of the source's scene; names.count if it is not in the list. */
uint32_t view_scene_list_find(const view_scene_list *list, const view_scene_source *scene_source);
/* Returns the path of a scene; release with base_free. */
char *view_scene_list_path(const view_scene_list *list, uint32_t index);

/* The device that draws, and a function that is called repeatedly meanwhile. */
typedef struct view_scene_painter {
    weir_device *device;
    void (*yield)(void *user);
    void *user;
} view_scene_painter;
/* Reads the next picture from the cache, or draws it. A scene that cannot be drawn gets an empty
 * picture. */
void view_scene_list_draw_next(view_scene_list *list, const view_scene_painter *painter);
void view_scene_list_free(view_scene_list *list);

#endif
