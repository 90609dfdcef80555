// What the recorder passes to the stages of a draw.
#ifndef BINDINGS_DRAW_GLSL
#define BINDINGS_DRAW_GLSL
#include "bindings/bindings.glsl"
#include "row.h"

layout(push_constant) uniform row_push { gpu_row_push row; };
#endif
