/* Fills the fluids with their initial particles: lattices in shapes, and particle files. */
#include "io.h"
#include "scene_query.h"
#include "sim_input.h"

/* Particles that were left out for one reason. */
typedef struct skipped_particles {
    uint32_t count;
    vec3 first; /* m */
} skipped_particles;

/* Particles that were left out. Two messages per fill report them. */
typedef struct skipped_counts {
    skipped_particles in_body, in_boundary, outside, occupied;
} skipped_counts;

/* A particle of a lattice or of a file. */
typedef struct fill_particle {
    vec3 position, velocity; /* m, m/s; the fill's own velocity is added */
    uint32_t id;
    const vec4 *attributes; /* [attribute_vectors] */
} fill_particle;

/* Finds points closer than half a spacing to earlier ones, by a hash of cells of that size. Sites
 * that are moved to a gap of half a spacing may be half a spacing from the next ones: those stay.
 */
typedef struct point_set {
    uint32_t *heads; /* index of a point + 1, by the hash of its cell; 0: none */
    uint32_t *next;
    size_t bucket_count, capacity;
    float cell;
} point_set;

typedef struct fill_context {
    const weir_log *log;
    const scene_data *scene;
    const solid_set *solids;
    sim_fill_obstacles *obstacles;
    sim_initial_particles *out;
    point_set set;
    const scene_fill *fill;
    vec4 attributes[SIM_MAX_ATTRIBUTE_VECTORS]; /* of the particles of `fill` */
    uint32_t attribute_vectors;
    uint32_t rest_positions; /* bits of first components: those that the particles' source lacks */
    float fluid;
    size_t file_start; /* particles from this one on are of the same file; SIZE_MAX: none */
    grid_fixed_point fixed;
    double rest[3]; /* m: the lattice site minus the site rounded to floats */
    bool planar;    /* two dimensions: one layer in the plane */
    bool is_start;  /* the particles are those of a state, and stay where they are in free space */
    bool moves_out; /* moves particles out of obstacles instead of leaving them out */
    float plane;
    skipped_counts left;
    uint32_t moved_out;
    sim_sea_start sea;
} fill_context;

static size_t find_bucket(const point_set *set, int64_t x, int64_t y, int64_t z)
{
    uint64_t key = base_hash_mix64((uint64_t)x) ^ base_hash_mix64((uint64_t)y + 0x9e37u) * 3u ^
                   base_hash_mix64((uint64_t)z + 0x79b9u) * 7u;
    return (size_t)key & (set->bucket_count - 1);
}

static bool grow_point_set(point_set *set, const sim_initial_particles *particles, size_t count)
{
    size_t buckets = 1024;
    while (buckets < 2 * count)
        buckets *= 2;
    uint32_t *next = base_realloc(set->next, buckets, sizeof *next);
    if (!next) return false;
    set->next = next;
    set->capacity = buckets;
    if (buckets == set->bucket_count) return true;
    base_free(set->heads);
    set->heads = base_alloc(buckets, sizeof *set->heads);
    set->bucket_count = buckets;
    if (!set->heads) return false;
    for (size_t i = 0; i < count && i < particles->x.count; i++) {
        vec4 p = particles->x.items[i];
        size_t b = find_bucket(set, (int64_t)floorf(p.x / set->cell),
                               (int64_t)floorf(p.y / set->cell), (int64_t)floorf(p.z / set->cell));
        set->next[i] = set->heads[b];
        set->heads[b] = (uint32_t)i + 1;
    }
    return true;
}

/* Returns whether a particle of a bucket is too near to p. Particles of one file may be as near to
 * each other as the file says, but not in the same place. */
static bool bucket_has_near_point(const fill_context *f, size_t bucket, vec3 p)
{
    float limit = 0.98f * f->set.cell, limit2 = limit * limit;
    for (uint32_t i = f->set.heads[bucket]; i; i = f->set.next[i - 1]) {
        vec4 q = f->out->x.items[i - 1];
        vec3 d = vec3_sub(p, vec3_make(q.x, q.y, q.z));
        float squared = vec3_dot(d, d);
        if (i - 1 < f->file_start ? squared < limit2 : squared == 0.0f) return true;
    }
    return false;
}

