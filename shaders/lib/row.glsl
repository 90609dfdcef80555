// What the recorder passes to a dispatch, and the element that an invocation works on.
#extension GL_GOOGLE_include_directive : require
#include "uses.glsl"
#include "row.h"

layout(local_size_x_id = 0) in;
layout(push_constant) uniform row_push { gpu_row_push row; };

// The workgroup's number among those of the whole row, of which this dispatch may have a part. More than
// 65535 workgroups fold into y.
uint row_group() { return (gl_WorkGroupID.x + gl_WorkGroupID.y * 65535u) * row.parts + row.part; }

uint row_index() { return row_group() * gl_WorkGroupSize.x + gl_LocalInvocationID.x; }
