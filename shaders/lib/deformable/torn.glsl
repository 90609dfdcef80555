// Reads the tear flag of a constraint.
// Buffers: deformable_states.
#ifndef DEFORMABLE_TORN_GLSL
#define DEFORMABLE_TORN_GLSL

bool is_torn(uint flag)
{
    if (flag == DEFORMABLE_NONE) return false;
    uint at = flag / DEFORMABLE_FLAGS_PER_STATE, k = flag % 4u;
    bool first = flag % DEFORMABLE_FLAGS_PER_STATE < 4u;
    return (first ? deformable_states[at].position[k] : deformable_states[at].velocity[k]) != 0.0;
}
#endif
