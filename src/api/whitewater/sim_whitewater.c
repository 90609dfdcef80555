/* Whitewater of a simulation: one frame of whitewater for each frame of the fluid. */
#include "sim_whitewater.h"

/* Longest lifetime, s, for a length L of 1 m; it scales with sqrt(L). */
#define LIFETIME_SCALE 5.0f
#define MIN_LIFETIME_RATIO 0.4f  /* shortest lifetime over the longest */
#define RADIUS_PER_LENGTH 0.002f /* radius over L */

struct api_whitewater {
    whitewater *core;
    particle_view points; /* fluid particles of the current frame */
    uint64_t frame;       /* number of the last frame */
    double time_s;
    scene_pose *bodies; /* poses of all bodies in the current frame */
    float longest_s;    /* longest lifetime */
    uint32_t limit;     /* maximum number of particles */
};

/* ---- the scene's length --------------------------------------------------------------------- */

/* Returns the height of the lowest point of the domain along `up`, m. */
static float domain_bottom(const scene_domain *domain, vec3 up)
{
    vec3 low = vec3_make(up.x < 0 ? domain->max.x : domain->min.x,
                         up.y < 0 ? domain->max.y : domain->min.y,
                         up.z < 0 ? domain->max.z : domain->min.z);
    return vec3_dot(low, up);
}

static float max_emitter_height(const scene_data *scene, float g)
{
    float height = 0;
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        float speed = scene_emitter_max_speed(&scene->emitters[i]);
        height = fmaxf(height, speed * speed / g);
    }
    return height;
}

float api_whitewater_scene_length(const scene_data *scene, const vec3 *position, uint32_t count)
{
    float g = vec3_length(scene->gravity);
    vec3 up = vec3_scale(scene->gravity, -1.0f / g);
    float low = domain_bottom(&scene->domain, up), high = 0;
    if (scene->whitewater.length_scale > 0) return scene->whitewater.length_scale;
    for (uint32_t i = 0; i < count; i++)
        high = fmaxf(high, vec3_dot(position[i], up) - low);
    if (!(high > 0)) high = max_emitter_height(scene, g);
    return fmaxf(high, scene->spacing);
}

/* Returns the height of the scene's fills, m; 0 without one that is a shape. */
static float max_fill_height(const scene_data *scene, const solid_set *solids)
{
    vec3 up = vec3_scale(scene->gravity, -1.0f / vec3_length(scene->gravity));
    float low = domain_bottom(&scene->domain, up), high = 0;
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        for (uint32_t k = 0; k < scene->fluids[i].fill_count; k++) {
            const scene_fill *fill = &scene->fluids[i].fills[k];
            vec3 min, max;
            if (fill->kind != SCENE_FILL_SHAPE) continue;
            solid_shape_bounds(solids, fill->shape, &min, &max);
            min = vec3_max(min, scene->domain.min);
            max = vec3_min(max, scene->domain.max);
            vec3 top = {up.x < 0 ? min.x : max.x, up.y < 0 ? min.y : max.y,
                        up.z < 0 ? min.z : max.z};
            float gap = 0.5f * (1.0f - fill->jitter) * scene->spacing; /* to the topmost particle */
            high = fmaxf(high, vec3_dot(top, up) - low - gap);
        }
    return high;
}

static weir_result compute_scene_length(weir_sim *sim, float *length)
{
    uint32_t count;
    weir_stats stats;
    const scene_data *scene = sim->scene->data;
    WEIR_RETURN_IF_ERROR(sim_stats(sim->world, &stats));
    const bool is_later = stats.time_s > 0.0;
    WEIR_RETURN_IF_ERROR(sim_particle_count(sim->world, &count));
    vec3 *position = base_alloc(count + 1u, sizeof *position);
    if (!position)
        return base_fail(api_sim_log(sim), WEIR_ERROR_MEMORY, "not enough memory for whitewater");
    weir_result result =
        sim_read_field(sim->world, WEIR_FIELD_POSITION, position, count * sizeof *position);
    if (result == WEIR_OK) *length = api_whitewater_scene_length(sim->scene->data, position, count);
    /* A run that goes on from a later state has the length of its start. */
    float start = is_later ? max_fill_height(scene, sim_solids(sim->world)) : 0;
    if (start > 0 && scene->whitewater.length_scale == 0) *length = fmaxf(start, scene->spacing);
    base_free(position);
    return result;
}

/* ---- bodies --------------------------------------------------------------------------------- */

