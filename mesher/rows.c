/* The rows of every phase of a meshing. */
#include "mesher_internal.h"

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

/* A binding and the mesher's buffer of the same name. */
#define OWN(name) [MESH_BIND_##name] = b->name

/* The buffer behind every binding number; NULL where the frame has none. */
static void bind_row(const mesher *m, gpu_row *row)
{
    const mesher_buffers *b = &m->buffers;
    gpu_buffer *buffers[MESH_BINDINGS] = {
        OWN(params),          OWN(state),        OWN(supers),   OWN(children), OWN(super_list),
        OWN(blocks),          OWN(bins),         OWN(keys),     OWN(ranks),    OWN(entries),
        OWN(sources),         OWN(sorted),       OWN(weighted), OWN(shaped),   OWN(neighbours),
        OWN(seats),           OWN(seat_blocks),  OWN(field),    OWN(signs),    OWN(needs),
        OWN(surface),         OWN(surface_list), OWN(nodes),    OWN(lines),    OWN(vertex_counts),
        OWN(triangle_counts), OWN(vertex_base),  OWN(table),    OWN(vertices), OWN(normals),
        OWN(indices),         OWN(values)};
    buffers[MESH_BIND_positions] = m->frame.positions;
    buffers[MESH_BIND_particles] = weighted(m);
    buffers[MESH_BIND_shapes] = m->anisotropy ? grid_anisotropy_shapes(m->anisotropy) : NULL;
    buffers[MESH_BIND_sorted_shapes] = b->sorted_shapes ? b->sorted_shapes : b->nothing;
    gpu_row_bind_all(row, buffers, MESH_BINDINGS);
}

