// What every kernel of the Poisson solver starts from.
#extension GL_GOOGLE_include_directive : require
#define BIND(name) POISSON_BIND_##name
#include "grid.glsl"
#include "poisson.h"
#include "row.glsl"

BLOCK(multigrid);
