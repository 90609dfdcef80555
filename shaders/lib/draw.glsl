// What the recorder passes to the stages of a draw.
#extension GL_GOOGLE_include_directive : require
#include "uses.glsl"
#include "row.h"

layout(push_constant) uniform row_push { gpu_row_push row; };
