// A particle is moved out of the facet that it is in, and the facet's vertices get the opposite, exactly. All
// contacts act at once: each takes a vertex as so much lighter as it bears particles (mass splitting, Tonge
// and others 2012).
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(iterates);
READ_OWN(starts);
READ_OWN(soft_contacts);
UPDATE_OWN(measured);
ATOMIC(solid_sums);
READ_SOLIDS();
READ_ANY(soft_states);
READ_ANY(soft_moves);
READ_ANY(soft_facets);
ATOMIC(soft_sums);
WORK(30, 0, 0);
#include "boundary/force_gauge.glsl"
#include "deformable/facet.glsl"

void give(uint vertex, vec3 push)
{
    for (uint axis = 0u; axis < 3u; axis++)
        WHOLE_ADD(soft_sums, vertex * SOFT_SUM_WORDS + 2u * axis, push[axis])
}

// 1/kg: how easily a vertex gives way to one of the particles that it bears.
float ease(uint vertex, float weight)
{
    float count = float(soft_sums[vertex * SOFT_SUM_WORDS + SOFT_SUM_CONTACTS]);
    return weight * weight * count * soft_moves[vertex].w;
}

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u || (TOLERANT && status.solved != 0u)) return;
    if (soft_contacts[i] == SOFT_NONE) return;
    ivec4 own = iterates[i], start = starts[i];
    uvec4 facet = soft_facets[soft_contacts[i]];
    facet_contact contact = facet_meet(soft_contacts[i], fixed_metres(own.xyz), fixed_metres(start.xyz));
    vec3 weights = contact.weights;
    if (facet.z == facet.y) weights = vec3(weights.x, weights.y + weights.z, 0.0);
    float mass = params.fluids[uint(clamp(start.w, 0, 15))].mass;
    float gives = ease(facet.x, weights.x) + ease(facet.y, weights.y) + ease(facet.z, weights.z);
    float depth = min(contact.depth, params.correction_cap);
    ivec3 step = fixed_step(contact.normal * (depth / (1.0 + mass * gives)));
    float units = 1.0 / (params.spacing * params.fluids[0].mass * BODY_UNIT);
    vec3 push = -mass * units * (vec3(step) * params.origin.w);
    give(facet.x, weights.x * push);
    give(facet.y, weights.y * push);
    if (facet.z != facet.y) give(facet.z, weights.z * push);
    measure_begin(i, start.w);
    wall_solids_near = true;
    iterates[i] = ivec4(wall_project(own.xyz + step, start.xyz), own.w);
}
