/* The simulation's buffers, created from the table in shaders/shared/sim_buffers.def. */
#include "sim_state.h"

#include "shared/poisson.h"

/* Element counts that the table names, sorted by the lifetime of their buffers (sim_lifetime). */
typedef enum buffer_count {
    COUNT_ONE, /* from here on: SIM_WITH_WORLD */
    COUNT_ERROR_WORDS,
    COUNT_LOOPS,
    COUNT_POSES,
    COUNT_EMISSIONS,
    COUNT_ATTRIBUTE_SOURCES,
    COUNT_FORCE_FIELD_NODES,
    COUNT_GAUGES,
    COUNT_GAUGE_BINS,
    COUNT_READINGS,
    COUNT_SOLID_FORCE_WORDS, /* of solids whose forces are summed */
    COUNT_SOLID_FORCES,
    COUNT_BODY_LAYER_WORDS, /* of bodies with a MAC grid */
    COUNT_BODY_LAYERS,
    COUNT_EMITTERS, /* from here on: SIM_WITH_EMITTERS */
    COUNT_SITES,
    COUNT_CELLS, /* from here on: SIM_WITH_CELLS */
    COUNT_CORRECTION_CELLS,
    COUNT_MAC_CELLS,
    COUNT_TENSE_CELLS,        /* of a MAC grid with surface tension */
    COUNT_CURVED_TENSE_CELLS, /* and with numbers that depend on attributes */
    COUNT_MOMENTUM_RESIDUAL_WORDS,
    COUNT_BLOCK_CORNERS,
    COUNT_RESEEDED_CELLS,
    COUNT_RESEEDED_BLOCKS,
    COUNT_FORCE_SLOTS,
    COUNT_PARTICLES,        /* from here on: SIM_WITH_PARTICLES */
    COUNT_LISTED_PARTICLES, /* 0 with a MAC grid */
    COUNT_PARTICLES_IF_PREVIOUS,
    COUNT_PARTICLES_IF_SOLIDS,
    COUNT_PARTICLES_IF_TENSION,
    COUNT_PARTICLES_IF_BOUNDARY,
    COUNT_PARTICLES_IF_BODIES,
    COUNT_NEAR_BODIES,
    COUNT_PARTICLES_IF_DEFORMABLES,
    COUNT_PARTICLES_IF_DRAGGED,
    COUNT_MEASURED_PARTICLES,
    COUNT_PARTICLES_IF_AFFINE,
    COUNT_PARTICLES_IF_ATTRIBUTES,
    COUNT_PARTICLES_IF_DIFFUSION,
    COUNT_PARTICLES_IF_CURVES,
    COUNT_STATISTICS_WORKGROUPS,
    COUNT_GAUGE_STATISTICS_WORKGROUPS,
    COUNT_UNKNOWNS, /* from here on: SIM_WITH_UNKNOWNS */
    COUNT_UNKNOWN_PARTICLES,
    COUNT_UNKNOWN_CELLS,
    COUNT_UNKNOWN_BODY_CELLS,
    COUNT_UNKNOWN_GROUPS,
    COUNT_UNKNOWN_BODIES,
    COUNT_UNKNOWN_ONE,
    COUNT_EXTERNAL_VECTORS, /* from here on: SIM_WITH_EXTERNAL */
    COUNT_EXTERNAL_PARTICLES,
    COUNT_EXTERNAL_OFFSETS,
    COUNT_EXTERNAL_NEIGHBOURS,
    COUNT_EXTERNAL_ONE
} buffer_count;

typedef struct buffer_facts {
    const char *name;
    uint32_t stride; /* bytes of an element; 0: an alias */
    buffer_count count;
    uint32_t buffer; /* of an alias: binding number of its buffer */
} buffer_facts;

static const buffer_facts facts[SIM_BUFFERS] = {
#define BUFFER(name, type, count) [SIM_BIND_##name] = {#name, sizeof(type), COUNT_##count, 0},
#define ALIAS(name, type, buffer) [SIM_BIND_##name] = {#name, 0, 0, SIM_BIND_##buffer},
#include "shared/sim_buffers.def"
};

