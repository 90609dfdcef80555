// A walk through the bodies that may be near a place, in their order. Needs `params`, body_cells and
// body_spheres.
#include "body_cells.glsl"

struct body_walk {
    uint cell;   // its first word
    uint words;  // bits of those that are still to come
    uint word;   // the one at hand
    uint bodies; // its bits that are still to come
};

body_walk walk_begin(vec3 p)
{
    uint cell = body_cell_at(body_cell_of(p));
    return body_walk(cell, body_cells[cell], 0u, 0u);
}

// The next body, BODY_NONE behind the last.
uint walk_next(inout body_walk walk)
{
    if (walk.bodies == 0u) {
        if (walk.words == 0u) return BODY_NONE;
        walk.word = uint(findLSB(walk.words));
        walk.words &= walk.words - 1u;
        walk.bodies = body_cells[walk.cell + 1u + walk.word];
    }
    uint body = BODY_GROUP * walk.word + uint(findLSB(walk.bodies));
    walk.bodies &= walk.bodies - 1u;
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
