/* What keys and mouse do in the window. */
#ifndef WEIR_VIEW_INPUT_H
#define WEIR_VIEW_INPUT_H

#include "parts.h"

view_listener view_input(viewer *v);

#endif
