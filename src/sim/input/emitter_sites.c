/* The sites from which emitters release particles: lattices in openings and in shapes, and points
 * on the surfaces of shapes. Sites where the profile of the flow has about the same speed form a
 * stream. */
#include "sim_input.h"

#define PROFILE_SPEEDS 12 /* at most so many streams for an emitter with a profile */
#define MAX_LATTICE_SITES (1 << 24)

#define SURFACE_GAP 0.7f /* spacings: smallest distance between sites on a surface */
#define FILLED_GAP 0.45f /* spacings: sites nearer to fluid at the start are not filled again */

typedef BASE_ARRAY(struct sim_emitter_site) site_array;

/* Sites that lie where no particle may be. */
typedef struct lost_sites {
    uint32_t outside, blocked;
    vec3 first; /* m */
} lost_sites;

typedef struct site_builder {
    const weir_log *log;
    const scene_data *scene;
    const solid_set *solids;
    const scene_emitter *emitter;
    sim_fill_obstacles *obstacles; /* NULL for openings */
    float d;
    bool planar;
    vec3 origin, across; /* of the emitter's frame; the other axes are its up and direction */
    site_array sites;    /* of all layers but the first */
    site_array fill;     /* of the first layer, if it fills a shape */
    lost_sites lost;
    float time_s; /* in the shape's sequence of meshes */
} site_builder;

static float shape_distance(const site_builder *b, vec3 p)
{
    return solid_shape_distance_at(b->solids, b->emitter->shape, b->time_s, p);
}

/* ---- the lattice of a shape ----------------------------------------------------------------- */

/* Sites along one axis, in spacings from the origin. */
typedef struct site_axis {
    uint32_t count;
    float first;
} site_axis;

static site_axis make_axis(float low, float high, float d)
{
    const float extent = (high - low) / d;
    const float count = fmaxf(floorf(extent + 1e-3f), 1.0f);
    return (site_axis){(uint32_t)fminf(count, 1e9f), low / d + 0.5f * (extent - (count - 1.0f))};
}

/* Returns the box of the shape that lies in the domain. */
static void clipped_bounds(const site_builder *b, float margin, vec3 *low, vec3 *high)
{
    solid_shape_bounds(b->solids, b->emitter->shape, low, high);
    const vec3 more = {margin, margin, margin};
    *low = vec3_max(vec3_sub(*low, more), b->scene->domain.min);
    *high = vec3_min(vec3_add(*high, more), b->scene->domain.max);
    if (b->planar) low->z = high->z = b->origin.z;
}

/* Finds the lattice that covers a box, along three axes. Returns false if it has too many sites. */
static bool find_lattice(const site_builder *b, const vec3 box[2], const vec3 axes[3],
                         site_axis lattice[3])
{
    double total = 1.0;
    for (int axis = 0; axis < 3; axis++) {
        float low = INFINITY, high = -INFINITY;
        for (int corner = 0; corner < 8; corner++) {
            vec3 p = {box[corner & 1].x, box[corner >> 1 & 1].y, box[corner >> 2].z};
            float along = vec3_dot(vec3_sub(p, b->origin), axes[axis]);
            low = fminf(low, along), high = fmaxf(high, along);
        }
        lattice[axis] = make_axis(low, high, b->d);
        total *= lattice[axis].count;
    }
    return total <= MAX_LATTICE_SITES;
}

static vec3 frame_point(const site_builder *b, vec3 at)
{
    const scene_emitter *e = b->emitter;
    vec3 p = vec3_add(b->origin, vec3_scale(b->across, b->d * at.x));
    p = vec3_add(p, vec3_scale(e->up, b->d * at.y));
    return vec3_add(p, vec3_scale(e->direction, b->d * at.z));
}

/* Returns whether a particle may be released at p, which the shape contains; counts others. */
static bool is_free(site_builder *b, vec3 p)
{
    const bool outside = !scene_is_inside(&b->scene->domain, p);
    const bool blocked =
        !outside && sim_fill_obstacle_near(b->obstacles, p) == SIM_OBSTACLE_BOUNDARY;
    if (!outside && !blocked) return true;
    if (b->lost.outside + b->lost.blocked == 0) b->lost.first = p;
    b->lost.outside += outside;
    b->lost.blocked += blocked;
    return false;
}

