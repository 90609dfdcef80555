/* Whitewater: creation, frames and queries. A frame changes the particles only in its last passes,
 * which do nothing if there is no room. The host then enlarges the buffers, or reduces the
 * emission, and runs the emission again, so that the result does not depend on capacities. */
#include "whitewater_internal.h"

#define INITIAL_CAPACITY 16384u
#define MAX_THINNING_TRIES 8u /* after as many, a frame at its limit emits no whitewater */
#define THINNING_SLACK 0.98f

/* Ids of the specialization constants. */
#define IS(id, name) WHITEWATER_CONSTANT_##name = (id),
enum { WHITEWATER_CONSTANTS(IS, IS) };

/* ---- creation ------------------------------------------------------------------------------- */

static weir_result create_pipelines(whitewater *f)
{
    const uint32_t constants[] = {
        [WHITEWATER_CONSTANT_PERIODIC] =
            f->def.periodic[0] || f->def.periodic[1] || f->def.periodic[2],
        [WHITEWATER_CONSTANT_DENSE] = f->dense = grid_is_dense(f->grid),
        [WHITEWATER_CONSTANT_PARTICLE_WORKGROUP] = gpu_device_workgroup(f->device),
        [WHITEWATER_CONSTANT_HAS_SOLIDS] = f->def.solids && solid_sink_first(f->def.solids) > 0,
        [WHITEWATER_CONSTANT_ATTRIBUTE_VECTORS] = whitewater_attribute_vectors(f),
        [SOLID_CONSTANT_NESTING] = solid_set_nesting(f->def.solids),
        [SOLID_CONSTANT_MISSING_KINDS] = solid_set_missing_kinds(f->def.solids),
    };
    const gpu_pipeline_def def = {.shader = whitewater_shaders,
                                  .constants = constants,
                                  .constant_count = BASE_COUNT(constants)};
    return gpu_pipelines_create(f->device, &def, WHITEWATER_SHADERS, f->pipelines);
}

static weir_result create_pass_lists(whitewater *f)
{
    static const char *const names[] = {
        [WHITEWATER_MOTION] = "whitewater", [WHITEWATER_EMISSION] = "whitewater emission"};
    for (int t = 0; t < WHITEWATER_PASS_LISTS; t++) {
        f->pass_lists[t].name = names[t];
        WEIR_RETURN_IF_ERROR(
            gpu_timers_create(f->device, WHITEWATER_MAX_PASSES, &f->pass_lists[t].timers));
        gpu_timers_set_trace_name(f->pass_lists[t].timers, names[t]);
    }
    return WEIR_OK;
}

/* Returns the limit of particles, at most as many as fit in one binding. */
static uint32_t max_particle_count(const whitewater *f)
{
    const uint64_t attributes = whitewater_attribute_vectors(f) * sizeof(vec4);
    const uint64_t most = sizeof(struct whitewater_particle) > attributes
                              ? sizeof(struct whitewater_particle)
                              : attributes;
    const uint64_t fits = gpu_device_storage_range(f->device) / most;
    return f->def.limit < fits ? f->def.limit : (uint32_t)fits;
}

weir_result whitewater_create(gpu_device *device, const whitewater_def *def, whitewater **out)
{
    weir_result result;
    *out = NULL;
    whitewater *f = base_alloc(1, sizeof *f);
    if (!f)
        return base_fail(gpu_device_log(device), WEIR_ERROR_MEMORY,
                         "not enough memory for whitewater");
    f->device = device;
    f->def = *def;
    f->def.limit = max_particle_count(f);
    uint32_t first = def->capacity ? def->capacity : INITIAL_CAPACITY;
    WEIR_GOTO_IF_ERROR(create_pass_lists(f));
    WEIR_GOTO_IF_ERROR(grid_scan_create(device, &f->scan));
    WEIR_GOTO_IF_ERROR(whitewater_poses_create(f));
    WEIR_GOTO_IF_ERROR(whitewater_create_buffers(f));
    WEIR_GOTO_IF_ERROR(
        whitewater_reserve_particles(f, first < f->def.limit ? first : f->def.limit));
    WEIR_GOTO_IF_ERROR(whitewater_reserve_points(f, 1));
    WEIR_GOTO_IF_ERROR(create_pipelines(f));
    WEIR_GOTO_IF_ERROR(whitewater_emitters_check(f));
    *out = f;
    return WEIR_OK;
fail:
    whitewater_destroy(&f);
    return result;
}

void whitewater_destroy(whitewater **pointer)
{
    whitewater *f = *pointer;
    if (!f) return;
    for (int t = 0; t < WHITEWATER_PASS_LISTS; t++)
        gpu_timers_destroy(f->device, &f->pass_lists[t].timers);
    gpu_pipelines_destroy(f->device, f->pipelines, WHITEWATER_SHADERS);
    whitewater_buffers_destroy(f);
    grid_scan_destroy(f->device, &f->scan);
    grid_destroy(f->device, &f->grid);
    base_free(f->bodies);
    base_free(f);
    *pointer = NULL;
}

