// One invocation a body: the items, solids and other bodies, that may touch it in the substep. Where
// there are at most BODY_GROUP bodies, each asks all others; where there are more, those that the cells name.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(body_iterates);
READ_ANY(body_cells);
WRITE_ANY(near);
WRITE_ANY(queues);
#include "boundary/boundary.glsl"
#include "body/collision_filter.glsl"
#include "reduce/dispatch_queue.glsl"
#include "body/cells.glsl"

// The cells within `reach` of a body's centre.
struct near_cells {
    uvec3 low, size;
    uint count; // 0: all bodies are asked, for there are few of them or too many cells
};

near_cells find_cells(vec3 centre, float reach)
{
    uvec3 low = body_cell_of(centre - reach), size = body_cell_of(centre + reach) - low + 1u;
    uint count = size.x * size.y * size.z;
    bool asks = count <= BODY_NEAR_CELLS && wall_bodies() > BODY_GROUP;
    return near_cells(low, size, asks ? count : 0u);
}

// The bodies, or the groups of them, that any of these cells names in this word; all where no cell is asked.
uint word_of(near_cells cells, uint word)
{
    uint bits = cells.count > 0u ? 0u : ~0u;
    for (uint k = 0u; k < cells.count; k++) {
        uint line = k / cells.size.x;
        uvec3 at = cells.low + uvec3(k % cells.size.x, line % cells.size.y, line / cells.size.y);
        bits |= body_cells[body_cell_at(at) + word];
    }
    return bits;
}

void list(uint item, uint self, inout uint count)
{
    if (count < BODY_NEAR) near[self * BODY_NEAR_WORDS + 1u + count] = item;
    count++;
}

void list_solids(uint self, vec3 centre, float reach, inout uint count)
{
    uint end = params.solid_count; // read in the loop's condition it breaks SwiftShader under validation
    for (uint item = 0u; item < end; item++)
        if (wall_item_near(item, wall_local(item, centre), reach)) list(item, self, count);
}

void list_bodies(uint self, vec3 centre, float reach, inout uint count)
{
    near_cells cells = find_cells(centre, reach);
    uint groups = word_of(cells, 0u), end = wall_bodies();
    while (groups != 0u) {
        uint group = uint(findLSB(groups));
        uint bits = group * BODY_GROUP < end ? word_of(cells, 1u + group) : 0u;
        groups &= groups - 1u;
        while (bits != 0u) {
            uint other = group * BODY_GROUP + uint(findLSB(bits));
            bits &= bits - 1u;
            if (other >= end || !near_meets(params.solid_count + other, self)) continue;
            float far = distance(body_iterates[other].position.xyz, centre);
            if (far < reach + bodies[other].inertia.w) list(params.solid_count + other, self, count);
        }
    }
}

void main()
{
    uint i = row_index(), count = 0u;
    RETURN_IF_HALTED(i >= wall_bodies());
    if (i == 0u) queue_clear(BODY_QUEUE_SAMPLES);
    vec3 centre = body_iterates[i].position.xyz;
    float reach = bodies[i].inertia.w + BODY_SIFT_WITHIN * params.spacing;
    list_solids(i, centre, reach, count);
    if (!any(not_finite(centre))) list_bodies(i, centre, reach, count);
    near[i * BODY_NEAR_WORDS] = count;
}