/* Returns whether the scene's fluid fills a point when the emitter opens. */
static bool is_filled_at_start(const site_builder *b, vec3 p)
{
    const scene_data *scene = b->scene;
    for (uint32_t i = 0; b->emitter->start_s == 0.0f && i < scene->fluid_count; i++)
        for (uint32_t k = 0; k < scene->fluids[i].fill_count; k++) {
            const scene_fill *fill = &scene->fluids[i].fills[k];
            if (fill->kind == SCENE_FILL_SHAPE &&
                solid_shape_distance(b->solids, fill->shape, p) < FILLED_GAP * b->d)
                return true;
        }
    return false;
}

/* Adds the sites of a line along the flow, from its end: each run of sites in the shape is fed at
 * its first one. */
static bool add_column(site_builder *b, float x, float y, const site_axis *along)
{
    bool fits = true;
    struct sim_emitter_site site = {.at = {x, y, 0, 0}, .direction = {0, 0, 1, 0}};
    for (uint32_t k = along->count; k-- > 0 && fits;) {
        const vec3 at = {x, y, along->first + (float)k};
        const vec3 p = frame_point(b, at);
        const bool inside = shape_distance(b, p) <= 0.0f;
        if (inside && is_free(b, p)) {
            site.at.z = at.z;
            site.at.w += 1.0f;
            if (b->emitter->prefill && !is_filled_at_start(b, p))
                fits = BASE_ARRAY_PUSH(&b->fill, site);
        } else {
            if (site.at.w > 0.0f) fits = BASE_ARRAY_PUSH(&b->sites, site);
            site.at.w = 0.0f;
        }
    }
    return fits && (site.at.w == 0.0f || BASE_ARRAY_PUSH(&b->sites, site));
}

static weir_result fail_memory(const site_builder *b)
{
    return base_fail(b->log, WEIR_ERROR_MEMORY, "not enough memory for the emitters");
}

static weir_result fail_too_large(const site_builder *b)
{
    const scene_emitter *e = b->emitter;
    return base_fail(b->log, WEIR_ERROR_SCENE,
                     "%s:%d:%d: the shape of emitter '%s' spans more than %d sites at a spacing of "
                     "%g m: make it smaller, or raise spacing",
                     b->scene->source, e->line, e->column, e->name, MAX_LATTICE_SITES,
                     (double)b->d);
}

static weir_result add_volume_sites(site_builder *b)
{
    vec3 box[2];
    site_axis lattice[3];
    clipped_bounds(b, 0.0f, &box[0], &box[1]);
    const vec3 axes[3] = {b->across, b->emitter->up, b->emitter->direction};
    if (!find_lattice(b, box, axes, lattice)) return fail_too_large(b);
    if (b->planar) lattice[0] = (site_axis){1, 0.0f};
    bool fits = true;
    for (uint32_t y = 0; y < lattice[1].count; y++)
        for (uint32_t x = 0; x < lattice[0].count && fits; x++)
            fits = add_column(b, lattice[0].first + (float)x, lattice[1].first + (float)y,
                              &lattice[2]);
    return fits ? WEIR_OK : fail_memory(b);
}

/* ---- surfaces -------------------------------------------------------------------------------- */

static vec3 surface_normal(const site_builder *b, vec3 p)
{
    const float step = 0.5f * b->d;
    float slope[3] = {0, 0, 0};
    for (int axis = 0; axis < (b->planar ? 2 : 3); axis++) {
        vec3 e = {axis == 0 ? step : 0, axis == 1 ? step : 0, axis == 2 ? step : 0};
        slope[axis] = shape_distance(b, vec3_add(p, e)) - shape_distance(b, vec3_sub(p, e));
    }
    vec3 normal = {slope[0], slope[1], slope[2]};
    const float length = vec3_length(normal);
    return length > 0.0f ? vec3_scale(normal, 1.0f / length) : normal;
}

