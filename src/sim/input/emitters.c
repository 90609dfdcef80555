/* Emitters: the host plans when each layer of lattice sites leaves; the GPU adds the particles. */
#include "sim_coupling.h"
#include "sim_input.h"

#define MIN_EDDY_SPACINGS 4.0f /* smaller eddies cannot be resolved */
#define FLUCTUATION_PEAK 3.0f  /* largest fluctuation over the rms, nearly */

/* Returns the size of the largest eddies in the flow of an emitter, m: half the width of its
 * cross-section unless the scene gives it. */
static float eddy_size(const sim_world *world, uint32_t emitter)
{
    const scene_emitter *e = &world->scene->emitters[emitter];
    float area = 0.0f;
    if (e->turbulence_length > 0.0f) return e->turbulence_length;
    for (size_t i = 0; i < world->streams.list.count; i++)
        if (world->streams.list.items[i].emitter == emitter)
            area += world->streams.list.items[i].area;
    const float width = world->scene->solver.dimensions == 2 ? area : sqrtf(area);
    return fmaxf(0.5f * width, MIN_EDDY_SPACINGS * world->scene->spacing);
}

struct sim_emitter sim_emitter_from_scene(const sim_world *world, uint32_t index,
                                          const scene_emitter *emitter)
{
    const float d = world->scene->spacing;
    const float rms = emitter->turbulence * emitter->speed *
                      sqrtf((float)world->scene->solver.dimensions); /* of all components */
    vec3 across = vec3_scale(vec3_cross(emitter->up, emitter->direction), d);
    vec3 up = vec3_scale(emitter->up, d), forward = emitter->direction;
    return (struct sim_emitter){
        .corner = {emitter->position.x, emitter->position.y, emitter->position.z,
                   (float)emitter->fluid},
        /* where directions of the flow differ or the shape changes, particles are led by one layer
         * only */
        .across = {across.x, across.y, across.z,
                   rms > 0.0f || emitter->sequence.rate_hz > 0.0f ? 0.0f : 1.0f},
        .up = {up.x, up.y, up.z, d},
        .forward = {forward.x, forward.y, forward.z, emitter->speed},
        .turbulence = {rms, 1.0f / eddy_size(world, index), (float)index, 0.0f},
    };
}

/* Appends the sites of the hose. */
static bool append_hose_sites(sim_world *world)
{
    const scene_emitter hose = {.radius = SIM_HOSE_RADIUS_SPACINGS * world->scene->spacing};
    const bool planar = world->scene->solver.dimensions == 2;
    const uint32_t count = scene_opening_sites(&hose, world->scene->spacing, planar, NULL);
    sim_stream_state *state = &world->stream_states[world->streams.list.count];
    scene_site *at = base_alloc(count, sizeof *at);
    bool fits = at != NULL;
    *state =
        (sim_stream_state){.site_count = count, .first_site = (uint32_t)world->streams.sites.count};
    if (fits) scene_opening_sites(&hose, world->scene->spacing, planar, at);
    for (uint32_t i = 0; i < count && fits; i++)
        fits = BASE_ARRAY_PUSH(
            &world->streams.sites,
            ((struct sim_emitter_site){.at = {at[i].x, at[i].y, 0, 1}, .direction = {0, 0, 1, 0}}));
    base_free(at);
    return fits;
}

/* Returns the emitter of a stream at rest. */
static struct sim_emitter stream_emitter(const sim_world *world, const sim_stream *stream)
{
    scene_emitter e = world->scene->emitters[stream->emitter];
    e.speed *= (float)sim_stream_speed_scale(&e, stream);
    if (world->scene->solver.dimensions == 2) e.position.z = scene_plane(world->scene);
    return sim_emitter_from_scene(world, stream->emitter, &e);
}

