// The fluid particles near a point, for whitewater. Needs foam.glsl and what around.glsl needs, and `params`;
// what is done with a neighbour is the macro FOAM_NEIGHBOUR(j, offset, distance, weight): the offset goes
// from the neighbour to the point, the weight is W = 1 - r/h.
float foam_inverse_h; // read once

#define AROUND_PARTICLE(j, offset, distance2)                    \
    {                                                            \
        float r = sqrt(distance2), w = 1.0 - r * foam_inverse_h; \
        FOAM_NEIGHBOUR(j, offset, r, w);                         \
    }
#include "around.glsl"

void foam_add_neighbours(vec3 p)
{
    if (params.point_count == 0u) return;
    foam_inverse_h = params.inverse_h;
    around_add(p);
}
