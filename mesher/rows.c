/* The rows of every phase of a meshing. */
#include "mesher_internal.h"

/* Appends a row; uses follow by `use`. */
static gpu_row *add(mesher *m, mesher_table *t, enum mesher_kernel kernel, gpu_domain domain)
{
    WEIR_ASSERT(t->count < MESHER_PHASE_ROWS);
    gpu_row *row = &t->rows[t->count++];
    *row = (gpu_row){.kernel = m->kernels[kernel], .domain = domain};
    if (kernel != MESHER_LIST_SUPERS && kernel != MESHER_SCAN_SUM && kernel != MESHER_SCAN_SPINE &&
        kernel != MESHER_SCAN_APPLY)
        gpu_row_use(row, MESH_BIND_PARAMS, m->buffers.params, GPU_BLOCK);
    return row;
}

static gpu_domain counted(const char *name, uint64_t count)
{
    return (gpu_domain){.name = name, .count = count};
}

static gpu_domain particles(const mesher *m)
{
    return counted("particles", m->frame.points->count);
}

static gpu_domain places(const mesher *m)
{
    return counted("blocks", (uint64_t)m->frame.place_count * MESH_WORKGROUP);
}

static gpu_domain surface_blocks(const mesher *m)
{
    return (gpu_domain){.name = "surface blocks",
                        .count = (uint64_t)m->frame.place_count * MESH_WORKGROUP,
                        .arguments = m->buffers.state,
                        .argument_offset = offsetof(struct mesh_state, arguments)};
}

/* Three rows that turn the first `count` elements of `data` into their exclusive prefix. */
static void add_scan(mesher *m, mesher_table *t, gpu_buffer *data, uint32_t count)
{
    gpu_domain domain = counted("elements", count);
    gpu_buffer *sums = m->buffers.sums;
    domain.per_invocation = MESH_SCAN_EACH;
    gpu_row *row = add(m, t, MESHER_SCAN_SUM, domain);
    row->constant = count;
    gpu_row_use(row, MESH_BIND_DATA, data, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SUMS, sums, GPU_SCATTER);
    row = add(m, t, MESHER_SCAN_SPINE, counted("one", 1));
    row->constant = count;
    gpu_row_use(row, MESH_BIND_SUMS, sums, GPU_REDUCE);
    row = add(m, t, MESHER_SCAN_APPLY, domain);
    row->constant = count;
    gpu_row_use(row, MESH_BIND_DATA, data, GPU_ATOMIC);
    gpu_row_use(row, MESH_BIND_SUMS, sums, GPU_GATHER);
}

static void use_blocks(const mesher *m, gpu_row *row)
{
    gpu_row_use(row, MESH_BIND_SUPERS, m->buffers.supers, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_CHILDREN, m->buffers.children, GPU_GATHER);
}

bool mesher_weighs(const mesher *m)
{
    return m->def.field != WEIR_MESH_ZHU_BRIDSON || m->def.spray > 0 || m->def.neighbours;
}

/* The particles with the weights that the field gives them. */
static gpu_buffer *weighted(const mesher *m)
{
    if (m->def.field == WEIR_MESH_ANISOTROPIC) return m->buffers.shaped;
    return mesher_weighs(m) ? m->buffers.weighted : m->buffers.sorted;
}

/* ---- blocks --------------------------------------------------------------------------------- */

static void bounds_rows(mesher *m, mesher_table *t)
{
    gpu_domain domain = particles(m);
    domain.per_invocation = MESH_BOUNDS_EACH;
    gpu_row *row = add(m, t, MESHER_BOUNDS, domain);
    gpu_row_use(row, MESH_BIND_STATE, m->buffers.state, GPU_ATOMIC);
    gpu_row_use(row, MESH_BIND_POSITIONS, m->frame.points->position, GPU_GATHER);
}

static void super_rows(mesher *m, mesher_table *t)
{
    mesher_buffers *b = &m->buffers;
    uint32_t n = m->frame.super_places;
    gpu_row *row = add(m, t, MESHER_MARK_SUPERS, particles(m));
    gpu_row_use(row, MESH_BIND_POSITIONS, m->frame.positions, GPU_OWN_READ);
    gpu_row_use(row, MESH_BIND_SUPERS, b->supers, GPU_ATOMIC);
    add_scan(m, t, b->supers, n + 1);
    row = add(m, t, MESHER_LIST_SUPERS, counted("super blocks", n));
    row->constant = n;
    gpu_row_use(row, MESH_BIND_SUPERS, b->supers, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SUPER_LIST, b->super_list, GPU_SCATTER);
}

