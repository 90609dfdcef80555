/* The whitewater of a simulation: one frame of it for each frame of the fluid. */
#include "whitewater.h"

#define LIFETIME_S 5.0f     /* times sqrt(L / m) */
#define SHORTEST_LIFE 0.4f  /* of the longest */
#define RADIUS_SHARE 0.002f /* of L */

/* What follows the fluid's frames. */
struct api_whitewater {
    foam *foam;
    grid_points points; /* of the fluid, in the frame at hand */
    uint64_t frame;     /* to which it has come */
    double time_s;
    scene_pose *bodies; /* of the scene, in the frame at hand */
};

/* ---- the scene's length --------------------------------------------------------------------- */

/* The domain's lowest point against gravity. */
static float floor_height(const scene_domain *domain, vec3 up)
{
    vec3 low = vec3_make(up.x < 0 ? domain->max.x : domain->min.x,
                         up.y < 0 ? domain->max.y : domain->min.y,
                         up.z < 0 ? domain->max.z : domain->min.z);
    return vec3_dot(low, up);
}

static float highest_emitter(const scene_data *scene, float g)
{
    float height = 0;
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        float speed = scene_emitter_fastest(&scene->emitters[i]);
        height = fmaxf(height, speed * speed / g);
    }
    return height;
}

float api_foam_length(const scene_data *scene, const vec3 *position, uint32_t count)
{
    float g = vec3_length(scene->gravity);
    vec3 up = vec3_scale(scene->gravity, -1.0f / g);
    float low = floor_height(&scene->domain, up), high = 0;
    if (scene->foam.length > 0) return scene->foam.length;
    for (uint32_t i = 0; i < count; i++)
        high = fmaxf(high, vec3_dot(position[i], up) - low);
    if (!(high > 0)) high = highest_emitter(scene, g);
    return fmaxf(high, scene->spacing);
}

static weir_result find_length(weir_sim *sim, float *length)
{
    uint32_t count;
    WEIR_NEED(sim_count(sim->world, &count));
    vec3 *position = base_alloc(count + 1u, sizeof *position);
    if (!position) return base_fail(api_sim_log(sim), WEIR_MEMORY, "no memory for whitewater");
    weir_result result =
        sim_read(sim->world, WEIR_FIELD_POSITION, position, count * sizeof *position);
    if (result == WEIR_OK) *length = api_foam_length(sim->scene->data, position, count);
    base_free(position);
    return result;
}

/* ---- bodies --------------------------------------------------------------------------------- */

/* The next frame begins with the bodies where the simulation has them. */
static weir_result start_bodies(weir_sim *sim)
{
    api_whitewater *w = sim->whitewater;
    WEIR_NEED(sim_body_poses(sim->world, w->bodies));
    foam_start_bodies(w->foam, w->bodies);
    return WEIR_OK;
}

/* ---- creation ------------------------------------------------------------------------------- */

foam_def api_foam_def(const scene_data *scene, float length, const solid_set *solids)
{
    const scene_foam *given = &scene->foam;
    float lifetime = given->lifetime > 0 ? given->lifetime : LIFETIME_S * sqrtf(length);
    foam_def def = {
        .min = scene->domain.min,
        .max = scene->domain.max,
        .friction = scene->domain.friction,
        .spacing_m = scene->spacing,
        .length_m = length,
        .factors = {[FOAM_TRAPPED] = given->amount * given->trapped_air,
                    [FOAM_CREST] = given->amount * given->crests,
                    [FOAM_CURL] = given->amount * given->curl},
        .lifetime_s = {SHORTEST_LIFE * lifetime, lifetime},
        .radius_m = given->radius > 0 ? given->radius : RADIUS_SHARE * length,
        .rise = given->rise,
        .seed = given->seed,
        .limit = given->limit,
        .solids = solids,
    };
    for (uint32_t side = 0; side < 6; side++)
        def.closed[side] = scene->domain.sides[side] == SCENE_SIDE_CLOSED;
    for (uint32_t axis = 0; axis < 3; axis++)
        def.periodic[axis] = scene->domain.sides[2 * axis] == SCENE_SIDE_PERIODIC;
    return def;
}

weir_result api_whitewater_create(weir_sim *sim)
{
    float length;
    if (!sim->scene->data->foam.given) return WEIR_OK;
    WEIR_NEED(find_length(sim, &length));
    api_whitewater *w = sim->whitewater = base_alloc(1, sizeof *w);
    if (!w) return base_fail(api_sim_log(sim), WEIR_MEMORY, "no memory for whitewater");
    w->bodies = base_alloc(sim->scene->data->body_count + 1u, sizeof *w->bodies);
    if (!w->bodies) return base_fail(api_sim_log(sim), WEIR_MEMORY, "no memory for whitewater");
    const foam_def def = api_foam_def(sim->scene->data, length, sim_solids(sim->world));
    WEIR_NEED(foam_create(sim->device->gpu, &def, &w->foam));
    return start_bodies(sim);
}