static weir_result upload_emitters(sim_world *world)
{
    sim_buffers *b = &world->buffers;
    const sim_streams *streams = &world->streams;
    WEIR_RETURN_IF_ERROR(sim_buffers_create(world, SIM_WITH_EMITTERS));
    for (uint32_t i = 0; i < streams->list.count; i++) {
        const struct sim_emitter emitter = stream_emitter(world, &streams->list.items[i]);
        WEIR_RETURN_IF_ERROR(gpu_buffer_upload(world->device, b->emitters, i * sizeof emitter,
                                               &emitter, sizeof emitter));
    }
    WEIR_RETURN_IF_ERROR(sim_upload_attribute_sources(world));
    return gpu_buffer_upload(world->device, b->emitter_sites, 0, streams->sites.items,
                             streams->sites.count * sizeof *streams->sites.items);
}

weir_result sim_emitters_create(sim_world *world)
{
    const sim_streams *streams = &world->streams;
    world->stream_states = base_alloc(streams->list.count + 1, sizeof *world->stream_states);
    if (!world->stream_states || !append_hose_sites(world))
        return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for the emitters");
    for (uint32_t i = 0; i < streams->list.count; i++) {
        const sim_stream *stream = &streams->list.items[i];
        world->stream_states[i] =
            (sim_stream_state){.site_count = stream->site_count, .first_site = stream->first_site};
    }
    weir_result result = upload_emitters(world);
    if (result == WEIR_OK) result = sim_driven_emitters_create(world);
    if (result == WEIR_ERROR_MEMORY)
        base_log(world->log, WEIR_LOG_ERROR, "not enough memory for the emitters");
    return result;
}

static void sort_emissions(struct sim_emission *emissions, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        for (uint32_t k = i; k > 0 && emissions[k - 1].time > emissions[k].time; k--) {
            struct sim_emission swap = emissions[k];
            emissions[k] = emissions[k - 1];
            emissions[k - 1] = swap;
        }
}

/* Returns the time at which a layer leaves unless the domain is full, s. */
static double layer_time(const sim_world *world, const sim_stream *stream, uint64_t layer)
{
    const scene_emitter *e = &world->scene->emitters[stream->emitter];
    const sim_driven_emitter *driven = sim_find_driven_emitter(world, stream->emitter);
    const double d = (double)world->scene->spacing, scale = sim_stream_speed_scale(e, stream);
    /* A layer leaves when the middle of the fluid that it represents does, so that the first layer
     * of a flow that starts from rest has a speed. */
    if (e->speed_key_count) return scene_emitter_time(e, ((double)layer + 0.5) * d / scale);
    if (driven) return driven->origin_s + (double)layer * (d / (double)driven->speed);
    return (double)e->start_s + (double)layer * (d / ((double)e->speed * scale));
}

/* Returns the sites of the next layer of a stream, which leaves at `time_s`. */
static sim_stream_variant layer_sites(const sim_world *world, const sim_stream *stream,
                                      const sim_stream_state *state, double time_s)
{
    if (state->next_layer == 0) return (sim_stream_variant){stream->first_fill, stream->fill_count};
    if (stream->variant_count == 0)
        return (sim_stream_variant){stream->first_site, stream->site_count};
    const double file = time_s * (double)stream->variant_rate_hz,
                 last = stream->variant_count - 1.0;
    return world->streams.variants.items[stream->first_variant + (uint32_t)fmin(file, last)];
}

/* Returns whether the next layer of a stream leaves before `end_s`, and the time at which it
 * does. */
static bool is_layer_due(const sim_world *world, const sim_stream *stream,
                         const sim_stream_state *state, double end_s, double *time_s)
{
    const scene_emitter *e = &world->scene->emitters[stream->emitter];
    const sim_driven_emitter *driven = sim_find_driven_emitter(world, stream->emitter);
    *time_s = layer_time(world, stream, state->next_layer);
    bool open = driven ? driven->open : *time_s <= (double)e->end_s;
    return *time_s < end_s && open;
}

/* Returns whether an emitter may release `more` particles. */
static bool is_allowed(const sim_world *world, uint32_t emitter, uint64_t more)
{
    uint64_t emitted = more;
    for (size_t i = 0; i < world->streams.list.count; i++)
        if (world->streams.list.items[i].emitter == emitter)
            emitted += world->stream_states[i].emitted;
    return emitted <= world->scene->emitters[emitter].max_particles;
}

