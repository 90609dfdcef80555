// Writes the positions in sorted order, in cells from the base node.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_TEXELS(positions);
READ_OWN(sources);
WRITE_OWN(sorted);

void main()
{
    uint t = row.first + row_index();
    if (t >= params.particle_count || state.block_count == 0u) return;
    vec3 p = TEXEL(positions, sources[t]).xyz;
    sorted[t - row.first] = vec4(mesh_lattice(params, p), 1.0);
}
