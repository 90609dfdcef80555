// Finds the broad-phase cell of a position; it lists the bodies near it
// (shaders/body/broad_phase_insert.comp).
// Buffers: params.
#ifndef BODY_CELLS_GLSL
#define BODY_CELLS_GLSL

// Returns the distance up to which a body may act on a particle, m: it contributes to the density, or the
// correction of one iteration can move the particle into it. On a cell of the MAC grid, a body may act up to
// this distance from the cell's centre.
float body_influence_radius()
{
    float on_particles = max(params.h, params.boundary_gap + SIM_SDF_MAX_SLOPE * params.max_correction);
    return max(on_particles, BODY_COUPLING_DISTANCE * params.cell_size.x);
}

// Returns the cell of a position; positions outside the domain belong to the nearest cell.
uvec3 broad_phase_cell_of(vec3 p)
{
    vec3 cells = (p - params.domain_min.xyz) / params.domain_min.w;
    return uvec3(clamp(cells, vec3(0.0), vec3(params.body_counts.xyz) - 1.0));
}

// Returns the index of the first word of a cell.
uint broad_phase_cell_index(uvec3 cell)
{
    uvec4 n = params.body_counts;
    return ((cell.z * n.y + cell.y) * n.x + cell.x) * n.w;
}
#endif
