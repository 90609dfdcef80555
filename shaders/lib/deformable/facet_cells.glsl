// Finds the cell that lists the facets of cloths and ropes near a position.
// Buffers: soft_cells.
#ifndef DEFORMABLE_FACET_CELLS_GLSL
#define DEFORMABLE_FACET_CELLS_GLSL

uvec3 soft_cell_of(vec3 p)
{
    vec3 cell = (p - soft_cells.low.xyz) / soft_cells.low.w;
    return uvec3(clamp(cell, vec3(0.0), vec3(soft_cells.count.xyz) - 1.0));
}

uint soft_cell_at(uvec3 cell) { return (cell.z * soft_cells.count.y + cell.y) * soft_cells.count.x + cell.x; }
#endif
