/* Builds the passes of every phase of meshing. */
#include "mesher_internal.h"

bool mesher_needs_weights(const mesher *m)
{
    return m->def.field != WEIR_MESH_FIELD_ZHU_BRIDSON || m->def.spray_neighbours > 0 ||
           (m->def.neighbours && m->frame.to_host);
}

/* Returns the particles with their weights in the field. */
static gpu_buffer *field_particles(const mesher *m)
{
    if (m->def.field == WEIR_MESH_FIELD_ANISOTROPIC) return m->buffers.ellipsoid_centres;
    return mesher_needs_weights(m) ? m->buffers.weighted : m->buffers.sorted_positions;
}

/* Binds a buffer to every binding number; NULL if the frame has none. */
static void bind_buffers(const mesher *m, gpu_pass *pass)
{
    const mesher_buffers *b = &m->buffers;
    gpu_buffer *bound[MESH_BINDINGS] = {
#define ROW NULL
#define EXTERNAL(name, type, amount, owner) [MESH_BIND_##name] = owner,
#include "shared/mesh_buffers.def"
    };
    if (!b->sorted_shapes) bound[MESH_BIND_sorted_shapes] = b->dummy;
    gpu_pass_bind_all(pass, bound, MESH_BINDINGS);
    gpu_pass_bind_all(pass, b->bound, MESH_BINDINGS);
}

/* Appends a pass with all its bindings. */
static gpu_pass *append_pass(mesher *m, mesher_pass_list *list, int shader,
                             gpu_dispatch_size dispatch_size)
{
    WEIR_ASSERT(list->count < MESHER_PHASE_PASSES);
    gpu_pass *pass = &list->passes[list->count++];
    *pass = gpu_pass_make(m->pipelines[shader], dispatch_size);
    bind_buffers(m, pass);
    return pass;
}

static gpu_dispatch_size make_dispatch_size(const char *name, uint64_t count)
{
    return (gpu_dispatch_size){.name = name, .count = count};
}

static gpu_dispatch_size particle_dispatch(const mesher *m)
{
    return make_dispatch_size("particles", m->frame.points->count);
}

/* Returns the dispatch size over the blocks whose field is stored, one workgroup each. */
static gpu_dispatch_size slot_dispatch(const mesher *m)
{
    gpu_dispatch_size dispatch_size =
        make_dispatch_size("blocks", (uint64_t)m->frame.slot_count * MESH_WORKGROUP);
    dispatch_size.arguments = m->buffers.state;
    dispatch_size.argument_offset = offsetof(struct mesh_state, slot_dispatch);
    return dispatch_size;
}

static gpu_dispatch_size surface_block_dispatch(const mesher *m)
{
    return (gpu_dispatch_size){.name = "surface blocks",
                               .count = (uint64_t)m->frame.slot_count * MESH_WORKGROUP,
                               .arguments = m->buffers.state,
                               .argument_offset = offsetof(struct mesh_state, surface_dispatch)};
}

/* Replaces the first `count` elements of `data` by their exclusive prefix sums. */
static void append_scan(mesher *m, mesher_pass_list *list, gpu_buffer *data, uint32_t count)
{
    WEIR_ASSERT(list->count + GRID_SCAN_PASSES <= MESHER_PHASE_PASSES);
    grid_scan_def def = {.data = data, .sums = m->buffers.sums, .count = count};
    list->count += grid_scan_passes(m->scan, &def, &list->passes[list->count]);
}

/* ---- blocks --------------------------------------------------------------------------------- */

static void append_bounds(mesher *m, mesher_pass_list *list)
{
    gpu_dispatch_size dispatch_size = particle_dispatch(m);
    dispatch_size.per_invocation = MESH_BOUNDS_PER_INVOCATION;
    gpu_pass_bind(append_pass(m, list, MESHER_BOUNDS, dispatch_size), MESH_BIND_positions,
                  m->frame.points->position);
}

static void append_super_blocks(mesher *m, mesher_pass_list *list)
{
    uint32_t n = m->frame.super_block_total;
    append_pass(m, list, MESHER_MARK_SUPER_BLOCKS, particle_dispatch(m));
    append_scan(m, list, m->buffers.super_blocks, n + 1);
    append_pass(m, list, MESHER_LIST_SUPER_BLOCKS, make_dispatch_size("super blocks", n))
        ->constant = n;
}