/* Sites of a surface by the site of the lattice that they stem from. */
typedef struct surface_lattice {
    site_axis axes[3];
    uint32_t *kept; /* per site of the lattice: index in the builder's sites + 1; 0: none */
} surface_lattice;

/* Returns whether a site at most two steps before the given one lies too near to `at`. */
static bool is_too_near(const site_builder *b, const surface_lattice *lattice,
                        const uint32_t index[3], vec3 at)
{
    const site_axis *axes = lattice->axes;
    for (int k = 0; k < 125; k++) {
        const int64_t near[3] = {(int64_t)index[0] + k % 5 - 2, (int64_t)index[1] + k / 5 % 5 - 2,
                                 (int64_t)index[2] + k / 25 - 2};
        bool exists = true;
        for (int axis = 0; axis < 3; axis++)
            exists = exists && near[axis] >= 0 && near[axis] < axes[axis].count;
        if (!exists) continue;
        const size_t slot =
            ((size_t)near[2] * axes[1].count + (size_t)near[1]) * axes[0].count + (size_t)near[0];
        if (!lattice->kept[slot]) continue;
        const vec4 other = b->sites.items[lattice->kept[slot] - 1].at;
        const vec3 apart = {at.x - other.x, at.y - other.y, at.z - other.z};
        if (vec3_dot(apart, apart) < SURFACE_GAP * SURFACE_GAP) return true;
    }
    return false;
}

/* Moves sites within a spacing of the surface to half a spacing from it, and keeps those that are
 * far enough from earlier ones. */
static bool add_surface_site(site_builder *b, surface_lattice *lattice, const uint32_t index[3])
{
    const site_axis *axes = lattice->axes;
    vec3 at = {axes[0].first + (float)index[0], axes[1].first + (float)index[1],
               axes[2].first + (float)index[2]};
    vec3 p = vec3_add(b->origin, vec3_scale(at, b->d));
    const float distance = shape_distance(b, p);
    if (distance <= 0.0f || distance > b->d) return true;
    const vec3 n = surface_normal(b, p);
    p = vec3_add(p, vec3_scale(n, 0.5f * b->d - distance));
    const vec3 relative = vec3_scale(vec3_sub(p, b->origin), 1.0f / b->d);
    const vec3 up = b->emitter->up, forward = b->emitter->direction;
    at = vec3_make(vec3_dot(relative, b->across), vec3_dot(relative, up),
                   vec3_dot(relative, forward));
    if (vec3_dot(n, n) == 0.0f || is_too_near(b, lattice, index, at) || !is_free(b, p)) return true;
    const struct sim_emitter_site site = {
        .at = {at.x, at.y, at.z, 1.0f},
        .direction = {vec3_dot(n, b->across), vec3_dot(n, up), vec3_dot(n, forward), 0.0f}};
    if (!BASE_ARRAY_PUSH(&b->sites, site)) return false;
    lattice->kept[((size_t)index[2] * axes[1].count + index[1]) * axes[0].count + index[0]] =
        (uint32_t)b->sites.count;
    return true;
}

static weir_result add_surface_sites(site_builder *b)
{
    static const vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    vec3 box[2];
    surface_lattice lattice;
    clipped_bounds(b, b->d, &box[0], &box[1]);
    if (!find_lattice(b, box, axes, lattice.axes)) return fail_too_large(b);
    if (b->planar) lattice.axes[2] = (site_axis){1, 0.0f};
    const site_axis *a = lattice.axes;
    lattice.kept = base_alloc((size_t)a[0].count * a[1].count * a[2].count, sizeof *lattice.kept);
    bool fits = lattice.kept != NULL;
    for (uint32_t z = 0; z < a[2].count; z++)
        for (uint32_t y = 0; y < a[1].count; y++)
            for (uint32_t x = 0; x < a[0].count && fits; x++)
                fits = add_surface_site(b, &lattice, (const uint32_t[3]){x, y, z});
    base_free(lattice.kept);
    return fits ? WEIR_OK : fail_memory(b);
}

