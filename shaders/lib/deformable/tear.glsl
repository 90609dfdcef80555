// Sets the tear flag of a constraint.
// Buffers: deformable_states (written).
#ifndef DEFORMABLE_TEAR_GLSL
#define DEFORMABLE_TEAR_GLSL

void  set_torn(uint flag)
{
    uint at = flag / DEFORMABLE_FLAGS_PER_STATE, k = flag % 4u;
    if (flag % DEFORMABLE_FLAGS_PER_STATE < 4u)
        deformable_states[at].position[k] = 1.0;
    else
        deformable_states[at].velocity[k] = 1.0;
}
#endif
