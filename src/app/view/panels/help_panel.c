/* The help page: the mouse and the keys in groups, and the words of scripts on a second tab. */
#include "panel_parts.h"

static const char *const titles[VIEW_GROUPS] = {
    [VIEW_GROUP_CAMERA] = "Camera",
    [VIEW_GROUP_SIMULATION] = "Simulation",
    [VIEW_GROUP_VIEW] = "View",
    [VIEW_GROUP_FILES] = "Files and window",
};

static void show_mouse(void)
{
    static const char *const headings[] = {"Mouse", ""};
    if (!gui_table_begin("mouse", headings, 2)) return;
    for (size_t i = 0; i < view_gesture_count; i++) {
        gui_cell_lines(view_gestures[i].about);
        gui_cell(GUI_STRONG, view_gestures[i].gesture);
    }
    gui_table_end();
}

static void show_keys(view_group group)
{
    char keys[96];
    const char *const headings[] = {titles[group], ""};
    if (!gui_table_begin(titles[group], headings, 2)) return;
    for (uint32_t i = 0; i < VIEW_COMMANDS; i++) {
        const view_command *c = &view_commands[i];
        if (!c->keys[0] || view_command_group((view_command_id)i) != group) continue;
        view_print_keys(c, keys, sizeof keys);
        gui_cell_lines(c->about);
        gui_cell(GUI_STRONG, keys);
    }
    gui_table_end();
}

static void show_words(void)
{
    static const char *const headings[] = {"What it does", "Word"};
    char usage[160];
    if (!gui_table_begin("words", headings, 2)) return;
    for (uint32_t i = 0; i < VIEW_COMMANDS; i++) {
        view_print_usage(&view_commands[i], usage, sizeof usage);
        gui_cell_lines(view_commands[i].about);
        gui_cell(GUI_STRONG, usage);
    }
    gui_table_end();
}

void panel_show_help(void)
{
    if (gui_panel_begin(
            &(gui_panel){.title = "Help", .corner = GUI_MIDDLE, .width = 96, .opaque = true}) &&
        gui_tabs_begin("pages")) {
        if (gui_tab_begin("Mouse and keys")) {
            show_mouse();
            for (uint32_t group = 0; group < VIEW_GROUPS; group++)
                show_keys((view_group)group);
            gui_tab_end();
        }
        if (gui_tab_begin("Words of scripts")) {
            gui_text(GUI_DIMMED, "weir view --script \"step 60; shot picture.png; quit\"");
            show_words();
            gui_tab_end();
        }
        gui_tabs_end();
    }
    gui_panel_end();
}
