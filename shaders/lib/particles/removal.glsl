// Decides whether a particle has left the domain through an open side.
// Buffers: params.
#ifndef PARTICLES_REMOVAL_GLSL
#define PARTICLES_REMOVAL_GLSL

bool has_left_domain(ivec3 p)
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
#endif