static sim_lifetime lifetime(const buffer_facts *row)
{
    static const buffer_count firsts[] = {[SIM_WITH_EMITTERS] = COUNT_EMITTERS,
                                          [SIM_WITH_CELLS] = COUNT_CELLS,
                                          [SIM_WITH_PARTICLES] = COUNT_PARTICLES,
                                          [SIM_WITH_UNKNOWNS] = COUNT_UNKNOWNS,
                                          [SIM_WITH_EXTERNAL] = COUNT_EXTERNAL_VECTORS};
    sim_lifetime with = SIM_WITH_EXTERNAL;
    while (row->count < firsts[with])
        with--;
    return with;
}

static bool has_grid(const scene_data *scene)
{
    return scene_has_grid(&scene->solver);
}

/* ---- counts --------------------------------------------------------------------------------- */

/* Returns whether the solver keeps the previous iterates (Chebyshev), or the predictions (SPH). */
static bool uses_previous_iterates(const scene_data *scene)
{
    scene_method method = scene->solver.method;
    return scene->solver.chebyshev_spectral_radius > 0.0f || method == SCENE_METHOD_PCISPH ||
           method == SCENE_METHOD_WCSPH;
}

/* Returns the number of elements per particle; 0: the buffer is not needed. */
static uint64_t count_each(const scene_data *scene, buffer_count count)
{
    bool listed = !has_grid(scene);
    switch (count) {
    case COUNT_PARTICLES: return 1;
    case COUNT_LISTED_PARTICLES: return listed;
    case COUNT_PARTICLES_IF_PREVIOUS: return uses_previous_iterates(scene);
    case COUNT_PARTICLES_IF_SOLIDS: return sim_has_solids_or_sinks(scene);
    case COUNT_PARTICLES_IF_TENSION: return listed && sim_has_surface_tension(scene);
    case COUNT_PARTICLES_IF_BOUNDARY: return sim_has_solids_or_sinks(scene) && listed;
    case COUNT_PARTICLES_IF_BODIES: return scene->body_count > 0;
    case COUNT_NEAR_BODIES: return scene->body_count > 0 && listed ? 1 + SIM_NEAR_BODIES_MAX : 0;
    case COUNT_PARTICLES_IF_DEFORMABLES: return scene_deformable_count(scene) > 0;
    case COUNT_PARTICLES_IF_DRAGGED: return scene_deformables_have_drag(scene);
    case COUNT_MEASURED_PARTICLES: return sim_gauge_slots_per_particle(scene) > 0;
    case COUNT_PARTICLES_IF_AFFINE: return scene->solver.method == SCENE_METHOD_APIC;
    case COUNT_PARTICLES_IF_ATTRIBUTES: return scene->attribute_count > 0;
    case COUNT_PARTICLES_IF_DIFFUSION: return sim_attributes_diffuse(scene);
    case COUNT_PARTICLES_IF_CURVES: return sim_has_curves(scene);
    case COUNT_UNKNOWNS:
    case COUNT_UNKNOWN_PARTICLES: return sim_has_viscosity(scene) && listed;
    default: return 0;
    }
}

static uint32_t stride_of(const scene_data *scene, const buffer_facts *row)
{
    uint32_t slots = 1;
    if (row->count == COUNT_MEASURED_PARTICLES) slots = sim_gauge_slots_per_particle(scene);
    if (row->count == COUNT_PARTICLES_IF_ATTRIBUTES) slots = sim_attribute_vectors(scene);
    return row->stride * (slots ? slots : 1);
}

/* Returns for how many particles one binding can hold the near bodies, and what these do to a
 * particle. */
static uint32_t max_particles_with_near_bodies(const sim_world *world, uint32_t capacity)
{
    uint64_t capacity_limit = gpu_device_storage_range(world->device) / sizeof(uvec4),
             heads = capacity;
    uint64_t stored = capacity_limit > heads ? (capacity_limit - heads) / SIM_NEAR_BODIES_MAX : 0;
    if (!count_each(world->scene, COUNT_NEAR_BODIES)) return 0;
    return stored < capacity ? (uint32_t)stored : capacity;
}

uint64_t sim_pose_count(const sim_world *world)
{
    return (uint64_t)solid_item_count(world->solids) * world->scene->solver.substeps;
}

