// One invocation a body: the items, solids and other bodies, that may touch it in the substep.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "body.glsl"

BLOCK(state);
BLOCK(status);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
GATHER(bodies);
GATHER(body_iterates);
SCATTER(near);
SCATTER(queues);
#include "shape.glsl"
#include "wall.glsl"
#include "near_meets.glsl"
#include "queue.glsl"

bool is_near(uint item, uint self, float reach)
{
    vec3 centre = body_iterates[self].position.xyz;
    if (item < params.solid_count) return wall_item_near(item, wall_local(item, centre), reach);
    uint other = item - params.solid_count;
    return distance(body_iterates[other].position.xyz, centre) < reach + bodies[other].inertia.w;
}

void main()
{
    uint i = row_index(), at = i * BODY_NEAR_WORDS, count = 0u, items_end = params.sink_first;
    if (i >= wall_bodies() || state.flags != 0u || status.running == 0u) return;
    if (i == 0u) queue_clear(BODY_QUEUE_SAMPLES);
    float reach = bodies[i].inertia.w + BODY_SIFT_WITHIN * params.spacing;
    for (uint item = 0u; item < items_end; item++) {
        if (!near_meets(item, i) || !is_near(item, i, reach)) continue;
        if (count < BODY_NEAR) near[at + 1u + count] = item;
        count++;
    }
    near[at] = count;
}
