// What every kernel of bodies starts from.
#ifndef BINDINGS_BODY_GLSL
#define BINDINGS_BODY_GLSL
#define BIND(name) BODY_BIND_##name
#include "body.h"
#include "neighbours/grid_cells.glsl"
#include "bindings/dispatch.glsl"
#include "sim.h"
#include "solid.h"

// Of shaders/lib/boundary/boundary.glsl: bodies are items, and none of these kernels asks for densities.
const bool HAS_SOLIDS = true;
const uint SMOOTHING_KERNEL = SIM_KERNEL_WENDLAND;

BLOCK(params);
#include "math/fixed_point.glsl"

// It does not move in this substep, whatever pushes it.
bool body_is_at_rest(body_state at) { return at.position.w != 0.0 || at.angular_momentum.w != 0.0; }
#endif