static uint64_t count_world_elements(const sim_world *world, buffer_count count)
{
    const scene_data *scene = world->scene;
    uint64_t summed = sim_sums_solid_forces(world) ? scene->solid_count : 0;
    uint64_t layers = has_grid(scene) ? scene->body_count : 0;
    const sim_stream_state *hose =
        world->stream_states ? &world->stream_states[(uint32_t)world->streams.list.count] : NULL;
    switch (count) {
    case COUNT_ERROR_WORDS: return SIM_DENSITY_ERRORS_WORDS;
    case COUNT_LOOPS: return SIM_LOOPS;
    case COUNT_POSES: return sim_pose_count(world);
    case COUNT_EMISSIONS: return SIM_MAX_EMISSIONS;
    case COUNT_ATTRIBUTE_SOURCES:
        return (uint64_t)sim_attribute_vectors(scene) * (scene->emitter_count + 1u);
    case COUNT_FORCE_FIELD_NODES: return world->force_field_nodes.count;
    case COUNT_GAUGES: return scene->gauge_count;
    case COUNT_GAUGE_BINS: return (uint64_t)scene->gauge_count * SIM_GAUGE_HISTOGRAM_BINS;
    case COUNT_READINGS: return sim_reading_bytes(world) / sizeof(vec4);
    case COUNT_SOLID_FORCE_WORDS: return SIM_SOLID_IMPULSE_WORDS * summed;
    case COUNT_SOLID_FORCES: return 2 * summed;
    case COUNT_BODY_LAYER_WORDS: return layers * SIM_BODY_LAYER_WORDS;
    case COUNT_BODY_LAYERS: return layers;
    case COUNT_EMITTERS:
        return (uint32_t)world->streams.list.count + 1 + sim_max_moving_layers(scene);
    case COUNT_SITES: return hose ? hose->first_site + hose->site_count : 0;
    default: return 1;
    }
}

static uint64_t count_cell_elements(const sim_world *world, buffer_count count)
{
    const scene_data *scene = world->scene;
    uint64_t blocks = world->pressure_grid ? poisson_capacity(world->pressure_grid) : 0;
    uint64_t mac_blocks = has_grid(scene) ? blocks : 0;
    switch (count) {
    case COUNT_CELLS: return blocks * POISSON_BLOCK_CELLS;
    case COUNT_CORRECTION_CELLS: return (blocks - mac_blocks) * POISSON_BLOCK_CELLS;
    case COUNT_MAC_CELLS: return mac_blocks * POISSON_BLOCK_CELLS;
    case COUNT_TENSE_CELLS:
        return sim_has_surface_tension(scene) ? mac_blocks * POISSON_BLOCK_CELLS : 0;
    case COUNT_CURVED_TENSE_CELLS:
        return sim_has_surface_tension(scene) && sim_has_curves(scene)
                   ? mac_blocks * POISSON_BLOCK_CELLS
                   : 0;
    case COUNT_MOMENTUM_RESIDUAL_WORDS: return mac_blocks * SIM_MOMENTUM_RESIDUAL_WORDS;
    case COUNT_BLOCK_CORNERS: return mac_blocks * 8;
    case COUNT_RESEEDED_CELLS: return scene->solver.reseed ? blocks * POISSON_BLOCK_CELLS : 0;
    case COUNT_RESEEDED_BLOCKS: return scene->solver.reseed ? blocks : 0;
    default:
        return scene_force_gauge_solid_count(scene) > 0 ? mac_blocks * SIM_MAX_FORCE_GAUGE_SOLIDS
                                                        : 0;
    }
}

static uint64_t count_particle_elements(const sim_world *world, buffer_count count)
{
    const scene_data *scene = world->scene;
    const struct sim_params *p = &world->params;
    uint64_t workgroups = p->particle_capacity / SIM_STATS_PER_WORKGROUP + 1;
    switch (count) {
    case COUNT_STATISTICS_WORKGROUPS: return workgroups;
    case COUNT_GAUGE_STATISTICS_WORKGROUPS:
        return sim_gauge_slots_per_particle(scene) ? workgroups * scene->gauge_count : 0;
    case COUNT_NEAR_BODIES:
        if (!count_each(scene, COUNT_NEAR_BODIES)) return 0;
        return p->particle_capacity + (uint64_t)p->near_bodies_capacity * SIM_NEAR_BODIES_MAX;
    default: return p->particle_capacity * count_each(scene, count);
    }
}

