// Assembles the coefficients of the finest level: open fractions of faces (Batty, Bertails and Bridson 2007),
// and at the free surface the factor 1 / theta of the ghost fluid method (Gibou and others 2002, equation
// 15), times the coefficient of the face if the medium varies. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(face_coefficients);
WRITE_ANY(coefficients);
WRITE_ANY(air_coefficients);
#include "poisson/level.glsl"

struct equation {
    vec3 low, air; // low: coefficients of the lower faces; air: coefficients to air along each axis
    float sum;
};

void add_face(inout equation e, uint i, uint other, uint side)
{
    uint axis = side >> 1;
    float own = uintBitsToFloat(cells[i].w), beside = 0.0;
    float open = unpackUnorm2x16(cells[i][axis])[side & 1u] * multigrid.weights[axis];
    uint upper = (side & 1u) == 0u || other == POISSON_NONE ? i : other; // the face is its lower one
    if (VARIABLE_COEFFICIENTS) open *= face_coefficients[upper][axis];
    if (other != POISSON_NONE) beside = uintBitsToFloat(cells[other].w);
    if (beside < 0.0) {
        e.sum += open;
        if ((side & 1u) == 0u) e.low[axis] = open;
    } else if (beside < POISSON_CLOSED) {
        e.air[axis] += open / poisson_surface_fraction(own, beside);
    }
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        equation e = equation(vec3(0.0), vec3(0.0), 0.0);
        bool fluid = uintBitsToFloat(cells[i].w) < 0.0;
        for (uint side = 0u; side < 6u && fluid; side++) {
            uint other = poisson_neighbour_cell(block, cell, side);
            // a single cell along a periodic axis is its own neighbour
            if (other != i) add_face(e, i, other, side);
        }
        coefficients[i] = vec4(e.low, e.sum + e.air.x + e.air.y + e.air.z);
        air_coefficients[i] = vec4(e.air, 0.0);
    }
}
