// Lists the active super blocks in order; one invocation per super block of the frame's box. pass.constant:
// their number.
#version 460
#include "bindings/mesh.glsl"

READ_ANY(super_blocks);
WRITE_ANY(super_block_list);

void main()
{
    uint i = invocation_index();
    if (i >= pass.constant) return;
    uint number = super_blocks[i];
    if (super_blocks[i + 1u] != number) super_block_list[number] = i;
}
