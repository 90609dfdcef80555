// Finds the fluid's surface (Ihmsen and others, "Unified spray, foam and air bubbles for particle-based
// fluids", 2012): the outward normal n_i = sum of unit offsets times W, W = 1 - r/h; and the fraction of the
// neighbourhood that fluid or walls fill. One invocation per fluid particle. Walls count as fluid, so fluid
// at a wall is not at the surface. Fluid that a solid has run over has a fill fraction of 0, so it emits no
// whitewater.
#version 460
#include "bindings/whitewater.glsl"

BLOCK(grid);
BLOCK(state);
BLOCK(params);
READ_TEXELS(sorted_points);
READ_ANY(segments);
READ_ANY(bin_starts);
READ_ANY(items);
READ_ANY(poses);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
WRITE_ANY(surfaces);
WORK_ESTIMATE(60, 12, 16);

float weight;
vec3 offsets;

void add_neighbour(vec3 offset, float r, float w)
{
    weight += w;
    if (r > 0.0) offsets += offset * (w / r);
}
#define WHITEWATER_NEIGHBOUR(j, offset, r, w) add_neighbour(offset, r, w)
#include "whitewater/fluid_neighbours.glsl"
#include "whitewater/boundary.glsl"

void main()
{
    uint i = invocation_index();
    if (i >= state.live) return;
    vec3 p = TEXEL(sorted_points, i).xyz;
    weight = 0.0;
    offsets = vec3(0.0);
    whitewater_add_neighbours(p);
    whitewater_boundary walls = whitewater_find_boundary(p);
    float fill = weight * params.inverse_full + walls.fraction;
    vec3 n = offsets * params.inverse_full + walls.normal;
    float size = length(n);
    bool at_surface = size > WHITEWATER_SURFACE_THRESHOLD * fill && fill < WHITEWATER_MAX_SURFACE_FRACTION;
    bool crushed = walls.depth > WHITEWATER_MAX_PARENT_DEPTH * params.spacing;
    surfaces[i] = vec4(at_surface ? n / size : vec3(0.0), crushed ? 0.0 : fill);
}
