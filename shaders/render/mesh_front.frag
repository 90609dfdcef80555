// The nearest surface of a fluid that came as a mesh, in front of the solids: 1/z and normal.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "row.h"
#include "render.h"
#include "camera.glsl"

layout(push_constant) uniform row_push { gpu_row_push row; };
layout(std140, binding = RENDER_BIND_PARAMS) uniform params_block { render_params params; };
layout(binding = RENDER_BIND_LIMIT) uniform texture2D solid_depth;
layout(location = 0) in vec3 normal;
layout(location = 2) in float depth;
layout(location = 0) out float nearest;
layout(location = 1) out vec4 out_normal;

void main()
{
    float limit = texelFetch(solid_depth, ivec2(gl_FragCoord.xy), 0).x;
    if (depth >= camera_depth(params.cameras[row.constant], limit)) discard;
    nearest = 1.0 / depth;
    out_normal = vec4(normalize(normal), 1.0);
}
