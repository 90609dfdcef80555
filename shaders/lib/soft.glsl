// What every kernel of cloths and ropes starts from.
#extension GL_GOOGLE_include_directive : require
#define BIND(name) SOFT_BIND_##name
#include "body.h"
#include "grid.glsl"
#include "row.glsl"
#include "sim.h"
#include "soft.h"
#include "solid.h"

// Of shaders/lib/wall.glsl: none of these kernels asks for densities.
const bool HAS_SOLIDS = true;
const uint KERNEL = SIM_KERNEL_WENDLAND;

BLOCK(params);
#include "fixed.glsl"