void api_whitewater_destroy(weir_sim *sim)
{
    api_whitewater *w = sim->whitewater;
    if (!w) return;
    foam_destroy(&w->foam);
    grid_points_destroy(sim->device->gpu, &w->points);
    base_free(w->bodies);
    base_free(w);
    sim->whitewater = NULL;
}

/* ---- frames --------------------------------------------------------------------------------- */

weir_result api_whitewater_follow(weir_sim *sim)
{
    api_whitewater *w = sim->whitewater;
    weir_stats stats;
    if (!w) return WEIR_OK;
    WEIR_NEED(sim_stats(sim->world, &stats));
    if (stats.frame == w->frame || !(stats.time_s > w->time_s)) return WEIR_OK;
    WEIR_NEED(sim_points(sim->world, &w->points));
    WEIR_NEED(sim_body_poses(sim->world, w->bodies));
    const foam_frame frame = {.points = &w->points,
                              .gravity = sim->scene->data->gravity,
                              .time_s = stats.time_s,
                              .dt_s = (float)(stats.time_s - w->time_s),
                              .number = stats.frame,
                              .bodies = w->bodies};
    WEIR_NEED(foam_step(w->foam, &frame));
    w->frame = stats.frame;
    w->time_s = stats.time_s;
    return WEIR_OK;
}

void api_whitewater_count(const weir_sim *sim, weir_stats *stats)
{
    if (!sim->whitewater) return;
    foam_counts counts = foam_get_counts(sim->whitewater->foam);
    stats->spray = counts.alive[FOAM_SPRAY];
    stats->foam = counts.alive[FOAM_FOAM];
    stats->bubbles = counts.alive[FOAM_BUBBLE];
    stats->born_of_air = counts.born[FOAM_TRAPPED];
    stats->born_of_crests = counts.born[FOAM_CREST];
    stats->born_of_curl = counts.born[FOAM_CURL];
}

/* A buffer with room to spare outlives a frame that has some more particles than the one before. */
static weir_result make_room(gpu_device *device, uint32_t count, gpu_buffer **buffer)
{
    const gpu_buffer_def def = {.name = "points_whitewater",
                                .stride = sizeof(struct foam_particle),
                                .count = count + count / 2ull};
    if (*buffer && gpu_buffer_count(*buffer) >= count) return WEIR_OK;
    gpu_buffer_destroy(device, buffer);
    return gpu_buffer_create(device, &def, buffer);
}

weir_result api_whitewater_copy(weir_sim *sim, weir_points *points)
{
    gpu_device *device = sim->device->gpu;
    uint64_t ticket;
    if (!sim->whitewater) return WEIR_OK;
    WEIR_NEED(api_whitewater_follow(sim));
    const foam *f = sim->whitewater->foam;
    uint32_t count = foam_count(f);
    if (count == 0) return WEIR_OK;
    WEIR_NEED(make_room(device, count, &points->whitewater));
    points->whitewater_count = count;
    const gpu_copy copy = {.from = foam_buffer(f),
                           .to = points->whitewater,
                           .size = count * sizeof(struct foam_particle)};
    WEIR_NEED(gpu_record_begin(device));
    WEIR_NEED(gpu_record_copy(device, &copy));
    return gpu_record_submit(device, &ticket);
}

/* ---- measuring ------------------------------------------------------------------------------ */

weir_result api_whitewater_times(weir_sim *sim, weir_row_time *times, uint32_t room,
                                 uint32_t *count)
{
    if (!sim->whitewater) return WEIR_OK;
    uint32_t more = room > *count ? room - *count : 0;
    WEIR_NEED(foam_row_times(sim->whitewater->foam, more ? &times[*count] : NULL, &more));
    *count += more;
    return WEIR_OK;
}

void api_whitewater_times_reset(weir_sim *sim)
{
    if (sim->whitewater) foam_row_times_reset(sim->whitewater->foam);
}

weir_result api_whitewater_explain(weir_sim *sim, void (*write)(void *user, const char *line),
                                   void *user)
{
    api_whitewater *w = sim->whitewater;
    if (!w) return WEIR_OK;
    WEIR_NEED(sim_points(sim->world, &w->points));
    write(user, "the whitewater of a frame:");
    return foam_explain(w->foam, &w->points, write, user);
}