/* ---- openings -------------------------------------------------------------------------------- */

static weir_result add_opening_sites(site_builder *b)
{
    const uint32_t count = scene_opening_sites(b->emitter, b->d, b->planar, NULL);
    scene_site *at = base_alloc(count, sizeof *at);
    bool fits = at && BASE_ARRAY_RESERVE(&b->sites, count);
    if (fits) scene_opening_sites(b->emitter, b->d, b->planar, at);
    for (uint32_t i = 0; fits && i < count; i++)
        b->sites.items[b->sites.count++] =
            (struct sim_emitter_site){.at = {at[i].x, at[i].y, 0, 1}, .direction = {0, 0, 1, 0}};
    base_free(at);
    return fits ? WEIR_OK : fail_memory(b);
}

/* ---- profiles -------------------------------------------------------------------------------- */

/* The cross-section of the flow as squares, one spacing wide, and the speed in each, over the
 * mean. */
typedef struct cross_section {
    uint32_t width, height;
    float low_x, low_y; /* spacings: centre of the first square */
    bool *open;
    float *speed;
} cross_section;

static size_t square_of(const cross_section *c, const struct sim_emitter_site *site)
{
    return (size_t)lroundf(site->at.y - c->low_y) * c->width +
           (size_t)lroundf(site->at.x - c->low_x);
}

static bool make_cross_section(const site_array *sites, cross_section *c)
{
    vec2 low = {INFINITY, INFINITY}, high = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < sites->count; i++) {
        const vec4 at = sites->items[i].at;
        low = (vec2){fminf(low.x, at.x), fminf(low.y, at.y)};
        high = (vec2){fmaxf(high.x, at.x), fmaxf(high.y, at.y)};
    }
    *c = (cross_section){.width = (uint32_t)lroundf(high.x - low.x) + 1,
                         .height = (uint32_t)lroundf(high.y - low.y) + 1,
                         .low_x = low.x,
                         .low_y = low.y};
    c->open = base_alloc((size_t)c->width * c->height, sizeof *c->open);
    c->speed = base_alloc((size_t)c->width * c->height, sizeof *c->speed);
    if (!c->open || !c->speed) return false;
    for (size_t i = 0; i < sites->count; i++)
        c->open[square_of(c, &sites->items[i])] = true;
    return true;
}

/* Adds a neighbour of a square to the equation of its speed. The wall before a closed one is half
 * as far away. */
static void add_neighbour(const cross_section *c, bool exists, size_t to, double *sum,
                          double *weight)
{
    const bool open = exists && c->open[to];
    *sum += open ? (double)c->speed[to] : 0.0;
    *weight += open ? 1.0 : 2.0;
}

/* Solves laplace(u) = -1 with u = 0 at the walls by successive over-relaxation: the profile of
 * laminar flow in a duct with this cross-section, in two dimensions between plates. Faces between
 * open and closed squares are walls. */
static void solve_duct_flow(cross_section *c, bool planar)
{
    const uint32_t w = c->width, h = c->height, size = w > h ? w : h;
    const double relaxation = 2.0 / (1.0 + sin(3.14159265358979 / (size + 1.0)));
    for (uint32_t sweep = 0; sweep < 8 * size + 40; sweep++)
        for (size_t at = 0; at < (size_t)w * h; at++) {
            const uint32_t x = (uint32_t)(at % w), y = (uint32_t)(at / w);
            double sum = 1.0, weight = 0.0;
            if (!c->open[at]) continue;
            add_neighbour(c, y > 0, at - w, &sum, &weight);
            add_neighbour(c, y + 1 < h, at + w, &sum, &weight);
            if (!planar) add_neighbour(c, x > 0, at - 1, &sum, &weight);
            if (!planar) add_neighbour(c, x + 1 < w, at + 1, &sum, &weight);
            const double speed = (double)c->speed[at];
            c->speed[at] = (float)(speed + relaxation * (sum / weight - speed));
        }
}

/* ---- streams --------------------------------------------------------------------------------- */

