// What every kernel of the grid starts from.
#extension GL_GOOGLE_include_directive : require
#define BIND(name) GRID_BIND_##name
#include "anisotropy.h"
#include "grid.glsl"
#include "row.glsl"

GRID_CONSTANTS(FLAG, NUMBER)
