// -grad p of the coarse correction on the faces between cells. Element (x, y, z) holds the slopes on the
// three lower faces of that cell; on every axis there is one element more than there are cells.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

GATHER(cells);
GATHER(pressures);
OWN_WRITE(slopes);
#include "coarse.glsl"

float slope(ivec3 at, uint axis)
{
    ivec3 step = ivec3(axis == 0u, axis == 1u, axis == 2u), low = at - step;
    bool first = low[axis] < 0;
    uint own = coarse_index(first ? at : low);
    if (coarse_is_solid(cells[own])) return 0.0;
    float drop = pressures[own] - coarse_find(first ? low : at, axis, own).pressure;
    return (first ? -drop : drop) / params.coarse_size[axis];
}

void main()
{
    uint i = row_index();
    ivec3 count = ivec3(params.coarse_cells.xyz), faces = count + 1;
    ivec3 at = ivec3(int(i) % faces.x, int(i) / faces.x % faces.y, int(i) / (faces.x * faces.y));
    if (at.z > count.z) return;
    bvec3 past = equal(at, count);
    slopes[3u * i] = past.y || past.z ? 0.0 : slope(at, 0u);
    slopes[3u * i + 1u] = past.x || past.z ? 0.0 : slope(at, 1u);
    slopes[3u * i + 2u] = past.x || past.y ? 0.0 : slope(at, 2u);
}