/* Appends the sites whose number in `group` is `wanted`. */
static bool append_sites(sim_streams *streams, const site_array *from, const uint32_t *group,
                         uint32_t wanted)
{
    bool fits = true;
    for (size_t i = 0; fits && i < from->count; i++)
        if (group[i] == wanted) fits = BASE_ARRAY_PUSH(&streams->sites, from->items[i]);
    return fits;
}

static bool append_stream(const site_builder *b, const uint32_t *group, uint32_t wanted,
                          float speed_factor, sim_streams *streams)
{
    const uint32_t *fill_group = group + b->sites.count;
    const scene_emitter *e = b->emitter;
    sim_stream stream = {.emitter = (uint32_t)(e - b->scene->emitters),
                         .speed_factor = speed_factor,
                         .area = (float)b->sites.count * b->d * (b->planar ? 1.0f : b->d),
                         .first_site = (uint32_t)streams->sites.count};
    if (!append_sites(streams, &b->sites, group, wanted)) return false;
    stream.first_fill = (uint32_t)streams->sites.count;
    stream.site_count = stream.first_fill - stream.first_site;
    if (!append_sites(streams, &b->fill, fill_group, wanted)) return false;
    stream.fill_count = (uint32_t)streams->sites.count - stream.first_fill;
    const bool fills = e->has_shape && e->emission == SCENE_EMISSION_VOLUME && e->prefill &&
                       b->fill.count <= e->max_particles;
    if (!fills) {
        stream.first_fill = stream.first_site;
        stream.fill_count = stream.site_count;
    }
    return BASE_ARRAY_PUSH(&streams->list, stream);
}

/* Finds the stream of each site, and the speed of each stream. */
static void group_by_speed(const site_builder *b, const cross_section *c, uint32_t *group,
                           float factors[PROFILE_SPEEDS], uint32_t counts[PROFILE_SPEEDS])
{
    double total = 0.0, sums[PROFILE_SPEEDS] = {0}, fastest = 0.0;
    for (size_t i = 0; i < b->sites.count; i++) {
        const double speed = (double)c->speed[square_of(c, &b->sites.items[i])];
        total += speed;
        fastest = fmax(fastest, speed);
    }
    for (size_t i = 0; i < b->sites.count + b->fill.count; i++) {
        const bool later = i < b->sites.count;
        const struct sim_emitter_site *site =
            later ? &b->sites.items[i] : &b->fill.items[i - b->sites.count];
        const double speed = (double)c->speed[square_of(c, site)];
        group[i] = (uint32_t)fmin(PROFILE_SPEEDS * speed / fastest, PROFILE_SPEEDS - 1.0);
        sums[group[i]] += later ? speed : 0.0;
        counts[group[i]] += later;
    }
    const double mean = total / (double)b->sites.count;
    for (int k = 0; k < PROFILE_SPEEDS; k++)
        factors[k] = counts[k] ? (float)(sums[k] / (counts[k] * mean)) : 0.0f;
}

static weir_result append_streams(const site_builder *b, sim_streams *streams)
{
    float factors[PROFILE_SPEEDS] = {1.0f};
    uint32_t counts[PROFILE_SPEEDS] = {(uint32_t)b->sites.count};
    uint32_t *group = base_alloc(b->sites.count + b->fill.count, sizeof *group);
    cross_section c = {0};
    bool fits = group != NULL;
    if (fits && b->emitter->profile == SCENE_PROFILE_PARABOLIC) {
        fits = make_cross_section(&b->sites, &c);
        counts[0] = 0;
        if (fits) solve_duct_flow(&c, b->planar);
        if (fits) group_by_speed(b, &c, group, factors, counts);
    }
    for (uint32_t k = 0; k < PROFILE_SPEEDS && fits; k++)
        if (counts[k]) fits = append_stream(b, group, k, factors[k], streams);
    base_free(c.open);
    base_free(c.speed);
    base_free(group);
    return fits ? WEIR_OK : fail_memory(b);
}