static bool is_occupied(const fill_context *f, vec3 p)
{
    int64_t x = (int64_t)floorf(p.x / f->set.cell), y = (int64_t)floorf(p.y / f->set.cell),
            z = (int64_t)floorf(p.z / f->set.cell);
    for (int64_t dz = -1; dz <= 1; dz++)
        for (int64_t dy = -1; dy <= 1; dy++)
            for (int64_t dx = -1; dx <= 1; dx++)
                if (bucket_has_near_point(f, find_bucket(&f->set, x + dx, y + dy, z + dz), p))
                    return true;
    return false;
}

/* Appends the velocity gradient of the fill at p: APIC particles carry it from the start. */
static bool append_gradient(fill_context *f, vec3 p)
{
    vec3 rows[3];
    bool fits = true;
    if (f->scene->solver.method != SCENE_METHOD_APIC) return true;
    sim_fill_velocity_gradient_at(f->fill, p, rows);
    for (int axis = 0; axis < 3 && fits; axis++) {
        vec4 row = {rows[axis].x, rows[axis].y, f->planar ? 0.0f : rows[axis].z, 0.0f};
        if (f->planar && axis == 2) row = (vec4){0};
        fits = BASE_ARRAY_PUSH(&f->out->velocity_gradients, row);
    }
    return fits;
}

/* Appends the attributes of a particle at p. */
static bool append_attributes(fill_context *f, vec3 p, const fill_particle *from)
{
    vec4 values[SIM_MAX_ATTRIBUTE_VECTORS];
    bool fits = true;
    memcpy(values, from->attributes, f->attribute_vectors * sizeof *values);
    for (uint32_t first = 0; f->rest_positions >> first; first++)
        if (f->rest_positions >> first & 1u) memcpy(&values[0].x + first, &p, sizeof p);
    for (uint32_t k = 0; k < f->attribute_vectors && fits; k++)
        fits = BASE_ARRAY_PUSH(&f->out->attributes, values[k]);
    return fits;
}

static bool append_particle(fill_context *f, vec3 p, const fill_particle *from, vec3 velocity)
{
    size_t index = f->out->x.count;
    if (f->out->max_count && index >= f->out->max_count) return false;
    bool has_room = f->set.heads && index < f->set.capacity;
    if (!has_room && !grow_point_set(&f->set, f->out, index + 1)) return false;
    size_t b = find_bucket(&f->set, (int64_t)floorf(p.x / f->set.cell),
                           (int64_t)floorf(p.y / f->set.cell), (int64_t)floorf(p.z / f->set.cell));
    f->set.next[index] = f->set.heads[b];
    f->set.heads[b] = (uint32_t)index + 1;
    const double exact[3] = {(double)p.x + f->rest[0], (double)p.y + f->rest[1],
                             (double)p.z + f->rest[2]};
    if (!append_attributes(f, p, from)) return false;
    return BASE_ARRAY_PUSH(&f->out->x, ((vec4){p.x, p.y, p.z, f->fluid})) &&
           BASE_ARRAY_PUSH(&f->out->v, ((vec4){velocity.x, velocity.y, velocity.z, 0.0f})) &&
           BASE_ARRAY_PUSH(&f->out->ids, from->id) &&
           BASE_ARRAY_PUSH(&f->out->fixed,
                           sim_to_fixed_point(&f->fixed, exact, (int32_t)f->fluid)) &&
           append_gradient(f, p);
}

/* Moves p away from obstacles that are nearer than particles may be. Returns the obstacle that
 * contains p, or leaves too little room for a particle. */
static sim_obstacle keep_gap(fill_context *f, vec3 *p)
{
    sim_obstacle near = f->is_start ? sim_fill_obstacle_around(f->obstacles, *p)
                                    : sim_fill_obstacle_near(f->obstacles, *p);
    if (!near) return SIM_OBSTACLE_NONE;
    sim_obstacle at = f->is_start ? near : sim_fill_obstacle_at(f->obstacles, *p);
    if (at && !f->moves_out) return at;
    if (!sim_fill_move_to_gap(f->obstacles, p)) return near;
    f->moved_out += at != SIM_OBSTACLE_NONE;
    f->out->is_uneven = true;
    memset(f->rest, 0, sizeof f->rest);
    return SIM_OBSTACLE_NONE;
}

