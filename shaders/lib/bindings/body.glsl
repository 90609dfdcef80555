// Included by every shader of rigid bodies: bindings, blocks and common functions.
#ifndef BINDINGS_BODY_GLSL
#define BINDINGS_BODY_GLSL
#define BIND(name) BODY_BIND_##name
#include "body.h"
#include "body_bindings.glsl"
#include "neighbours/grid_bins.glsl"
#include "bindings/dispatch.glsl"
#include "sim.h"
#include "solid.h"

// Constants of shaders/lib/boundary/boundary.glsl: bodies are items, and these shaders compute no densities.
const bool HAS_SOLIDS = true;
const uint SMOOTHING_KERNEL = SIM_KERNEL_WENDLAND;

BLOCK(params);
#include "math/fixed_point.glsl"

// Returns whether a body does not move in this substep, whatever acts on it: frozen or asleep.
bool body_is_at_rest(body_state at) { return at.position.w != 0.0 || at.angular_momentum.w != 0.0; }
#endif
