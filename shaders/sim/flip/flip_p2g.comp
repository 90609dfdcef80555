// Transfers velocity from particles to the MAC grid (P2G) by gathering in sorted order (Zhu and Bridson 2005,
// section 5; for APIC Jiang and others 2015, equation 8, whose D is not needed with the gradients of
// trilinear weights). Each cell sums the particles around it and writes the velocities of its lower faces,
// with the forces of the substep added, and its fill fraction. Particles of fluids with different densities
// count by mass, and each face gets the density of the fluid around it. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
BLOCK(grid);
READ_ANY(segments);
READ_ANY(bin_starts);
READ_TEXELS(sorted_positions);
READ_FLOAT_TEXELS(sorted_velocities);
READ_FLOAT_TEXELS(velocity_gradients);
READ_ANY(sort_sources);
WRITE_ANY(face_velocities);
WRITE_ANY(face_masses);
WRITE_ANY(fill_fractions);
WRITE_ANY(viscous_cells);
WRITE_ANY(face_coefficients);
#include "neighbours/bin_ranges.glsl"
#include "poisson/level.glsl"
#include "mac/grid.glsl"
#include "particles/external_forces.glsl"

struct face_sums {
    vec3 momentum, weight; // of the three lower faces; masses over that of the first fluid's particles
    vec3 volume;           // with VARIABLE_DENSITY: the same sums without the masses
    vec4 mean;             // over all particles nearby: xyz sum of velocities, w their number
    float fill_fractions;
    float mass, fill_mass; // with VARIABLE_DENSITY: of all particles nearby, and of fill_fractions
    float viscosity; // Pa s over the first fluid's density, m2/s; sum over all particles nearby
    float tension; // of fill_fractions, each particle times its surface tension over the largest
    float separating; // the share of fill_fractions whose particles leave a wall
};

// Values that are the same for all particles; read once.
ivec3 cell_count;
vec3 cells_per_unit; // scale of offsets from mac_cell_corner
vec3 domain_corner;  // m: lower; in the plane the layer of cells around it counts
vec3 low_closed, high_closed; // 1 along axes at whose lower or upper end the cell lies at a closed side

void add_particle(inout face_sums sum, ivec3 corner, uint j)
{
    vec3 x = vec3(TEXEL(sorted_positions, j).xyz * cell_count - corner) * cells_per_unit;
    vec4 texel = FLOAT_TEXEL(sorted_velocities, j);
    vec3 v = texel.xyz;
    vec3 face = max(1.0 - abs(x), 0.0), middle = max(1.0 - abs(x - 0.5), 0.0);
    vec3 weight = vec3(face.x, middle.x, middle.x) * vec3(middle.y, face.y, middle.y) *
                  vec3(middle.z, middle.z, face.z);
    sum.mean += vec4(v, 1.0);
    float ratio = 1.0;
    if (VARIABLE_DENSITY) {
        ratio = params.fluids[TEXEL(sorted_positions, j).w].density / params.fluids[0].density;
        sum.volume += weight;
        sum.mass += ratio;
        weight *= ratio;
    }
    if (APIC) {
        uint row_of_x = 3u * sort_sources[j];
        vec3 to_face = -x * params.cell_size.xyz, to_middle = (0.5 - x) * params.cell_size.xyz;
        for (uint axis = 0u; axis < 3u; axis++) {
            vec3 offset = to_middle;
            offset[axis] = to_face[axis];
            v[axis] += dot(FLOAT_TEXEL(velocity_gradients, row_of_x + axis).xyz, offset);
        }
    }
    sum.weight += weight;
    sum.momentum += weight * v;
    // The weight that a particle would give to a cell beyond a closed side counts in the cell in front of it.
    vec3 part = middle + low_closed * max(0.5 - x, 0.0) + high_closed * max(x - 0.5, 0.0);
    sum.fill_fractions += part.x * part.y * part.z;
    if (VARIABLE_DENSITY) sum.fill_mass += part.x * part.y * part.z * ratio;
    if (SURFACE_TENSION && !UNIFORM_TENSION)
        sum.tension += part.x * part.y * part.z *
                       params.fluids[TEXEL(sorted_positions, j).w].surface_tension / params.max_tension;
    if (SEPARATING_WALLS) sum.separating += part.x * part.y * part.z * texel.w;
    if (!HAS_VISCOSITY || UNIFORM_VISCOSITY) return;
    sim_fluid fluid = params.fluids[TEXEL(sorted_positions, j).w];
    sum.viscosity += fluid.dynamic_viscosity / params.fluids[0].density;
}

void add_range(inout face_sums sum, ivec3 from, uvec2 range)
{
    uint last = min(range.y, range.x + 65000u);
    ivec3 corner = mac_cell_corner(from);
    for (uint j = range.x; j < last; j++) add_particle(sum, corner, j);
}