/* ---- reading -------------------------------------------------------------------------------- */

static bool make_arrays(io_particles *out, uint32_t count)
{
    out->count = count;
    out->position = base_alloc(count, sizeof *out->position);
    out->velocity = base_alloc(count, sizeof *out->velocity);
    out->id = base_alloc(count, sizeof *out->id);
    out->kind = base_alloc(count, sizeof *out->kind);
    out->age = base_alloc(count, sizeof *out->age);
    out->lifetime = base_alloc(count, sizeof *out->lifetime);
    out->radius = base_alloc(count, sizeof *out->radius);
    return out->position && out->velocity && out->id && out->kind && out->age && out->lifetime &&
           out->radius;
}

static void unpack(const struct foam_particle *from, io_particles *out)
{
    for (uint32_t i = 0; i < out->count; i++) {
        const struct foam_particle *p = &from[i];
        out->position[i] = vec3_make(p->place.x, p->place.y, p->place.z);
        out->velocity[i] = vec3_make(p->velocity.x, p->velocity.y, p->velocity.z);
        out->id[i] = p->id;
        out->kind[i] = p->kind;
        out->age[i] = p->velocity.w;
        out->lifetime[i] = p->lifetime;
        out->radius[i] = p->place.w;
    }
}

weir_result api_foam_read(const weir_log *log, const foam *f, io_particles *out)
{
    weir_result result;
    uint32_t count = foam_count(f);
    struct foam_particle *particles = base_alloc(count + 1u, sizeof *particles);
    *out = (io_particles){0};
    bool room = make_arrays(out, count);
    if (!particles || !room)
        WEIR_TRY(base_fail(log, WEIR_MEMORY, "no memory for %u particles of whitewater", count));
    WEIR_TRY(foam_read(f, particles));
    unpack(particles, out);
fail:
    base_free(particles);
    if (result != WEIR_OK) io_particles_free(out);
    return result;
}

weir_result api_whitewater_read(weir_sim *sim, io_particles *out)
{
    *out = (io_particles){0};
    WEIR_NEED(api_whitewater_follow(sim));
    return api_foam_read(api_sim_log(sim), sim->whitewater->foam, out);
}

/* ---- checkpoints ---------------------------------------------------------------------------- */

/* The struct, then the particles. */
weir_result api_whitewater_save(weir_sim *sim, base_blob *saved)
{
    *saved = (base_blob){0};
    if (!sim->whitewater) return WEIR_OK;
    WEIR_NEED(api_whitewater_follow(sim));
    const foam *f = sim->whitewater->foam;
    const foam_saved head = foam_save(f);
    size_t size = sizeof head + head.count * sizeof(struct foam_particle);
    struct foam_particle *particles = base_alloc(head.count + 1u, sizeof *particles);
    saved->bytes = base_alloc(size, 1);
    weir_result result = particles && saved->bytes
                             ? foam_read(f, particles)
                             : base_fail(api_sim_log(sim), WEIR_MEMORY, "no memory to save");
    if (result == WEIR_OK) {
        saved->size = size;
        memcpy(saved->bytes, &head, sizeof head);
        memcpy(saved->bytes + sizeof head, particles, size - sizeof head);
    }
    base_free(particles);
    if (result != WEIR_OK) base_blob_free(saved);
    return result;
}

static weir_result restore(weir_sim *sim, const base_blob *saved)
{
    foam_saved head = {0};
    bool whole = saved->size >= sizeof head;
    if (whole) memcpy(&head, saved->bytes, sizeof head);
    whole = whole && saved->size - sizeof head == head.count * sizeof(struct foam_particle);
    if (!whole)
        return base_fail(api_sim_log(sim), WEIR_IO,
                         "the saved state has no whitewater of this scene: use another checkpoint");
    struct foam_particle *particles = base_alloc(head.count + 1u, sizeof *particles);
    if (!particles) return base_fail(api_sim_log(sim), WEIR_MEMORY, "no memory to restore");
    memcpy(particles, saved->bytes + sizeof head, saved->size - sizeof head);
    weir_result result = foam_restore(sim->whitewater->foam, &head, particles);
    base_free(particles);
    return result;
}

weir_result api_whitewater_restore(weir_sim *sim, const base_blob *saved)
{
    weir_stats stats;
    if (!sim->whitewater) return WEIR_OK;
    WEIR_NEED(restore(sim, saved));
    WEIR_NEED(start_bodies(sim));
    WEIR_NEED(sim_stats(sim->world, &stats));
    sim->whitewater->frame = stats.frame;
    sim->whitewater->time_s = stats.time_s;
    return WEIR_OK;
}