void sim_emitters_skip_to(sim_world *world, double time_s)
{
    double time;
    for (size_t i = 0; i < world->streams.list.count; i++) {
        const sim_stream *stream = &world->streams.list.items[i];
        sim_stream_state *state = &world->stream_states[i];
        while (is_layer_due(world, stream, state, time_s, &time)) {
            const uint32_t size = layer_sites(world, stream, state, time).site_count;
            if (!is_allowed(world, stream->emitter, size)) break;
            state->emitted += size;
            state->next_layer++;
        }
    }
}

/* Returns the time at which the hose's next layer leaves, in a frame that starts at `start_s`. */
static double find_next_hose_layer(const sim_hose *hose, double start_s)
{
    bool near_by = fabs(hose->next_layer_s - start_s) <= hose->layer_interval_s;
    /* a restored checkpoint has changed the time */
    return near_by ? hose->next_layer_s : start_s;
}

weir_result sim_check_emissions(const sim_world *world, double end_s)
{
    uint32_t layers = 0;
    uint64_t particles = 0, before = 0; /* of earlier emitters */
    double time;
    for (size_t i = 0; i < world->streams.list.count; i++) {
        const sim_stream *stream = &world->streams.list.items[i];
        sim_stream_state state = world->stream_states[i];
        if (i == 0 || stream->emitter != stream[-1].emitter) before = particles;
        for (; layers <= SIM_MAX_EMISSIONS && is_layer_due(world, stream, &state, end_s, &time);
             layers++) {
            const uint32_t size = layer_sites(world, stream, &state, time).site_count;
            if (!is_allowed(world, stream->emitter, particles - before + size)) break;
            particles += size;
            state.next_layer++;
        }
    }
    const sim_hose *hose = &world->hose;
    time = find_next_hose_layer(hose, world->time_s);
    for (; hose->open && time < end_s && layers <= SIM_MAX_EMISSIONS;
         time += hose->layer_interval_s) {
        layers++;
        particles += world->stream_states[world->streams.list.count].site_count;
    }
    if (layers > SIM_MAX_EMISSIONS)
        return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                         "the emitters emit more than %u layers in the frame that ends at %.3f s: "
                         "use shorter frames or slower emitters",
                         SIM_MAX_EMISSIONS, end_s);
    if (world->next_id + particles > UINT32_MAX)
        return base_fail(world->log, WEIR_ERROR_UNSUPPORTED,
                         "the emitters have emitted %u particles, and no ids are left: start the "
                         "simulation again",
                         world->next_id);
    return WEIR_OK;
}

/* Returns whether nothing can leave the domain, so that it is full sooner or later. */
static bool is_closed_domain(const scene_data *scene)
{
    bool closed = scene->sink_count == 0;
    for (int side = 0; side < 6; side++)
        closed = closed && scene->domain.sides[side] != SCENE_SIDE_OPEN;
    return closed;
}

/* Returns whether p lies in a solid at the solids' initial poses. */
static bool is_inside_solid(const sim_world *world, vec3 p)
{
    for (uint32_t i = 0; i < world->scene->solid_count; i++)
        if (solid_shape_distance(world->solids, world->scene->solids[i].shape, p) < 0.0f)
            return true;
    return false;
}

#define CAPACITY_SAMPLES 48u /* along each axis of the domain */

void sim_estimate_domain_capacity(sim_world *world)
{
    const scene_data *scene = world->scene;
    const uint32_t n = CAPACITY_SAMPLES, layers = scene->solver.dimensions == 2 ? 1 : n;
    vec3 low = scene->domain.min, size = vec3_sub(scene->domain.max, low);
    uint64_t free = 0;
    world->domain_capacity = UINT32_MAX;
    if (scene->emitter_count == 0 || !is_closed_domain(scene)) return;
    for (uint32_t i = 0; i < n * n * layers; i++) {
        uint32_t row = i / n, layer = row / n;
        vec3 fraction = {((float)(i % n) + 0.5f) / (float)n, ((float)(row % n) + 0.5f) / (float)n,
                         ((float)layer + 0.5f) / (float)layers};
        vec3 p = {low.x + fraction.x * size.x, low.y + fraction.y * size.y,
                  low.z + fraction.z * size.z};
        free += !is_inside_solid(world, p);
    }
    double d = (double)scene->spacing, area = (double)size.x * (double)size.y / (d * d);
    double sites = layers == 1 ? area : area * (double)size.z / d;
    world->domain_capacity = (uint32_t)fmin(sites * (double)free / ((double)n * n * layers), 4e9);
}