static void block_rows(mesher *m, mesher_table *t)
{
    mesher_buffers *b = &m->buffers;
    gpu_row *row = add(m, t, MESHER_MARK_BLOCKS, particles(m));
    gpu_row_use(row, MESH_BIND_POSITIONS, m->frame.positions, GPU_OWN_READ);
    gpu_row_use(row, MESH_BIND_SUPERS, b->supers, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_CHILDREN, b->children, GPU_ATOMIC);
    add_scan(m, t, b->children, m->frame.super_count * MESH_CHILDREN + 1);
}

/* ---- particles ------------------------------------------------------------------------------ */

static void sort_rows(mesher *m, mesher_table *t)
{
    mesher_buffers *b = &m->buffers;
    gpu_buffer *positions = m->frame.positions;
    gpu_row *row = add(m, t, MESHER_BIN_COUNT, particles(m));
    gpu_row_use(row, MESH_BIND_POSITIONS, positions, GPU_OWN_READ);
    use_blocks(m, row);
    gpu_row_use(row, MESH_BIND_BINS, b->bins, GPU_ATOMIC);
    gpu_row_use(row, MESH_BIND_KEYS, b->keys, GPU_OWN_WRITE);
    gpu_row_use(row, MESH_BIND_RANKS, b->ranks, GPU_OWN_WRITE);
    add_scan(m, t, b->bins, m->frame.block_count * (m->params.bin_shift == 3 ? 1 : 8) + 1);
    row = add(m, t, MESHER_BIN_SCATTER, particles(m));
    gpu_row_use(row, MESH_BIND_POSITIONS, positions, GPU_OWN_READ);
    gpu_row_use(row, MESH_BIND_KEYS, b->keys, GPU_OWN_READ);
    gpu_row_use(row, MESH_BIND_RANKS, b->ranks, GPU_OWN_READ);
    gpu_row_use(row, MESH_BIND_BINS, b->bins, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SLOTS, b->slots, GPU_SCATTER);
    row = add(m, t, MESHER_BIN_ORDER, particles(m));
    gpu_row_use(row, MESH_BIND_STATE, b->state, GPU_ATOMIC);
    gpu_row_use(row, MESH_BIND_KEYS, b->keys, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_BINS, b->bins, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SLOTS, b->slots, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SOURCES, b->sources, GPU_SCATTER);
    row = add(m, t, MESHER_BIN_LOAD, particles(m));
    gpu_row_use(row, MESH_BIND_POSITIONS, positions, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SOURCES, b->sources, GPU_OWN_READ);
    gpu_row_use(row, MESH_BIND_SORTED, b->sorted, GPU_OWN_WRITE);
}

static void bin_rows(mesher *m, mesher_table *t)
{
    mesher_buffers *b = &m->buffers;
    uint32_t children = m->frame.super_count * MESH_CHILDREN;
    gpu_row *row = add(m, t, MESHER_LIST_BLOCKS, counted("children", children));
    row->constant = children;
    gpu_row_use(row, MESH_BIND_CHILDREN, b->children, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SUPER_LIST, b->super_list, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_BLOCKS, b->blocks, GPU_SCATTER);
    sort_rows(m, t);
    if (!mesher_weighs(m)) return;
    row = add(m, t, MESHER_WEIGH, particles(m));
    gpu_row_use(row, MESH_BIND_STATE, b->state, GPU_ATOMIC);
    use_blocks(m, row);
    gpu_row_use(row, MESH_BIND_BINS, b->bins, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SOURCES, b->sources, GPU_OWN_READ);
    gpu_row_use(row, MESH_BIND_SORTED, b->sorted, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_WEIGHTED, b->weighted, GPU_OWN_WRITE);
    gpu_row_use(row, MESH_BIND_NEIGHBOURS, b->neighbours, GPU_SCATTER);
    if (m->def.field != WEIR_MESH_ANISOTROPIC) return;
    row = add(m, t, MESHER_SHAPE, particles(m));
    gpu_row_use(row, MESH_BIND_SOURCES, b->sources, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_WEIGHTED, b->weighted, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SHAPES, grid_anisotropy_shapes(m->anisotropy), GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SORTED, b->shaped, GPU_SCATTER);
    gpu_row_use(row, MESH_BIND_SORTED_SHAPES, b->sorted_shapes, GPU_SCATTER);
}

/* ---- slabs ---------------------------------------------------------------------------------- */

