// The cells of the coarse correction: about one support wide, they tile the domain. Needs `params` and
// `cells`: x particles and the gap to solids, y the sum of their constraints in SIM_CELL_UNITS.

uint coarse_axes() { return params.planar != 0u ? 2u : 3u; }

uint coarse_index(ivec3 at)
{
    return uint(at.x) + params.coarse_cells.x * (uint(at.y) + params.coarse_cells.y * uint(at.z));
}

uint coarse_count(uvec2 cell) { return cell.x & SIM_CELL_COUNT; }

// Distance from a cell's middle to the nearest solid, over the cell's size.
float coarse_gap(uvec2 cell)
{
    return float(cell.x >> SIM_CELL_GAP_SHIFT) / SIM_CELL_GAP_STEPS - SIM_CELL_GAP_MOST;
}

// Share of a cell, or of the face between two, that a plane at this gap from its middle leaves open.
float coarse_open(float gap) { return clamp(0.5 + gap, 0.0, 1.0); }
bool coarse_is_solid(uvec2 cell) { return coarse_open(coarse_gap(cell)) < SIM_CELL_OPEN_LEAST; }

struct coarse_neighbour {
    float pressure;
    float share; // of the face towards it that is open
};

// The neighbour at `at` of the fluid cell `own` along `axis`. Closed sides and solids mirror the pressure of
// `own`; open sides and empty cells have pressure 0.
coarse_neighbour coarse_find(ivec3 at, uint axis, uint own)
{
    int count = int(params.coarse_cells[axis]);
    if (at[axis] < 0 || at[axis] >= count) {
        uint kind = params.sides >> (4u * axis + (at[axis] < 0 ? 0u : 2u)) & 3u;
        if (kind != 2u) return coarse_neighbour(kind == 0u ? pressures[own] : 0.0, 1.0);
        at[axis] += at[axis] < 0 ? count : -count;
    }
    uint cell = coarse_index(at);
    float share = coarse_open(0.5 * (coarse_gap(cells[own]) + coarse_gap(cells[cell])));
    if (coarse_is_solid(cells[cell])) share = 0.0;
    return coarse_neighbour(share > 0.0 ? pressures[cell] : pressures[own], share);
}