/* Appends a row with all that it binds. */
static gpu_row *add(mesher *m, mesher_table *t, int kernel, gpu_domain domain)
{
    WEIR_ASSERT(t->count < MESHER_PHASE_ROWS);
    gpu_row *row = &t->rows[t->count++];
    *row = gpu_row_make(m->kernels[kernel], domain);
    bind_row(m, row);
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

/* The blocks whose field is held, a workgroup each. */
static gpu_domain seats(const mesher *m)
{
    gpu_domain domain = counted("blocks", (uint64_t)m->frame.seat_count * MESH_WORKGROUP);
    domain.arguments = m->buffers.state;
    domain.argument_offset = offsetof(struct mesh_state, held);
    return domain;
}

static gpu_domain surface_blocks(const mesher *m)
{
    return (gpu_domain){.name = "surface blocks",
                        .count = (uint64_t)m->frame.seat_count * MESH_WORKGROUP,
                        .arguments = m->buffers.state,
                        .argument_offset = offsetof(struct mesh_state, arguments)};
}

/* Turns the first `count` elements of `data` into their exclusive prefix. */
static void add_scan(mesher *m, mesher_table *t, gpu_buffer *data, uint32_t count)
{
    WEIR_ASSERT(t->count + GRID_SCAN_ROWS <= MESHER_PHASE_ROWS);
    grid_scan_def def = {.data = data, .sums = m->buffers.sums, .count = count};
    t->count += grid_scan_rows(m->scan, &def, &t->rows[t->count]);
}

/* ---- blocks --------------------------------------------------------------------------------- */

static void bounds_rows(mesher *m, mesher_table *t)
{
    gpu_domain domain = particles(m);
    domain.per_invocation = MESH_BOUNDS_EACH;
    gpu_row_bind(add(m, t, MESHER_BOUNDS, domain), MESH_BIND_positions, m->frame.points->position);
}

static void super_rows(mesher *m, mesher_table *t)
{
    uint32_t n = m->frame.super_total;
    add(m, t, MESHER_MARK_SUPERS, particles(m));
    add_scan(m, t, m->buffers.supers, n + 1);
    add(m, t, MESHER_LIST_SUPERS, counted("super blocks", n))->constant = n;
}

static void block_rows(mesher *m, mesher_table *t)
{
    add(m, t, MESHER_MARK_BLOCKS, particles(m));
    add_scan(m, t, m->buffers.children, m->frame.super_count * MESH_CHILDREN + 1);
}

/* ---- particles ------------------------------------------------------------------------------ */

static void bin_rows(mesher *m, mesher_table *t)
{
    uint32_t children = m->frame.super_count * MESH_CHILDREN;
    uint32_t bins = m->frame.block_count * (m->params.bin_shift == 3 ? 1 : 8);
    add(m, t, MESHER_LIST_BLOCKS, counted("children", children + 1ull))->constant = children;
    add(m, t, MESHER_BIN_COUNT, particles(m));
    add_scan(m, t, m->buffers.bins, bins + 1);
    add(m, t, MESHER_BIN_SCATTER, particles(m));
    add(m, t, MESHER_BIN_ORDER, particles(m));
    add(m, t, MESHER_BIN_LOAD, particles(m));
    if (mesher_weighs(m)) add(m, t, MESHER_WEIGH, particles(m));
    if (m->def.field == WEIR_MESH_ANISOTROPIC) add(m, t, MESHER_SHAPE, particles(m));
}

/* ---- slabs ---------------------------------------------------------------------------------- */

static void seat_rows(mesher *m, mesher_table *t, uint32_t several)
{
    uint32_t n = m->frame.block_count;
    add(m, t, MESHER_SEATS, counted("blocks", n + 1ull))->constant = several;
    add_scan(m, t, m->buffers.seats, n + 1);
    add(m, t, MESHER_LIST_SEATS, counted("blocks", n + 1ull));
}

static void field_rows(mesher *m, mesher_table *t)
{
    const mesher_buffers *b = &m->buffers;
    uint32_t n = m->frame.seat_count;
    gpu_domain blocks = counted("blocks", n + 1ull);
    add(m, t, MESHER_FIELD, seats(m));
    if (m->kernels[MESHER_DAMP] && m->def.field == WEIR_MESH_ZHU_BRIDSON)
        add(m, t, MESHER_DAMP, seats(m));
    add(m, t, MESHER_SURFACE, blocks);
    add_scan(m, t, b->surface, n + 1);
    add(m, t, MESHER_LIST_SURFACE, blocks);
    add(m, t, MESHER_CLASSIFY, surface_blocks(m));
    add_scan(m, t, b->vertex_counts, n + 1);
    add_scan(m, t, b->triangle_counts, n + 1);
    add(m, t, MESHER_NUMBER, blocks)->constant = n;
}

static void output_rows(mesher *m, mesher_table *t)
{
    add(m, t, MESHER_VERTICES, surface_blocks(m));
    add(m, t, MESHER_TRIANGLES, surface_blocks(m));
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

uint32_t mesher_carries(const mesher *m)
{
    const grid_points *points = m->frame.points;
    if (!m->frame.carried) return 0;
    uint32_t scalars = (m->def.attributes && points->density ? 1u : 0u) +
                       (m->def.attributes && points->fluid ? 1u : 0u) +
                       (m->def.neighbours ? 1u : 0u);
    return scalars == 0 && mesher_carries_velocity(m) ? 1 : scalars;
}

static void carry_rows(mesher *m, mesher_table *t, uint32_t number, uint32_t what)
{
    enum mesher_scalar which = (enum mesher_scalar)(what % MESHER_SCALARS);
    gpu_buffer *velocity = what >= MESHER_SCALARS ? m->frame.points->velocity : NULL;
    gpu_buffer *scalar = mesher_scalar_buffer(m, which);
    gpu_row *row = add(m, t, MESHER_PACK, particles(m));
    row->constant = (velocity ? MESH_PACK_VELOCITY : 0u) | (scalar ? MESH_PACK_SCALAR : 0u) |
                    (which == MESHER_DENSITY ? 0u : MESH_PACK_WHOLE);
    gpu_row_bind(row, MESH_BIND_velocities, velocity ? velocity : m->buffers.nothing);
    gpu_row_bind(row, MESH_BIND_scalars, scalar ? scalar : m->buffers.nothing);
    row = add(m, t, MESHER_CARRY, surface_blocks(m));
    gpu_row_bind(row, MESH_BIND_results, m->buffers.results[number]);
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
    case MESHER_PHASE_SEATS: seat_rows(m, t, constant); break;
    case MESHER_PHASE_FIELD: field_rows(m, t); break;
    case MESHER_PHASE_OUTPUT: output_rows(m, t); break;
    default: carry_rows(m, t, (uint32_t)(phase - MESHER_PHASE_CARRY), constant); break;
    }
}
