// Appends to a queue whose length is the size of an indirect dispatch (struct body_queue).
// Buffers: queues.
#ifndef REDUCE_DISPATCH_QUEUE_GLSL
#define REDUCE_DISPATCH_QUEUE_GLSL

void queue_clear(uint queue) { queues[queue] = body_queue(0u, 1u, 1u, 0u); }

// Appends an entry and returns its place. Workgroups of the dispatched pass have the size of this shader's;
// as in invocation_index, more than 65535 fold into y.
uint queue_push(uint queue)
{
    uint place = atomicAdd(queues[queue].count, 1u), group = place / gl_WorkGroupSize.x;
    if (place % gl_WorkGroupSize.x != 0u) return place;
    if (group < 65535u)
        atomicAdd(queues[queue].groups_x, 1u);
    else if (group % 65535u == 0u)
        atomicAdd(queues[queue].groups_y, 1u);
    return place;
}
#endif
