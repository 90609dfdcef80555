// Finds the cell of the grid that marks which bodies are near a position (shaders/body/broad_phase_insert.comp).
// Buffers: params.
#ifndef BODY_CELLS_GLSL
#define BODY_CELLS_GLSL

// A body that is nearer than this to a particle is named for it: it adds to the density, or the correction of
// one iteration can move the particle into it. On a cell of the MAC grid it acts when it is so near the
// cell's middle.
float body_influence_radius()
{
    float on_particles = max(params.h, params.boundary_gap + SIM_SDF_MAX_SLOPE * params.max_correction);
    return max(on_particles, BODY_COUPLING_DISTANCE * params.cell_size.x);
}

// The cell that a place is in; one outside the domain counts as one at its side.
uvec3 broad_phase_cell_of(vec3 p)
{
    vec3 cells = (p - params.domain_min.xyz) / params.domain_min.w;
    return uvec3(clamp(cells, vec3(0.0), vec3(params.body_counts.xyz) - 1.0));
}

// Its first word.
uint broad_phase_cell_index(uvec3 cell)
{
    uvec4 n = params.body_counts;
    return ((cell.z * n.y + cell.y) * n.x + cell.x) * n.w;
}
#endif
