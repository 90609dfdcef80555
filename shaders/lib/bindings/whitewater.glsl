// Included by every shader of whitewater: bindings and constants.
#ifndef BINDINGS_WHITEWATER_GLSL
#define BINDINGS_WHITEWATER_GLSL
#define BIND(name) WHITEWATER_BIND_##name
#include "whitewater.h"
#include "whitewater_bindings.glsl"
#include "solid.h"
#include "neighbours/grid_bins.glsl"
#include "bindings/dispatch.glsl"

WHITEWATER_CONSTANTS(FLAG, NUMBER)
#endif
