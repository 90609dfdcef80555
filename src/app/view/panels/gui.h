/* gui: the viewer's panels, a small C interface to Dear ImGui, which is the only C++ of the
 * program. The panels of a frame are described between gui_begin and gui_end; gui_end returns what
 * has to be drawn. Main thread only; one gui at a time. */
#ifndef WEIR_VIEW_GUI_H
#define WEIR_VIEW_GUI_H

#include "weir/vulkan.h"

#ifdef __cplusplus
extern "C" {
#endif

struct GLFWwindow;
typedef struct gui gui;

/* Creates the gui. Call it after setting the window's own callbacks, because it forwards events to
 * them. Returns NULL on failure. */
gui *gui_create(struct GLFWwindow *window);
/* Adapts fonts and panels to the window's monitor; does nothing if it has not changed. `scale` is 1
 * at 96 dots per inch, in the window's units; `density` is the number of pixels per such unit. Call
 * it outside gui_begin and gui_end. */
void gui_set_scale(gui *g, float scale, float density);
/* Sets the pictures that gui_picture_button shows:
 * [count][GUI_PICTURE_HEIGHT][GUI_PICTURE_WIDTH][4] bytes, red, green, blue and alpha, which are
 * copied. Call it outside gui_begin and gui_end. */
#define GUI_PICTURE_WIDTH 160
#define GUI_PICTURE_HEIGHT 90
void gui_set_pictures(gui *g, const unsigned char *pixels, uint32_t count);
void gui_destroy(gui **g);
void gui_begin(gui *g);
/* Ends the frame. `drawing` is valid until the next gui_begin. */
void gui_end(gui *g, weir_overlay *drawing);
/* Report whether the cursor is on a panel, and whether text is being typed into one. */
bool gui_has_mouse(void);
bool gui_has_keys(void);
/* Returns the width of the window in the units in which panels are measured: pixels at 96 dots per
 * inch. */
float gui_screen_width(const gui *g);

typedef enum gui_corner {
    GUI_TOP_LEFT,
    GUI_TOP_RIGHT,
    GUI_BOTTOM,
    GUI_MIDDLE,
} gui_corner;

/* A panel. Width and height are in characters of the font; height 0 fits the contents. */
typedef struct gui_panel {
    const char *title;
    gui_corner corner;
    float width, height;
    bool bare;   /* without title, not movable */
    bool folded; /* it starts with only its title */
    bool opaque;
} gui_panel;
/* Begins a panel; returns false if the user has collapsed it, so that its contents are not shown.
 * Always call gui_panel_end. */
bool gui_panel_begin(const gui_panel *panel);
void gui_panel_end(void);

typedef enum gui_tone { GUI_PLAIN, GUI_DIMMED, GUI_WARNING, GUI_STRONG } gui_tone;
void gui_text(gui_tone tone, const char *text);
/* Shows `text` while the cursor rests on the last item. */
void gui_tooltip(const char *text);
void gui_separator(void);
/* Places the next item on the same line as the last one. */
void gui_same_line(void);
bool gui_button(const char *label);
/* Shows a button with a picture of gui_set_pictures and `label` below it: with dots if the picture
 * has not been set yet, and "files missing" for GUI_NO_PICTURE. */
#define GUI_NO_PICTURE UINT32_MAX
bool gui_picture_button(uint32_t picture, const char *label, bool chosen);
/* Returns how many items of `width` pixels at 96 dots per inch fit side by side in the panel. */
uint32_t gui_columns(float width);
/* Tabs: gui_tab_begin returns whether its tab is chosen; if so, call gui_tab_end after its
 * contents.
 */
bool gui_tabs_begin(const char *name);
bool gui_tab_begin(const char *title);
void gui_tab_end(void);
void gui_tabs_end(void);
/* Indents what follows by `steps`, or back for a negative number. */
void gui_indent(int steps);
bool gui_check(const char *label, bool *on);
/* Shows a choice of names; `other` is shown while *chosen is none of them. Returns whether it
 * changed. */
bool gui_combo(const char *label, const char *const *names, uint32_t count, const char *other,
               uint32_t *chosen);
/* Unfolds or folds all sections in the next frame. */
void gui_set_sections(bool unfolded);
/* Begins a section; returns false if it is collapsed. */
bool gui_section(const char *title, bool open);

typedef struct gui_slider {
    const char *label;
    uint32_t count; /* number of values, 1 or 3 */
    double min, max;
    bool whole;
} gui_slider;
typedef enum gui_edit { GUI_UNTOUCHED, GUI_MOVING, GUI_DONE } gui_edit;
gui_edit gui_slider_edit(const gui_slider *slider, double *values);

/* The visible part of a button, checkbox or slider in the last frame. */
typedef struct gui_item {
    /* the label, or the text after its "##"; valid until the next gui_begin */
    const char *name;
    float low[2], high[2]; /* corners in pixels, from the top left */
} gui_item;
/* Returns an item by index; false after the last one. */
bool gui_item_at(const gui *g, uint32_t index, gui_item *item);

/* Plots values, the last of which is the newest; the axis starts at 0. */
void gui_plot(const char *label, const float *values, uint32_t count);
bool gui_table_begin(const char *name, const char *const *headings, uint32_t columns);
/* Add cells from left to right, row by row; numbers are right-aligned. */
void gui_cell(gui_tone tone, const char *text);
void gui_cell_lines(const char *text); /* wrapped */
void gui_cell_number(double number, int digits);
void gui_table_end(void);

#ifdef __cplusplus
}
#endif
#endif