/* Returns whether a closed domain has no room for a layer of `more` particles; warns once. `made`
 * particles have been created so far, by their ids. */
static bool is_domain_full(sim_world *world, uint32_t made, uint32_t more)
{
    bool full = (uint64_t)made + more > world->domain_capacity;
    if (full && !world->warned_of_full_domain)
        base_log(world->log, WEIR_LOG_WARNING,
                 "%s: at %.3f s the closed domain is full, with %u particles: emitters emit only "
                 "as many particles as fit; the column not_emitted of stats.csv counts the others",
                 world->scene->source, world->time_s, made);
    world->warned_of_full_domain = world->warned_of_full_domain || full;
    return full;
}

/* Returns the number of particles in the layers of a stream so far, released or withheld. */
static uint64_t planned_count(const sim_world *world, const sim_stream *stream,
                              const sim_stream_state *state)
{
    const uint64_t layers = state->next_layer;
    if (layers == 0) return 0;
    if (stream->variant_count == 0) return (layers - 1) * stream->site_count + stream->fill_count;
    uint64_t sum = 0;
    for (sim_stream_state past = {0}; past.next_layer < layers; past.next_layer++)
        sum += layer_sites(world, stream, &past, layer_time(world, stream, past.next_layer))
                   .site_count;
    return sum;
}

uint32_t sim_not_emitted_count(const sim_world *world)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < world->streams.list.count; i++)
        sum += planned_count(world, &world->streams.list.items[i], &world->stream_states[i]) -
               world->stream_states[i].emitted;
    return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

/* Appends a layer of the emitter with this index on the device. `times`, s: when it leaves, after
 * the start of the frame; and how long before the next layer. */
static void append_emission(const sim_world *world, uint32_t emitter, const double times[2],
                            sim_emission_plan *plan)
{
    plan->items[plan->count] = (struct sim_emission){
        .emitter = emitter,
        .particle_count = world->stream_states[emitter].site_count,
        .first_site = world->stream_states[emitter].first_site,
        .time = (float)(times[0] > 0.0 ? times[0] : 0.0),
        .lead = sim_emitters_lead(world->scene) ? (float)times[1] : 0.0f,
    };
    plan->count++;
}

/* Gives the layer that was added last an emitter of its own, because the opening has moved since
 * the layer before. */
static void set_moving_emitter(const sim_world *world, const sim_stream *stream, double time_s,
                               const double span[2], sim_emission_plan *plan)
{
    struct sim_emitter here = sim_emitter_at_time(world, stream, fmax(time_s, span[0]), span);
    vec3 flow =
        vec3_scale(vec3_make(here.forward.x, here.forward.y, here.forward.z), here.forward.w);
    vec3 v = vec3_add(flow, vec3_make(here.drift.x, here.drift.y, here.drift.z));
    const bool on_body = world->scene->emitters[stream->emitter].attached_to.body > 0;
    const float body_speed = on_body ? sim_max_body_speed(world) : 0.0f;
    const float fluctuation = FLUCTUATION_PEAK * here.turbulence.x;
    plan->max_speed = fmaxf(plan->max_speed, vec3_length(v) + body_speed + fluctuation);
    plan->items[plan->count - 1].emitter =
        (uint32_t)world->streams.list.count + 1 + plan->moving_count;
    plan->moving_emitters[plan->moving_count++] = here;
}

/* Returns how long after its release at `time_s` a layer is led, s: until the next layer leaves,
 * but not for much longer than at this speed, or the last layer of a flow that stops would hang
 * there. */
