/* The rows of one frame of whitewater, which read like the algorithm. */
#include "foam_internal.h"

/* A binding and the buffer of the same name. */
#define OWN(name) [FOAM_BIND_##name] = b->name

static void add(foam *f, foam_table *table, int kernel, gpu_domain domain,
                const grid_points *points)
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
    WEIR_ASSERT(table->count < FOAM_ROWS);
    gpu_row *row = &table->rows[table->count++];
    *row = gpu_row_make(f->kernels[kernel], domain);
    gpu_row_bind_all(row, buffers, FOAM_BINDINGS);
}

static gpu_domain counted(const char *name, uint64_t count)
{
    return (gpu_domain){.name = name, .count = count};
}

static void add_scan(foam *f, foam_table *table, gpu_buffer *data, uint32_t count)
{
    WEIR_ASSERT(table->count + GRID_SCAN_ROWS <= FOAM_ROWS);
    const grid_scan_def def = {.data = data, .sums = f->buffers.sums, .count = count};
    table->count += grid_scan_rows(f->scan, &def, &table->rows[table->count]);
}

static gpu_domain births(const foam *f)
{
    return (gpu_domain){.name = "births",
                        .count = f->capacity,
                        .arguments = f->buffers.census,
                        .argument_offset = offsetof(struct foam_census, arguments)};
}

static void set_stage(foam_table *table)
{
    for (uint32_t i = 0; i < table->count; i++)
        table->rows[i].stage = table->name;
}

/* The fluid in sorted order, with its surface, and what births depend on. */
static foam_table *add_fluid(foam *f, const grid_points *points)
{
    foam_table *table = &f->tables[FOAM_MOTION];
    gpu_domain live = grid_live(f->cells);
    table->count = grid_point_rows(f->cells, points, table->rows);
    add(f, table, FOAM_SORT, live, points);
    add(f, table, FOAM_FIND_SURFACE, live, points);
    add(f, table, FOAM_FIND_POTENTIALS, live, points);
    return table;
}

void foam_rows_build_probe(foam *f, const grid_points *points)
{
    set_stage(add_fluid(f, points));
}

void foam_rows_build_births(foam *f, const grid_points *points)
{
    foam_table *table = &f->tables[FOAM_BIRTHS];
    const gpu_domain one = counted("one", 1);
    table->count = 0;
    add(f, table, FOAM_BEGIN, one, points);
    add(f, table, FOAM_COUNT_BIRTHS, counted("particles", points->count + 1ull), points);
    add_scan(f, table, f->buffers.births, points->count + 1);
    add(f, table, FOAM_TOTAL, one, points);
    add(f, table, FOAM_KEEP, counted("whitewater", f->count + 1ull), points);
    add(f, table, FOAM_BIRTH, births(f), points);
    set_stage(table);
}

void foam_rows_build(foam *f, const grid_points *points)
{
    foam_table *table = add_fluid(f, points);
    add(f, table, FOAM_MOVE, counted("whitewater", f->count + 1ull), points);
    add_scan(f, table, f->buffers.kept, f->count + 1);
    set_stage(table);
    foam_rows_build_births(f, points);
}
