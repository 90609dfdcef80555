/* The panels that are drawn over the picture. */
#ifndef WEIR_VIEW_PANELS_H
#define WEIR_VIEW_PANELS_H

#include "viewer_state.h"

/* Describes the panels of a frame, and does what is clicked in them. */
void view_show_panels(viewer *v);

#endif