/* ---- frames --------------------------------------------------------------------------------- */

weir_result whitewater_prepare(whitewater *f, const whitewater_frame *frame)
{
    const particle_view *points = frame->points;
    if (points->count > 0 && f->def.attributes.count > 0 &&
        (!points->attribute_values ||
         memcmp(&points->attributes, &f->def.attributes, sizeof points->attributes) != 0))
        return base_fail(gpu_device_log(f->device), WEIR_ERROR_ARGUMENT,
                         "frame %llu: the particles do not have the attributes that they had in "
                         "the first frame of the whitewater",
                         (unsigned long long)frame->number);
    WEIR_RETURN_IF_ERROR(whitewater_reserve_points(f, frame->points->count));
    if (grid_is_dense(f->grid) != f->dense) WEIR_RETURN_IF_ERROR(create_pipelines(f));
    return whitewater_poses_upload(f, frame);
}

/* Runs the frame's pass lists from `first` on. Passes for which there is no room do nothing. */
static weir_result run_passes(whitewater *f, const whitewater_frame *frame, int first,
                              struct whitewater_counters *counters)
{
    gpu_device *device = f->device;
    if (first == WHITEWATER_MOTION)
        whitewater_build_passes(f, frame->points);
    else
        whitewater_build_emission(f, frame->points);
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_upload(device, f->buffers.params, 0, &f->params, sizeof f->params));
    for (int t = first; t < WHITEWATER_PASS_LISTS; t++)
        WEIR_RETURN_IF_ERROR(
            gpu_passes_check(device, f->pass_lists[t].passes, f->pass_lists[t].count));
    WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
    gpu_record_set_trace_name(device, f->pass_lists[WHITEWATER_MOTION].name, frame->number);
    for (int t = first; t < WHITEWATER_PASS_LISTS; t++)
        WEIR_RETURN_IF_ERROR(gpu_record_passes(device, f->pass_lists[t].passes,
                                               f->pass_lists[t].count, 0, f->pass_lists[t].timers));
    WEIR_RETURN_IF_ERROR(gpu_record_finish(device));
    return gpu_buffer_download(device, f->buffers.counters, 0, counters, sizeof *counters);
}

/* Enlarges the capacity to half more than needed or, if memory is short, to just what is needed,
 * but not above the limit. If that fails, too, the present capacity becomes the limit. */
static weir_result grow_capacity(whitewater *f, const whitewater_frame *frame, uint32_t needed)
{
    uint32_t limit = f->def.limit, least = needed < limit ? needed : limit;
    uint64_t wanted = needed + needed / 2ull;
    weir_result result = whitewater_reserve_particles(f, wanted < limit ? (uint32_t)wanted : limit);
    if (result == WEIR_ERROR_MEMORY) result = whitewater_reserve_particles(f, least);
    if (result != WEIR_ERROR_MEMORY) return result;
    base_log(gpu_device_log(f->device), WEIR_LOG_WARNING,
             "frame %llu: not enough memory for %u whitewater particles: from now on there are at "
             "most %u, and the emission rate is reduced everywhere; lower whitewater.emission_rate",
             (unsigned long long)frame->number, least, f->capacity);
    f->def.limit = f->capacity;
    f->limit_reported = true;
    return WEIR_OK;
}

/* Returns the fraction of the scene's emission for which the limit leaves room. */
static float thinned_fraction(whitewater *f, const whitewater_frame *frame, float fraction,
                              const struct whitewater_counters *counters)
{
    if (!f->limit_reported)
        base_log(gpu_device_log(f->device), WEIR_LOG_WARNING,
                 "frame %llu: the whitewater has reached its limit of %u particles, so the "
                 "emission rate is reduced everywhere while the limit is reached; raise "
                 "whitewater.max_particles, or lower whitewater.emission_rate",
                 (unsigned long long)frame->number, f->def.limit);
    f->limit_reported = true;
    float room = (float)(f->def.limit - counters->survivors);
    return fraction * THINNING_SLACK * room / (float)counters->emission_count;
}

static void finish_frame(whitewater *f, const whitewater_frame *frame,
                         const struct whitewater_counters *counters)
{
    whitewater_set_body_poses(f, frame->bodies);
    gpu_buffer *attributes = f->buffers.attributes;
    f->buffers.attributes = f->buffers.next_attributes;
    f->buffers.next_attributes = attributes;
    f->count = counters->count;
    f->next_id += counters->emission_count;
    memcpy(f->counts.alive, counters->alive, sizeof f->counts.alive);
    memcpy(f->counts.emitted, counters->emitted, sizeof f->counts.emitted);
}

