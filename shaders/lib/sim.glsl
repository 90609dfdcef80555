// What every kernel of the simulation starts from.
#extension GL_GOOGLE_include_directive : require
#define BIND(name) SIM_BIND_##name
#include "body.h"
#include "poisson.h"
#include "sim.h"
#include "sim_bindings.glsl"
#include "soft.h"
#include "solid.h"
#include "grid.glsl"
#include "row.glsl"

SIM_CONSTANTS(FLAG, NUMBER)
BLOCK(params);
#include "fixed.glsl"
