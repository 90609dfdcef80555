// Brings the positions into sorted order, in cells from the base node.
// Reads positions and sources, writes sorted (w 1).
#version 460
#include "row.glsl"
#include "mesh.glsl"
#include "gather.glsl"

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
GATHER_BLOCK(MESH_BIND_POSITIONS, positions);
layout(std430, binding = MESH_BIND_SOURCES) readonly buffer sources_block { uint sources[]; };
layout(std430, binding = MESH_BIND_SORTED) writeonly buffer sorted_block { vec4 sorted[]; };

void main()
{
    uint t = row.first + row_index();
    if (t >= params.particle_count) return;
    vec3 p = GATHERED(positions, sources[t]).xyz;
    sorted[t - row.first] = vec4(mesh_lattice(params, p), 1.0);
}
