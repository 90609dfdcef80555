// One invocation a word: no body is near, and no particle has lined up.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "body.glsl"

OWN_WRITE(body_cells);
SCATTER(queues);
#include "queue.glsl"

void main()
{
    uint i = row_index();
    if (i >= row.constant) return;
    if (i == 0u) {
        queue_clear(BODY_QUEUE_PARTICLES);
        queue_clear(BODY_QUEUE_CROWDED);
    }
    body_cells[i] = 0u;
}