/* Sets the time and the body poses at the start of the next frame to those of the simulation. */
static weir_result set_initial_state(weir_sim *sim)
{
    weir_stats stats;
    api_whitewater *w = sim->whitewater;
    WEIR_RETURN_IF_ERROR(sim_body_poses(sim->world, w->bodies));
    whitewater_set_body_poses(w->core, w->bodies);
    WEIR_RETURN_IF_ERROR(sim_stats(sim->world, &stats));
    w->frame = stats.frame;
    w->time_s = stats.time_s;
    return WEIR_OK;
}

/* ---- creation ------------------------------------------------------------------------------- */

whitewater_def api_whitewater_def(const scene_data *scene, float length, const solid_set *solids)
{
    const scene_whitewater *given = &scene->whitewater;
    float lifetime = given->lifetime > 0 ? given->lifetime : LIFETIME_SCALE * sqrtf(length);
    whitewater_def def = {
        .min = scene->domain.min,
        .max = scene->domain.max,
        .friction = scene->domain.friction,
        .spacing_m = scene->spacing,
        .length_m = length,
        .factors = {[WHITEWATER_TRAPPED_AIR] = given->emission_rate * given->trapped_air_rate,
                    [WHITEWATER_CREST] = given->emission_rate * given->wave_crest_rate,
                    [WHITEWATER_CURL] = given->emission_rate * given->curl_rate},
        .lifetime_s = {MIN_LIFETIME_RATIO * lifetime, lifetime},
        .radius_m = given->radius > 0 ? given->radius : RADIUS_PER_LENGTH * length,
        .rise = given->bubble_rise_speed,
        .seed = given->seed,
        .limit = given->max_particles,
        .solids = solids,
        .attributes = scene_list_attributes(scene),
        .emitters = given->emitters,
        .emitter_count = given->emitter_count,
        .source = scene->source,
    };
    for (uint32_t i = 0; i < scene->attribute_count; i++)
        memcpy(def.initial_attributes + scene->attributes[i].first, scene->attributes[i].initial,
               scene->attributes[i].components * sizeof(float));
    for (uint32_t side = 0; side < 6; side++)
        def.closed_sides[side] = scene->domain.sides[side] == SCENE_SIDE_CLOSED;
    for (uint32_t axis = 0; axis < 3; axis++)
        def.periodic[axis] = scene->domain.sides[2 * axis] == SCENE_SIDE_PERIODIC;
    return def;
}

weir_result api_whitewater_create(weir_sim *sim)
{
    float length = 0;
    if (!sim->scene->data->whitewater.given) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(compute_scene_length(sim, &length));
    api_whitewater *w = sim->whitewater = base_alloc(1, sizeof *w);
    if (!w)
        return base_fail(api_sim_log(sim), WEIR_ERROR_MEMORY, "not enough memory for whitewater");
    w->bodies = base_alloc(sim->scene->data->body_count + 1u, sizeof *w->bodies);
    if (!w->bodies)
        return base_fail(api_sim_log(sim), WEIR_ERROR_MEMORY, "not enough memory for whitewater");
    const whitewater_def def = api_whitewater_def(sim->scene->data, length, sim_solids(sim->world));
    WEIR_RETURN_IF_ERROR(whitewater_create(sim->device->gpu, &def, &w->core));
    w->longest_s = def.lifetime_s[1];
    w->limit = def.limit;
    return set_initial_state(sim);
}

/* Converts a particle of a start. Its parent is not known; nothing depends on it. */
static struct whitewater_particle start_particle(const weir_whitewater_particles *p, uint32_t i,
                                                 float longest_s)
{
    const float *x = p->position + 3 * (size_t)i;
    const float *v = p->velocity ? p->velocity + 3 * (size_t)i : (const float[3]){0};
    return (struct whitewater_particle){
        .position = {x[0], x[1], x[2], p->radius[i]},
        .velocity = {v[0], v[1], v[2], p->age ? p->age[i] : 0.0f},
        .id = p->id ? p->id[i] : i,
        .kind = p->kind[i],
        .lifetime = p->lifetime ? p->lifetime[i] : longest_s,
    };
}

/* Writes the attributes of the particles of a start to rows of `stride` floats. */
static void start_attributes(const scene_data *scene, const weir_whitewater_particles *from,
                             uint32_t count, size_t stride, float *to)
{
    for (uint32_t a = 0; a < scene->attribute_count; a++) {
        const scene_attribute *attribute = &scene->attributes[a];
        const weir_attribute_values *given = NULL;
        for (uint32_t i = 0; i < from->attribute_count && !given; i++)
            if (strcmp(from->attributes[i].name, attribute->name) == 0 &&
                from->attributes[i].components == attribute->components)
                given = &from->attributes[i];
        for (uint32_t i = 0; i < count; i++)
            memcpy(to + i * stride + attribute->first,
                   given ? given->values + (size_t)i * given->stride : attribute->initial,
                   attribute->components * sizeof *to);
    }
}