/* Counts a particle that is left out. Returns true: the fill goes on. */
static bool skip(skipped_particles *skipped, vec3 p)
{
    if (skipped->count++ == 0) skipped->first = p;
    return true;
}

/* Adds a particle at p unless it must be left out. Returns false only if memory is short. */
static bool try_add_particle(fill_context *f, const fill_particle *from)
{
    vec3 p = from->position;
    if (f->planar) p.z = f->plane, f->rest[2] = 0.0;
    if (!scene_is_inside(&f->scene->domain, p)) return skip(&f->left.outside, p);
    sim_obstacle there = keep_gap(f, &p);
    if (there == SIM_OBSTACLE_BODY) return skip(&f->left.in_body, p);
    if (there == SIM_OBSTACLE_BOUNDARY) return skip(&f->left.in_boundary, p);
    if (f->set.heads && is_occupied(f, p)) return skip(&f->left.occupied, p);
    vec3 velocity = vec3_add(from->velocity, sim_fill_velocity_at(f->fill, p));
    if (f->fill->is_sea) velocity = vec3_add(velocity, sim_sea_start_velocity(&f->sea, p));
    if (f->planar) velocity.z = 0.0f;
    return append_particle(f, p, from, velocity);
}

static weir_result fail_too_many(const fill_context *f)
{
    size_t count = f->out->x.count;
    if (!f->out->max_count || count < f->out->max_count)
        return base_fail(f->log, WEIR_ERROR_MEMORY, "no host memory for more than %zu particles",
                         count);
    return base_fail(f->log, WEIR_ERROR_MEMORY,
                     "%s:%d:%d: the fluids have more than %zu particles, the most that fit into "
                     "device memory: raise spacing (%g m), or fill less",
                     f->scene->source, f->fill->line, f->fill->column, count,
                     (double)f->scene->spacing);
}

/* ---- lattices ------------------------------------------------------------------------------- */

static float random_jitter(const fill_context *f, uint64_t draw)
{
    uint64_t seed = base_hash_mix64(f->fill->seed);
    return (base_hash_to_unit(seed + draw) - 0.5f) * f->fill->jitter * f->scene->spacing;
}

static bool add_lattice_site(fill_context *f, vec3 site, uint64_t number)
{
    if (solid_shape_distance(f->solids, f->fill->shape, site) > 0.0f) return true;
    if (f->fill->is_sea && sim_is_above_sea(&f->sea, site)) return true;
    vec3 jitter = {random_jitter(f, 3 * number), random_jitter(f, 3 * number + 1),
                   f->planar ? 0.0f : random_jitter(f, 3 * number + 2)};
    vec3 jittered = vec3_add(site, jitter);
    /* away from the obstacle */
    if (sim_fill_obstacle_near(f->obstacles, jittered)) jittered = vec3_sub(site, jitter);
    bool is_clear = !sim_fill_obstacle_near(f->obstacles, jittered);
    return try_add_particle(f, &(fill_particle){.position = is_clear ? jittered : site,
                                                .id = SIM_ID_NOT_GIVEN,
                                                .attributes = f->attributes});
}

/* Sites lie in the middle of boxes. An alternating lattice uses every second box, like the fields
 * of one colour of a chessboard. */
typedef struct fill_lattice {
    vec3 box; /* edges in spacings; 0: the lattice lacks this axis */
    bool alternates;
} fill_lattice;

/* Each lattice gives a particle d^3, or d^2 in two dimensions. The boxes of the face-centred
 * lattice have an edge of 4^(1/3) / 2 d; those of the triangular lattice have edges of (4/3)^(1/4)
 * / 2 d and sqrt(3) times that. */
static const fill_lattice cubic = {{1, 1, 1}, false}, square = {{1, 1, 0}, false};
static const fill_lattice face_centred = {{0.793700526f, 0.793700526f, 0.793700526f}, true};
static const fill_lattice triangular = {{0.537284966f, 0.930604859f, 0}, true};

