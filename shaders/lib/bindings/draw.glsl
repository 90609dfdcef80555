// Declares the push constants of the stages of a draw.
#ifndef BINDINGS_DRAW_GLSL
#define BINDINGS_DRAW_GLSL
#include "bindings/bindings.glsl"
#include "pass.h"

layout(push_constant) uniform pass_push { gpu_pass_push pass; };
#endif
