// Tears a bond. Needs soft_states, which the kernel writes.

void tear(uint flag)
{
    uint at = flag / SOFT_FLAGS, k = flag % 4u;
    if (flag % SOFT_FLAGS < 4u)
        soft_states[at].position[k] = 1.0;
    else
        soft_states[at].velocity[k] = 1.0;
}