static void place_rows(mesher *m, mesher_table *t, uint32_t several)
{
    mesher_buffers *b = &m->buffers;
    uint32_t n = m->frame.block_count;
    gpu_row *row = add(m, t, MESHER_PLACES, counted("blocks", n + 1ull));
    row->constant = several;
    use_blocks(m, row);
    gpu_row_use(row, MESH_BIND_BLOCKS, b->blocks, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_PLACES, b->places, GPU_OWN_WRITE);
    add_scan(m, t, b->places, n + 1);
    row = add(m, t, MESHER_LIST_PLACES, counted("blocks", n));
    gpu_row_use(row, MESH_BIND_PLACES, b->places, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_PLACE_BLOCKS, b->place_blocks, GPU_SCATTER);
}

static void add_field(mesher *m, mesher_table *t, enum mesher_kernel kernel)
{
    mesher_buffers *b = &m->buffers;
    bool damps = kernel == MESHER_DAMP;
    gpu_row *row = add(m, t, kernel, places(m));
    use_blocks(m, row);
    gpu_row_use(row, MESH_BIND_BLOCKS, b->blocks, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_BINS, b->bins, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SORTED, weighted(m), GPU_GATHER);
    gpu_row_use(row, MESH_BIND_PLACE_BLOCKS, b->place_blocks, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_FIELD, b->field, GPU_SCATTER);
    gpu_row_use(row, MESH_BIND_SIGNS, b->signs, damps ? GPU_ATOMIC : GPU_SCATTER);
    gpu_row_use(row, MESH_BIND_NEEDS, b->needs, damps ? GPU_GATHER : GPU_SCATTER);
    if (!damps)
        gpu_row_use(row, MESH_BIND_SORTED_SHAPES, b->sorted_shapes ? b->sorted_shapes : b->nothing,
                    GPU_GATHER);
}

static void surface_rows(mesher *m, mesher_table *t)
{
    mesher_buffers *b = &m->buffers;
    gpu_domain domain = counted("blocks", m->frame.place_count + 1ull);
    gpu_row *row = add(m, t, MESHER_SURFACE, domain);
    use_blocks(m, row);
    gpu_row_use(row, MESH_BIND_BLOCKS, b->blocks, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_PLACES, b->places, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_PLACE_BLOCKS, b->place_blocks, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SIGNS, b->signs, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SURFACE, b->surface, GPU_OWN_WRITE);
    add_scan(m, t, b->surface, m->frame.place_count + 1);
    row = add(m, t, MESHER_LIST_SURFACE, domain);
    gpu_row_use(row, MESH_BIND_STATE, b->state, GPU_SCATTER);
    gpu_row_use(row, MESH_BIND_SURFACE, b->surface, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SURFACE_LIST, b->surface_list, GPU_SCATTER);
}

/* What every kernel over surface blocks looks at. */
static gpu_row *add_surface(mesher *m, mesher_table *t, enum mesher_kernel kernel)
{
    mesher_buffers *b = &m->buffers;
    gpu_row *row = add(m, t, kernel, surface_blocks(m));
    gpu_row_use(row, MESH_BIND_STATE, b->state, GPU_BLOCK);
    use_blocks(m, row);
    gpu_row_use(row, MESH_BIND_BLOCKS, b->blocks, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_PLACES, b->places, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_PLACE_BLOCKS, b->place_blocks, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SURFACE_LIST, b->surface_list, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_TABLE, b->table, GPU_GATHER);
    return row;
}

static void field_rows(mesher *m, mesher_table *t)
{
    mesher_buffers *b = &m->buffers;
    uint32_t n = m->frame.place_count;
    add_field(m, t, MESHER_FIELD);
    if (m->kernels[MESHER_DAMP] && m->def.field == WEIR_MESH_ZHU_BRIDSON)
        add_field(m, t, MESHER_DAMP);
    surface_rows(m, t);
    gpu_row *row = add_surface(m, t, MESHER_CLASSIFY);
    gpu_row_use(row, MESH_BIND_FIELD, b->field, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_NODES, b->nodes, GPU_SCATTER);
    gpu_row_use(row, MESH_BIND_ROWS, b->rows, GPU_SCATTER);
    gpu_row_use(row, MESH_BIND_VERTEX_COUNTS, b->vertex_counts, GPU_SCATTER);
    gpu_row_use(row, MESH_BIND_TRIANGLE_COUNTS, b->triangle_counts, GPU_SCATTER);
    add_scan(m, t, b->vertex_counts, n + 1);
    add_scan(m, t, b->triangle_counts, n + 1);
    row = add(m, t, MESHER_NUMBER, counted("blocks", n + 1ull));
    row->constant = n;
    gpu_row_use(row, MESH_BIND_STATE, b->state, GPU_ATOMIC);
    gpu_row_use(row, MESH_BIND_PLACE_BLOCKS, b->place_blocks, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SURFACE_LIST, b->surface_list, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_VERTEX_COUNTS, b->vertex_counts, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_TRIANGLE_COUNTS, b->triangle_counts, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_VERTEX_BASE, b->vertex_base, GPU_SCATTER);
}

