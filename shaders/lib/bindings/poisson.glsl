// What every kernel of the Poisson solver starts from.
#ifndef BINDINGS_POISSON_GLSL
#define BINDINGS_POISSON_GLSL
#define BIND(name) POISSON_BIND_##name
#include "neighbours/grid_cells.glsl"
#include "poisson.h"
#include "bindings/dispatch.glsl"

BLOCK(multigrid);
#endif
