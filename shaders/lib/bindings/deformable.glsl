// Included by every shader of cloths, ropes and soft bodies: bindings and blocks.
#ifndef BINDINGS_DEFORMABLE_GLSL
#define BINDINGS_DEFORMABLE_GLSL
#define BIND(name) DEFORMABLE_BIND_##name
#include "body.h"
#include "neighbours/grid_bins.glsl"
#include "bindings/dispatch.glsl"
#include "sim.h"
#include "deformable.h"
#include "deformable_bindings.glsl"
#include "solid.h"

// Constants of shaders/lib/boundary/boundary.glsl: these shaders compute no densities.
const bool HAS_SOLIDS = true;
const uint SMOOTHING_KERNEL = SIM_KERNEL_WENDLAND;

BLOCK(params);
#include "math/fixed_point.glsl"
#endif