static uint64_t count_unknowns(const sim_world *world, buffer_count count)
{
    bool grid = has_grid(world->scene);
    uint64_t unknowns = sim_unknown_count(world);
    uint64_t bodies = unknowns ? world->scene->body_count : 0;
    switch (count) {
    case COUNT_UNKNOWNS: return unknowns;
    case COUNT_UNKNOWN_PARTICLES: return grid ? 0 : unknowns;
    case COUNT_UNKNOWN_CELLS: return grid ? unknowns : 0;
    case COUNT_UNKNOWN_BODY_CELLS: return grid && bodies ? unknowns : 0;
    case COUNT_UNKNOWN_GROUPS:
        return unknowns / (grid ? POISSON_BLOCK_CELLS : SIM_VISCOUS_SEGMENT) +
               bodies / SIM_VISCOUS_SEGMENT + 2;
    case COUNT_UNKNOWN_BODIES: return bodies;
    default: return 1;
    }
}

static uint64_t count_external(const sim_world *world, buffer_count count)
{
    uint64_t particles = world->params.particle_capacity;
    switch (count) {
    case COUNT_EXTERNAL_VECTORS: return 4 * particles;
    case COUNT_EXTERNAL_PARTICLES: return particles;
    case COUNT_EXTERNAL_OFFSETS: return particles + 1;
    case COUNT_EXTERNAL_NEIGHBOURS: return world->external_neighbours;
    default: return 1;
    }
}

/* Returns the number of elements of a buffer for the world's current sizes. 0: the buffer is not
 * needed, and gets one element. */
static uint64_t count_of(const sim_world *world, const buffer_facts *row)
{
    switch (lifetime(row)) {
    case SIM_WITH_CELLS: return count_cell_elements(world, row->count);
    case SIM_WITH_PARTICLES: return count_particle_elements(world, row->count);
    case SIM_WITH_UNKNOWNS: return count_unknowns(world, row->count);
    case SIM_WITH_EXTERNAL: return count_external(world, row->count);
    default: return count_world_elements(world, row->count);
    }
}

/* ---- bytes ---------------------------------------------------------------------------------- */

uint64_t sim_bytes_per_particle(const scene_data *scene, uint32_t list_capacity, bool compact)
{
    uint64_t bytes = grid_particle_bytes(list_capacity, compact);
    for (size_t i = 0; i < SIM_BUFFERS; i++)
        bytes += count_each(scene, facts[i].count) * stride_of(scene, &facts[i]);
    return bytes;
}

uint64_t sim_buffers_bytes(const sim_world *world, sim_lifetime with)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < SIM_BUFFERS; i++)
        if (facts[i].stride && lifetime(&facts[i]) == with)
            bytes += gpu_buffer_size(world->buffers.all[i]);
    return bytes;
}

uint32_t sim_initial_list_capacity(const scene_data *scene)
{
    if (scene_has_grid(&scene->solver)) return 0;
    double ratio = (double)scene->solver.support_radius;
    /* particles of d^3 in the support sphere */
    double neighbours = 4.18879 * ratio * ratio * ratio;
    if (scene->solver.dimensions == 2) neighbours = 3.14159 * ratio * ratio;
    return ((uint32_t)(1.3 * neighbours) + 7u) / 8u * 8u;
}

uint64_t sim_world_bytes_per_particle(const sim_world *world)
{
    const grid *g = world->grid;
    return sim_bytes_per_particle(world->scene, grid_get_capacity(g).list, grid_is_compact(g));
}

bool sim_needs_compact_lists(const gpu_device *device, const scene_data *scene, uint64_t particles)
{
    uint64_t each = sim_bytes_per_particle(scene, sim_initial_list_capacity(scene), false);
    return particles * each > gpu_device_info(device)->memory_available_bytes / 4u * 3u;
}

/* Below this number of particles the kind of list does not matter, and nothing is measured. */
#define LIST_TRIAL_MIN_PARTICLES 20000u

