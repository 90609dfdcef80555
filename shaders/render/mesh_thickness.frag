// Metres of fluid in a closed mesh: where a ray leaves less where it enters, added up, each not beyond the
// solids.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "row.h"
#include "render.h"
#include "camera.glsl"

layout(push_constant) uniform row_push { gpu_row_push row; };
layout(std140, binding = RENDER_BIND_PARAMS) uniform params_block { render_params params; };
layout(binding = RENDER_BIND_LIMIT) uniform texture2D solid_depth;
layout(location = 2) in float depth;
layout(location = 0) out vec2 thickness;

void main()
{
    render_camera camera = params.cameras[row.constant];
    float limit = camera_depth(camera, texelFetch(solid_depth, ivec2(gl_FragCoord.xy), 0).x);
    float way = min(depth, limit) * length(camera_ray(camera, gl_FragCoord.xy).way);
    thickness = vec2(gl_FrontFacing ? -way : way, 0.0);
}