static void append_blocks(mesher *m, mesher_pass_list *list)
{
    append_pass(m, list, MESHER_MARK_BLOCKS, particle_dispatch(m));
    append_scan(m, list, m->buffers.children,
                m->frame.super_block_count * MESH_BLOCKS_PER_SUPER_BLOCK + 1);
}

/* ---- particles ------------------------------------------------------------------------------ */

static void append_bins(mesher *m, mesher_pass_list *list)
{
    uint32_t children = m->frame.super_block_count * MESH_BLOCKS_PER_SUPER_BLOCK;
    uint32_t bins = m->frame.block_count * (m->params.bin_shift == 3 ? 1 : 8);
    append_pass(m, list, MESHER_LIST_BLOCKS, make_dispatch_size("children", children + 1ull))
        ->constant = children;
    append_pass(m, list, MESHER_BIN_COUNT, particle_dispatch(m));
    append_scan(m, list, m->buffers.bins, bins + 1);
    append_pass(m, list, MESHER_BIN_SCATTER, particle_dispatch(m));
    append_pass(m, list, MESHER_BIN_SORT, particle_dispatch(m));
    append_pass(m, list, MESHER_GATHER_SORTED_POSITIONS, particle_dispatch(m));
    if (mesher_needs_weights(m))
        append_pass(m, list, MESHER_COMPUTE_PARTICLE_WEIGHTS, particle_dispatch(m));
    if (m->def.field == WEIR_MESH_FIELD_ANISOTROPIC)
        append_pass(m, list, MESHER_GATHER_SORTED_ELLIPSOIDS, particle_dispatch(m));
}

/* ---- batches -------------------------------------------------------------------------------- */

static void append_slots(mesher *m, mesher_pass_list *list, uint32_t several)
{
    uint32_t n = m->frame.block_count;
    append_pass(m, list, MESHER_MARK_STORED_BLOCKS, make_dispatch_size("blocks", n + 1ull))
        ->constant = several;
    append_scan(m, list, m->buffers.block_slots, n + 1);
    append_pass(m, list, MESHER_LIST_STORED_BLOCKS, make_dispatch_size("blocks", n + 1ull));
}

static void append_field(mesher *m, mesher_pass_list *list)
{
    const mesher_buffers *b = &m->buffers;
    uint32_t n = m->frame.slot_count;
    gpu_dispatch_size blocks = make_dispatch_size("blocks", n + 1ull);
    append_pass(m, list, MESHER_EVALUATE_FIELD, slot_dispatch(m));
    if (m->pipelines[MESHER_EVALUATE_DAMPED_NODES])
        append_pass(m, list, MESHER_EVALUATE_DAMPED_NODES, slot_dispatch(m));
    append_pass(m, list, MESHER_MARK_SURFACE_BLOCKS, blocks);
    append_scan(m, list, b->surface_blocks, n + 1);
    append_pass(m, list, MESHER_LIST_SURFACE_BLOCKS, blocks);
    append_pass(m, list, MESHER_CLASSIFY_VOXELS, surface_block_dispatch(m));
    append_scan(m, list, b->vertex_counts, n + 1);
    append_scan(m, list, b->triangle_counts, n + 1);
    append_pass(m, list, MESHER_ASSIGN_BLOCK_VERTEX_BASE, blocks)->constant = n;
}

static void append_output(mesher *m, mesher_pass_list *list)
{
    append_pass(m, list, MESHER_EMIT_VERTICES, surface_block_dispatch(m));
    append_pass(m, list, MESHER_EMIT_TRIANGLES, surface_block_dispatch(m));
}

/* ---- attributes ----------------------------------------------------------------------------- */

bool mesher_has_velocity(const mesher *m)
{
    return m->def.velocity && m->frame.points->velocity;
}

/* Returns how many vec4 of the particles' own attributes are interpolated. */
static uint32_t carried_vectors(const mesher *m)
{
    return m->def.particle_attributes ? particle_attribute_vectors(m->frame.points) : 0;
}

gpu_buffer *mesher_attribute_buffer(const mesher *m, enum mesher_attribute scalar)
{
    const particle_view *points = m->frame.points;
    switch (scalar) {
    case MESHER_DENSITY: return m->def.attributes ? points->density : NULL;
    case MESHER_FLUID: return m->def.attributes ? points->fluid : NULL;
    case MESHER_NEIGHBOUR_COUNT: return m->def.neighbours ? m->buffers.neighbours : NULL;
    case MESHER_VELOCITY_ONLY: return NULL;
    default:
        return (uint32_t)scalar - MESHER_CARRIED < carried_vectors(m) ? points->attribute_values
                                                                      : NULL;
    }
}