weir_result sim_prefers_compact_lists(gpu_device *device, const scene_data *scene,
                                      uint64_t particles, bool *compact)
{
    *compact = false;
    if (scene_has_grid(&scene->solver)) return WEIR_OK; /* no neighbour lists */
    /* Lists that outgrow a binding are read in parts, which a loop that the GPU ends does not
     * support. */
    uint64_t wide = particles * sim_initial_list_capacity(scene) * 4u;
    *compact = sim_needs_compact_lists(device, scene, particles) ||
               wide > gpu_device_storage_range(device);
    if (*compact || particles < LIST_TRIAL_MIN_PARTICLES) return WEIR_OK;
    return grid_autotune_prefers_compact(device, compact);
}

/* ---- creation ------------------------------------------------------------------------------- */

/* Buffers of 16-byte vectors get a texel view, through which shaders may fetch one vector at a
 * time. */
weir_result sim_buffer_create(sim_world *world, const char *name, uint32_t stride, uint64_t count,
                              gpu_buffer **buffer)
{
    gpu_buffer_def def = {.name = name,
                          .stride = stride,
                          .count = count,
                          .texels =
                              stride % sizeof(vec4) == 0 ? GPU_TEXELS_IVEC4 : GPU_TEXELS_NONE};
    return gpu_buffer_create(world->device, &def, buffer);
}

weir_result sim_host_buffer_create(sim_world *world, const char *name, uint64_t bytes,
                                   gpu_buffer **buffer)
{
    gpu_buffer_def def = {
        .name = name, .stride = 4, .count = (bytes + 3) / 4, .memory = GPU_MEMORY_HOST};
    return gpu_buffer_create(world->device, &def, buffer);
}

static bool is_made_with(const sim_world *world, const buffer_facts *row, sim_lifetime with)
{
    sim_lifetime unknowns = has_grid(world->scene) ? SIM_WITH_CELLS : SIM_WITH_PARTICLES;
    sim_lifetime own = lifetime(row);
    return row->stride && (own == with || (own == SIM_WITH_UNKNOWNS && with == unknowns));
}

static void set_aliases(sim_buffers *b)
{
    for (size_t i = 0; i < SIM_BUFFERS; i++)
        if (!facts[i].stride) b->all[i] = b->all[facts[i].buffer];
}

weir_result sim_buffers_create(sim_world *world, sim_lifetime with)
{
    sim_buffers *b = &world->buffers;
    for (size_t i = 0; i < SIM_BUFFERS; i++)
        if (is_made_with(world, &facts[i], with))
            WEIR_RETURN_IF_ERROR(sim_buffer_create(world, facts[i].name,
                                                   stride_of(world->scene, &facts[i]),
                                                   count_of(world, &facts[i]), &b->all[i]));
    set_aliases(b);
    return WEIR_OK;
}

void sim_buffers_destroy(sim_world *world, sim_lifetime with)
{
    for (size_t i = 0; i < SIM_BUFFERS; i++)
        if (is_made_with(world, &facts[i], with))
            gpu_buffer_destroy(world->device, &world->buffers.all[i]);
    set_aliases(&world->buffers);
}

weir_result sim_particle_buffers_create(sim_world *world, uint32_t capacity)
{
    world->params.particle_capacity = capacity;
    world->params.near_bodies_capacity = max_particles_with_near_bodies(world, capacity);
    return sim_buffers_create(world, SIM_WITH_PARTICLES);
}

weir_result sim_frame_buffers_create(sim_world *world)
{
    for (sim_frame *f = world->frames; f < world->frames + SIM_FRAMES_IN_FLIGHT; f++) {
#define BUFFER(name, bytes) \
    WEIR_RETURN_IF_ERROR(sim_host_buffer_create(world, "frame_" #name, bytes, &f->name));
        SIM_FRAME_BUFFERS(BUFFER)
#undef BUFFER
    }
    return WEIR_OK;
}

void sim_frame_buffers_destroy(sim_world *world)
{
    for (sim_frame *f = world->frames; f < world->frames + SIM_FRAMES_IN_FLIGHT; f++) {
#define BUFFER(name, bytes) gpu_buffer_destroy(world->device, &f->name);
        SIM_FRAME_BUFFERS(BUFFER)
#undef BUFFER
    }
}