bool api_whitewater_has_arrays(const weir_whitewater_particles *from)
{
    return from->count == 0 || (from->position && from->kind && from->radius);
}

weir_result api_whitewater_start(weir_sim *sim, const weir_whitewater_particles *from)
{
    const api_whitewater *w = sim->whitewater;
    const weir_log *log = api_sim_log(sim);
    whitewater_saved head = {0};
    if (!w || !from || from->count == 0) return WEIR_OK;
    head.count = from->count < w->limit ? from->count : w->limit;
    if (head.count < from->count)
        base_log(log, WEIR_LOG_WARNING,
                 "the start has %u particles of whitewater, of which the oldest %u are kept: raise "
                 "whitewater.max_particles",
                 from->count, head.count);
    const size_t stride = 4u * whitewater_attribute_vectors(w->core);
    struct whitewater_particle *particles = base_alloc(head.count, sizeof *particles);
    vec4 *attributes = base_alloc(head.count, (stride + 1) * sizeof *attributes);
    if (!particles || !attributes) {
        base_free(particles);
        base_free(attributes);
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for whitewater");
    }
    start_attributes(sim->scene->data, from, head.count, stride, &attributes->x);
    for (uint32_t i = 0; i < head.count; i++) {
        particles[i] = start_particle(from, i, w->longest_s);
        if (particles[i].id >= head.next_id) head.next_id = particles[i].id + 1;
    }
    weir_result result = whitewater_restore(w->core, &head, particles, attributes);
    base_free(particles);
    base_free(attributes);
    return result;
}

void api_whitewater_destroy(weir_sim *sim)
{
    api_whitewater *w = sim->whitewater;
    if (!w) return;
    whitewater_destroy(&w->core);
    particle_view_destroy(sim->device->gpu, &w->points);
    base_free(w->bodies);
    base_free(w);
    sim->whitewater = NULL;
}

/* ---- frames --------------------------------------------------------------------------------- */

weir_result api_whitewater_advance(weir_sim *sim)
{
    api_whitewater *w = sim->whitewater;
    weir_stats stats;
    if (!w) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_stats(sim->world, &stats));
    if (stats.frame == w->frame || !(stats.time_s > w->time_s)) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_copy_points(sim->world, &w->points));
    WEIR_RETURN_IF_ERROR(sim_body_poses(sim->world, w->bodies));
    const whitewater_frame frame = {.points = &w->points,
                                    .gravity = sim->scene->data->gravity,
                                    .time_s = stats.time_s,
                                    .last_s = w->time_s,
                                    .number = stats.frame,
                                    .bodies = w->bodies};
    WEIR_RETURN_IF_ERROR(whitewater_step(w->core, &frame));
    w->frame = stats.frame;
    w->time_s = stats.time_s;
    return WEIR_OK;
}

void api_whitewater_fill_stats(const weir_sim *sim, weir_stats *stats)
{
    if (!sim->whitewater) return;
    whitewater_counts counts = whitewater_get_counts(sim->whitewater->core);
    stats->spray = counts.alive[WHITEWATER_SPRAY];
    stats->foam = counts.alive[WHITEWATER_FOAM];
    stats->bubbles = counts.alive[WHITEWATER_BUBBLE];
    stats->tracers = counts.alive[WHITEWATER_TRACER];
    stats->emitted_by_trapped_air = counts.emitted[WHITEWATER_TRAPPED_AIR];
    stats->emitted_by_wave_crests = counts.emitted[WHITEWATER_CREST];
    stats->emitted_by_curl = counts.emitted[WHITEWATER_CURL];
}

/* Enlarges the buffer if necessary, with a reserve so that slowly growing whitewater does not
 * reallocate it in each frame. */
static weir_result reserve_particles(gpu_device *device, uint32_t count, gpu_buffer **buffer)
{
    const gpu_buffer_def def = {.name = "points_whitewater",
                                .stride = sizeof(struct whitewater_particle),
                                .count = count + count / 2ull};
    if (*buffer && gpu_buffer_count(*buffer) >= count) return WEIR_OK;
    gpu_buffer_destroy(device, buffer);
    return gpu_buffer_create(device, &def, buffer);
}