static const fill_lattice *choose_lattice(const fill_context *f)
{
    bool is_cubic = f->fill->lattice == SCENE_LATTICE_CUBIC;
    if (f->planar) return is_cubic ? &square : &triangular;
    return is_cubic ? &cubic : &face_centred;
}

/* Number of boxes along an axis, and where the first starts: the rest of the extent is split evenly
 * between both ends. An axis that the lattice lacks has one box without extent. */
typedef struct lattice_axis {
    uint64_t count;
    double first, edge;
} lattice_axis;

static lattice_axis make_lattice_axis(float low, float high, float edge)
{
    double extent = (double)high - (double)low;
    if (edge == 0.0f) return (lattice_axis){1, (double)low, 0.0};
    double count = fmax(floor(extent / (double)edge + 1e-3), 0.0);
    double margin = 0.5 * (extent - count * (double)edge);
    return (lattice_axis){(uint64_t)count, (double)low + margin, (double)edge};
}

/* Rounds x to a float, and stores the rest. volatile: gcc 12, when it vectorizes three calls, takes
 * (double)(float)x for x. */
static float round_to_float(double x, double *rest)
{
    volatile float near = (float)x;
    *rest = x - (double)near;
    return near;
}

/* Returns the middle of box `index`, and stores what rounding takes off it. */
static float lattice_site(const lattice_axis *axis, uint64_t index, double *rest)
{
    return round_to_float(axis->first + (double)index * axis->edge + 0.5 * axis->edge, rest);
}

static weir_result fill_boxes(fill_context *f, const lattice_axis axes[3], bool alternates)
{
    uint64_t number = 0;
    bool fits = true;
    for (uint64_t k = 0; k < axes[2].count; k++)
        for (uint64_t j = 0; j < axes[1].count; j++)
            for (uint64_t i = alternates ? (j + k) % 2 : 0; i < axes[0].count && fits;
                 i += alternates ? 2 : 1) {
                vec3 site = {lattice_site(&axes[0], i, &f->rest[0]),
                             lattice_site(&axes[1], j, &f->rest[1]),
                             lattice_site(&axes[2], k, &f->rest[2])};
                fits = add_lattice_site(f, site, number++);
            }
    memset(f->rest, 0, sizeof f->rest);
    return fits ? WEIR_OK : fail_too_many(f);
}

static weir_result fill_shape(fill_context *f)
{
    const scene_data *scene = f->scene;
    const fill_lattice *lattice = choose_lattice(f);
    vec3 low, high, edges = vec3_scale(lattice->box, scene->spacing);
    solid_shape_bounds(f->solids, f->fill->shape, &low, &high);
    low = vec3_max(low, scene->domain.min);
    high = vec3_min(high, scene->domain.max);
    if (f->planar) low.z = high.z = f->plane;
    const lattice_axis axes[3] = {make_lattice_axis(low.x, high.x, edges.x),
                                  make_lattice_axis(low.y, high.y, edges.y),
                                  make_lattice_axis(low.z, high.z, edges.z)};
    f->file_start = SIZE_MAX;
    f->out->is_uneven |= f->fill->jitter > 0.0f;
    return fill_boxes(f, axes, lattice->alternates);
}

/* ---- files ---------------------------------------------------------------------------------- */

/* Reports what a file lacks that the particles of the method have. */
static void log_missing(const fill_context *f, const io_particles *file)
{
    bool needs_gradient = f->scene->solver.method == SCENE_METHOD_APIC && file->velocity;
    if (file->count == 0 || (file->velocity && !needs_gradient)) return;
    base_log(f->log, WEIR_LOG_INFO, "%s:%d:%d: %s has no %s: %s", f->scene->source, f->fill->line,
             f->fill->column, f->fill->path, needs_gradient ? "velocity gradients" : "velocities",
             needs_gradient ? "apic starts its particles without the rotation and shear around "
                              "them, so the first substep smooths the flow like PIC"
                            : "its particles start with the velocity of the fill only");
}

