// Tears a constraint.
// Buffers: soft_states (written).
#ifndef DEFORMABLE_TEAR_GLSL
#define DEFORMABLE_TEAR_GLSL

void tear(uint flag)
{
    uint at = flag / SOFT_FLAGS, k = flag % 4u;
    if (flag % SOFT_FLAGS < 4u)
        soft_states[at].position[k] = 1.0;
    else
        soft_states[at].velocity[k] = 1.0;
}
#endif
