// Computes the displacement by surface tension (Akinci, Akinci and Teschner 2013, equations 1 to 5):
// cohesion along every pair, and a force that evens out the normals. Both are equal and opposite on the two
// particles of a pair. They are scaled so that the fluid's tension is in N/m (docs/equations.md); between two
// fluids the smaller tension counts. One invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
WRITE_OWN(tension_displacements);
READ_TEXELS(iterated_positions);
READ_TEXELS(sorted_positions);
READ_FLOAT_TEXELS(normals);
READ_ANY(particle_materials);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
BLOCK(grid);
#include "particles/smoothing_kernels.glsl"
#include "neighbours/pair.glsl"

float own_tension;

float tension_of(uint i)
{
    return MATERIAL_CURVES ? particle_materials[i].y
                           : params.fluids[TEXEL(sorted_positions, i).w].surface_tension;
}

void add_pair(inout vec3 sum, ivec3 p, vec4 normal, uint j, bool wanted)
{
    vec4 other = FLOAT_TEXEL(normals, j);
    vec3 d = pair_offset(p, TEXEL(iterated_positions, j).xyz);
    float r2 = pair_distance2(d, wanted), inverse = inversesqrt(max(r2, 1e-20));
    float q = min(r2 * inverse, 1.0);
    vec3 pull = d * (params.cohesion * kernel_cohesion(q) * inverse);
    if (q < 1.0) pull += params.curvature * (normal.xyz - other.xyz);
    float tension = own_tension;
    if (!UNIFORM_TENSION) tension = min(tension, tension_of(j));
    sum -= pull * (tension * 2.0 / (normal.w + other.w));
}

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterated_positions, i).xyz;
    vec4 normal = FLOAT_TEXEL(normals, i);
    uint count = neighbour_headers[i] & GRID_COUNT_MASK, fluid = uint(TEXEL(sorted_positions, i).w);
    vec3 sum = vec3(0.0);
    own_tension = tension_of(i);
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, p, normal, j, wanted))
    tension_displacements[i] = vec4(sum * (status.dt * status.dt / params.fluids[fluid].mass), 0.0);
}
