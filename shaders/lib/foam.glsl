// What every kernel of whitewater starts from.
#extension GL_GOOGLE_include_directive : require
#define BIND(name) FOAM_BIND_##name
#include "foam.h"
#include "solid.h"
#include "grid.glsl"
#include "row.glsl"

FOAM_CONSTANTS(FLAG, NUMBER)
