// Moves a particle out of the facet that it penetrates and gives the facet's vertices exactly the opposite
// impulse; one invocation per particle. Contacts are solved in parallel (Jacobi): each divides the mass of a
// vertex by the number of particles that the vertex bears (mass splitting, Tonge and others 2012).
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(iterated_positions);
READ_OWN(sorted_positions);
READ_OWN(facet_contacts);
UPDATE_OWN(gauge_accumulators);
ATOMIC(solid_impulse_sums);
READ_SOLIDS();
READ_ANY(deformable_states);
READ_ANY(deformable_displacements);
READ_ANY(deformable_facets);
ATOMIC(deformable_impulse_sums);
WORK_ESTIMATE(30, 0, 0);
#include "boundary/force_gauge.glsl"
#include "deformable/facet.glsl"

void add_vertex_impulse(uint vertex, vec3 push)
{
    for (uint axis = 0u; axis < 3u; axis++)
        INTEGER_ATOMIC_ADD(deformable_impulse_sums, vertex * DEFORMABLE_IMPULSE_WORDS + 2u * axis, push[axis])
}

// Returns the compliance of a vertex for one of the particles that it bears, 1/kg.
float vertex_compliance(uint vertex, float weight)
{
    float count =
        float(deformable_impulse_sums[vertex * DEFORMABLE_IMPULSE_WORDS + DEFORMABLE_IMPULSE_CONTACTS]);
    return weight * weight * count * deformable_displacements[vertex].w;
}

void main()
{
    uint i = invocation_index();
    if (i >= state.live || state.flags != 0u || (HAS_TOLERANCE && status.iterations_done != 0u)) return;
    if (facet_contacts[i] == DEFORMABLE_NONE) return;
    ivec4 own = iterated_positions[i], start = sorted_positions[i];
    uvec4 facet = deformable_facets[facet_contacts[i]];
    facet_contact contact =
        find_facet_contact(facet_contacts[i], fixed_to_metres(own.xyz), fixed_to_metres(start.xyz));
    vec3 weights = contact.weights;
    if (facet.z == facet.y) weights = vec3(weights.x, weights.y + weights.z, 0.0);
    float mass = params.fluids[uint(clamp(start.w, 0, 15))].mass;
    float gives = vertex_compliance(facet.x, weights.x) + vertex_compliance(facet.y, weights.y) +
                  vertex_compliance(facet.z, weights.z);
    float depth = min(contact.depth, params.max_correction);
    ivec3 step = fixed_from_offset(contact.normal * (depth / (1.0 + mass * gives)));
    float units = 1.0 / (params.spacing * params.fluids[0].mass * BODY_IMPULSE_UNIT);
    vec3 push = -mass * units * (vec3(step) * params.origin.w);
    add_vertex_impulse(facet.x, weights.x * push);
    add_vertex_impulse(facet.y, weights.y * push);
    if (facet.z != facet.y) add_vertex_impulse(facet.z, weights.z * push);
    gauge_begin_particle(i, start.w);
    boundary_solids_near = true;
    iterated_positions[i] = ivec4(boundary_project(own.xyz + step, start.xyz), own.w);
}