static weir_result check_sites(const site_builder *b)
{
    const scene_emitter *e = b->emitter;
    const double d = (double)b->d, area = (double)b->sites.count * (b->planar ? d : d * d);
    const double rate = (double)scene_emitter_max_speed(e);
    const lost_sites *lost = &b->lost;
    if (b->sites.count == 0)
        return base_fail(b->log, WEIR_ERROR_SCENE,
                         "%s:%d:%d: emitter '%s' has no site for a particle: %u sites in its shape "
                         "lie outside the domain and %u at or in solids; make the shape at least a "
                         "spacing (%g m) thick, or move it",
                         b->scene->source, e->line, e->column, e->name, lost->outside,
                         lost->blocked, d);
    if (e->speed_is_flow_rate && !scene_is_emitter_speed(rate / area))
        return base_fail(b->log, WEIR_ERROR_SCENE,
                         "%s:%d:%d: emitter '%s': a flow rate of %g m³/s is a speed of %g m/s "
                         "through %g m²; expected %g to %g m/s",
                         b->scene->source, e->line, e->column, e->name, rate, rate / area, area,
                         (double)SCENE_EMITTER_MIN_SPEED, (double)SCENE_EMITTER_MAX_SPEED);
    if (lost->outside + lost->blocked)
        base_log(b->log, WEIR_LOG_WARNING,
                 "%s:%d:%d: emitter '%s': %u of the sites in its shape lie outside the domain and "
                 "%u at or in solids, and emit nothing; the first is at (%.4g, %.4g, %.4g) m",
                 b->scene->source, e->line, e->column, e->name, lost->outside, lost->blocked,
                 (double)lost->first.x, (double)lost->first.y, (double)lost->first.z);
    return WEIR_OK;
}

static weir_result check_place(const site_builder *b)
{
    const scene_emitter *e = b->emitter;
    vec3 low, high, clipped[2];
    solid_shape_bounds(b->solids, e->shape, &low, &high);
    clipped_bounds(b, 0.0f, &clipped[0], &clipped[1]);
    if (clipped[0].x <= clipped[1].x && clipped[0].y <= clipped[1].y &&
        clipped[0].z <= clipped[1].z)
        return WEIR_OK;
    return base_fail(b->log, WEIR_ERROR_SCENE,
                     "%s:%d:%d: the shape of emitter '%s' is outside the domain, from (%.4g, %.4g, "
                     "%.4g) to (%.4g, %.4g, %.4g) m; move it in",
                     b->scene->source, e->line, e->column, e->name, (double)low.x, (double)low.y,
                     (double)low.z, (double)high.x, (double)high.y, (double)high.z);
}

static weir_result add_shape_sites(site_builder *b)
{
    return b->emitter->emission == SCENE_EMISSION_SURFACE ? add_surface_sites(b)
                                                          : add_volume_sites(b);
}

static weir_result fail_sequence(const site_builder *b)
{
    const scene_emitter *e = b->emitter;
    return base_fail(b->log, WEIR_ERROR_SCENE,
                     "%s:%d:%d: the files of emitter '%s' have more than %d sites in all at a "
                     "spacing of %g m: give fewer files, or raise spacing",
                     b->scene->source, e->line, e->column, e->name, MAX_LATTICE_SITES,
                     (double)b->d);
}

/* Adds the sites of each file of a sequence. */
static weir_result append_variants(site_builder *b, sim_streams *streams)
{
    weir_result result = WEIR_OK;
    sim_stream *stream = &streams->list.items[streams->list.count - 1];
    const scene_sequence_times *sequence = &b->emitter->sequence;
    const uint32_t files = (uint32_t)lroundf(sequence->end_s * sequence->rate_hz) + 1;
    stream->first_variant = (uint32_t)streams->variants.count;
    stream->variant_count = files;
    stream->variant_rate_hz = sequence->rate_hz;
    bool fits = true;
    for (uint32_t file = 0; file < files && fits && result == WEIR_OK; file++) {
        b->time_s = (float)file / sequence->rate_hz;
        b->sites.count = b->fill.count = 0;
        result = add_shape_sites(b);
        if (streams->sites.count + b->sites.count > MAX_LATTICE_SITES) return fail_sequence(b);
        const sim_stream_variant variant = {(uint32_t)streams->sites.count,
                                            (uint32_t)b->sites.count};
        for (size_t i = 0; i < b->sites.count && fits; i++)
            fits = BASE_ARRAY_PUSH(&streams->sites, b->sites.items[i]);
        fits = fits && BASE_ARRAY_PUSH(&streams->variants, variant);
    }
    return fits ? result : fail_memory(b);
}

