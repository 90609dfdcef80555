// Multiplies by the matrix of implicit viscosity on the MAC grid (Batty and Bridson 2008):
//   m u - dt div(2 nu w D(u))
// on the faces, with m their mass, w 1 in fluid and 0 in air, so that no stress acts at a free surface or in
// a rotating fluid. One workgroup per block of cells. PERIODIC is a constant. The including shader defines
// first
//   vec3 viscous_face_velocities(uint i)   velocities of the lower faces of a cell of the grid, m/s
// Buffers: params, status, multigrid, solve, blocks, block_slots, viscous_cells, face_coefficients,
// viscous_face_bodies, body_viscous_states.
#ifndef MAC_VISCOSITY_GLSL
#define MAC_VISCOSITY_GLSL
#include "body/viscous_velocity.glsl"
#include "mac/cell_index.glsl"
#include "mac/cells.glsl"
#include "mac/position.glsl"
#include "poisson/level.glsl"

const uint VISCOUS_TILE = POISSON_BLOCK_EDGE + 2u; // the block and one cell around it
// xyz float bits of the lower face velocities, w viscous_cells
shared uvec4 viscous_tile[VISCOUS_TILE * VISCOUS_TILE * VISCOUS_TILE];
ivec3 viscous_tile_first; // cell of the grid that the first cell of the tile is

// Returns the flags of a cell outside the domain.
uint viscous_outside_flags(ivec3 at)
{
    ivec3 count = ivec3(multigrid.cells[0].xyz);
    for (uint axis = 0u; axis < 3u; axis++) {
        if (at[axis] >= 0 && at[axis] < count[axis]) continue;
        uint side = 2u * axis + (at[axis] < 0 ? 0u : 1u);
        if ((params.sides >> (2u * side) & 3u) == 0u)
            return SIM_VISCOUS_CLOSED | SIM_VISCOUS_FIXED_XYZ |
                   (params.no_slip != 0u ? 0u : SIM_VISCOUS_SLIP);
    }
    return 0u;
}

uvec4 viscous_load_cell(ivec3 at)
{
    ivec3 count = ivec3(multigrid.cells[0].xyz);
    bvec3 turns = greaterThan(params.period.xyz, vec3(0.0));
    at = mix(at, cell_inside_domain(at), turns);
    if (any(lessThan(at, ivec3(0))) || any(greaterThanEqual(at, count)))
        return uvec4(uvec3(0u), viscous_outside_flags(at));
    uint cell = cell_index(uvec3(at));
    if (cell == POISSON_NONE) return uvec4(0u);
    vec3 velocities = viscous_face_velocities(cell);
    for (uint axis = 0u; HAS_BODIES && axis < 3u; axis++) {
        uint held = viscous_face_bodies[cell][axis];
        if (held == 0u) continue;
        velocities[axis] = body_viscous_velocity(held - 1u, mac_face_centre(at, axis))[axis];
    }
    return uvec4(floatBitsToUint(velocities), viscous_cells[cell]);
}

ivec3 viscous_tile_cell(uint k)
{
    const uint layer = VISCOUS_TILE * VISCOUS_TILE;
    return viscous_tile_first + ivec3(uvec3(k, k / VISCOUS_TILE, k / layer) % VISCOUS_TILE);
}

void viscous_load_tile(uint block)
{
    viscous_tile_first = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE) - 1;
    const uint layer = VISCOUS_TILE * VISCOUS_TILE;
    for (uint k = gl_LocalInvocationIndex; k < layer * VISCOUS_TILE; k += POISSON_WORKGROUP)
        viscous_tile[k] = viscous_load_cell(viscous_tile_cell(k));
    barrier();
}

uint viscous_tile_index(uint cell)
{
    uvec3 at = poisson_cell_coordinates(cell) + 1u;
    return at.x + VISCOUS_TILE * (at.y + VISCOUS_TILE * at.z);
}

uint viscous_tile_stride(uint axis)
{
    return axis == 0u ? 1u : axis == 1u ? VISCOUS_TILE : VISCOUS_TILE * VISCOUS_TILE;
}

float viscous_tile_velocity(uint k, uint axis) { return uintBitsToFloat(viscous_tile[k][axis]); }
bool viscous_cell_is(uint k, uint kind) { return (viscous_tile[k].w & kind) != 0u; }
float viscous_cell_nu(uint k) { return uintBitsToFloat(viscous_tile[k].w & ~SIM_VISCOUS_FLAGS_MASK); }
float viscous_cell_mass(uint k) { return viscous_cell_is(k, SIM_VISCOUS_FLUID) ? 0.5 : 0.0; }

// A sum of stresses, and the factor in it of the face's own velocity.
struct viscous_term {
    float value, own;
};

// Returns 2 nu du/dx along `axis` in cell k; `own` is the factor of its lower face.
viscous_term viscous_normal_stress(uint k, uint axis)
{
    if (!viscous_cell_is(k, SIM_VISCOUS_FLUID)) return viscous_term(0.0, 0.0);
    float factor = 2.0 * viscous_cell_nu(k) / params.cell_size[axis];
    uint next = k + viscous_tile_stride(axis);
    return viscous_term(
        factor * (viscous_tile_velocity(next, axis) - viscous_tile_velocity(k, axis)), factor);
}

bool viscous_both_closed(uint k, uint other)
{
    return viscous_cell_is(k, SIM_VISCOUS_CLOSED) && viscous_cell_is(other, SIM_VISCOUS_CLOSED);
}

