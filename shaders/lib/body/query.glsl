// Iterates over the bodies that may be near a position, in ascending order.
// Buffers: params, broad_phase_cells, body_spheres.
#ifndef BODY_QUERY_GLSL
#define BODY_QUERY_GLSL
#include "body/cells.glsl"

// State of an iteration. The words of the cell are read again at each step: held during the distances between
// two steps they would cost a GPU nine registers, because lanes leave the loop one after the other.
struct body_iterator {
    uint cell; // index of the first word of its cell
    uint next; // bodies from this index on are still to be visited
};

body_iterator body_iterator_begin(vec3 p)
{
    return body_iterator(broad_phase_cell_index(broad_phase_cell_of(p)), 0u);
}

// Returns the next body; BODY_NONE after the last, which ends the iteration.
uint body_iterator_next(inout body_iterator walk)
{
    uint group = min(walk.next / BODY_BITS_PER_WORD, BODY_MAX_BIT_WORDS - 1u);
    uint passed = walk.next - BODY_BITS_PER_WORD * group;
    uint groups = broad_phase_cells[walk.cell] >> group << group, bits = 0u, body = BODY_NONE;
    if ((groups >> group & 1u) != 0u && passed < BODY_BITS_PER_WORD)
        bits = broad_phase_cells[walk.cell + 1u + group] >> passed << passed;
    groups &= ~(1u << group);
    if (bits == 0u && groups != 0u) {
        group = uint(findLSB(groups));
        bits = broad_phase_cells[walk.cell + 1u + group];
    }
    if (bits != 0u) body = BODY_BITS_PER_WORD * group + uint(findLSB(bits));
    walk.next = body + 1u;
    return body;
}

bool body_is_beyond(uint body, vec3 p, float reach)
{
    vec4 sphere = body_spheres[body];
    return distance(p, sphere.xyz) >= sphere.w + reach;
}

// Returns the next body whose bounding sphere is within `reach` of p. It has its own loop because CPU drivers
// execute the whole body of a loop for every body that it skips.
uint body_iterator_next_near(inout body_iterator walk, vec3 p, float reach)
{
    uint body = body_iterator_next(walk);
    while (body != BODY_NONE && body_is_beyond(body, p, reach)) body = body_iterator_next(walk);
    return body;
}
#endif
