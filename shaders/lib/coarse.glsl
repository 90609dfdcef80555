// The cells of the coarse correction: about one support wide, they tile the domain. Needs `params` and cells
// (x particles and SIM_CELL_SOLID, y sum of their constraints in SIM_CELL_UNITS).

uint coarse_axes() { return params.planar != 0u ? 2u : 3u; }

uint coarse_index(ivec3 at)
{
    return uint(at.x) + params.coarse_cells.x * (uint(at.y) + params.coarse_cells.y * uint(at.z));
}

bool coarse_is_solid(uvec2 cell) { return (cell.x & SIM_CELL_SOLID) != 0u; }

// The pressure at `at`, a neighbour across `axis` of a cell with `own`: closed sides and solids mirror it,
// what is open or empty has none.
float coarse_pressure(ivec3 at, uint axis, float own)
{
    int count = int(params.coarse_cells[axis]);
    if (at[axis] < 0 || at[axis] >= count) {
        uint kind = params.sides >> (4u * axis + (at[axis] < 0 ? 0u : 2u)) & 3u;
        if (kind != 2u) return kind == 0u ? own : 0.0;
        at[axis] += at[axis] < 0 ? count : -count;
    }
    uint cell = coarse_index(at);
    return coarse_is_solid(cells[cell]) ? own : pressures[cell];
}
