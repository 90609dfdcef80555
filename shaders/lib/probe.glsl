// What every kernel of questions starts from.
#extension GL_GOOGLE_include_directive : require
#define BIND(name) PROBE_BIND_##name
#include "probe.h"
#include "grid.glsl"
#include "row.glsl"

PROBE_CONSTANTS(FLAG, NUMBER)
