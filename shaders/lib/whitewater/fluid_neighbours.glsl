// Visits the fluid particles near a point. FOAM_NEIGHBOUR(j, offset, distance, weight) is what is done
// with each: the offset points from the neighbour to the point, the weight is W = 1 - r/h.
// Buffers: params, and those of neighbours/neighbour_query.glsl.
#ifndef WHITEWATER_FLUID_NEIGHBOURS_GLSL
#define WHITEWATER_FLUID_NEIGHBOURS_GLSL
#ifndef FOAM_NEIGHBOUR
#error "define FOAM_NEIGHBOUR before fluid_neighbours.glsl: what is done with each"
#endif

float foam_inverse_h; // read once

#define AROUND_PARTICLE(j, offset, distance2)                    \
    {                                                            \
        float r = sqrt(distance2), w = 1.0 - r * foam_inverse_h; \
        FOAM_NEIGHBOUR(j, offset, r, w);                         \
    }
#include "neighbours/neighbour_query.glsl"

void foam_add_neighbours(vec3 p)
{
    if (params.point_count == 0u) return;
    foam_inverse_h = params.inverse_h;
    around_add(p);
}
#endif
