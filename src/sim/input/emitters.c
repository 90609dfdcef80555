/* Emitters: the host plans when each layer of lattice sites leaves; the GPU adds the particles. */
#include "sim_input.h"

typedef BASE_ARRAY(vec2) site_array;

/* In two dimensions an opening is the line along `up`. */
static bool append_disc_sites(const scene_emitter *emitter, float d, bool planar, site_array *sites)
{
    int reach = (int)floorf(emitter->radius / d), across = planar ? 0 : reach;
    for (int y = -reach; y <= reach; y++)
        for (int x = -across; x <= across; x++) {
            float r2 = (float)(x * x + y * y) * d * d;
            if (r2 <= emitter->radius * emitter->radius &&
                !BASE_ARRAY_PUSH(sites, ((vec2){(float)x, (float)y})))
                return false;
        }
    return true;
}

static bool append_rectangle_sites(const scene_emitter *emitter, float d, bool planar,
                                   site_array *sites)
{
    int columns = planar ? 1 : (int)fmaxf(floorf(emitter->width / d + 1e-3f), 1.0f);
    int rows = (int)fmaxf(floorf(emitter->height / d + 1e-3f), 1.0f);
    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++) {
            vec2 site = {(float)x - 0.5f * (float)(columns - 1),
                         (float)y - 0.5f * (float)(rows - 1)};
            if (!BASE_ARRAY_PUSH(sites, site)) return false;
        }
    return true;
}

struct sim_emitter sim_emitter_from_scene(const scene_emitter *emitter, float d,
                                          uint32_t first_site)
{
    vec3 across = vec3_scale(vec3_cross(emitter->up, emitter->direction), d);
    vec3 up = vec3_scale(emitter->up, d);
    vec3 velocity = vec3_scale(emitter->direction, emitter->speed);
    return (struct sim_emitter){
        .corner = {emitter->position.x, emitter->position.y, emitter->position.z,
                   (float)emitter->fluid},
        .across = {across.x, across.y, across.z, 0.0f},
        .up = {up.x, up.y, up.z, (float)first_site},
        .velocity = {velocity.x, velocity.y, velocity.z, 0.0f},
    };
}

static weir_result upload_emitters(sim_world *world, const struct sim_emitter *emitters,
                                   const site_array *sites)
{
    sim_buffers *b = &world->buffers;
    uint32_t count = world->scene->emitter_count + 1;
    WEIR_RETURN_IF_ERROR(sim_buffers_create(world, SIM_WITH_EMITTERS));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_upload(world->device, b->emitters, 0, emitters, count * sizeof *emitters));
    return gpu_buffer_upload(world->device, b->emitter_sites, 0, sites->items,
                             sites->count * sizeof *sites->items);
}