static void output_rows(mesher *m, mesher_table *t)
{
    mesher_buffers *b = &m->buffers;
    gpu_row *row = add_surface(m, t, MESHER_VERTICES);
    gpu_row_use(row, MESH_BIND_FIELD, b->field, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_NODES, b->nodes, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_ROWS, b->rows, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_VERTEX_COUNTS, b->vertex_counts, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_VERTICES, b->vertices, GPU_SCATTER);
    gpu_row_use(row, MESH_BIND_NORMALS, b->normals, GPU_SCATTER);
    row = add_surface(m, t, MESHER_TRIANGLES);
    gpu_row_use(row, MESH_BIND_SURFACE, b->surface, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_NODES, b->nodes, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_ROWS, b->rows, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_TRIANGLE_COUNTS, b->triangle_counts, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_VERTEX_BASE, b->vertex_base, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_INDICES, b->indices, GPU_SCATTER);
}

/* ---- attributes ----------------------------------------------------------------------------- */

bool mesher_carries_velocity(const mesher *m)
{
    return m->def.velocity && m->frame.points->velocity;
}

gpu_buffer *mesher_scalar_buffer(const mesher *m, enum mesher_scalar scalar)
{
    const grid_points *points = m->frame.points;
    switch (scalar) {
    case MESHER_DENSITY: return m->def.attributes ? points->density : NULL;
    case MESHER_FLUID: return m->def.attributes ? points->fluid : NULL;
    case MESHER_NEIGHBOUR_COUNT: return m->def.neighbours ? m->buffers.neighbours : NULL;
    default: return NULL;
    }
}

static void carry_rows(mesher *m, mesher_table *t, uint32_t what)
{
    mesher_buffers *b = &m->buffers;
    enum mesher_scalar which = (enum mesher_scalar)(what % MESHER_SCALARS);
    gpu_buffer *velocity = what >= MESHER_SCALARS ? m->frame.points->velocity : NULL;
    gpu_buffer *scalar = mesher_scalar_buffer(m, which);
    gpu_row *row = add(m, t, MESHER_PACK, particles(m));
    row->constant = (velocity ? MESH_PACK_VELOCITY : 0u) | (scalar ? MESH_PACK_SCALAR : 0u) |
                    (which == MESHER_DENSITY ? 0u : MESH_PACK_WHOLE);
    gpu_row_use(row, MESH_BIND_SOURCES, b->sources, GPU_OWN_READ);
    gpu_row_use(row, MESH_BIND_VELOCITY, velocity ? velocity : b->nothing, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SCALARS, scalar ? scalar : b->nothing, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_VALUES, b->values, GPU_OWN_WRITE);
    row = add(m, t, MESHER_CARRY, surface_blocks(m));
    gpu_row_use(row, MESH_BIND_STATE, b->state, GPU_BLOCK);
    gpu_row_use(row, MESH_BIND_BLOCKS, b->blocks, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_PLACE_BLOCKS, b->place_blocks, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SURFACE_LIST, b->surface_list, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_NODES, b->nodes, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_ROWS, b->rows, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_VERTEX_COUNTS, b->vertex_counts, GPU_GATHER);
    use_blocks(m, row);
    gpu_row_use(row, MESH_BIND_BINS, b->bins, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_SORTED, weighted(m), GPU_GATHER);
    gpu_row_use(row, MESH_BIND_VALUES, b->values, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_VERTICES, b->vertices, GPU_GATHER);
    gpu_row_use(row, MESH_BIND_RESULTS, b->results, GPU_SCATTER);
}

void mesher_rows(mesher *m, enum mesher_phase phase, uint32_t constant)
{
    mesher_table *t = &m->tables[phase];
    t->count = 0;
    switch (phase) {
    case MESHER_PHASE_BOUNDS: bounds_rows(m, t); break;
    case MESHER_PHASE_SHAPES:
        t->count = grid_anisotropy_rows(m->anisotropy, m->frame.points, t->rows);
        break;
    case MESHER_PHASE_SUPERS: super_rows(m, t); break;
    case MESHER_PHASE_BLOCKS: block_rows(m, t); break;
    case MESHER_PHASE_BINS: bin_rows(m, t); break;
    case MESHER_PHASE_PLACES: place_rows(m, t, constant); break;
    case MESHER_PHASE_FIELD: field_rows(m, t); break;
    case MESHER_PHASE_OUTPUT: output_rows(m, t); break;
    case MESHER_PHASE_CARRY: carry_rows(m, t, constant); break;
    case MESHER_PHASES: break;
    }
}