// Adds the bins lo to hi of one line. On a periodic axis the line continues at its other end.
void add_line(inout face_sums sum, ivec3 from, uint line, int lo, int hi)
{
    int n = int(grid.bins_x);
    ivec3 turn = ivec3(params.mac_cells.x, 0, 0);
    bool turns = PERIODIC && params.period.x > 0.0;
    if (turns && lo < 0) add_range(sum, from + turn, bin_line_range(line, uint(lo + n), uint(n - 1)));
    if (lo < n) add_range(sum, from, bin_line_range(line, uint(max(lo, 0)), uint(min(hi, n - 1))));
    if (turns && hi >= n && lo - n < n) // cells of a block may lie more than a period beyond the end
        add_range(sum, from - turn, bin_line_range(line, uint(max(lo - n, 0)), uint(min(hi - n, n - 1))));
}

// Returns the cell that stands for `from` along an axis if bin c lies past an end of the domain.
int wrapped_cell(int from, int c, uint axis, uint count)
{
    return from + (c < 0 ? params.mac_cells[axis] : c >= int(count) ? -params.mac_cells[axis] : 0);
}

face_sums gather_particles(ivec3 at)
{
    face_sums sum = face_sums(vec3(0.0), vec3(0.0), vec3(0.0), vec4(0.0), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
    int first = params.planar != 0u ? 0 : 2 * at.z - 2, last = params.planar != 0u ? 0 : 2 * at.z + 2;
    for (int z = first; z <= last; z++) {
        int cz = bin_line_wrap(z, grid.bins_z, params.period.z);
        if (cz < 0) continue;
        for (int y = 2 * at.y - 2; y <= 2 * at.y + 2; y++) {
            int cy = bin_line_wrap(y, grid.bins_y, params.period.y);
            if (cy < 0) continue;
            ivec3 from = ivec3(at.x, wrapped_cell(at.y, y, 1u, grid.bins_y),
                               wrapped_cell(at.z, z, 2u, grid.bins_z));
            add_line(sum, from, grid_segment_index(grid, 0u, uint(cy), uint(cz)), 2 * at.x - 2, 2 * at.x + 2);
        }
    }
    return sum;
}

// Returns the velocities of the faces, m/s, and a bit for each known one (w). A face with almost no weight
// gets the mean of the particles around the cell: otherwise a face next to fluid that no particle reaches
// would stand still.
vec4 normalize_velocities(face_sums sum, ivec3 at)
{
    vec3 found = vec3(0.0);
    float known = 0.0;
    for (uint axis = 0u; axis < 3u; axis++) {
        vec3 middle = vec3(at) + 0.5;
        middle[axis] -= 0.5;
        vec3 force = status.dt * acceleration_at(domain_corner + middle * params.cell_size.xyz);
        bool seen = sum.weight[axis] > SIM_MAC_MIN_WEIGHT;
        if (seen) known += float(1u << axis);
        float mean = sum.mean[axis] / max(sum.mean.w, 1.0);
        found[axis] = (seen ? sum.momentum[axis] / sum.weight[axis] : mean) + force[axis];
    }
    return vec4(found, known);
}

// Returns the density of the first fluid over that of the particles in the cell; of those around it if it has
// none.
float inverse_cell_density(face_sums sum)
{
    if (sum.fill_mass > SIM_MAC_MIN_WEIGHT) return sum.fill_fractions / sum.fill_mass;
    return sum.mean.w > 0.0 ? sum.mean.w / sum.mass : 1.0;
}

// Returns the same for the particles at each lower face.
vec3 inverse_face_densities(face_sums sum)
{
    vec3 found = vec3(inverse_cell_density(sum));
    for (uint axis = 0u; axis < 3u; axis++)
        if (sum.weight[axis] > SIM_MAC_MIN_WEIGHT) found[axis] = sum.volume[axis] / sum.weight[axis];
    return found;
}

void find_closed_sides(ivec3 at)
{
    for (uint axis = 0u; axis < 3u; axis++) {
        uvec2 kinds = uvec2(params.sides >> (4u * axis), params.sides >> (4u * axis + 2u)) & 3u;
        low_closed[axis] = at[axis] == 0 && kinds.x == 0u ? 1.0 : 0.0;
        high_closed[axis] = at[axis] + 1 == params.mac_cells[axis] && kinds.y == 0u ? 1.0 : 0.0;
    }
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    cell_count = params.mac_cells.xyz;
    domain_corner = params.domain_min.xyz;
    if (params.planar != 0u) domain_corner.z = params.plane - 0.5 * params.cell_size.z;
    cells_per_unit = 1.0 / vec3(params.fixed_max.xyz - params.fixed_min.xyz);
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        find_closed_sides(at);
        face_sums sum = gather_particles(at);
        face_velocities[i] = normalize_velocities(sum, at);
        if (VARIABLE_DENSITY)
            face_coefficients[i] = vec4(inverse_face_densities(sum), sum.tension / params.cell_size.w);
        float separating = sum.fill_fractions > 0.0 ? sum.separating / sum.fill_fractions : 0.0;
        float mark = SEPARATING_WALLS ? separating : 0.0;
        if (VARIABLE_DENSITY) mark = (mark > 0.5 ? -1.0 : 1.0) * inverse_cell_density(sum);
        face_masses[i] = vec4(sum.weight / params.cell_size.w, mark);
        fill_fractions[i] = sum.fill_fractions / params.cell_size.w;
        if (HAS_VISCOSITY && !UNIFORM_VISCOSITY)
            viscous_cells[i] = floatBitsToUint(sum.viscosity / max(sum.mean.w, 1.0));
    }
}
