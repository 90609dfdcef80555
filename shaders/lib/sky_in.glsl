// What sky.glsl reads.
#include "render.h"
#include "camera.glsl"
#include "colours.glsl"

layout(std140, binding = RENDER_BIND_PARAMS) uniform params_block { render_params params; };
layout(binding = RENDER_BIND_SHADOW_SOLID) uniform texture2D shadow_solid;
layout(binding = RENDER_BIND_SHADOW_FLUID) uniform texture2D shadow_fluid;
layout(binding = RENDER_BIND_SHADOW_THICKNESS) uniform texture2D shadow_thickness;
layout(binding = RENDER_BIND_ENVIRONMENT) uniform texture2D environment;
#include "sky.glsl"
