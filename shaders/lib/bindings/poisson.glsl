// Included by every shader of the Poisson solver: bindings, constants and parameters.
#ifndef BINDINGS_POISSON_GLSL
#define BINDINGS_POISSON_GLSL
#define BIND(name) POISSON_BIND_##name
#include "neighbours/grid_bins.glsl"
#include "poisson.h"
#include "poisson_bindings.glsl"
#include "bindings/dispatch.glsl"

POISSON_CONSTANTS(FLAG)
BLOCK(multigrid);
#endif
