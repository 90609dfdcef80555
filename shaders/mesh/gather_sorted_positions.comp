// Writes the positions in sorted order, in cells from the base node; one invocation per particle.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_TEXELS(positions);
READ_OWN(sort_sources);
WRITE_OWN(sorted_positions);

void main()
{
    uint t = pass.first + invocation_index();
    if (t >= params.particle_count || state.block_count == 0u) return;
    vec3 p = TEXEL(positions, sort_sources[t]).xyz;
    sorted_positions[t - pass.first] = vec4(mesh_to_lattice(params, p), 1.0);
}
