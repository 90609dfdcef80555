// What every compute kernel of the renderer starts from.
#extension GL_GOOGLE_include_directive : require
#include "render.h"
#define BIND(name) RENDER_BIND_##name
#define WORKGROUP 64 // a tile of 8 x 8 pixels, or a stretch of a line
#include "row.glsl"

RENDER_CONSTANTS(FLAG)