static double lead_time(const sim_world *world, const sim_stream *stream, double time_s,
                        const sim_stream_state *state)
{
    const scene_emitter *e = &world->scene->emitters[stream->emitter];
    double speed = (double)(e->speed_key_count ? scene_emitter_speed(e, time_s) : e->speed) *
                   sim_stream_speed_scale(e, stream);
    double next = layer_time(world, stream, state->next_layer) - time_s;
    return speed > 0.0 ? fmin(next, 2.0 * (double)world->scene->spacing / speed) : 0.0;
}

/* Returns the largest speed of the particles of a stream at rest, m/s. */
static float max_stream_speed(const sim_world *world, const sim_stream *stream)
{
    const scene_emitter *e = &world->scene->emitters[stream->emitter];
    const float fluctuation =
        FLUCTUATION_PEAK * e->turbulence * sqrtf((float)world->scene->solver.dimensions);
    return e->speed * (float)sim_stream_speed_scale(e, stream) * (1.0f + fluctuation);
}

/* Plans the layers of one stream that leave before the end of the span. */
static void plan_stream_layers(sim_world *world, uint32_t index, const double span[2],
                               sim_emission_plan *plan)
{
    const sim_stream *stream = &world->streams.list.items[index];
    const scene_emitter *e = &world->scene->emitters[stream->emitter];
    sim_stream_state *state = &world->stream_states[index];
    double time;
    while (plan->count < SIM_MAX_EMISSIONS && is_layer_due(world, stream, state, span[1], &time)) {
        const sim_stream_variant sites = layer_sites(world, stream, state, time);
        const uint32_t size = sites.site_count;
        if (!is_allowed(world, stream->emitter, size)) return;
        state->next_layer++;
        if (size == 0) continue;
        if (is_domain_full(world, world->next_id + plan->particles, size)) continue;
        const double times[2] = {time - span[0], lead_time(world, stream, time, state)};
        append_emission(world, index, times, plan);
        plan->items[plan->count - 1].way_m =
            (float)((double)(state->next_layer - 1) * (double)world->scene->spacing /
                    (double)stream->speed_factor);
        plan->items[plan->count - 1].particle_count = size;
        plan->items[plan->count - 1].first_site = sites.first_site;
        plan->particles += size;
        if (sim_emitter_is_moving(e))
            set_moving_emitter(world, stream, time, span, plan);
        else
            plan->max_speed = fmaxf(plan->max_speed, max_stream_speed(world, stream));
        state->emitted += size;
    }
}

/* Plans the layers of the hose that leave before the end of the span. */
static void plan_hose_layers(sim_world *world, const double span[2], sim_emission_plan *plan)
{
    sim_hose *hose = &world->hose;
    hose->next_layer_s = find_next_hose_layer(hose, span[0]);
    for (; hose->open && hose->next_layer_s < span[1] && plan->count < SIM_MAX_EMISSIONS;
         hose->next_layer_s += hose->layer_interval_s) {
        const double times[2] = {hose->next_layer_s - span[0], hose->layer_interval_s};
        append_emission(world, (uint32_t)world->streams.list.count, times, plan);
        plan->particles += plan->items[plan->count - 1].particle_count;
        plan->max_speed = fmaxf(plan->max_speed, hose->emitter.forward.w);
    }
}

void sim_plan_emissions(sim_world *world, double start_s, double seconds, sim_emission_plan *plan)
{
    uint32_t before = 0;
    const double span[2] = {start_s, start_s + seconds};
    plan->count = plan->moving_count = plan->particles = 0;
    plan->max_speed = 0.0f;
    sim_driven_emitters_begin(world, span[0], span[1]);
    for (uint32_t i = 0; i < world->streams.list.count; i++)
        plan_stream_layers(world, i, span, plan);
    plan_hose_layers(world, span, plan);
    sort_emissions(plan->items, plan->count);
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->items[i].particles_before = before;
        plan->items[i].first_id = world->next_id + before;
        before += plan->items[i].particle_count;
    }
    world->next_id += before;
    if (world->emit_pass != UINT32_MAX)
        world->passes[world->emit_pass].dispatch_size.count = before ? before : 1;
}