// Returns nu of the edge where the lower faces across a and b of cell k meet; 0 next to air or to a boundary
// with free slip. `a` and `b` are tile strides.
float viscous_edge_nu(uint k, uint a, uint b)
{
    uint corners[4] = uint[4](k, k - a, k - b, k - a - b);
    float nu = 0.0, fluids = 0.0;
    for (uint i = 0u; i < 4u; i++) {
        bool fluid = viscous_cell_is(corners[i], SIM_VISCOUS_FLUID);
        bool sticks =
            (viscous_tile[corners[i]].w & (SIM_VISCOUS_CLOSED | SIM_VISCOUS_SLIP)) == SIM_VISCOUS_CLOSED;
        if (!fluid && !sticks) return 0.0;
        nu += fluid ? viscous_cell_nu(corners[i]) : 0.0;
        fluids += fluid ? 1.0 : 0.0;
    }
    return fluids > 0.0 ? nu / fluids : 0.0;
}

// Returns 1 + the body that holds the lower face of cell k across an axis; 0: none.
uint viscous_holding_body(uint k, uint axis)
{
    if (!HAS_BODIES || !viscous_cell_is(k, SIM_VISCOUS_FIXED_X << axis)) return 0u;
    ivec3 at = viscous_tile_cell(k), inside = cell_inside_domain(at);
    uint cell = at == inside ? cell_index(uvec3(at)) : POISSON_NONE;
    return cell == POISSON_NONE ? 0u : viscous_face_bodies[cell][axis];
}

// Returns the middle of the edge where the lower faces of cell k across a and b meet, m.
vec3 viscous_edge_middle(uint k, uint a, uint b)
{
    vec3 middle = vec3(viscous_tile_cell(k)) + 0.5;
    middle[a] -= 0.5;
    middle[b] -= 0.5;
    return params.domain_min.xyz + middle * params.cell_size.xyz;
}

// Returns the velocity of the lower face of tile cell k across a, next to an edge with the lower face across
// b of cell `edge`. Inside a body that holds it the velocity at the edge counts, where the body ends.
float viscous_velocity_at_edge(uint k, uint edge, uint a, uint b)
{
    uint held = viscous_both_closed(k, k - viscous_tile_stride(a)) ? viscous_holding_body(k, a) : 0u;
    if (held == 0u) return viscous_tile_velocity(k, a);
    return body_viscous_velocity(held - 1u, viscous_edge_middle(edge, a, b))[a];
}

// Returns the derivative along b of the velocity along a, at the edge where the lower faces of cell k across
// a and b meet. A boundary lies half-way between a face in fluid and one inside the boundary; fluid there has
// the boundary's velocity.
viscous_term viscous_edge_gradient(uint k, uint a, uint b)
{
    uint up = viscous_tile_stride(a), back = viscous_tile_stride(b), low = k - back;
    bool wall = viscous_both_closed(k, k - up) || viscous_both_closed(low, low - up);
    float factor = (wall ? 2.0 : 1.0) / params.cell_size[b];
    float change = HAS_BODIES && wall
                       ? viscous_velocity_at_edge(k, k, a, b) - viscous_velocity_at_edge(low, k, a, b)
                       : viscous_tile_velocity(k, a) - viscous_tile_velocity(low, a);
    return viscous_term(factor * change, factor);
}

// Returns nu (du_a/db + du_b/da) at the same edge; `own` is the factor of u_a on either face.
viscous_term viscous_shear_stress(uint k, uint a, uint b)
{
    float nu = viscous_edge_nu(k, viscous_tile_stride(a), viscous_tile_stride(b));
    if (nu == 0.0) return viscous_term(0.0, 0.0);
    viscous_term along = viscous_edge_gradient(k, a, b);
    return viscous_term(nu * (along.value + viscous_edge_gradient(k, b, a).value), nu * along.own);
}

// Returns dt times the momentum that viscosity takes from the lower face of cell k, over density and volume;
// 0 for a face that a boundary fixes or that lies in air.
viscous_term viscous_stress_divergence(uint k, uint axis)
{
    uint low = k - viscous_tile_stride(axis), axes = params.planar != 0u ? 2u : 3u;
    bool fixed_face = viscous_cell_is(k, SIM_VISCOUS_FIXED_X << axis);
    if (fixed_face || viscous_cell_mass(k) + viscous_cell_mass(low) == 0.0) return viscous_term(0.0, 0.0);
    viscous_term upper = viscous_normal_stress(k, axis), lower = viscous_normal_stress(low, axis);
    float size = params.cell_size[axis];
    viscous_term sum = viscous_term((lower.value - upper.value) / size, (lower.own + upper.own) / size);
    for (uint other = 0u; other < axes; other++) {
        if (other == axis) continue;
        upper = viscous_shear_stress(k + viscous_tile_stride(other), axis, other);
        lower = viscous_shear_stress(k, axis, other);
        sum.value += (lower.value - upper.value) / params.cell_size[other];
        sum.own += (lower.own + upper.own) / params.cell_size[other];
    }
    return viscous_term(status.dt * sum.value, status.dt * sum.own);
}

// Returns the mass of the lower face of cell i, which is cell k of the tile, over that of a full cell of the
// first fluid; 0 for a face that a boundary fixes.
float viscous_face_mass(uint i, uint k, uint axis)
{
    if (viscous_cell_is(k, SIM_VISCOUS_FIXED_X << axis)) return 0.0;
    float mass = viscous_cell_mass(k) + viscous_cell_mass(k - viscous_tile_stride(axis));
    return VARIABLE_DENSITY ? mass / face_coefficients[i][axis] : mass;
}
#endif
