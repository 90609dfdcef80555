// Adds the momentum that viscosity takes from the faces that bodies hold to the sums of the bodies, which
// viscous_body_cg_stage.comp reads: the reaction to what the fluid feels, so that both together keep their
// momentum and their angular momentum. One workgroup per block. pass.constant (SIM_REACTION_*): of the
// initial velocities, together with the diagonal of the matrix, or of the scaled residuals.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(viscous_cells);
READ_ANY(face_coefficients);
READ_ANY(viscous_velocities);
READ_ANY(viscous_residuals);
READ_ANY(viscous_face_bodies);
READ_ANY(body_viscous_states);
ATOMIC(body_impulse_sums);
vec3 viscous_face_velocities(uint i)
{
    if (pass.constant == SIM_REACTION_RESIDUAL) return viscous_velocities[i].xyz;
    return viscous_residuals[i].xyz * viscous_residuals[i].w;
}
#include "mac/viscosity.glsl"
#include "body/impulse.glsl"
#include "body/viscosity_scale.glsl"

shared uint body_is_near;

// Adds what viscosity takes from a body along an axis at p, over density and volume, m/s, and its factor in
// the body's own velocity.
void add_reaction(uint held, vec3 p, uint axis, float taken, float own)
{
    if (held == 0u) return;
    vec3 impulse = vec3(0.0);
    impulse[axis] = status.dt * viscous_impulse_scale() * taken;
    add_body_impulse(held - 1u, p - body_viscous_states[held - 1u].centre.xyz, impulse);
    if (pass.constant != SIM_REACTION_RESIDUAL || not_finite(own)) return;
    float diagonal = status.dt * viscous_impulse_scale() * own / body_impulse_unit();
    uint at = (held - 1u) * BODY_IMPULSE_WORDS + BODY_IMPULSE_VISCOUS_DIAGONAL;
    INTEGER_ATOMIC_ADD(body_impulse_sums, at, diagonal)
}

// The normal stress in cell k pulls at its two faces across the axis.
void react_to_normal_stress(uint k, ivec3 at, uint axis)
{
    uint next = k + viscous_tile_stride(axis);
    uint low = viscous_holding_body(k, axis), high = viscous_holding_body(next, axis);
    if (low + high == 0u || !viscous_cell_is(k, SIM_VISCOUS_FLUID)) return;
    viscous_term stress = viscous_normal_stress(k, axis);
    float size = params.cell_size[axis];
    ivec3 above = at;
    above[axis]++;
    add_reaction(low, mac_face_centre(at, axis), axis, -stress.value / size, stress.own / size);
    add_reaction(high, mac_face_centre(above, axis), axis, stress.value / size, stress.own / size);
}

// The shear stress at the edge of cell k pulls at the two faces across a. `share` is the stress over that of
// a whole edge.
void react_to_shear_stress(uint k, ivec3 at, uint a, uint b, viscous_term stress, float share)
{
    uint back = k - viscous_tile_stride(b), up = viscous_tile_stride(a);
    float size = params.cell_size[b], value = share * stress.value / size, own = share * stress.own / size;
    ivec3 below = at;
    below[b]--;
    vec3 edge = viscous_edge_middle(k, a, b);
    vec3 high = viscous_both_closed(k, k - up) ? edge : mac_face_centre(at, a);
    vec3 low = viscous_both_closed(back, back - up) ? edge : mac_face_centre(below, a);
    add_reaction(viscous_holding_body(k, a), high, a, value, own);
    add_reaction(viscous_holding_body(back, a), low, a, -value, own);
}

// Returns whether the velocity along a at the edge of cell k changes within half a cell, at a boundary.
bool edge_is_at_wall(uint k, uint a, uint b)
{
    uint up = viscous_tile_stride(a), low = k - viscous_tile_stride(b);
    return viscous_both_closed(k, k - up) || viscous_both_closed(low, low - up);
}

// An edge at a boundary has half the volume of another one; the gradient across the boundary counts twice.
void react_at_edge(uint k, ivec3 at, uint a, uint b)
{
    uint up = viscous_tile_stride(a), back = viscous_tile_stride(b), faces = SIM_VISCOUS_FIXED_X << a;
    bool held = viscous_cell_is(k, faces) || viscous_cell_is(k - back, faces);
    faces = SIM_VISCOUS_FIXED_X << b;
    held = held || viscous_cell_is(k, faces) || viscous_cell_is(k - up, faces);
    if (!held) return;
    bool wall_a = edge_is_at_wall(k, a, b), wall_b = edge_is_at_wall(k, b, a);
    float volume = wall_a || wall_b ? 0.5 : 1.0;
    react_to_shear_stress(k, at, a, b, viscous_shear_stress(k, a, b), wall_a ? 2.0 * volume : volume);
    react_to_shear_stress(k, at, b, a, viscous_shear_stress(k, b, a), wall_b ? 2.0 * volume : volume);
}

void main()
{
    uint block = workgroup_block(0u), lane = gl_LocalInvocationIndex;
    if (block == POISSON_NONE) return; // uniform across the workgroup
    if (lane == 0u) body_is_near = 0u;
    viscous_load_tile(block); // has a barrier
    for (uint k = lane; k < VISCOUS_TILE * VISCOUS_TILE * VISCOUS_TILE; k += POISSON_WORKGROUP)
        if ((viscous_tile[k].w & SIM_VISCOUS_FIXED_XYZ) != 0u) atomicOr(body_is_near, 1u);
    barrier();
    if (body_is_near == 0u) return;
    for (uint cell = lane; cell < POISSON_BLOCK_CELLS; cell += POISSON_WORKGROUP) {
        uint k = viscous_tile_index(cell);
        ivec3 at = viscous_tile_cell(k);
        for (uint axis = 0u; axis < 3u; axis++) react_to_normal_stress(k, at, axis);
        for (uint axis = 0u; axis < 3u; axis++) react_at_edge(k, at, axis, (axis + 1u) % 3u);
    }
}
