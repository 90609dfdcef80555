// Clears the broad-phase cells and the particle queues; one invocation per word of the cells.
#version 460
#include "bindings/body.glsl"

WRITE_OWN(broad_phase_cells);
WRITE_ANY(queues);
#include "reduce/dispatch_queue.glsl"

void main()
{
    uint i = invocation_index();
    if (i >= pass.constant) return;
    if (i == 0u) {
        queue_clear(BODY_QUEUE_PARTICLES);
        queue_clear(BODY_QUEUE_OVERFLOW);
    }
    broad_phase_cells[i] = 0u;
}
