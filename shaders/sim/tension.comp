// Surface tension (Akinci, Akinci and Teschner 2013, equations 1 to 5): cohesion along every pair, and a pull
// that evens out the normals. Both are equal and opposite on the two particles of a pair. They are scaled so
// that the fluid's tension is in N/m (docs/equations.md); between two fluids the smaller tension counts.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_UPDATE(velocity_changes);
FETCH(iterates);
FETCH(starts);
FETCH_FLOATS(normals);
OWN_READ(lists);
OWN_READ(headers);
BLOCK(grid);
#include "kernel.glsl"
#include "pairs.glsl"
#include "listed.glsl"

float own_tension;

void add_pair(inout vec3 sum, ivec3 p, vec4 normal, uint j, bool wanted)
{
    vec4 other = FETCHED_FLOATS(normals, j);
    vec3 d = pair_offset(p, FETCHED(iterates, j).xyz);
    float r2 = pair_distance2(d, wanted), inverse = inversesqrt(max(r2, 1e-20));
    float q = min(r2 * inverse, 1.0);
    vec3 pull = d * (params.cohesion * kernel_cohesion(q) * inverse);
    if (q < 1.0) pull += params.curvature * (normal.xyz - other.xyz);
    float tension = own_tension;
    if (!ONE_TENSION) tension = min(tension, params.fluids[FETCHED(starts, j).w].surface_tension);
    sum -= pull * (tension * 2.0 / (normal.w + other.w));
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 p = FETCHED(iterates, i).xyz;
    vec4 normal = FETCHED_FLOATS(normals, i);
    uint count = headers[i] & GRID_COUNT_MASK, fluid = uint(FETCHED(starts, i).w);
    vec3 sum = vec3(0.0);
    own_tension = params.fluids[fluid].surface_tension;
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        add_pair(sum, p, normal, j.x, true);
        add_pair(sum, p, normal, j.y, k + 1u < count);
        add_pair(sum, p, normal, j.z, k + 2u < count);
        add_pair(sum, p, normal, j.w, k + 3u < count);
    }
    vec3 before = ADDS ? velocity_changes[i].xyz : vec3(0.0);
    velocity_changes[i] = vec4(before + sum * (status.dt / params.fluids[fluid].mass), 0.0);
}