weir_result api_whitewater_copy_to_points(weir_sim *sim, weir_points *points)
{
    gpu_device *device = sim->device->gpu;
    uint64_t ticket;
    if (!sim->whitewater) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(api_whitewater_advance(sim));
    const whitewater *f = sim->whitewater->core;
    uint32_t count = whitewater_count(f);
    if (count == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(reserve_particles(device, count, &points->whitewater));
    points->whitewater_count = count;
    const gpu_copy copy = {.from = whitewater_particles(f),
                           .to = points->whitewater,
                           .size = count * sizeof(struct whitewater_particle)};
    WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
    WEIR_RETURN_IF_ERROR(gpu_record_copy(device, &copy));
    return gpu_record_submit(device, &ticket);
}

/* ---- measuring ------------------------------------------------------------------------------ */

weir_result api_whitewater_pass_times(weir_sim *sim, weir_pass_time *times, uint32_t capacity,
                                      uint32_t *count)
{
    if (!sim->whitewater) return WEIR_OK;
    uint32_t more = capacity > *count ? capacity - *count : 0;
    WEIR_RETURN_IF_ERROR(
        whitewater_pass_times(sim->whitewater->core, more ? &times[*count] : NULL, &more));
    *count += more;
    return WEIR_OK;
}

void api_whitewater_reset_times(weir_sim *sim)
{
    if (sim->whitewater) whitewater_pass_times_reset(sim->whitewater->core);
}

weir_result api_whitewater_explain(weir_sim *sim, gpu_explainer *e)
{
    api_whitewater *w = sim->whitewater;
    if (!w) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(sim_copy_points(sim->world, &w->points));
    return whitewater_explain(w->core, &w->points, e);
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool allocate_arrays(io_particles *out, uint32_t count)
{
    out->count = count;
    out->position = base_alloc(count, sizeof *out->position);
    out->velocity = base_alloc(count, sizeof *out->velocity);
    out->id = base_alloc(count, sizeof *out->id);
    out->kind = base_alloc(count, sizeof *out->kind);
    out->age = base_alloc(count, sizeof *out->age);
    out->lifetime = base_alloc(count, sizeof *out->lifetime);
    out->radius = base_alloc(count, sizeof *out->radius);
    if (out->attributes.count > 0)
        out->attribute_values =
            base_alloc(count, out->attributes.components * sizeof *out->attribute_values);
    return out->position && out->velocity && out->id && out->kind && out->age && out->lifetime &&
           out->radius && (out->attribute_values || out->attributes.count == 0);
}

static void unpack_particle(const struct whitewater_particle *from, io_particles *out)
{
    for (uint32_t i = 0; i < out->count; i++) {
        const struct whitewater_particle *p = &from[i];
        out->position[i] = vec3_make(p->position.x, p->position.y, p->position.z);
        out->velocity[i] = vec3_make(p->velocity.x, p->velocity.y, p->velocity.z);
        out->id[i] = p->id;
        out->kind[i] = p->kind;
        out->age[i] = p->velocity.w;
        out->lifetime[i] = p->lifetime;
        out->radius[i] = p->position.w;
    }
}

/* Lists the attributes that files of whitewater have: not "age", a column of its own there. */
static base_attributes list_file_attributes(const whitewater *f)
{
    const base_attributes *all = whitewater_get_attributes(f);
    base_attributes listed = {0};
    for (uint32_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].name, "age") != 0)
            base_attributes_add(&listed, all->items[i].name, all->items[i].components);
    return listed;
}

/* Copies the attributes that files have from rows of `stride` floats. */
static void unpack_attributes(const whitewater *f, const float *rows, size_t stride,
                              io_particles *out)
{
    const base_attributes *all = whitewater_get_attributes(f);
    uint32_t to = 0;
    for (uint32_t a = 0; a < all->count && to < out->attributes.count; a++) {
        const base_attribute *from = &all->items[a], *listed = &out->attributes.items[to];
        if (strcmp(from->name, listed->name) != 0) continue;
        for (size_t i = 0; i < out->count; i++)
            memcpy(out->attribute_values + i * out->attributes.components + listed->first,
                   rows + i * stride + from->first, from->components * sizeof *rows);
        to++;
    }
}

