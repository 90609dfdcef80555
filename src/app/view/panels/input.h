/* input: the effect of keys and mouse in the window. */
#ifndef WEIR_VIEW_INPUT_H
#define WEIR_VIEW_INPUT_H

#include "viewer_state.h"

view_listener view_input_listener(viewer *v);

#endif
