#include "body_support.h"

weir_body read_body(sim_world *world, uint32_t index)
{
    weir_body bodies[8];
    uint32_t count = BASE_COUNT(bodies);
    OK(sim_bodies(world, bodies, &count));
    assert_true(index < count);
    return bodies[index];
}
