// Interpolates the pressure of the long-range correction, and -grad p, between the cells.
// Buffers: params, multigrid, blocks, block_slots, cells, cell_pressures, pressure_gradients.
#ifndef MAC_LONG_RANGE_PRESSURE_GLSL
#define MAC_LONG_RANGE_PRESSURE_GLSL
#include "mac/cells.glsl"
#include "mac/cell_index.glsl"

// Returns the gradient on the lower face of a cell, m (x), and 1 (y); both are 0 if no fluid is next to the
// face. Past the last cell of an axis the face is a side of the domain, through which nothing moves.
vec2 face_gradient(ivec3 at, uint axis)
{
    uint cell = cell_index(uvec3(cell_inside_domain(at)));
    if (cell == POISSON_NONE) return vec2(0.0);
    bool past = at[axis] >= int(multigrid.cells[0][axis]) && params.period[axis] == 0.0;
    if (past) return vec2(0.0, uintBitsToFloat(cells[cell].w) < 0.0);
    vec4 own = pressure_gradients[cell];
    return (uint(own.w) >> axis & 1u) != 0u ? vec2(own[axis], 1.0) : vec2(0.0);
}

// Returns the displacement along one axis, m: a weighted mean of the known gradients around `at`, in cells.
float displacement_along(vec3 at, uint axis)
{
    vec3 local = at - mix(vec3(0.5), vec3(0.0), equal(uvec3(axis), uvec3(0u, 1u, 2u)));
    ivec3 low = ivec3(floor(local));
    vec3 share = local - vec3(low);
    vec2 sum = vec2(0.0);
    for (uint k = 0u; k < 8u; k++) {
        ivec3 upper = ivec3(k, k >> 1, k >> 2) & 1;
        vec3 weights = mix(1.0 - share, share, equal(upper, ivec3(1)));
        sum += weights.x * weights.y * weights.z * face_gradient(low + upper, axis);
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

// Returns -grad p at `at` (cells), m.
vec3 pressure_displacement(vec3 at)
{
    float deep = params.planar != 0u ? 0.0 : displacement_along(at, 2u);
    return vec3(displacement_along(at, 0u), displacement_along(at, 1u), deep);
}
#endif