weir_result sim_emitters_create(sim_world *world)
{
    const scene_data *scene = world->scene;
    weir_result result = WEIR_ERROR_MEMORY;
    site_array sites = {0};
    struct sim_emitter *emitters = base_alloc(scene->emitter_count + 1, sizeof *emitters);
    world->emitters = base_alloc(scene->emitter_count + 1, sizeof *world->emitters);
    if (!emitters || !world->emitters) goto fail;
    bool planar = scene->solver.dimensions == 2;
    for (uint32_t i = 0; i <= scene->emitter_count; i++) {
        static const scene_emitter hose = {.direction = {1, 0, 0}, .up = {0, 1, 0}, .speed = 1};
        scene_emitter e = i < scene->emitter_count ? scene->emitters[i] : hose;
        if (i == scene->emitter_count) e.radius = SIM_HOSE_RADIUS_SPACINGS * scene->spacing;
        uint32_t first = (uint32_t)sites.count;
        if (planar) e.position.z = scene_plane(scene);
        bool fits = e.radius > 0.0f ? append_disc_sites(&e, scene->spacing, planar, &sites)
                                    : append_rectangle_sites(&e, scene->spacing, planar, &sites);
        if (!fits) goto fail;
        emitters[i] = sim_emitter_from_scene(&e, scene->spacing, first);
        world->emitters[i].first_site = first;
        world->emitters[i].site_count = (uint32_t)sites.count - first;
    }
    result = upload_emitters(world, emitters, &sites);
    if (result == WEIR_OK) result = sim_driven_emitters_create(world);
fail:
    if (result == WEIR_ERROR_MEMORY)
        base_log(world->log, WEIR_LOG_ERROR, "not enough memory for the emitters");
    base_free(emitters);
    BASE_ARRAY_FREE(&sites);
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
static double layer_time(const sim_world *world, uint32_t index, uint64_t layer)
{
    const scene_emitter *e = &world->scene->emitters[index];
    const sim_driven_emitter *driven = sim_find_driven_emitter(world, index);
    double d = (double)world->scene->spacing;
    /* A layer leaves when the middle of the fluid that it represents does, so that the first layer
     * of a flow that starts from rest has a speed. */
    if (e->speed_key_count) return scene_emitter_time(e, ((double)layer + 0.5) * d);
    if (driven) return driven->origin_s + (double)layer * (d / (double)driven->speed);
    return (double)e->start_s + (double)layer * (d / (double)e->speed);
}

/* Returns whether the next layer of an emitter leaves before `end_s`, and the time at which it
 * does. */
static bool is_layer_due(const sim_world *world, uint32_t index, const sim_emitter_state *state,
                         double end_s, double *time_s)
{
    const scene_emitter *e = &world->scene->emitters[index];
    const sim_driven_emitter *driven = sim_find_driven_emitter(world, index);
    *time_s = layer_time(world, index, state->next_layer);
    bool open = driven ? driven->open : *time_s <= (double)e->end_s;
    return *time_s < end_s && open && state->emitted + state->site_count <= e->max_particles;
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
    uint64_t particles = 0;
    double time;
    for (uint32_t i = 0; i < world->scene->emitter_count; i++) {
        sim_emitter_state state = world->emitters[i];
        for (; layers <= SIM_MAX_EMISSIONS && is_layer_due(world, i, &state, end_s, &time);
             layers++) {
            state.next_layer++;
            state.emitted += state.site_count;
            particles += state.site_count;
        }
    }
    const sim_hose *hose = &world->hose;
    time = find_next_hose_layer(hose, world->time_s);
    for (; hose->open && time < end_s && layers <= SIM_MAX_EMISSIONS;
         time += hose->layer_interval_s) {
        layers++;
        particles += world->emitters[world->scene->emitter_count].site_count;
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

uint32_t sim_not_emitted_count(const sim_world *world)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->scene->emitter_count; i++) {
        const sim_emitter_state *e = &world->emitters[i];
        sum += (uint64_t)e->next_layer * e->site_count - e->emitted;
    }
    return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

/* Appends a layer that leaves `in_frame_s` after the start of the frame, `lead_s` before the next
 * one. */
static void append_emission(const sim_world *world, uint32_t index, double in_frame_s,
                            double lead_s, sim_emission_plan *plan)
{
    plan->items[plan->count] = (struct sim_emission){
        .emitter = index,
        .particle_count = world->emitters[index].site_count,
        .time = (float)(in_frame_s > 0.0 ? in_frame_s : 0.0),
        .lead = sim_emitters_lead(world->scene) ? (float)lead_s : 0.0f,
    };
    plan->particles += plan->items[plan->count++].particle_count;
}

/* Gives the layer that was added last an emitter of its own, because the opening has moved since
 * the layer before. */
static void set_moving_emitter(const sim_world *world, uint32_t index, double time_s,
                               const double span[2], sim_emission_plan *plan)
{
    struct sim_emitter here = sim_emitter_at_time(world, index, fmax(time_s, span[0]), span);
    const vec4 *v = &here.velocity;
    plan->max_speed = fmaxf(plan->max_speed, vec3_length(vec3_make(v->x, v->y, v->z)));
    plan->items[plan->count - 1].emitter = world->scene->emitter_count + 1 + plan->moving_count;
    plan->moving_emitters[plan->moving_count++] = here;
}

/* Returns how long after its release at `time_s` a layer is led, s: until the next layer leaves,
 * but not for much longer than at this speed, or the last layer of a flow that stops would hang
 * there. */
static double lead_time(const sim_world *world, uint32_t index, double time_s,
                        const sim_emitter_state *state)
{
    const scene_emitter *e = &world->scene->emitters[index];
    double speed = e->speed_key_count ? (double)scene_emitter_speed(e, time_s) : (double)e->speed;
    double next = layer_time(world, index, state->next_layer) - time_s;
    return speed > 0.0 ? fmin(next, 2.0 * (double)world->scene->spacing / speed) : 0.0;
}

/* Plans the layers of one emitter that leave before the end of the span. */
static void plan_emitter_layers(sim_world *world, uint32_t index, const double span[2],
                                sim_emission_plan *plan)
{
    const scene_emitter *e = &world->scene->emitters[index];
    sim_emitter_state *state = &world->emitters[index];
    double time;
    while (plan->count < SIM_MAX_EMISSIONS && is_layer_due(world, index, state, span[1], &time)) {
        state->next_layer++;
        if (is_domain_full(world, world->next_id + plan->particles, state->site_count)) continue;
        append_emission(world, index, time - span[0], lead_time(world, index, time, state), plan);
        if (sim_emitter_is_moving(e))
            set_moving_emitter(world, index, time, span, plan);
        else
            plan->max_speed = fmaxf(plan->max_speed, e->speed);
        state->emitted += state->site_count;
    }
}

/* Plans the layers of the hose that leave before the end of the span. */
static void plan_hose_layers(sim_world *world, const double span[2], sim_emission_plan *plan)
{
    sim_hose *hose = &world->hose;
    const vec4 *v = &hose->emitter.velocity;
    hose->next_layer_s = find_next_hose_layer(hose, span[0]);
    for (; hose->open && hose->next_layer_s < span[1] && plan->count < SIM_MAX_EMISSIONS;
         hose->next_layer_s += hose->layer_interval_s) {
        append_emission(world, world->scene->emitter_count, hose->next_layer_s - span[0],
                        hose->layer_interval_s, plan);
        plan->max_speed = fmaxf(plan->max_speed, vec3_length(vec3_make(v->x, v->y, v->z)));
    }
}

void sim_plan_emissions(sim_world *world, double start_s, double seconds, sim_emission_plan *plan)
{
    uint32_t before = 0;
    const double span[2] = {start_s, start_s + seconds};
    plan->count = plan->moving_count = plan->particles = 0;
    plan->max_speed = 0.0f;
    sim_driven_emitters_begin(world, span[0], span[1]);
    for (uint32_t i = 0; i < world->scene->emitter_count; i++)
        plan_emitter_layers(world, i, span, plan);
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

uint64_t sim_max_emitted(const scene_data *scene, double seconds)
{
    double total = 0.0, d = (double)scene->spacing;
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        const scene_emitter *e = &scene->emitters[i];
        double r = (double)e->radius, speed = (double)scene_emitter_max_speed(e);
        double area = r > 0.0 ? 3.14159265358979 * r * r : (double)e->width * (double)e->height;
        double end = fmin((double)e->end_s, seconds), start = (double)e->start_s;
        double layers = end > start ? (end - start) * speed / d + 1.0 : 0.0;
        total += fmin(layers * (area / (d * d) + 1.0), (double)e->max_particles);
    }
    return (uint64_t)total;
}
