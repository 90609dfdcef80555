// What has torn. Needs soft_states.

bool is_torn(uint flag)
{
    if (flag == SOFT_NONE) return false;
    uint at = flag / SOFT_FLAGS, k = flag % 4u;
    bool first = flag % SOFT_FLAGS < 4u;
    return (first ? soft_states[at].position[k] : soft_states[at].velocity[k]) != 0.0;
}
