// Says whether a constraint has torn.
// Buffers: soft_states.
#ifndef DEFORMABLE_TORN_GLSL
#define DEFORMABLE_TORN_GLSL

bool is_torn(uint flag)
{
    if (flag == SOFT_NONE) return false;
    uint at = flag / SOFT_FLAGS, k = flag % 4u;
    bool first = flag % SOFT_FLAGS < 4u;
    return (first ? soft_states[at].position[k] : soft_states[at].velocity[k]) != 0.0;
}
#endif
