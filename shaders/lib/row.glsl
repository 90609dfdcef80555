// What the recorder passes to a dispatch, and the element that an invocation works on.
#extension GL_GOOGLE_include_directive : require
#include "uses.glsl"
#include "row.h"

layout(local_size_x_id = 0) in;
layout(push_constant) uniform row_push { gpu_row_push row; };

// More than 65535 workgroups fold into y.
uint row_index()
{
    return gl_GlobalInvocationID.x + gl_GlobalInvocationID.y * (65535u * gl_WorkGroupSize.x);
}