uint32_t mesher_attribute_phase_count(const mesher *m)
{
    const particle_view *points = m->frame.points;
    if (!m->frame.to_host) return 0;
    uint32_t scalars = (m->def.attributes && points->density ? 1u : 0u) +
                       (m->def.attributes && points->fluid ? 1u : 0u) +
                       (m->def.neighbours ? 1u : 0u);
    return (scalars == 0 && mesher_has_velocity(m) ? 1 : scalars) + carried_vectors(m);
}

static void append_attributes(mesher *m, mesher_pass_list *list, uint32_t number, uint32_t what)
{
    enum mesher_attribute which = (enum mesher_attribute)(what % MESHER_ATTRIBUTES);
    gpu_buffer *velocity = what >= MESHER_ATTRIBUTES ? m->frame.points->velocity : NULL;
    gpu_buffer *scalar = mesher_attribute_buffer(m, which);
    gpu_pass *pass = append_pass(m, list, MESHER_GATHER_SORTED_ATTRIBUTES, particle_dispatch(m));
    const bool carried = which >= MESHER_CARRIED;
    pass->constant = (velocity ? MESH_PACK_VELOCITY : 0u) | (scalar ? MESH_PACK_SCALAR : 0u) |
                     (which == MESHER_DENSITY ? 0u : MESH_PACK_INTEGER);
    if (carried)
        pass->constant = MESH_PACK_ATTRIBUTES |
                         (uint32_t)(which - MESHER_CARRIED) << MESH_PACK_VECTOR_SHIFT |
                         carried_vectors(m) << MESH_PACK_VECTORS_SHIFT;
    gpu_buffer *vectors = carried ? scalar : velocity;
    gpu_pass_bind(pass, MESH_BIND_velocities, vectors ? vectors : m->buffers.dummy);
    gpu_pass_bind(pass, MESH_BIND_scalars, scalar && !carried ? scalar : m->buffers.dummy);
    pass = append_pass(m, list, MESHER_INTERPOLATE_ATTRIBUTES, surface_block_dispatch(m));
    gpu_pass_bind(pass, MESH_BIND_vertex_values, m->buffers.phase_values[number]);
}

void mesher_build_passes(mesher *m, enum mesher_phase phase, uint32_t constant)
{
    mesher_pass_list *list = &m->pass_lists[phase];
    list->count = 0;
    switch (phase) {
    case MESHER_PHASE_BOUNDS: append_bounds(m, list); break;
    case MESHER_PHASE_ELLIPSOIDS:
        list->count = grid_anisotropy_passes(m->anisotropy, m->frame.points, list->passes);
        break;
    case MESHER_PHASE_SUPER_BLOCKS: append_super_blocks(m, list); break;
    case MESHER_PHASE_BLOCKS: append_blocks(m, list); break;
    case MESHER_PHASE_BINS: append_bins(m, list); break;
    case MESHER_PHASE_SLOTS: append_slots(m, list, constant); break;
    case MESHER_PHASE_FIELD: append_field(m, list); break;
    case MESHER_PHASE_OUTPUT: append_output(m, list); break;
    default:
        append_attributes(m, list, (uint32_t)(phase - MESHER_PHASE_ATTRIBUTES), constant);
        break;
    }
}

size_t mesher_output_phases(const mesher *m, mesher_phase_run *steps)
{
    bool velocity = mesher_has_velocity(m);
    size_t count = 0;
    steps[count++] = (mesher_phase_run){MESHER_PHASE_OUTPUT, 0};
    for (uint32_t scalar = 0;
         scalar < MESHER_ATTRIBUTES && count <= mesher_attribute_phase_count(m); scalar++) {
        bool held = mesher_attribute_buffer(m, (enum mesher_attribute)scalar);
        if (!held && !(scalar == MESHER_VELOCITY_ONLY && velocity)) continue;
        steps[count] = (mesher_phase_run){(enum mesher_phase)(MESHER_PHASE_ATTRIBUTES + count - 1),
                                          scalar + (velocity ? (uint32_t)MESHER_ATTRIBUTES : 0u)};
        velocity = false;
        count++;
    }
    return count;
}