weir_result api_whitewater_download(const weir_log *log, const whitewater *f, io_particles *out)
{
    weir_result result;
    const uint32_t count = whitewater_count(f), vectors = whitewater_attribute_vectors(f);
    struct whitewater_particle *particles = base_alloc(count + 1u, sizeof *particles);
    vec4 *attributes = base_alloc((size_t)count * vectors + 1u, sizeof *attributes);
    *out = (io_particles){.attributes = list_file_attributes(f)};
    bool allocated = allocate_arrays(out, count);
    if (!particles || !attributes || !allocated)
        WEIR_GOTO_IF_ERROR(base_fail(log, WEIR_ERROR_MEMORY,
                                     "not enough memory for %u particles of whitewater", count));
    WEIR_GOTO_IF_ERROR(whitewater_read(f, particles));
    WEIR_GOTO_IF_ERROR(whitewater_read_attributes(f, attributes));
    unpack_particle(particles, out);
    unpack_attributes(f, &attributes->x, 4u * vectors, out);
    out->attributes_read = (1u << out->attributes.count) - 1u;
fail:
    base_free(particles);
    base_free(attributes);
    if (result != WEIR_OK) io_particles_free(out);
    return result;
}

bool api_sim_has_whitewater(const weir_sim *sim)
{
    return sim->whitewater != NULL;
}

weir_result api_sim_read_whitewater(weir_sim *sim, io_particles *out)
{
    *out = (io_particles){0};
    if (!sim->whitewater) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(api_whitewater_advance(sim));
    return api_whitewater_download(api_sim_log(sim), sim->whitewater->core, out);
}

/* ---- checkpoints ---------------------------------------------------------------------------- */

/* The parts of a checkpoint: a whitewater_saved, the particles, their attributes. */
typedef struct saved_sizes {
    size_t particles, attributes, all; /* bytes */
} saved_sizes;

static saved_sizes find_saved_sizes(const whitewater *f, uint32_t count)
{
    saved_sizes sizes = {.particles = count * sizeof(struct whitewater_particle),
                         .attributes =
                             (size_t)count * whitewater_attribute_vectors(f) * sizeof(vec4)};
    sizes.all = sizeof(whitewater_saved) + sizes.particles + sizes.attributes;
    return sizes;
}

weir_result api_whitewater_checkpoint(weir_sim *sim, base_blob *saved)
{
    weir_result result;
    *saved = (base_blob){0};
    if (!sim->whitewater) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(api_whitewater_advance(sim));
    const whitewater *f = sim->whitewater->core;
    const whitewater_saved head = whitewater_save(f);
    const saved_sizes sizes = find_saved_sizes(f, head.count);
    struct whitewater_particle *particles = base_alloc(head.count + 1u, sizeof *particles);
    vec4 *attributes = base_alloc(1, sizes.attributes + 1u);
    saved->bytes = base_alloc(sizes.all, 1);
    if (!particles || !attributes || !saved->bytes)
        WEIR_GOTO_IF_ERROR(
            base_fail(api_sim_log(sim), WEIR_ERROR_MEMORY, "not enough memory to save"));
    WEIR_GOTO_IF_ERROR(whitewater_read(f, particles));
    WEIR_GOTO_IF_ERROR(whitewater_read_attributes(f, attributes));
    saved->size = sizes.all;
    memcpy(saved->bytes, &head, sizeof head);
    memcpy(saved->bytes + sizeof head, particles, sizes.particles);
    memcpy(saved->bytes + sizeof head + sizes.particles, attributes, sizes.attributes);
fail:
    base_free(particles);
    base_free(attributes);
    if (result != WEIR_OK) base_blob_free(saved);
    return result;
}

static weir_result restore_state(weir_sim *sim, const base_blob *saved)
{
    const whitewater *f = sim->whitewater->core;
    whitewater_saved head = {0};
    bool whole = saved->size >= sizeof head;
    if (whole) memcpy(&head, saved->bytes, sizeof head);
    const saved_sizes sizes = find_saved_sizes(f, head.count);
    if (!whole || saved->size != sizes.all)
        return base_fail(api_sim_log(sim), WEIR_ERROR_IO,
                         "the saved state has no whitewater of this scene: use another checkpoint");
    struct whitewater_particle *particles = base_alloc(head.count + 1u, sizeof *particles);
    vec4 *attributes = base_alloc(1, sizes.attributes + 1u);
    weir_result result = WEIR_ERROR_MEMORY;
    if (particles && attributes) {
        memcpy(particles, saved->bytes + sizeof head, sizes.particles);
        memcpy(attributes, saved->bytes + sizeof head + sizes.particles, sizes.attributes);
        result = whitewater_restore(sim->whitewater->core, &head, particles, attributes);
    } else {
        base_log(api_sim_log(sim), WEIR_LOG_ERROR, "not enough memory to restore");
    }
    base_free(particles);
    base_free(attributes);
    return result;
}

weir_result api_whitewater_restore(weir_sim *sim, const base_blob *saved)
{
    if (!sim->whitewater) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(restore_state(sim, saved));
    return set_initial_state(sim);
}
