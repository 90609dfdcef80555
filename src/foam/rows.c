/* The rows of one frame of whitewater, which read like the algorithm. */
#include "foam_internal.h"

/* A binding and the buffer of the same name. */
#define OWN(name) [FOAM_BIND_##name] = b->name

static gpu_row *add(foam *f, int kernel, gpu_domain domain, const grid_points *points)
{
    const foam_buffers *b = &f->buffers;
    const solid_set *solids = f->def.solids;
    gpu_buffer *const buffers[FOAM_BINDINGS] = {
        OWN(params),
        OWN(census),
        OWN(sorted_points),
        OWN(sorted_velocities),
        OWN(surfaces),
        OWN(births),
        OWN(particles),
        OWN(moved),
        OWN(kept),
        OWN(poses),
        OWN(potentials),
        [FOAM_BIND_grid] = grid_params_buffer(f->cells),
        [FOAM_BIND_state] = grid_state_buffer(f->cells),
        [FOAM_BIND_sources] = grid_sources(f->cells),
        [FOAM_BIND_segments] = grid_segments(f->cells),
        [FOAM_BIND_cell_starts] = grid_cells(f->cells),
        [FOAM_BIND_points] = points->position,
        [FOAM_BIND_velocities] = points->velocity,
        [FOAM_BIND_ids] = points->id,
        [FOAM_BIND_items] = solids ? solid_items(solids) : b->nothing,
        [FOAM_BIND_solid_nodes] = solids ? solid_nodes(solids) : b->nothing,
        [FOAM_BIND_solid_volumes] = solids ? solid_volumes(solids) : b->nothing,
    };
    WEIR_ASSERT(f->row_count < FOAM_ROWS);
    gpu_row *row = &f->rows[f->row_count++];
    *row = gpu_row_make(f->kernels[kernel], domain);
    gpu_row_bind_all(row, buffers, FOAM_BINDINGS);
    return row;
}

static gpu_domain counted(const char *name, uint64_t count)
{
    return (gpu_domain){.name = name, .count = count};
}

static void add_scan(foam *f, gpu_buffer *data, uint32_t count)
{
    WEIR_ASSERT(f->row_count + GRID_SCAN_ROWS <= FOAM_ROWS);
    const grid_scan_def def = {.data = data, .sums = f->buffers.sums, .count = count};
    f->row_count += grid_scan_rows(f->scan, &def, &f->rows[f->row_count]);
}

static gpu_domain births(const foam *f)
{
    return (gpu_domain){.name = "births",
                        .count = f->capacity,
                        .arguments = f->buffers.census,
                        .argument_offset = offsetof(struct foam_census, arguments)};
}

/* The fluid in sorted order, with its surface. */
static void add_fluid(foam *f, const grid_points *points)
{
    gpu_domain live = grid_live(f->cells);
    f->row_count = grid_point_rows(f->cells, points, f->rows);
    add(f, FOAM_BEGIN, counted("one", 1), points);
    add(f, FOAM_SORT, live, points);
    add(f, FOAM_FIND_SURFACE, live, points);
}

void foam_rows_build_probe(foam *f, const grid_points *points)
{
    add_fluid(f, points);
    add(f, FOAM_PROBE, grid_live(f->cells), points);
}

void foam_rows_build(foam *f, const grid_points *points)
{
    add_fluid(f, points);
    add(f, FOAM_RATE, counted("particles", points->count + 1ull), points);
    add_scan(f, f->buffers.births, points->count + 1);
    add(f, FOAM_MOVE, counted("whitewater", f->count + 1ull), points);
    add_scan(f, f->buffers.kept, f->count + 1);
    add(f, FOAM_TOTAL, counted("one", 1), points);
    add(f, FOAM_KEEP, counted("whitewater", f->count + 1ull), points);
    add(f, FOAM_BIRTH, births(f), points);
    for (uint32_t i = 0; i < f->row_count; i++)
        f->rows[i].stage = FOAM_STAGE;
}
