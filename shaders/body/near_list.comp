// One invocation a body: the items, solids and other bodies, that it can touch before the next iteration. Each
// sweep of contacts moves a body by at most the cap of corrections.
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
OWN_READ(body_iterates);
SCATTER(near);
#include "shape.glsl"
#include "wall.glsl"

void main()
{
    uint i = row_index(), at = i * BODY_NEAR_WORDS, count = 0u, items_end = params.sink_first;
    if (i >= wall_bodies() || state.flags != 0u || status.running == 0u || status.solved != 0u) return;
    float moved = 2.0 * float(BODY_SWEEPS) * params.correction_cap;
    float reach = bodies[i].inertia.w + BODY_CLING * params.spacing + moved;
    for (uint item = 0u; item < items_end; item++) {
        vec3 local = wall_local(item, body_iterates[i].position.xyz);
        if (item == params.solid_count + i || !wall_item_near(item, local, reach)) continue;
        if (count < BODY_NEAR) near[at + 1u + count] = item;
        count++;
    }
    near[at] = count;
}
