/* Whitewater: creation, frames and what is read of it. A frame changes the particles only in its
 * last rows, and those do nothing where the particles have no room: the host makes room, or asks
 * for fewer, and runs the births again, so that capacities never show. */
#include "foam_internal.h"

#define FIRST_CAPACITY 16384u
#define THIN_TRIES 8u /* before a full frame makes no whitewater at all */
#define THIN_SLACK 0.98f

/* Ids of the specialization constants. */
#define IS(id, name) FOAM_IS_##name = (id),
enum { FOAM_CONSTANTS(IS, IS) };

/* ---- creation ------------------------------------------------------------------------------- */

static void destroy_kernels(foam *f)
{
    for (int i = 0; i < FOAM_SHADERS; i++)
        gpu_kernel_destroy(f->device, &f->kernels[i]);
}

static weir_result create_kernels(foam *f)
{
    const uint32_t constants[] = {
        [FOAM_IS_PERIODIC] = f->def.periodic[0] || f->def.periodic[1] || f->def.periodic[2],
        [FOAM_IS_DENSE] = f->dense = grid_is_dense(f->cells),
        [FOAM_IS_GROUP] = gpu_device_workgroup(f->device),
        [FOAM_IS_HAS_SOLIDS] = f->def.solids && solid_sink_first(f->def.solids) > 0,
        [SOLID_CONSTANT_NESTING] = solid_set_nesting(f->def.solids),
        [SOLID_CONSTANT_LACKS] = solid_set_lacks(f->def.solids),
    };
    gpu_kernel_def def = {.constants = constants, .constant_count = BASE_COUNT(constants)};
    destroy_kernels(f);
    for (int i = 0; i < FOAM_SHADERS; i++) {
        def.shader = &foam_shaders[i];
        WEIR_NEED(gpu_kernel_create(f->device, &def, &f->kernels[i]));
    }
    return WEIR_OK;
}

static weir_result create_tables(foam *f)
{
    static const char *const names[] = {
        [FOAM_MOTION] = "whitewater", [FOAM_BIRTHS] = "whitewater births"};
    for (int t = 0; t < FOAM_TABLES; t++) {
        f->tables[t].name = names[t];
        WEIR_NEED(gpu_timers_create(f->device, FOAM_ROWS, &f->tables[t].timers));
        gpu_timers_title(f->tables[t].timers, names[t]);
    }
    return WEIR_OK;
}

/* No more than one binding covers. */
static uint32_t most_particles(const foam *f)
{
    uint64_t fits = gpu_device_storage_range(f->device) / sizeof(struct foam_particle);
    return f->def.limit < fits ? f->def.limit : (uint32_t)fits;
}

weir_result foam_create(gpu_device *device, const foam_def *def, foam **out)
{
    weir_result result;
    *out = NULL;
    foam *f = base_alloc(1, sizeof *f);
    if (!f) return base_fail(gpu_device_log(device), WEIR_MEMORY, "no memory for whitewater");
    f->device = device;
    f->def = *def;
    f->def.limit = most_particles(f);
    uint32_t first = def->capacity ? def->capacity : FIRST_CAPACITY;
    WEIR_TRY(create_tables(f));
    WEIR_TRY(grid_scan_create(device, &f->scan));
    WEIR_TRY(foam_poses_create(f));
    WEIR_TRY(foam_fixed_buffers(f));
    WEIR_TRY(foam_room_for_particles(f, first < f->def.limit ? first : f->def.limit));
    WEIR_TRY(foam_room_for_points(f, 1));
    WEIR_TRY(create_kernels(f));
    *out = f;
    return WEIR_OK;
fail:
    foam_destroy(&f);
    return result;
}

void foam_destroy(foam **pointer)
{
    foam *f = *pointer;
    if (!f) return;
    for (int t = 0; t < FOAM_TABLES; t++)
        gpu_timers_destroy(f->device, &f->tables[t].timers);
    destroy_kernels(f);
    foam_buffers_destroy(f);
    grid_scan_destroy(f->device, &f->scan);
    grid_destroy(f->device, &f->cells);
    base_free(f->bodies);
    base_free(f);
    *pointer = NULL;
}

/* ---- frames --------------------------------------------------------------------------------- */

weir_result foam_prepare(foam *f, const foam_frame *frame)
{
    WEIR_NEED(foam_room_for_points(f, frame->points->count));
    if (grid_is_dense(f->cells) != f->dense) WEIR_NEED(create_kernels(f));
    return foam_poses_upload(f, frame);
}

/* Runs the frame from its table `first` on, as far as there is room for its outcome. */
static weir_result run(foam *f, const foam_frame *frame, int first, struct foam_census *census)
{
    gpu_device *device = f->device;
    if (first == FOAM_MOTION)
        foam_rows_build(f, frame->points);
    else
        foam_rows_build_births(f, frame->points);
    WEIR_NEED(gpu_buffer_upload(device, f->buffers.params, 0, &f->params, sizeof f->params));
    for (int t = first; t < FOAM_TABLES; t++)
        WEIR_NEED(gpu_table_check(device, f->tables[t].rows, f->tables[t].count));
    WEIR_NEED(gpu_record_begin(device));
    gpu_record_title(device, f->tables[FOAM_MOTION].name, frame->number);
    for (int t = first; t < FOAM_TABLES; t++)
        WEIR_NEED(
            gpu_record_rows(device, f->tables[t].rows, f->tables[t].count, 0, f->tables[t].timers));
    WEIR_NEED(gpu_record_finish(device));
    return gpu_buffer_download(device, f->buffers.census, 0, census, sizeof *census);
}

