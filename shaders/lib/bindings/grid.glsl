// Included by every shader of the grid: bindings and constants.
#ifndef BINDINGS_GRID_GLSL
#define BINDINGS_GRID_GLSL
#define BIND(name) GRID_BIND_##name
#include "anisotropy.h"
#include "neighbours/grid_bins.glsl"
#include "bindings/dispatch.glsl"

GRID_CONSTANTS(FLAG, NUMBER)
#endif
