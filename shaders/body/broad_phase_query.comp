// Finds the items, solids and other bodies, that may touch each body in this substep; one invocation per
// body. With at most BODY_BITS_PER_WORD bodies each tests all others; with more it tests those marked in the
// cells around it.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(body_iterated_states);
READ_ANY(broad_phase_cells);
WRITE_ANY(candidates);
WRITE_ANY(queues);
#include "boundary/boundary.glsl"
#include "body/collision_filter.glsl"
#include "reduce/dispatch_queue.glsl"
#include "body/cells.glsl"

// The cells within `reach` of a body's centre.
struct cell_range {
    uvec3 low, size;
    uint count; // 0: test all bodies, because there are few bodies or too many cells
};

cell_range find_cell_range(vec3 centre, float reach)
{
    uvec3 low = broad_phase_cell_of(centre - reach), size = broad_phase_cell_of(centre + reach) - low + 1u;
    uint count = size.x * size.y * size.z;
    bool asks = count <= BODY_MAX_QUERY_CELLS && boundary_body_count() > BODY_BITS_PER_WORD;
    return cell_range(low, size, asks ? count : 0u);
}

// Returns the bits of one word, of bodies or of groups of bodies, that are set in any of these cells; all
// bits if the range is empty.
uint gather_body_bits(cell_range cells, uint word)
{
    uint bits = cells.count > 0u ? 0u : ~0u;
    for (uint k = 0u; k < cells.count; k++) {
        uint line = k / cells.size.x;
        uvec3 at = cells.low + uvec3(k % cells.size.x, line % cells.size.y, line / cells.size.y);
        bits |= broad_phase_cells[broad_phase_cell_index(at) + word];
    }
    return bits;
}

void append_candidate(uint item, uint self, inout uint count)
{
    if (count < BODY_MAX_CANDIDATES) candidates[self * BODY_CANDIDATE_WORDS + 1u + count] = item;
    count++;
}

void append_solids(uint self, vec3 centre, float reach, inout uint count)
{
    uint end = params.solid_count; // a buffer read in the loop condition breaks SwiftShader under validation
    for (uint item = 0u; item < end; item++)
        if (item_is_near(item, item_to_local(item, centre), reach)) append_candidate(item, self, count);
}

void append_bodies(uint self, vec3 centre, float reach, inout uint count)
{
    cell_range cells = find_cell_range(centre, reach);
    uint groups = gather_body_bits(cells, 0u), end = boundary_body_count();
    while (groups != 0u) {
        uint group = uint(findLSB(groups));
        uint bits = group * BODY_BITS_PER_WORD < end ? gather_body_bits(cells, 1u + group) : 0u;
        groups &= groups - 1u;
        while (bits != 0u) {
            uint other = group * BODY_BITS_PER_WORD + uint(findLSB(bits));
            bits &= bits - 1u;
            if (other >= end || !can_collide(params.solid_count + other, self)) continue;
            float far = distance(body_iterated_states[other].position.xyz, centre);
            if (far < reach + bodies[other].inertia.w)
                append_candidate(params.solid_count + other, self, count);
        }
    }
}

void main()
{
    uint i = invocation_index(), count = 0u;
    RETURN_IF_HALTED(i >= boundary_body_count());
    if (i == 0u) queue_clear(BODY_QUEUE_SAMPLES);
    vec3 centre = body_iterated_states[i].position.xyz;
    float reach = bodies[i].inertia.w + BODY_CONTACT_MARGIN * params.spacing;
    append_solids(i, centre, reach, count);
    if (!any(not_finite(centre))) append_bodies(i, centre, reach, count);
    candidates[i * BODY_CANDIDATE_WORDS] = count;
}
