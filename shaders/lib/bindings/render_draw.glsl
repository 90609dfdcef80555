// Included by every stage of the renderer's draws: bindings and push constants.
#ifndef BINDINGS_RENDER_DRAW_GLSL
#define BINDINGS_RENDER_DRAW_GLSL
#include "render.h"
#define BIND(name) RENDER_BIND_##name
#include "bindings/draw.glsl"
#endif
