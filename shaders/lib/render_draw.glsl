// What the stages of the renderer's draws start from.
#extension GL_GOOGLE_include_directive : require
#include "render.h"
#define BIND(name) RENDER_BIND_##name
#include "draw.glsl"
