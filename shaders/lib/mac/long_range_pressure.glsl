// Interpolates the pressure of the long-range correction, and -grad p, between the cells.
// Buffers: params, multigrid, blocks, block_slots, cells, cell_pressures, pressure_gradients.
#ifndef MAC_LONG_RANGE_PRESSURE_GLSL
#define MAC_LONG_RANGE_PRESSURE_GLSL
#include "mac/cells.glsl"
#include "mac/cell_index.glsl"

// The motion's displacement at faces that walls close, m, is half of what keeps the particle at its distance
// from the wall and half of what holds it against the forces of the substep. The first alone damps waves;
// with the second alone, noise at walls grows.
struct closed_faces {
    vec3 moved;   // m: by the particle in the substep, plus the displacement by the forces
    float weight; // of these faces in the mean
};

// Returns whether the upper side of the domain across an axis is closed.
bool upper_side_is_closed(uint axis)
{
    uint kind = params.sides >> (4u * axis + 2u) & 3u;
    return kind == 0u || kind == 3u;
}

// Returns the displacement on the lower face of a cell, m (x), and its weight (y); both are 0 if no fluid is
// next to the face. Past the last cell of an axis the face is a side of the domain.
vec2 face_displacement(ivec3 at, uint axis, closed_faces walls)
{
    uint cell = cell_index(uvec3(cell_inside_domain(at)));
    if (cell == POISSON_NONE) return vec2(0.0);
    bool past = at[axis] >= int(multigrid.cells[0][axis]) && params.period[axis] == 0.0;
    vec4 own = pressure_gradients[cell];
    uint faces = uint(own.w) >> axis;
    bool known = (faces & 1u) != 0u;
    if (past) known = uintBitsToFloat(cells[cell].w) < 0.0 && upper_side_is_closed(axis);
    bool closed = past || (faces & SIM_CLOSED_FACE) != 0u;
    float moved = past ? 0.0 : own[axis]; // by the wall, if it is closed
    if (!known) return vec2(0.0);
    return closed ? walls.weight * vec2(0.5 * (moved - walls.moved[axis]), 1.0) : vec2(moved, 1.0);
}

// Returns the displacement along one axis, m: a weighted mean of the known faces around `at`, in cells.
float displacement_along(vec3 at, uint axis, closed_faces walls)
{
    vec3 local = at - mix(vec3(0.5), vec3(0.0), equal(uvec3(axis), uvec3(0u, 1u, 2u)));
    ivec3 low = ivec3(floor(local));
    vec3 share = local - vec3(low);
    vec2 sum = vec2(0.0);
    for (uint k = 0u; k < 8u; k++) {
        ivec3 upper = ivec3(k, k >> 1, k >> 2) & 1;
        vec3 weights = mix(1.0 - share, share, equal(upper, ivec3(1)));
        sum += weights.x * weights.y * weights.z * face_displacement(low + upper, axis, walls);
    }
    return sum.y > 0.0 ? sum.x / sum.y : 0.0;
}

// Returns p interpolated between the centres of the open cells around `at`, m2; `at` in cells.
float interpolate_pressure(vec3 at)
{
    ivec3 low = ivec3(floor(at - 0.5));
    vec3 share = at - 0.5 - vec3(low);
    vec2 sum = vec2(0.0);
    for (uint k = 0u; k < 8u; k++) {
        ivec3 upper = ivec3(k, k >> 1, k >> 2) & 1;
        uint cell = cell_index(uvec3(cell_inside_domain(low + upper)));
        if (cell == POISSON_NONE || uintBitsToFloat(cells[cell].w) >= POISSON_CLOSED) continue;
        vec3 weights = mix(1.0 - share, share, equal(upper, ivec3(1)));
        sum += weights.x * weights.y * weights.z * vec2(max(cell_pressures[cell], 0.0), 1.0);
    }
    return sum.y > 0.0 ? sum.x / sum.y : 0.0;
}

// Returns -grad p at `at` (cells), m, with the displacement at walls that `walls` gives.
vec3 pressure_displacement(vec3 at, closed_faces walls)
{
    float deep = params.planar != 0u ? 0.0 : displacement_along(at, 2u, walls);
    return vec3(displacement_along(at, 0u, walls), displacement_along(at, 1u, walls), deep);
}
#endif
