// Decides whether a body collides with an item.
// Buffers: params, bodies.
#ifndef BODY_COLLISION_FILTER_GLSL
#define BODY_COLLISION_FILTER_GLSL

// Returns false for the body itself and for bodies of its own group.
bool can_collide(uint item, uint self)
{
    if (item < params.solid_count) return true;
    uint other = item - params.solid_count, group = bodies[self].group;
    return other != self && (group == 0u || bodies[other].group != group);
}
#endif
