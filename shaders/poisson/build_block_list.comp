// Lists the active blocks of all levels with their neighbours, parent and children; one invocation per entry
// of the block tables.
#version 460
#include "bindings/poisson.glsl"

BLOCK(state);
READ_ANY(block_numbers);
WRITE_OWN(block_slots);
UPDATE_ANY(blocks);
#include "poisson/blocks.glsl"

uint block_at(uint level, uvec3 at)
{
    uint entry = poisson_block_entry(level, at), block = block_numbers[entry];
    return block_numbers[entry + 1u] != block ? block : POISSON_NONE;
}

uint neighbour_block(uint level, uvec3 at, uint side)
{
    uint axis = side >> 1, last = multigrid.tables[level][axis] - 1u;
    bool up = (side & 1u) != 0u;
    if (at[axis] == (up ? last : 0u)) {
        if ((multigrid.periodic >> axis & 1u) == 0u) return POISSON_NONE;
        at[axis] = up ? 0u : last;
    } else {
        at[axis] += up ? 1u : POISSON_NONE; // minus 1
    }
    return block_at(level, at);
}

uint level_at(uint entry)
{
    uint level = 0u, levels = multigrid.levels;
    for (uint above = 1u; above < levels; above++) level += entry >= multigrid.cells[above].w ? 1u : 0u;
    return level;
}

void list_children(uint block, uint level, uvec3 at)
{
    uvec3 halved = level > 0u ? poisson_coarsened_axes(level - 1u) : uvec3(0u);
    for (uint child = 0u; child < 8u; child++) {
        uvec3 offset = uvec3(child, child >> 1, child >> 2) & 1u;
        uvec3 below = (at << halved) + offset;
        bool there = level > 0u && all(lessThanEqual(offset, halved)) &&
                     all(lessThan(below, multigrid.tables[max(level, 1u) - 1u].xyz));
        blocks[block].children[child] = there ? block_at(level - 1u, below) : POISSON_NONE;
    }
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= multigrid.entries);
    uint block = block_numbers[i];
    bool used = block_numbers[i + 1u] != block;
    block_slots[i] = used ? block : POISSON_NONE;
    if (!used) return;
    uint level = level_at(i), entry = i - multigrid.cells[level].w;
    uvec3 size = multigrid.tables[level].xyz;
    uvec3 at = uvec3(entry % size.x, entry / size.x % size.y, entry / (size.x * size.y));
    blocks[block].at = uvec4(at, level);
    for (uint side = 0u; side < 6u; side++) blocks[block].neighbours[side] = neighbour_block(level, at, side);
    bool top = level + 1u >= multigrid.levels;
    blocks[block].parent = top ? POISSON_NONE : block_at(level + 1u, at >> poisson_coarsened_axes(level));
    list_children(block, level, at);
}
