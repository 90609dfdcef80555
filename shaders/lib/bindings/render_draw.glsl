// What the stages of the renderer's draws start from.
#ifndef BINDINGS_RENDER_DRAW_GLSL
#define BINDINGS_RENDER_DRAW_GLSL
#include "render.h"
#define BIND(name) RENDER_BIND_##name
#include "bindings/draw.glsl"
#endif