weir_result whitewater_step(whitewater *f, const whitewater_frame *frame)
{
    struct whitewater_counters counters = {0};
    float fraction = 1.0f;
    WEIR_RETURN_IF_ERROR(whitewater_prepare(f, frame));
    WEIR_RETURN_IF_ERROR(whitewater_plan_emitters(f, frame));
    for (uint32_t tries = 0;; tries++) {
        whitewater_fill_params(f, frame, tries < MAX_THINNING_TRIES ? fraction : 0.0f);
        WEIR_RETURN_IF_ERROR(
            run_passes(f, frame, tries == 0 ? WHITEWATER_MOTION : WHITEWATER_EMISSION, &counters));
        if (counters.count <= f->capacity) break;
        if (f->capacity < f->def.limit)
            WEIR_RETURN_IF_ERROR(grow_capacity(f, frame, counters.count));
        else
            fraction = thinned_fraction(f, frame, fraction, &counters);
    }
    finish_frame(f, frame, &counters);
    return WEIR_OK;
}

/* ---- queries and checkpoints ----------------------------------------------------------------- */

uint32_t whitewater_count(const whitewater *f)
{
    return f->count;
}

gpu_buffer *whitewater_particles(const whitewater *f)
{
    return f->buffers.particles;
}

whitewater_counts whitewater_get_counts(const whitewater *f)
{
    return f->counts;
}

weir_result whitewater_read(const whitewater *f, struct whitewater_particle *particles)
{
    if (f->count == 0) return WEIR_OK;
    return gpu_buffer_download(f->device, f->buffers.particles, 0, particles,
                               f->count * sizeof *particles);
}

const base_attributes *whitewater_get_attributes(const whitewater *f)
{
    return &f->def.attributes;
}

uint32_t whitewater_attribute_vectors(const whitewater *f)
{
    return (f->def.attributes.components + 3u) / 4u;
}

weir_result whitewater_read_attributes(const whitewater *f, vec4 *attributes)
{
    const size_t size = (size_t)f->count * whitewater_attribute_vectors(f) * sizeof *attributes;
    if (size == 0) return WEIR_OK;
    return gpu_buffer_download(f->device, f->buffers.attributes, 0, attributes, size);
}

whitewater_saved whitewater_save(const whitewater *f)
{
    whitewater_saved saved = {.next_id = f->next_id, .count = f->count};
    memcpy(saved.emitted, f->counts.emitted, sizeof saved.emitted);
    return saved;
}

/* Returns whether the numbers that the shaders trust are valid. A forged file must not make shaders
 * access memory outside a buffer. */
static bool is_valid_particle(const struct whitewater_particle *p)
{
    const float numbers[] = {p->position.x, p->position.y, p->position.z, p->position.w,
                             p->velocity.x, p->velocity.y, p->velocity.z, p->velocity.w};
    for (size_t i = 0; i < BASE_COUNT(numbers); i++)
        if (!(fabsf(numbers[i]) <= 1e9f)) return false;
    return p->kind < WHITEWATER_KINDS && p->position.w > 0.0f && p->lifetime > 0.0f &&
           p->lifetime <= 1e9f;
}

weir_result whitewater_restore(whitewater *f, const whitewater_saved *saved,
                               const struct whitewater_particle *particles, const vec4 *attributes)
{
    const size_t size = (size_t)saved->count * whitewater_attribute_vectors(f) * sizeof *attributes;
    const weir_log *log = gpu_device_log(f->device);
    bool sane = saved->count <= f->def.limit;
    for (uint32_t i = 0; sane && i < saved->count; i++)
        sane = is_valid_particle(&particles[i]);
    for (size_t i = 0; sane && i < size / sizeof(float); i++)
        sane = isfinite(((const float *)attributes)[i]);
    if (!sane) return base_fail(log, WEIR_ERROR_ARGUMENT, "the saved whitewater is invalid");
    WEIR_RETURN_IF_ERROR(whitewater_reserve_particles(f, saved->count));
    if (saved->count > 0)
        WEIR_RETURN_IF_ERROR(gpu_buffer_upload(f->device, f->buffers.particles, 0, particles,
                                               saved->count * sizeof *particles));
    if (size > 0)
        WEIR_RETURN_IF_ERROR(
            gpu_buffer_upload(f->device, f->buffers.attributes, 0, attributes, size));
    f->count = saved->count;
    f->next_id = saved->next_id;
    f->counts = (whitewater_counts){0};
    memcpy(f->counts.emitted, saved->emitted, sizeof saved->emitted);
    for (uint32_t i = 0; i < saved->count; i++)
        f->counts.alive[particles[i].kind]++;
    return WEIR_OK;
}
