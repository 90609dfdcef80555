// Particles that leave the simulation. Needs wall.glsl.

bool gone_through_side(ivec3 p)
{
    bool outside = false;
    for (uint side = 0u; side < 6u; side++) {
        uint axis = side >> 1;
        bool open = (params.sides >> (2u * side) & 3u) == 1u;
        bool past = (side & 1u) == 0u ? p[axis] < params.fixed_min[axis] : p[axis] > params.fixed_max[axis];
        outside = outside || (open && past);
    }
    return outside;
}

bool gone_down_sink(vec3 p)
{
    bool inside = false;
    uint first = params.sink_first, last = HAS_SOLIDS ? params.item_count : 0u;
    for (uint item = first; HAS_SOLIDS && item < last; item++)
        inside = inside || wall_item_distance(item, p, 0.0) < 0.0;
    return inside;
}
