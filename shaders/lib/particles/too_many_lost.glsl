// Finds out whether the substep is broken.
// Buffers: status.
#ifndef PARTICLES_TOO_MANY_LOST_GLSL
#define PARTICLES_TOO_MANY_LOST_GLSL

// Returns whether more than one particle in a hundred has become non-finite since the start of the run.
bool too_many_lost()
{
    uint lost = status.solve_non_finite + status.total_non_finite + status.non_finite;
    return lost * 100u > status.count;
}
#endif