/* Warns if the particles of a file do not fit the domain. */
static void warn_misfit(const fill_context *f, const io_particles *file)
{
    const scene_pose *pose = &f->fill->pose;
    vec3 min = {INFINITY, INFINITY, INFINITY}, max = {-INFINITY, -INFINITY, -INFINITY};
    scene_misfit misfit;
    for (uint32_t i = 0; i < file->count; i++) {
        vec3 p = vec3_add(quat_rotate(pose->rotation, vec3_scale(file->position[i], pose->scale)),
                          pose->position);
        min = vec3_min(min, p);
        max = vec3_max(max, p);
    }
    if (file->count < 2 || !scene_find_misfit(f->scene, pose, min, max, &misfit)) return;
    base_log(f->log, WEIR_LOG_WARNING, "%s:%d:%d: %s %s", f->scene->source, f->fill->line,
             f->fill->column, f->fill->path, misfit.text);
}

/* Rest positions that the source of the particles has are kept. */
static void take_rest_positions(fill_context *f, const sim_attribute_columns *columns)
{
    for (uint32_t i = 0; i < columns->count; i++)
        f->rest_positions &= ~(1u << columns->items[i].first);
}

/* Lists the attributes that a file has, and warns about those of the scene that it lacks. */
static sim_attribute_columns list_columns(const fill_context *f, const io_particles *file)
{
    sim_attribute_columns columns = {0};
    base_text missing = {0};
    for (uint32_t i = 0; i < file->attributes.count; i++) {
        const base_attribute *a = &file->attributes.items[i];
        const weir_attribute_values from = {
            a->name, a->components, file->attributes.components,
            file->attribute_values ? file->attribute_values + a->first : NULL};
        if (file->attributes_read >> i & 1u)
            sim_attribute_columns_add(&columns, f->scene, &f->fill->attributes, &from);
        else if (!(f->fill->attributes.given >> i & 1u) &&
                 f->scene->attributes[i].kind == SCENE_ATTRIBUTE_VALUE)
            base_text_append(&missing, "%s%s", missing.count ? ", " : "", a->name);
    }
    if (missing.count)
        base_log(f->log, WEIR_LOG_WARNING,
                 "%s:%d:%d: %s has no %s: its particles get the initial value; give the fill one "
                 "in \"attributes\"",
                 f->scene->source, f->fill->line, f->fill->column, f->fill->path, missing.items);
    base_free(missing.items);
    return columns;
}

static weir_result read_fill_file(fill_context *f, io_particles *file)
{
    const base_attributes wanted = scene_list_attributes(f->scene);
    return io_particles_read_attributes(f->log, f->fill->path, wanted.count ? &wanted : NULL, file);
}

static weir_result fill_file(fill_context *f)
{
    io_particles file = {0};
    vec4 values[SIM_MAX_ATTRIBUTE_VECTORS];
    memcpy(values, f->attributes, sizeof values);
    const scene_pose *pose = &f->fill->pose;
    f->file_start = f->out->x.count;
    weir_result result = read_fill_file(f, &file);
    if (result == WEIR_OK) io_particles_set_origin(&file, f->fill->origin);
    f->out->is_uneven = true;
    log_missing(f, &file);
    warn_misfit(f, &file);
    const sim_attribute_columns columns = list_columns(f, &file);
    take_rest_positions(f, &columns);
    for (uint32_t i = 0; result == WEIR_OK && i < file.count; i++) {
        vec3 p = quat_rotate(pose->rotation, vec3_scale(file.position[i], pose->scale));
        vec3 v = file.velocity ? quat_rotate(pose->rotation, file.velocity[i]) : vec3_make(0, 0, 0);
        sim_attribute_columns_read(&columns, i, values);
        const fill_particle one = {.position = vec3_add(p, pose->position),
                                   .velocity = v,
                                   .id = file.id ? file.id[i] : SIM_ID_NOT_GIVEN,
                                   .attributes = values};
        if (!try_add_particle(f, &one))
            result = base_fail(f->log, WEIR_ERROR_MEMORY,
                               "not enough memory for the particles of %s", f->fill->path);
    }
    io_particles_free(&file);
    return result;
}

/* ---- fluids --------------------------------------------------------------------------------- */

/* Reports particles that bodies have displaced. This is information and not a warning: a body that
 * floats or lies in a fluid has its place there. */
