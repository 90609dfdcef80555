/* panel_parts: items that several panels use, and the panels themselves. */
#ifndef WEIR_VIEW_PANEL_PARTS_H
#define WEIR_VIEW_PANEL_PARTS_H

#include "viewer_state.h"

void panel_text(gui_tone tone, const char *format, ...) BASE_PRINTF(2, 3);
/* Shows what the command of the last item does, and its keys. */
void panel_command_tooltip(view_command_id id);
void panel_command_button(viewer *v, const char *label, view_command_id id);
void panel_command_checkbox(viewer *v, const char *label, view_command_id id, bool on);
/* Shows a choice among names, whose index becomes the command's value. If `chosen` is not below
 * their number, "the scene's" is shown. */
void panel_command_choice(viewer *v, const char *label, view_command_id id, const view_names *names,
                          uint32_t chosen);

/* The panels, each in a file of its own. */
void panel_show_advanced(viewer *v);
void panel_show_metrics(const view_timings *times, bool timestamps);
void panel_show_help(void);
void panel_show_scenes(viewer *v);

#endif
