// Writes the positions in sorted order, in cells from the base node.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "mesh.glsl"

BLOCK(params);
BLOCK(state);
FETCH(positions);
OWN_READ(sources);
OWN_WRITE(sorted);

void main()
{
    uint t = row.first + row_index();
    if (t >= params.particle_count || state.block_count == 0u) return;
    vec3 p = FETCHED(positions, sources[t]).xyz;
    sorted[t - row.first] = vec4(mesh_lattice(params, p), 1.0);
}