static void log_displaced(const fill_context *f, const char *fluid)
{
    const skipped_counts *left = &f->left;
    if (left->in_body.count == 0) return;
    base_log(f->log, WEIR_LOG_INFO, "%s:%d:%d: %u particle%s of fluid %s displaced by bodies",
             f->scene->source, f->fill->line, f->fill->column, left->in_body.count,
             base_plural(left->in_body.count), fluid);
}

static void append_reason(base_text *text, const skipped_particles *skipped, const char *reason)
{
    if (skipped->count == 0) return;
    base_text_append(text, "%s %u %s, %s at (%g, %g, %g)", text->count ? ";" : ":", skipped->count,
                     reason, skipped->count > 1 ? "the first" : "it is", (double)skipped->first.x,
                     (double)skipped->first.y, (double)skipped->first.z);
}

static void warn_skipped(const fill_context *f, const char *fluid)
{
    const skipped_counts *left = &f->left;
    uint32_t sum = left->in_boundary.count + left->outside.count + left->occupied.count;
    if (sum == 0) return;
    base_text reasons = {0};
    append_reason(&reasons, &left->in_boundary, "in or at a wall or a solid");
    append_reason(&reasons, &left->outside, "outside the domain");
    append_reason(&reasons, &left->occupied, "on top of other particles");
    base_log(f->log, WEIR_LOG_WARNING, "%s:%d:%d: %u particle%s of fluid %s %s skipped%s",
             f->scene->source, f->fill->line, f->fill->column, sum, base_plural(sum), fluid,
             sum == 1 ? "was" : "were", reasons.items ? reasons.items : "");
    BASE_ARRAY_FREE(&reasons);
}

static weir_result fill_fluid(fill_context *f, uint32_t index)
{
    const scene_fluid *fluid = &f->scene->fluids[index];
    size_t before = f->out->x.count;
    f->fluid = (float)index;
    for (uint32_t i = 0; i < fluid->fill_count; i++) {
        f->fill = &fluid->fills[i];
        f->left = (skipped_counts){0};
        f->rest_positions = sim_rest_positions(f->scene);
        sim_attribute_values(f->scene, &f->fill->attributes, f->attributes);
        WEIR_RETURN_IF_ERROR(f->fill->kind == SCENE_FILL_SHAPE ? fill_shape(f) : fill_file(f));
        log_displaced(f, fluid->name);
        warn_skipped(f, fluid->name);
    }
    if (f->out->x.count > before || fluid->fill_count == 0) return WEIR_OK;
    return base_fail(
        f->log, WEIR_ERROR_SCENE,
        "%s:%d:%d: fluid %s has no particles: its shapes contain no lattice point inside the "
        "domain and outside solids and bodies; enlarge them or lower spacing (%g m)",
        f->scene->source, fluid->line, fluid->column, fluid->name, (double)f->scene->spacing);
}

static weir_result begin_fill(fill_context *f, const weir_log *log, const scene_data *scene,
                              const solid_set *solids, sim_initial_particles *out)
{
    *f = (fill_context){.log = log, .scene = scene, .solids = solids, .out = out};
    f->set.cell = 0.5f * scene->spacing;
    f->planar = scene->solver.dimensions == 2;
    f->attribute_vectors = sim_attribute_vectors(scene);
    f->plane = scene_plane(scene);
    f->fixed = sim_fixed_point(scene);
    f->sea = sim_sea_start_of(scene);
    f->obstacles = sim_fill_obstacles_create(scene, solids);
    return f->obstacles ? WEIR_OK
                        : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to fill the fluids");
}

static void end_fill(fill_context *f)
{
    sim_fill_obstacles_destroy(&f->obstacles);
    base_free(f->set.heads);
    base_free(f->set.next);
}

weir_result sim_fill_fluids(const weir_log *log, const scene_data *scene, const solid_set *solids,
                            sim_initial_particles *particles)
{
    fill_context f;
    weir_result result = begin_fill(&f, log, scene, solids, particles);
    for (uint32_t i = 0; i < scene->fluid_count && result == WEIR_OK; i++)
        result = fill_fluid(&f, i);
    if (result == WEIR_OK) result = sim_fill_ids(log, scene, particles);
    end_fill(&f);
    return result;
}

