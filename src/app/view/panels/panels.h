/* panels: the panels drawn over the picture. */
#ifndef WEIR_VIEW_PANELS_H
#define WEIR_VIEW_PANELS_H

#include "viewer_state.h"

/* Lays out the panels of a frame, and executes what is clicked in them. */
void view_show_panels(viewer *v);

#endif
