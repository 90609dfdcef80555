// What every kernel of bodies starts from.
#extension GL_GOOGLE_include_directive : require
#define BIND(name) BODY_BIND_##name
#include "body.h"
#include "grid.glsl"
#include "row.glsl"
#include "sim.h"
#include "solid.h"

// Of shaders/lib/wall.glsl: bodies are items, and none of these kernels asks for densities.
const bool HAS_SOLIDS = true;
const uint KERNEL = SIM_KERNEL_WENDLAND;

BLOCK(params);
#include "fixed.glsl"

// It does not move in this substep, whatever pushes it.
bool body_rests(body_state at) { return at.position.w != 0.0 || at.spin.w != 0.0; }
