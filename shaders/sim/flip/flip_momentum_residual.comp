// Sums the momentum that G2P gives the particles and that which the pressure solve gives the fluid; one
// workgroup per block. The pressure equation takes a face as full, or uses the ghost fluid method at the
// surface, and its impulses sum to zero in a fluid that touches no wall. The particles that receive a face's
// velocity change have another mass. Each cell distributes its sums to the corners of its block, linearly
// along each axis; flip_momentum_redistribute.comp turns them into velocity corrections.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(face_velocities);
READ_ANY(face_velocity_changes);
READ_ANY(face_masses);
READ_ANY(pressure_gradients);
READ_ANY(viscous_velocities);
READ_ANY(rigid_coupling);
READ_ANY(face_coefficients);
READ_ANY(viscous_face_bodies);
READ_ANY(surface_stresses);
WRITE_ANY(momentum_residuals);
#include "poisson/level.glsl"
#include "mac/air.glsl"
#include "mac/coupled_body.glsl"
#include "mac/surface_stress.glsl"
#include "particles/external_forces.glsl"

const uint COMPONENTS = SIM_MOMENTUM_RESIDUAL_WORDS / 24u; // sums per corner and axis: those of face_momentum
const uint LINES = POISSON_BLOCK_EDGE * POISSON_BLOCK_EDGE;
shared float tile[COMPONENTS * POISSON_BLOCK_CELLS]; // later reused for the sums of planes
shared float lines[COMPONENTS * LINES * 2u];

// Returns the particle mass of a face. Particles at a wall give the eighth of their weight that would fall
// beyond it to the faces in front of it.
float face_mass_at(uint block, uint cell, uint axis)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, sides = params.planar != 0u ? 4u : 6u;
    float mass = face_masses[i][axis];
    if (HAS_BODIES && rigid_coupling[i].w != 0.0) return mass;
    for (uint side = 0u; side < sides; side++) {
        uint other = poisson_neighbour_cell(block, cell, side);
        if (side >> 1 != axis && mac_face_open_fraction(i, other, side) == 0.0) mass /= 0.875;
    }
    return mass;
}

// Returns the mass of the lower face of cell i across an axis as the viscous solve (x) and the pressure solve
// (y) take it, over that of a full cell of the first fluid.
vec2 solver_face_masses(uint i, uint below, uint axis, float open)
{
    float own = uintBitsToFloat(cells[i].w), other = 0.0; // air if there is no cell below
    if (below != POISSON_NONE) other = uintBitsToFloat(cells[below].w);
    float least = min(own, other), most = max(own, other);
    bool inside = most < 0.0;
    vec2 volumes = vec2(inside ? 1.0 : 0.5, open * (inside ? 1.0 : poisson_surface_fraction(least, most)));
    return VARIABLE_DENSITY ? volumes / face_coefficients[i][axis] : volumes;
}

// Momentum of one face in m/s, masses over those of a full cell.
struct face_momentum {
    float particles, solve; // given to the particles, and by the solve to the fluid
    float mass; // of the particles; 0 if the face takes no part in the redistribution
};

face_momentum find_face_momentum(uint block, uint cell, uint axis)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, below = poisson_neighbour_cell(block, cell, 2u * axis);
    bool known = mac_face_is_known(i, axis);
    face_momentum found = face_momentum(0.0, 0.0, 0.0);
    if (!known && !mac_face_is_usable(block, cell, axis)) return found;
    float mass = face_mass_at(block, cell, axis), open = mac_face_open_fraction(i, below, 2u * axis);
    if (known && open > 0.0) {
        float slope = pressure_gradients[i][axis], drag = HAS_VISCOSITY ? viscous_velocities[i][axis] : 0.0;
        // a body that holds the face gives it a velocity without a reaction
        bool held = HAS_VISCOSITY && HAS_BODIES && viscous_face_bodies[i][axis] != 0u;
        vec2 masses = solver_face_masses(i, below, axis, open) * vec2(held ? 0.0 : 1.0, 1.0);
        float solve = dot(masses, vec2(drag, slope));
        return face_momentum(mass * (slope + drag), solve, mass);
    }
    ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
    float force =
        status.dt * acceleration_at(mac_face_centre(at, axis))[axis] + mac_surface_stress_change(i, axis);
    // the rest of the change of a face that a body closes is momentum of the body
    // (flip_body_layer_response.comp)
    if (known && mac_coupled_body(i) == 0u && mac_coupled_body(below) == 0u) return found;
    float alone = known ? force : face_velocity_changes[i][axis];
    bool closed = HAS_BODIES && known;
    found.particles = mass * (mac_extrapolate_change(block, cell, axis, closed, alone).x - force);
    if (!known) found.mass = mass;
    return found;
}

vec2 end_weights(uint place) // Returns the weights of the lower and the upper end for a cell of a line.
{
    float upper = (float(place) + 0.5) / float(POISSON_BLOCK_EDGE);
    return vec2(1.0 - upper, upper);
}

void sum_axis(uint block, uint axis)
{
    uint lane = gl_LocalInvocationIndex;
    for (uint cell = lane; cell < POISSON_BLOCK_CELLS; cell += POISSON_WORKGROUP) {
        face_momentum found = find_face_momentum(block, cell, axis);
        tile[cell] = found.particles;
        tile[POISSON_BLOCK_CELLS + cell] = found.solve;
        tile[2u * POISSON_BLOCK_CELLS + cell] = found.mass;
    }
    barrier();
    for (uint job = lane; job < COMPONENTS * LINES; job += POISSON_WORKGROUP) {
        vec2 sum = vec2(0.0);
        for (uint x = 0u; x < POISSON_BLOCK_EDGE; x++)
            sum += end_weights(x) * tile[job * POISSON_BLOCK_EDGE + x];
        lines[2u * job] = sum.x;
        lines[2u * job + 1u] = sum.y;
    }
    barrier();
    if (lane < COMPONENTS * POISSON_BLOCK_EDGE * 2u) {
        vec2 sum = vec2(0.0);
        uint end = lane & 1u, plane = lane >> 1;
        for (uint y = 0u; y < POISSON_BLOCK_EDGE; y++)
            sum += end_weights(y) * lines[2u * (plane * POISSON_BLOCK_EDGE + y) + end];
        tile[2u * lane] = sum.x;
        tile[2u * lane + 1u] = sum.y;
    }
    barrier();
    if (lane < COMPONENTS * 4u) {
        vec2 sum = vec2(0.0);
        // bits of ends: 1 the upper end along y, 2 the upper end along x
        uint ends = lane & 3u, kind = lane >> 2;
        for (uint z = 0u; z < POISSON_BLOCK_EDGE; z++)
            sum += end_weights(z) * tile[4u * (kind * POISSON_BLOCK_EDGE + z) + ends];
        uint corner = ends >> 1 | (ends & 1u) << 1;
        uint first = block * SIM_MOMENTUM_RESIDUAL_WORDS + 3u * kind + axis;
        momentum_residuals[first + corner * 3u * COMPONENTS] = sum.x;
        momentum_residuals[first + (corner + 4u) * 3u * COMPONENTS] = sum.y;
    }
    barrier();
}

void main()
{
    uint block = workgroup_block(0u), axes = params.planar != 0u ? 2u : 3u;
    if (block == POISSON_NONE) return; // uniform across the workgroup
    for (uint axis = 0u; axis < axes; axis++) sum_axis(block, axis);
}
