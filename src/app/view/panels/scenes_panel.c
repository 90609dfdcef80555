/* The scenes of the folder as pictures. */
#include "dispatch_command.h"
#include "panel_parts.h"

#include <ctype.h>

static void open_scene(viewer *v, uint32_t index)
{
    char *path = view_scene_list_path(&v->scenes, index);
    if (path) {
        v->pages.scenes = false;
        view_run_command(v, &(view_call){.id = VIEW_SCENE, .values = {{true, 0, path}}});
    }
    base_free(path);
}

/* Prints a readable name of a scene file: "flip_dam.json" becomes "Flip dam". */
static void print_name(const char *file, char out[64])
{
    snprintf(out, 64, "%.*s", (int)(strlen(file) - strlen(".json")), file);
    for (char *c = out; *c; c++)
        if (*c == '_') *c = ' ';
    out[0] = (char)toupper((unsigned char)out[0]);
}

static void show_pictures(viewer *v)
{
    const view_scene_list *list = &v->scenes;
    uint32_t now = view_scene_list_find(list, &v->session.scene.scene_source);
    uint32_t columns = gui_columns(GUI_PICTURE_WIDTH);
    for (uint32_t i = 0; i < list->names.count; i++) {
        char name[64];
        print_name(list->names.items[i], name);
        if (i % columns) gui_same_line();
        if (gui_picture_button(list->empty[i] ? GUI_NO_PICTURE : i, name, i == now)) {
            open_scene(v, i);
            return;
        }
        gui_tooltip(list->empty[i] ? "Files of this scene are missing: tools/get-models fetches "
                                     "models."
                                   : list->names.items[i]);
    }
}

void panel_show_scenes(viewer *v)
{
    const view_scene_list *list = &v->scenes;
    if (gui_panel_begin(
            &(gui_panel){.title = "Scenes", .corner = GUI_MIDDLE, .width = 86, .opaque = true})) {
        if (list->names.count == 0)
            gui_text(GUI_DIMMED, "There is no folder of scenes here. Open one with weir view "
                                 "FOLDER/SCENE.json.");
        else if (list->drawn < list->names.count)
            panel_text(GUI_DIMMED, "%s: drawing picture %u of %zu", list->folder, list->drawn + 1,
                       list->names.count);
        else
            panel_text(GUI_DIMMED, "%s", list->folder);
        show_pictures(v);
    }
    gui_panel_end();
}