static weir_result add_emitter(site_builder *b, sim_streams *streams)
{
    weir_result result;
    const scene_emitter *e = b->emitter;
    if (!e->has_shape) {
        WEIR_GOTO_IF_ERROR(add_opening_sites(b));
    } else {
        WEIR_GOTO_IF_ERROR(check_place(b));
        b->time_s = e->start_s;
        b->obstacles = sim_fill_obstacles_create(b->scene, b->solids);
        if (!b->obstacles) WEIR_GOTO_IF_ERROR(fail_memory(b));
        WEIR_GOTO_IF_ERROR(add_shape_sites(b));
        WEIR_GOTO_IF_ERROR(check_sites(b));
    }
    WEIR_GOTO_IF_ERROR(append_streams(b, streams));
    if (e->sequence.rate_hz > 0.0f) result = append_variants(b, streams);
fail:
    sim_fill_obstacles_destroy(&b->obstacles);
    BASE_ARRAY_FREE(&b->sites);
    BASE_ARRAY_FREE(&b->fill);
    return result;
}

weir_result sim_streams_create(const weir_log *log, const scene_data *scene,
                               const solid_set *solids, sim_streams *streams)
{
    *streams = (sim_streams){0};
    for (uint32_t i = 0; i < scene->emitter_count; i++) {
        const scene_emitter *e = &scene->emitters[i];
        site_builder b = {.log = log,
                          .scene = scene,
                          .solids = solids,
                          .emitter = e,
                          .d = scene->spacing,
                          .planar = scene->solver.dimensions == 2,
                          .origin = e->position,
                          .across = vec3_cross(e->up, e->direction)};
        if (b.planar) b.origin.z = scene_plane(scene);
        WEIR_RETURN_IF_ERROR(add_emitter(&b, streams));
    }
    return WEIR_OK;
}

void sim_streams_free(sim_streams *streams)
{
    BASE_ARRAY_FREE(&streams->list);
    BASE_ARRAY_FREE(&streams->sites);
    BASE_ARRAY_FREE(&streams->variants);
}

/* Returns the largest number of particles of a later layer. */
static uint32_t max_layer_size(const sim_streams *streams, const sim_stream *stream)
{
    uint32_t most = stream->site_count;
    for (uint32_t i = 0; i < stream->variant_count; i++) {
        const uint32_t size = streams->variants.items[stream->first_variant + i].site_count;
        most = size > most ? size : most;
    }
    return most;
}

uint64_t sim_max_emitted(const scene_data *scene, const sim_streams *streams, double seconds)
{
    double total = 0.0;
    uint32_t i = 0;
    for (uint32_t index = 0; index < scene->emitter_count; index++) {
        const scene_emitter *e = &scene->emitters[index];
        double sum = 0.0, end = fmin((double)e->end_s, seconds), start = (double)e->start_s;
        for (; i < streams->list.count && streams->list.items[i].emitter == index; i++) {
            const sim_stream *s = &streams->list.items[i];
            const double speed = (double)scene_emitter_max_speed(e) * sim_stream_speed_scale(e, s);
            const double moved = end > start ? (end - start) * speed / (double)scene->spacing : 0.0;
            sum += end > start ? moved * max_layer_size(streams, s) + s->fill_count : 0.0;
        }
        total += fmin(sum, (double)e->max_particles);
    }
    return (uint64_t)total;
}

double sim_stream_speed_scale(const scene_emitter *emitter, const sim_stream *stream)
{
    const double factor = (double)stream->speed_factor;
    return emitter->speed_is_flow_rate ? factor / (double)stream->area : factor;
}