/* Room for a half more than is needed, or just for that where memory is short, as far as the limit
 * goes. Without any, the room that there is becomes the limit. */
static weir_result make_room(foam *f, const foam_frame *frame, uint32_t needed)
{
    uint32_t limit = f->def.limit, least = needed < limit ? needed : limit;
    uint64_t wanted = needed + needed / 2ull;
    weir_result result = foam_room_for_particles(f, wanted < limit ? (uint32_t)wanted : limit);
    if (result == WEIR_MEMORY) result = foam_room_for_particles(f, least);
    if (result != WEIR_MEMORY) return result;
    base_log(gpu_device_log(f->device), WEIR_LOG_WARNING,
             "frame %llu: there is no memory for %u particles of whitewater: from now on there are "
             "at most %u, and fewer are born, everywhere alike; lower foam.amount",
             (unsigned long long)frame->number, least, f->capacity);
    f->def.limit = f->capacity;
    f->told = true;
    return WEIR_OK;
}

/* The share of the births for which the limit leaves room. */
static float thin(foam *f, const foam_frame *frame, float share, const struct foam_census *census)
{
    if (!f->told)
        base_log(gpu_device_log(f->device), WEIR_LOG_WARNING,
                 "frame %llu: the whitewater has met its limit of %u particles: fewer are born, "
                 "everywhere alike, as long as it lasts; raise foam.limit, or lower foam.amount",
                 (unsigned long long)frame->number, f->def.limit);
    f->told = true;
    float room = (float)(f->def.limit - census->survivors);
    return share * THIN_SLACK * room / (float)census->births;
}

static void finish(foam *f, const foam_frame *frame, const struct foam_census *census)
{
    foam_start_bodies(f, frame->bodies);
    f->count = census->count;
    f->next_id += census->births;
    memcpy(f->counts.alive, census->alive, sizeof f->counts.alive);
    memcpy(f->counts.born, census->born, sizeof f->counts.born);
}

weir_result foam_step(foam *f, const foam_frame *frame)
{
    struct foam_census census = {0};
    float share = 1.0f;
    WEIR_NEED(foam_prepare(f, frame));
    for (uint32_t tries = 0;; tries++) {
        foam_fill_params(f, frame, tries < THIN_TRIES ? share : 0.0f);
        WEIR_NEED(run(f, frame, tries == 0 ? FOAM_MOTION : FOAM_BIRTHS, &census));
        if (census.count <= f->capacity) break;
        if (f->capacity < f->def.limit)
            WEIR_NEED(make_room(f, frame, census.count));
        else
            share = thin(f, frame, share, &census);
    }
    finish(f, frame, &census);
    return WEIR_OK;
}

/* ---- what there is -------------------------------------------------------------------------- */

uint32_t foam_count(const foam *f)
{
    return f->count;
}

gpu_buffer *foam_buffer(const foam *f)
{
    return f->buffers.particles;
}

foam_counts foam_get_counts(const foam *f)
{
    return f->counts;
}

weir_result foam_read(const foam *f, struct foam_particle *particles)
{
    if (f->count == 0) return WEIR_OK;
    return gpu_buffer_download(f->device, f->buffers.particles, 0, particles,
                               f->count * sizeof *particles);
}

foam_saved foam_save(const foam *f)
{
    return (foam_saved){.next_id = f->next_id, .count = f->count, .counts = f->counts};
}

/* The kernels trust these numbers: a file that was made up must not send them out of a buffer. */
static bool is_sane(const struct foam_particle *p)
{
    const float numbers[] = {p->place.x,    p->place.y,    p->place.z,    p->place.w,
                             p->velocity.x, p->velocity.y, p->velocity.z, p->velocity.w};
    for (size_t i = 0; i < BASE_COUNT(numbers); i++)
        if (!(fabsf(numbers[i]) <= 1e9f)) return false;
    return p->kind < FOAM_KINDS && p->place.w > 0.0f && p->lifetime > 0.0f && p->lifetime <= 1e9f;
}

weir_result foam_restore(foam *f, const foam_saved *saved, const struct foam_particle *particles)
{
    const weir_log *log = gpu_device_log(f->device);
    bool sane = saved->count <= f->def.limit;
    for (uint32_t i = 0; sane && i < saved->count; i++)
        sane = is_sane(&particles[i]);
    if (!sane) return base_fail(log, WEIR_ARGUMENT, "the saved whitewater cannot be");
    WEIR_NEED(foam_room_for_particles(f, saved->count));
    if (saved->count > 0)
        WEIR_NEED(gpu_buffer_upload(f->device, f->buffers.particles, 0, particles,
                                    saved->count * sizeof *particles));
    f->count = saved->count;
    f->next_id = saved->next_id;
    f->counts = saved->counts;
    return WEIR_OK;
}
