// Included by every shader of the simulation: bindings, constants and parameters.
#ifndef BINDINGS_SIM_GLSL
#define BINDINGS_SIM_GLSL
#define BIND(name) SIM_BIND_##name
#include "body.h"
#include "poisson.h"
#include "sim.h"
#include "sim_bindings.glsl"
#include "deformable.h"
#include "solid.h"
#include "neighbours/grid_bins.glsl"
#include "bindings/dispatch.glsl"

SIM_CONSTANTS(FLAG, NUMBER)
BLOCK(params);
#include "math/fixed_point.glsl"
#endif
