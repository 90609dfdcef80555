// Included by every shader of probes: bindings and constants.
#ifndef BINDINGS_PROBE_GLSL
#define BINDINGS_PROBE_GLSL
#define BIND(name) PROBE_BIND_##name
#include "probe.h"
#include "neighbours/grid_bins.glsl"
#include "bindings/dispatch.glsl"

PROBE_CONSTANTS(FLAG, NUMBER)
#endif
