// What every kernel of whitewater starts from.
#ifndef BINDINGS_WHITEWATER_GLSL
#define BINDINGS_WHITEWATER_GLSL
#define BIND(name) FOAM_BIND_##name
#include "foam.h"
#include "solid.h"
#include "neighbours/grid_cells.glsl"
#include "bindings/dispatch.glsl"

FOAM_CONSTANTS(FLAG, NUMBER)
#endif
