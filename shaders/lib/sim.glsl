// What every kernel of the simulation binds.
#include "row.glsl"
#include "grid.glsl"
#include "sim.h"
#include "solid.h"

layout(std430, binding = SIM_BIND_PARAMS) readonly buffer params_block { sim_params params; };
#include "place.glsl"
