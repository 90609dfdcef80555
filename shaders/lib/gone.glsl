// Particles that leave the simulation. Needs wall.glsl.
#include "gone_side.glsl"

bool gone_down_sink(vec3 p)
{
    bool inside = false;
    uint first = params.sink_first, last = HAS_SOLIDS ? params.item_count : 0u;
    for (uint item = first; HAS_SOLIDS && item < last; item++)
        inside = inside || wall_item_distance(item, p, 0.0) < 0.0;
    return inside;
}
