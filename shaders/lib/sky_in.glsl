// What sky.glsl reads.
#include "camera.glsl"
#include "colours.glsl"

UNIFORM(params);
SAMPLED(shadow_solid);
SAMPLED(shadow_fluid);
SAMPLED(shadow_thickness);
SAMPLED(caustics);
SAMPLED(environment);
#include "sky.glsl"