/* ---- states --------------------------------------------------------------------------------- */

/* Reports particles of a state that did not stay where they were. */
static void report_start(const fill_context *f, const sim_start *start)
{
    const skipped_counts *left = &f->left;
    const uint32_t sum =
        left->in_body.count + left->in_boundary.count + left->outside.count + left->occupied.count;
    base_text reasons = {0};
    if (f->moved_out)
        base_log(f->log, WEIR_LOG_WARNING,
                 "%s: %u particle%s in solids, bodies or walls of the scene: moved out",
                 start->name, f->moved_out, f->moved_out == 1 ? " was" : "s were");
    append_reason(&reasons, &left->in_body, "in a body");
    append_reason(&reasons, &left->in_boundary, "in or at a wall or a solid");
    append_reason(&reasons, &left->outside, "outside the domain");
    append_reason(&reasons, &left->occupied, "in the same place as another");
    if (sum)
        base_log(f->log, WEIR_LOG_WARNING, "%s: %u particle%s removed%s", start->name, sum,
                 sum == 1 ? " was" : "s were", reasons.items ? reasons.items : "");
    BASE_ARRAY_FREE(&reasons);
}

static vec3 vector_at(const float *values, uint32_t index)
{
    const float *v = values + 3 * (size_t)index;
    return vec3_make(v[0], v[1], v[2]);
}

weir_result sim_fill_from_start(sim_world *world, const sim_start *start,
                                sim_initial_particles *particles)
{
    static const scene_fill no_velocity = {.kind = SCENE_FILL_FILE};
    fill_context f;
    weir_result result = begin_fill(&f, world->log, world->scene, world->solids, particles);
    if (result != WEIR_OK) return result;
    f.fill = &no_velocity;
    sim_attribute_values(world->scene, NULL, f.attributes);
    f.is_start = true;
    f.moves_out = !start->remove_inside;
    sim_fill_obstacles_set_time(f.obstacles, start->time_s);
    for (uint32_t i = 0; i < world->scene->body_count; i++) {
        const scene_pose pose = body_pose(world->bodies, i, &world->body_states[i]);
        sim_fill_obstacles_set_body(f.obstacles, i, &pose);
    }
    bool fits = true;
    sim_attribute_columns columns = {0};
    for (uint32_t i = 0; i < start->attribute_count; i++)
        sim_attribute_columns_add(&columns, world->scene, NULL, &start->attributes[i]);
    f.rest_positions = sim_rest_positions(world->scene);
    take_rest_positions(&f, &columns);
    for (uint32_t i = 0; i < start->count && fits; i++) {
        sim_attribute_columns_read(&columns, i, f.attributes);
        const fill_particle one = {.position = vector_at(start->position, i),
                                   .velocity = start->velocity ? vector_at(start->velocity, i)
                                                               : vec3_make(0, 0, 0),
                                   .id = start->id ? start->id[i] : SIM_ID_NOT_GIVEN,
                                   .attributes = f.attributes};
        f.fluid = start->fluid ? (float)start->fluid[i] : 0.0f;
        fits = try_add_particle(&f, &one);
    }
    if (!fits)
        result = base_fail(world->log, WEIR_ERROR_MEMORY, "%s: no memory for its %u particles",
                           start->name, start->count);
    report_start(&f, start);
    particles->is_uneven = f.moved_out > 0;
    if (result == WEIR_OK && world->scene->solver.method == SCENE_METHOD_APIC)
        result = sim_fit_velocity_gradients(world->log, world->scene, particles);
    if (result == WEIR_OK) result = sim_fill_ids(world->log, world->scene, particles);
    end_fill(&f);
    return result;
}

void sim_initial_particles_free(sim_initial_particles *particles)
{
    BASE_ARRAY_FREE(&particles->x);
    BASE_ARRAY_FREE(&particles->v);
    BASE_ARRAY_FREE(&particles->fixed);
    BASE_ARRAY_FREE(&particles->velocity_gradients);
    BASE_ARRAY_FREE(&particles->attributes);
    BASE_ARRAY_FREE(&particles->ids);
}
