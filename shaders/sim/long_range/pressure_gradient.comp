// Computes -grad p on the lower faces of every cell, m, and which of these faces are next to fluid; one
// workgroup per block. With VARIABLE_DENSITY it is multiplied by the first fluid's density over the face's.
// As in poisson/assemble_matrix.comp, p is 0 at the surface between the centres of a
// fluid cell and an air cell, and nothing moves between fluid and a closed cell. The pressure of the motion
// is clamped at 0, because walls push a fluid and do not pull it; that of the drift has either sign. The
// faces that walls close are marked for the long-range correction.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(cell_pressures);
READ_ANY(face_coefficients);
READ_ANY(surface_pressures);
WRITE_ANY(pressure_gradients);
#include "mac/surface_tension.glsl"
#include "poisson/level.glsl"

float pressure_at(uint i)
{
    float pressure = cell_pressures[i];
    return pass.constant != 0u ? pressure : max(pressure, 0.0);
}

struct face_gradient {
    float gradient;
    bool known;  // next to fluid
    bool closed; // by a wall; not of a MAC grid
};

face_gradient compute_face_gradient(uint block, uint cell, uint axis)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, below = poisson_neighbour_cell(block, cell, 2u * axis);
    float own = uintBitsToFloat(cells[i].w), other = 0.0, pressure = 0.0; // air if there is no cell below
    if (below != POISSON_NONE) {
        other = uintBitsToFloat(cells[below].w);
        pressure = pressure_at(below);
    }
    float least = min(own, other), most = max(own, other);
    bool known = least < 0.0, open = (cells[i][axis] & 0xffffu) != 0u && most < POISSON_CLOSED;
    if (!open) return face_gradient(0.0, known, known && pass.constant != SIM_MAC_SOLVE);
    float length = known && most >= 0.0 ? poisson_surface_fraction(least, most) : 1.0;
    if (SURFACE_TENSION && known && pass.constant == SIM_MAC_SOLVE)
        pressure += own < 0.0 ? mac_pressure_jump(i, below) : -mac_pressure_jump(below, i);
    float gradient = (pressure - pressure_at(i)) / (length * params.cell_size[axis]);
    if (VARIABLE_DENSITY) gradient *= face_coefficients[i][axis];
    return face_gradient(gradient, known, false);
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        vec4 found = vec4(0.0);
        for (uint axis = 0u; axis < 3u; axis++) {
            face_gradient face = compute_face_gradient(block, cell, axis);
            found[axis] = face.gradient;
            if (face.known) found.w += float(1u << axis);
            if (face.closed) found.w += float(SIM_CLOSED_FACE << axis);
        }
        pressure_gradients[block * POISSON_BLOCK_CELLS + cell] = found;
    }
}
