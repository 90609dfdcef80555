// What sky.glsl reads.
#include "render.h"
#include "camera.glsl"
#include "colours.glsl"

// What a frame has not costs nothing: CPU drivers work through both sides of a branch.
layout(constant_id = 3) const bool SKY_SOLIDS = true;   // there are triangles, which cast shadows
layout(constant_id = 4) const bool SKY_SHADOWED = true; // shadows are drawn
layout(constant_id = 5) const bool SKY_IMAGE = true;    // an environment image in place of the analytic sky

layout(std140, binding = RENDER_BIND_PARAMS) uniform params_block { render_params params; };
layout(binding = RENDER_BIND_SHADOW_SOLID) uniform texture2D shadow_solid;
layout(binding = RENDER_BIND_SHADOW_FLUID) uniform texture2D shadow_fluid;
layout(binding = RENDER_BIND_SHADOW_THICKNESS) uniform texture2D shadow_thickness;
layout(binding = RENDER_BIND_ENVIRONMENT) uniform texture2D environment;
#include "sky.glsl"
