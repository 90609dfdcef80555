// Applies the drag of the nearest facet to a particle and gives the facet's vertices exactly the opposite
// impulse: across the facet proportional to the speed (Darcy), along it to the speed's square. One invocation
// per particle. The impulse of the whole substep follows from the slip at its end (implicit), so no drag is
// too strong for the step. All drags are solved in parallel, so each divides the mass of a vertex by the
// number of particles that the vertex drags (mass splitting, Tonge and others 2012).
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(iterated_positions);
READ_OWN(sorted_positions);
UPDATE_OWN(facet_drags);
UPDATE_OWN(gauge_accumulators);
READ_SOLIDS();
READ_ANY(facet_drag_coefficients);
READ_ANY(deformable_states);
READ_ANY(deformable_displacements);
READ_ANY(deformable_facets);
ATOMIC(deformable_impulse_sums);
WORK_ESTIMATE(60, 0, 0);
#define NO_SOLID_IMPULSE_SUMS
#include "boundary/force_gauge.glsl"
#include "reduce/fixed_sum.glsl"
#include "deformable/facet.glsl"

void add_vertex_impulse(uint vertex, vec3 push)
{
    for (uint axis = 0u; axis < 3u; axis++)
        INTEGER_ATOMIC_ADD(deformable_impulse_sums, vertex * DEFORMABLE_IMPULSE_WORDS + 2u * axis, push[axis])
}

// Returns the compliance of a vertex for one of the particles that it drags, 1/kg.
float vertex_compliance(uint vertex, float weight)
{
    float count =
        float(deformable_impulse_sums[vertex * DEFORMABLE_IMPULSE_WORDS + DEFORMABLE_IMPULSE_DRAGS]);
    return weight * weight * count * deformable_displacements[vertex].w;
}

// Returns the change of the impulse, kg m. `slip`, m: of the whole substep; `drag`, kg: impulse per slip;
// `eases`, 1/kg: relative displacement of the two per impulse.
vec3 impulse_change(vec3 slip, vec3 impulse, float drag, float eases)
{
    return -(drag * slip + impulse) / (1.0 + eases * drag);
}

void main()
{
    uint i = invocation_index();
    if (i >= state.live || state.flags != 0u || (HAS_TOLERANCE && status.iterations_done != 0u)) return;
    vec4 dragged = facet_drags[i];
    if (dragged.w < 0.0) return;
    uint found = uint(dragged.w);
    ivec4 own = iterated_positions[i], start = sorted_positions[i];
    uvec4 facet = deformable_facets[found];
    vec2 skin = facet_drag_coefficients[found];
    sim_fluid fluid = params.fluids[uint(clamp(start.w, 0, 15))];
    facet_drag_point at = find_drag_point(found, fixed_to_metres(own.xyz));
    vec3 weights = at.weights, impulse = dragged.xyz;
    if (facet.z == facet.y) weights = vec3(weights.x, weights.y + weights.z, 0.0);
    vec3 carried = weights.x * deformable_displacements[facet.x].xyz +
                   weights.y * deformable_displacements[facet.y].xyz +
                   weights.z * deformable_displacements[facet.z].xyz;
    vec3 slip = fixed_offset(own.xyz, start.xyz) - carried;
    vec3 across = at.normal * dot(slip, at.normal), along = slip - across;
    vec3 pushed = at.normal * dot(impulse, at.normal);
    float eases = 1.0 / fluid.mass + vertex_compliance(facet.x, weights.x) +
                  vertex_compliance(facet.y, weights.y) + vertex_compliance(facet.z, weights.z);
    float layer = fluid.mass * at.drag_factor * drag_kernel(at.distance); // kg/m
    vec3 change = impulse_change(across, pushed, layer * skin.x / fluid.density * status.dt, eases) +
                  impulse_change(along, impulse - pushed, layer * skin.y * length(along), eases);
    if (any(not_finite(change))) return;
    ivec3 step = fixed_from_offset(change / fluid.mass);
    vec3 given = fluid.mass * (vec3(step) * params.origin.w);
    float units = -1.0 / (params.spacing * params.fluids[0].mass * BODY_IMPULSE_UNIT);
    facet_drags[i].xyz = impulse + given;
    add_vertex_impulse(facet.x, weights.x * units * given);
    add_vertex_impulse(facet.y, weights.y * units * given);
    if (facet.z != facet.y) add_vertex_impulse(facet.z, weights.z * units * given);
    gauge_begin_particle(i, start.w);
    boundary_solids_near = true;
    iterated_positions[i] = ivec4(boundary_project(own.xyz + step, start.xyz), own.w);
}
