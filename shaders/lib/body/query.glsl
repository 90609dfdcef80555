// Iterates over the bodies that may be near a position, in their order.
// Buffers: params, body_cells, body_spheres.
#ifndef BODY_QUERY_GLSL
#define BODY_QUERY_GLSL
#include "body/cells.glsl"

// Its words are read anew at each step: held through the distances between two steps they cost a GPU nine
// registers, because lanes leave the loop one after the other.
struct body_walk {
    uint cell; // its first word
    uint next; // bodies from this one on are still to come
};

body_walk walk_begin(vec3 p) { return body_walk(body_cell_at(body_cell_of(p)), 0u); }

// The next body; BODY_NONE behind the last, and then the walk is over.
uint walk_next(inout body_walk walk)
{
    uint group = min(walk.next / BODY_GROUP, BODY_GROUPS - 1u), passed = walk.next - BODY_GROUP * group;
    uint groups = body_cells[walk.cell] >> group << group, bits = 0u, body = BODY_NONE;
    if ((groups >> group & 1u) != 0u && passed < BODY_GROUP)
        bits = body_cells[walk.cell + 1u + group] >> passed << passed;
    groups &= ~(1u << group);
    if (bits == 0u && groups != 0u) {
        group = uint(findLSB(groups));
        bits = body_cells[walk.cell + 1u + group];
    }
    if (bits != 0u) body = BODY_GROUP * group + uint(findLSB(bits));
    walk.next = body + 1u;
    return body;
}

bool walk_is_far(uint body, vec3 p, float reach)
{
    vec4 sphere = body_spheres[body];
    return distance(p, sphere.xyz) >= sphere.w + reach;
}

// The next one whose sphere is within `reach` of p. A loop of its own: CPU drivers carry out all that a loop
// holds for every body that it passes.
uint walk_next_near(inout body_walk walk, vec3 p, float reach)
{
    uint body = walk_next(walk);
    while (body != BODY_NONE && walk_is_far(body, p, reach)) body = walk_next(walk);
    return body;
}
#endif
