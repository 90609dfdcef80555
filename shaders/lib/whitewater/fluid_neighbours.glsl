// Visits the fluid particles near a point, and executes WHITEWATER_NEIGHBOUR(j, offset, distance, weight) for
// each: the offset points from the neighbour to the point, the weight is W = 1 - r/h.
// Buffers: params, and those of neighbours/neighbour_query.glsl.
#ifndef WHITEWATER_FLUID_NEIGHBOURS_GLSL
#define WHITEWATER_FLUID_NEIGHBOURS_GLSL
#ifndef WHITEWATER_NEIGHBOUR
#error "define WHITEWATER_NEIGHBOUR before fluid_neighbours.glsl: what is done with each"
#endif

float whitewater_inverse_h; // read once

#define VISIT_NEIGHBOUR(j, offset, distance2)                    \
    {                                                            \
        float r = sqrt(distance2), w = 1.0 - r * whitewater_inverse_h; \
        WHITEWATER_NEIGHBOUR(j, offset, r, w);                         \
    }
#include "neighbours/neighbour_query.glsl"

void whitewater_add_neighbours(vec3 p)
{
    if (params.point_count == 0u) return;
    whitewater_inverse_h = params.inverse_h;
    neighbour_query(p);
}
#endif
