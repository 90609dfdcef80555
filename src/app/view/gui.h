/* The viewer's panels: a small C face over Dear ImGui, the only C++ of the program. A frame's
 * panels are described between gui_begin and gui_end; gui_end returns what is to be drawn. Main
 * thread only; one gui at a time. */
#ifndef WEIR_VIEW_GUI_H
#define WEIR_VIEW_GUI_H

#include "weir/vulkan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct GLFWwindow;
typedef struct gui gui;

/* Call it after the window's own callbacks are set: it passes events on to them. NULL when it
 * fails. */
gui *gui_create(struct GLFWwindow *window);
/* Sizes letters and panels for the window's monitor; does nothing if that has not changed.
 * `scale`: 1 at 96 dots an inch, in the window's units; `density`: pixels to such a unit. Outside
 * begin and end. */
void gui_set_scale(gui *g, float scale, float density);
void gui_destroy(gui **g);
void gui_begin(gui *g);
/* `drawing` lives until the next gui_begin. */
void gui_end(gui *g, weir_overlay *drawing);
/* True while the cursor is on a panel, and while text is typed into one. */
bool gui_has_mouse(void);
bool gui_has_keys(void);

typedef enum gui_corner {
    GUI_TOP_LEFT,
    GUI_TOP_RIGHT,
    GUI_BOTTOM,
    GUI_MIDDLE,
} gui_corner;

/* Widths and heights are in letters of the font; height 0 fits the contents. */
typedef struct gui_panel {
    const char *title;
    gui_corner corner;
    float width, height;
    bool bare; /* no title, not to be moved */
} gui_panel;
/* False when the user has folded the panel: its contents are not shown. Always call gui_panel_end.
 */
bool gui_panel_begin(const gui_panel *panel);
void gui_panel_end(void);

typedef enum gui_tone { GUI_PLAIN, GUI_DIMMED, GUI_WARNING, GUI_STRONG } gui_tone;
void gui_text(gui_tone tone, const char *text);
/* Shows `text` when the cursor rests on the last item. */
void gui_tooltip(const char *text);
void gui_separator(void);
/* Places the next item on the same line as the last one. */
void gui_same_line(void);
bool gui_button(const char *label);
bool gui_check(const char *label, bool *on);
bool gui_combo(const char *label, const char *const *names, uint32_t count, uint32_t *chosen);
/* False when the section is folded. */
bool gui_section(const char *title, bool open);

typedef struct gui_slider {
    const char *label;
    uint32_t count; /* values, 1 or 3 */
    double min, max;
    bool whole;
} gui_slider;
typedef enum gui_edit { GUI_UNTOUCHED, GUI_MOVING, GUI_DONE } gui_edit;
gui_edit gui_slider_edit(const gui_slider *slider, double *values);

/* The visible part of a button, box or slider in the last frame. */
typedef struct gui_item {
    const char *name;      /* the label, or what follows its "##"; lives until the next gui_begin */
    float low[2], high[2]; /* corners in pixels, from the top left */
} gui_item;
/* False past the last. */
bool gui_item_at(const gui *g, uint32_t index, gui_item *item);

/* The newest value is the last; the axis starts at 0. */
void gui_plot(const char *label, const float *values, uint32_t count);
bool gui_table_begin(const char *name, const char *const *headings, uint32_t columns);
/* Cells from left to right, line after line; numbers are flush right. */
void gui_cell(gui_tone tone, const char *text);
void gui_cell_lines(const char *text); /* wrapped */
void gui_cell_number(double number, int digits);
void gui_table_end(void);

#ifdef __cplusplus
}
#endif
#endif
