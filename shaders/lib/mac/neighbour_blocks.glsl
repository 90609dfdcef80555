// Finds the cells around a position without a table look-up for each: those lie in at most eight blocks.
// Buffers: multigrid, block_slots, and those of mac/cells.glsl.
#ifndef MAC_NEIGHBOUR_BLOCKS_GLSL
#define MAC_NEIGHBOUR_BLOCKS_GLSL
#include "mac/cells.glsl"
#include "poisson/blocks.glsl"

// Values that are the same for all faces; read once.
ivec3 last_cell, far_side; // far_side: index of the face where an axis ends at a side of the domain
uvec2 block_stride; // stride of a block along y and z

void read_grid_params()
{
    uvec3 table = multigrid.tables[0].xyz;
    last_cell = ivec3(multigrid.cells[0].xyz) - 1;
    far_side = mix(ivec3(0x7fffffff), last_cell + 1, equal(params.period.xyz, vec3(0.0)));
    block_stride = uvec2(table.x, table.x * table.y);
}

// The cells around a position lie in at most two blocks along each axis. These are the slots of the eight
// blocks, x fastest: first those of the lower blocks along z, then those of the upper ones.
uvec3 low_block;
uvec4 low_slots, high_slots;

uvec3 clamp_or_wrap_cell(ivec3 at)
{
    return uvec3(PERIODIC ? cell_inside_domain(at) : clamp(at, ivec3(0), last_cell));
}

uvec4 load_block_slots(uvec2 x, uvec2 y, uint z)
{
    uvec4 entries = x.xyxy + block_stride.x * y.xxyy + block_stride.y * z;
    return uvec4(block_slots[entries.x], block_slots[entries.y],
                 block_slots[entries.z], block_slots[entries.w]);
}

void find_neighbour_blocks(ivec3 cell)
{
    low_block = clamp_or_wrap_cell(cell - 1) / POISSON_BLOCK_EDGE;
    uvec3 high = clamp_or_wrap_cell(cell + 1) / POISSON_BLOCK_EDGE;
    uvec2 x = uvec2(low_block.x, high.x), y = uvec2(low_block.y, high.y);
    low_slots = load_block_slots(x, y, low_block.z);
    high_slots = load_block_slots(x, y, high.z);
}

// Returns the index of a cell that is adjacent to the cell given to find_neighbour_blocks, or that cell
// itself.
uint neighbour_cell_index(ivec3 at)
{
    uvec3 held = clamp_or_wrap_cell(at);
    bvec3 high = notEqual(held / POISSON_BLOCK_EDGE, low_block);
    uvec4 four = mix(low_slots, high_slots, bvec4(high.z));
    uvec2 two = mix(four.xy, four.zw, bvec2(high.y));
    uint slot = high.x ? two.y : two.x;
    return slot == POISSON_NONE
               ? slot
               : slot * POISSON_BLOCK_CELLS + poisson_cell_index(held % POISSON_BLOCK_EDGE);
}
#endif
