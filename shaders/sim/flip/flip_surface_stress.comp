// Adds the stress along a surface whose tension differs from place to place (Marangoni) to the velocities of
// the lower faces of each cell (docs/equations.md): the pressure of the surface alone would let a drop of two
// temperatures push itself away. One workgroup per block. Runs while `cells` has the open fractions of the
// cells.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(cells);
READ_ANY(fill_fractions);
READ_ANY(face_coefficients);
READ_ANY(tension_ratios);
UPDATE_ANY(face_velocities);
WRITE_ANY(surface_stresses);

#define TILE_MARGIN 2u
#include "mac/surface_fill.glsl"

ivec3 unit_vector(uint axis)
{
    ivec3 along = ivec3(0);
    along[axis] = 1;
    return along;
}

// Returns the surface tension near a cell over the largest of its fluid; SIM_UNKNOWN_TENSION if none is near.
float tension_ratio(ivec3 at)
{
    bvec2 outside = tile_cell_is_outside(at);
    uint i = outside.x || outside.y ? POISSON_NONE : cell_index(uvec3(cell_inside_domain(at)));
    return i == POISSON_NONE ? SIM_UNKNOWN_TENSION : tension_ratios[i];
}

// Returns how much tension_ratio changes from one cell below `at` to one above; `own` is that at `at`.
float change_across(ivec3 at, uint axis, float own)
{
    float low = tension_ratio(at - unit_vector(axis)), high = tension_ratio(at + unit_vector(axis));
    bool low_known = low != SIM_UNKNOWN_TENSION, high_known = high != SIM_UNKNOWN_TENSION;
    if (low_known && high_known) return high - low;
    return high_known ? 2.0 * (high - own) : low_known ? 2.0 * (own - low) : 0.0;
}

// Returns the gradient of tension_ratio, 1/m, at the lower face of a cell along `axis`.
vec3 tension_slope(ivec3 at, uint axis, uint axes)
{
    ivec3 below = at - unit_vector(axis);
    float low = tension_ratio(below), high = tension_ratio(at);
    vec3 slope = vec3(0.0);
    if (low == SIM_UNKNOWN_TENSION || high == SIM_UNKNOWN_TENSION) return slope;
    for (uint k = 0u; k < axes; k++)
        slope[k] =
            k == axis ? high - low : 0.25 * (change_across(at, k, high) + change_across(below, k, low));
    return slope / params.cell_size.xyz;
}

// Returns the gradient of the fill, 1/m, at the lower face of a cell along `axis`.
vec3 fill_slope(ivec3 local, uint axis, uint axes)
{
    ivec3 below = local - unit_vector(axis);
    vec3 slope = vec3(0.0);
    for (uint k = 0u; k < axes; k++) {
        ivec3 up = unit_vector(k);
        slope[k] = k == axis ? fill_at(local) - fill_at(below)
                             : 0.25 * (fill_at(local + up) - fill_at(local - up) + fill_at(below + up) -
                                       fill_at(below - up));
    }
    return slope / params.cell_size.xyz;
}

void main()
{
    uint block = workgroup_block(0u), axes = params.planar != 0u ? 2u : 3u;
    if (block == POISSON_NONE) return; // uniform across the workgroup
    load_smoothed_tile(block);
    float edge = min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z));
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 local = ivec3(poisson_cell_coordinates(cell));
        ivec3 at = ivec3(blocks[block].at.xyz) * int(POISSON_BLOCK_EDGE) + local;
        vec4 change = vec4(0.0);
        // Half of the smoothed surface lies in air, which has no mass to push.
        float factor = status.dt * params.max_tension / params.fluids[0].density *
                       (UNIFORM_TENSION || is_near_air(block, cell) ? 2.0 : 1.0);
        bool unused_layer = params.planar != 0u && local.z > 0;
        for (uint axis = 0u; axis < axes && !unused_layer; axis++) {
            vec3 slope = fill_slope(local, axis, axes);
            float size = length(slope);
            if (size * edge < SIM_SURFACE_MIN_SLOPE) continue;
            vec3 along = tension_slope(at, axis, axes), normal = slope / size;
            float stress = size * (along - normal * dot(normal, along))[axis];
            if (VARIABLE_DENSITY) stress *= face_coefficients[i][axis];
            change[axis] = factor * stress;
        }
        face_velocities[i].xyz += change.xyz;
        surface_stresses[i] = change;
    }
}
