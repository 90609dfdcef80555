/* appearance: what is drawn of the fluid, and how. */
#ifndef WEIR_VIEW_LOOK_H
#define WEIR_VIEW_LOOK_H

#include "command_table.h"

typedef struct view_appearance {
    uint32_t mode, colouring, filter; /* weir_render_mode, weir_colouring, weir_depth_filter */
    uint32_t samples;                 /* along each side of a pixel */
    bool shadows, whitewater;
} view_appearance;

/* The names of a value, indexed from 0. */
typedef struct view_names {
    const char *what;
    const char *(*name)(uint32_t index);
    uint32_t count;
} view_names;
extern const view_names view_modes, view_colourings, view_filters, view_methods, view_looks,
    view_fluids;
/* Sets `now` to the index of the value's word among the names; without a word, to the next index.
 * Failures have been logged. */
weir_result view_names_choose(const weir_log *log, const view_names *names, const view_value *value,
                              uint32_t *now);

/* Copies the appearance to `view`. */
void view_appearance_apply(const view_appearance *appearance, weir_camera *view);
/* Executes the commands show, colour, filter, samples, shadows and whitewater. Failures have been
 * logged. */
weir_result view_appearance_command(view_appearance *appearance, const weir_log *log,
                                    const view_call *call);

#endif
