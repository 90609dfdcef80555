// A particle is dragged by the facet nearest to it, and the facet's vertices get the opposite, exactly:
// across the facet in proportion to the speed (Darcy), along it to the speed's square. The whole impulse of
// the substep follows from the slip at its end, so that no drag is too strong for the step; all act at once,
// so each takes a vertex as so much lighter as it drags particles (mass splitting, Tonge and others 2012).
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(iterates);
READ_OWN(starts);
UPDATE_OWN(soft_drags);
UPDATE_OWN(measured);
READ_SOLIDS();
READ_ANY(soft_skins);
READ_ANY(soft_states);
READ_ANY(soft_moves);
READ_ANY(soft_facets);
ATOMIC(soft_sums);
WORK(60, 0, 0);
#define MEASURE_GAUGES
#include "boundary/force_gauge.glsl"
#include "reduce/fixed_sum.glsl"
#include "deformable/facet.glsl"

void give(uint vertex, vec3 push)
{
    for (uint axis = 0u; axis < 3u; axis++)
        WHOLE_ADD(soft_sums, vertex * SOFT_SUM_WORDS + 2u * axis, push[axis])
}

// 1/kg: how easily a vertex gives way to one of the particles that it drags.
float ease(uint vertex, float weight)
{
    float count = float(soft_sums[vertex * SOFT_SUM_WORDS + SOFT_SUM_DRAGS]);
    return weight * weight * count * soft_moves[vertex].w;
}

// What the impulse changes by, kg m. `slip`, m: of the substep; `eases`, 1/kg: how far the two move apart for
// an impulse; `drag`, kg: the impulse for a slip.
vec3 change_of(vec3 slip, vec3 impulse, float drag, float eases)
{
    return -(drag * slip + impulse) / (1.0 + eases * drag);
}

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u || (TOLERANT && status.solved != 0u)) return;
    vec4 dragged = soft_drags[i];
    if (dragged.w < 0.0) return;
    uint found = uint(dragged.w);
    ivec4 own = iterates[i], start = starts[i];
    uvec4 facet = soft_facets[found];
    vec2 skin = soft_skins[found];
    sim_fluid fluid = params.fluids[uint(clamp(start.w, 0, 15))];
    drag_place at = drag_meet(found, fixed_metres(own.xyz));
    vec3 weights = at.weights, impulse = dragged.xyz;
    if (facet.z == facet.y) weights = vec3(weights.x, weights.y + weights.z, 0.0);
    vec3 carried = weights.x * soft_moves[facet.x].xyz + weights.y * soft_moves[facet.y].xyz +
                   weights.z * soft_moves[facet.z].xyz;
    vec3 slip = fixed_offset(own.xyz, start.xyz) - carried;
    vec3 across = at.normal * dot(slip, at.normal), along = slip - across;
    vec3 pushed = at.normal * dot(impulse, at.normal);
    float eases = 1.0 / fluid.mass + ease(facet.x, weights.x) + ease(facet.y, weights.y) +
                  ease(facet.z, weights.z);
    float layer = fluid.mass * at.share * drag_weight(at.far); // kg/m
    vec3 change = change_of(across, pushed, layer * skin.x / fluid.density * status.dt, eases) +
                  change_of(along, impulse - pushed, layer * skin.y * length(along), eases);
    if (any(not_finite(change))) return;
    ivec3 step = fixed_step(change / fluid.mass);
    vec3 given = fluid.mass * (vec3(step) * params.origin.w);
    float units = -1.0 / (params.spacing * params.fluids[0].mass * BODY_UNIT);
    soft_drags[i].xyz = impulse + given;
    give(facet.x, weights.x * units * given);
    give(facet.y, weights.y * units * given);
    if (facet.z != facet.y) give(facet.z, weights.z * units * given);
    measure_begin(i, start.w);
    wall_solids_near = true;
    iterates[i] = ivec4(wall_project(own.xyz + step, start.xyz), own.w);
}
