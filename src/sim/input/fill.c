/* Fills the fluids with their initial particles: lattices in shapes, and particle files. */
#include "io.h"
#include "sim_input.h"

#include "shared/solid.h"

/* Obstacle at the position of a particle. */
typedef enum obstacle_kind { NO_OBSTACLE, OBSTACLE_BODY, OBSTACLE_BOUNDARY } obstacle_kind;

/* Numbers of particles that were left out, by reason. Two messages per fill report them. */
typedef struct skipped_counts {
    uint32_t in_body, in_boundary, outside, occupied;
} skipped_counts;

/* Finds points closer than half a spacing to earlier ones, by a hash of cells of that size. */
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
    struct solid_pose *poses; /* of all items at the start */
    vec3 *boxes; /* 2 per solid and body: corners of the bounding box in the item's space */
    vec3 *deformable_boxes; /* 2 per soft body: corners of the bounding box in world space */
    sim_initial_particles *out;
    point_set set;
    const scene_fill *fill;
    float fluid;
    grid_fixed_point fixed;
    double rest[3]; /* m: the lattice site minus the site rounded to floats */
    bool planar;    /* two dimensions: one layer in the plane */
    float plane;
    skipped_counts left;
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

static bool bucket_has_near_point(const fill_context *f, size_t bucket, vec3 p)
{
    float limit = f->set.cell * f->set.cell;
    for (uint32_t i = f->set.heads[bucket]; i; i = f->set.next[i - 1]) {
        vec4 q = f->out->x.items[i - 1];
        vec3 d = vec3_sub(p, vec3_make(q.x, q.y, q.z));
        if (vec3_dot(d, d) < limit) return true;
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

/* Returns whether p is nearer to a closed side of the domain than particles may be. */
static bool is_near_domain_side(const scene_domain *domain, vec3 p, float gap)
{
    const float distances[6] = {p.x - domain->min.x, domain->max.x - p.x, p.y - domain->min.y,
                                domain->max.y - p.y, p.z - domain->min.z, domain->max.z - p.z};
    for (int side = 0; side < 6; side++)
        if (domain->sides[side] == SCENE_SIDE_CLOSED && distances[side] < gap) return true;
    return false;
}

/* Returns the shape of an item. Solids come first, then bodies. */
static uint32_t item_shape(const scene_data *scene, uint32_t item)
{
    uint32_t solids = scene->solid_count;
    return item < solids ? scene->solids[item].shape : scene->bodies[item - solids].shape;
}

static bool is_outside_box(const vec3 box[2], vec3 p, float gap)
{
    vec3 out = vec3_max(vec3_sub(box[0], p), vec3_sub(p, box[1]));
    return out.x > gap || out.y > gap || out.z > gap;
}

static weir_result find_soft_body_boxes(fill_context *f)
{
    f->deformable_boxes = base_alloc(f->scene->soft_body_count, 2 * sizeof *f->deformable_boxes);
    if (!f->deformable_boxes)
        return base_fail(f->log, WEIR_ERROR_MEMORY, "not enough memory for soft bodies");
    for (uint32_t i = 0; i < f->scene->soft_body_count; i++)
        solid_shape_bounds(f->solids, f->scene->soft_bodies[i].shape, &f->deformable_boxes[2 * i],
                           &f->deformable_boxes[2 * i + 1]);
    return WEIR_OK;
}

static weir_result find_item_poses(fill_context *f)
{
    f->poses = base_alloc(solid_item_count(f->solids), sizeof *f->poses);
    f->boxes = base_alloc(solid_sink_first(f->solids), 2 * sizeof *f->boxes);
    if (!f->poses || !f->boxes)
        return base_fail(f->log, WEIR_ERROR_MEMORY, "not enough memory for solids");
    solid_poses_at(f->solids, 0.0, 0.0, f->poses);
    for (uint32_t i = 0; i < solid_sink_first(f->solids); i++)
        solid_shape_bounds(f->solids, item_shape(f->scene, i), &f->boxes[2 * i],
                           &f->boxes[2 * i + 1]);
    return find_soft_body_boxes(f);
}

/* Returns whether p is inside a soft body, or nearer to one than particles may be. */
static bool is_in_soft_body(const fill_context *f, vec3 p, float gap)
{
    bool inside = false;
    for (uint32_t i = 0; i < f->scene->soft_body_count && !inside; i++) {
        uint32_t shape = f->scene->soft_bodies[i].shape;
        inside = !is_outside_box(&f->deformable_boxes[2 * i], p, gap) &&
                 solid_shape_distance(f->solids, shape, p) < gap;
    }
    return inside;
}

static bool is_in_item(const fill_context *f, uint32_t item, vec3 p, float gap)
{
    const struct solid_pose *pose = &f->poses[item];
    quat q = {pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w};
    vec3 at = {pose->position.x, pose->position.y, pose->position.z};
    vec3 local = quat_rotate(quat_conjugate(q), vec3_sub(p, at));
    return !is_outside_box(&f->boxes[2 * item], local, gap) &&
           solid_shape_distance(f->solids, item_shape(f->scene, item), local) < gap;
}

/* Returns the obstacle that contains p or is nearer to p than particles may be, and would push a
 * particle at p onto others. A boundary takes precedence over a body, because a body does not
 * displace what a boundary keeps away. */
static obstacle_kind find_obstacle(const fill_context *f, vec3 p)
{
    float gap = (f->scene->solver.boundary_gap - 1e-3f) * f->scene->spacing;
    uint32_t i = 0, solids = f->scene->solid_count, end = solid_sink_first(f->solids);
    if (is_near_domain_side(&f->scene->domain, p, gap)) return OBSTACLE_BOUNDARY;
    while (i < end && !is_in_item(f, i, p, gap))
        i++;
    if (i < solids) return OBSTACLE_BOUNDARY;
    return i < end || is_in_soft_body(f, p, gap) ? OBSTACLE_BODY : NO_OBSTACLE;
}

static bool append_particle(fill_context *f, vec3 p, vec3 velocity)
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
    return BASE_ARRAY_PUSH(&f->out->x, ((vec4){p.x, p.y, p.z, f->fluid})) &&
           BASE_ARRAY_PUSH(&f->out->v, ((vec4){velocity.x, velocity.y, velocity.z, 0.0f})) &&
           BASE_ARRAY_PUSH(&f->out->fixed, sim_to_fixed_point(&f->fixed, exact, (int32_t)f->fluid));
}

static vec3 velocity_at(const scene_fill *fill, vec3 p)
{
    vec3 offset = vec3_sub(p, fill->gradient_centre);
    vec3 linear = {vec3_dot(fill->gradient[0], offset), vec3_dot(fill->gradient[1], offset),
                   vec3_dot(fill->gradient[2], offset)};
    float phase = vec3_dot(fill->wave_vector, p) + fill->wave_phase;
    vec3 spin = vec3_cross(fill->spin, vec3_sub(p, fill->spin_centre));
    vec3 wave = vec3_scale(fill->wave, base_sin(phase));
    return vec3_add(vec3_add(fill->velocity, spin), vec3_add(linear, wave));
}

/* Adds a particle at p unless it must be left out. Returns false only if memory is short. */
static bool try_add_particle(fill_context *f, vec3 p, vec3 own_velocity)
{
    if (f->planar) p.z = f->plane, f->rest[2] = 0.0;
    if (!scene_is_inside(&f->scene->domain, p)) return f->left.outside++, true;
    obstacle_kind there = find_obstacle(f, p);
    if (there == OBSTACLE_BODY) return f->left.in_body++, true;
    if (there == OBSTACLE_BOUNDARY) return f->left.in_boundary++, true;
    if (f->set.heads && is_occupied(f, p)) return f->left.occupied++, true;
    vec3 velocity = vec3_add(own_velocity, velocity_at(f->fill, p));
    if (f->planar) velocity.z = 0.0f;
    return append_particle(f, p, velocity);
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
    vec3 jitter = {random_jitter(f, 3 * number), random_jitter(f, 3 * number + 1),
                   f->planar ? 0.0f : random_jitter(f, 3 * number + 2)};
    vec3 jittered = vec3_add(site, jitter);
    /* away from the obstacle */
    if (find_obstacle(f, jittered)) jittered = vec3_sub(site, jitter);
    return try_add_particle(f, find_obstacle(f, jittered) ? site : jittered, vec3_make(0, 0, 0));
}

/* A lattice repeats a cell of `count` sites, whose coordinates are in quarters of the cell's
 * edges. */
typedef struct lattice_cell {
    vec3 edges; /* in spacings */
    uint32_t count;
    vec3 sites[4];
} lattice_cell;

/* Each lattice gives a particle d^3, or d^2 in two dimensions. The face-centred cell has an edge of
 * 4^(1/3) d; the triangular cell has edges of (4/3)^(1/4) d and sqrt(3) times that. */
static const lattice_cell cubic = {{1, 1, 1}, 1, {{2, 2, 2}}};
static const lattice_cell square = {{1, 1, 0}, 1, {{2, 2, 0}}};
static const lattice_cell face_centred = {
    {1.58740105f, 1.58740105f, 1.58740105f}, 4, {{1, 1, 1}, {3, 3, 1}, {3, 1, 3}, {1, 3, 3}}};
static const lattice_cell triangular = {{1.07456993f, 1.86120971f, 0}, 2, {{1, 1, 0}, {3, 3, 0}}};

static const lattice_cell *choose_lattice(const fill_context *f)
{
    bool is_cubic = f->fill->lattice == SCENE_LATTICE_CUBIC;
    if (f->planar) return is_cubic ? &square : &triangular;
    return is_cubic ? &cubic : &face_centred;
}

/* Number of cells along an axis, and where the first starts: the rest of the extent is split evenly
 * between both ends. An axis that the lattice does not have has one cell. */
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

static bool add_lattice_cell(fill_context *f, const lattice_cell *cell, const double corner[3],
                             uint64_t number)
{
    double quarter = 0.25 * (double)f->scene->spacing;
    bool fits = true;
    for (uint32_t i = 0; i < cell->count && fits; i++) {
        const vec3 *s = &cell->sites[i], *e = &cell->edges;
        vec3 site = {
            round_to_float(corner[0] + quarter * (double)s->x * (double)e->x, &f->rest[0]),
            round_to_float(corner[1] + quarter * (double)s->y * (double)e->y, &f->rest[1]),
            round_to_float(corner[2] + quarter * (double)s->z * (double)e->z, &f->rest[2])};
        fits = add_lattice_site(f, site, cell->count * number + i);
    }
    memset(f->rest, 0, sizeof f->rest);
    return fits;
}

static weir_result fill_shape(fill_context *f)
{
    const scene_data *scene = f->scene;
    const lattice_cell *cell = choose_lattice(f);
    vec3 low, high, edges = vec3_scale(cell->edges, scene->spacing);
    uint64_t number = 0;
    solid_shape_bounds(f->solids, f->fill->shape, &low, &high);
    low = vec3_max(low, scene->domain.min);
    high = vec3_min(high, scene->domain.max);
    if (f->planar) low.z = high.z = f->plane;
    lattice_axis x = make_lattice_axis(low.x, high.x, edges.x),
                 y = make_lattice_axis(low.y, high.y, edges.y),
                 z = make_lattice_axis(low.z, high.z, edges.z);
    for (uint64_t k = 0; k < z.count; k++)
        for (uint64_t j = 0; j < y.count; j++)
            for (uint64_t i = 0; i < x.count; i++) {
                const double corner[3] = {x.first + (double)i * x.edge,
                                          y.first + (double)j * y.edge,
                                          z.first + (double)k * z.edge};
                if (!add_lattice_cell(f, cell, corner, number++)) return fail_too_many(f);
            }
    return WEIR_OK;
}

/* ---- files ---------------------------------------------------------------------------------- */

static weir_result fill_file(fill_context *f)
{
    io_particles file = {0};
    const scene_pose *pose = &f->fill->pose;
    weir_result result = io_particles_read(f->log, f->fill->path, &file);
    for (uint32_t i = 0; result == WEIR_OK && i < file.count; i++) {
        vec3 p = quat_rotate(pose->rotation, vec3_scale(file.position[i], pose->scale));
        vec3 v = file.velocity ? quat_rotate(pose->rotation, file.velocity[i]) : vec3_make(0, 0, 0);
        if (!try_add_particle(f, vec3_add(p, pose->position), v))
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
    if (left->in_body == 0) return;
    base_log(f->log, WEIR_LOG_INFO, "%s:%d:%d: %u particle%s of fluid %s displaced by bodies",
             f->scene->source, f->fill->line, f->fill->column, left->in_body,
             base_plural(left->in_body), fluid);
}

static void append_reason(base_text *text, uint32_t count, const char *reason)
{
    if (count > 0) base_text_append(text, "%s %u %s", text->count ? "," : ":", count, reason);
}

static void warn_skipped(const fill_context *f, const char *fluid)
{
    const skipped_counts *left = &f->left;
    uint32_t sum = left->in_boundary + left->outside + left->occupied;
    if (sum == 0) return;
    base_text reasons = {0};
    append_reason(&reasons, left->in_boundary, "in or at a wall or a solid");
    append_reason(&reasons, left->outside, "outside the domain");
    append_reason(&reasons, left->occupied, "on top of other particles");
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

weir_result sim_fill_fluids(const weir_log *log, const scene_data *scene, const solid_set *solids,
                            sim_initial_particles *particles)
{
    fill_context f = {.log = log, .scene = scene, .solids = solids, .out = particles};
    f.set.cell = 0.5f * scene->spacing;
    f.planar = scene->solver.dimensions == 2;
    f.plane = scene_plane(scene);
    f.fixed = sim_fixed_point(scene);
    weir_result result = find_item_poses(&f);
    for (uint32_t i = 0; i < scene->fluid_count && result == WEIR_OK; i++)
        result = fill_fluid(&f, i);
    base_free(f.poses);
    base_free(f.boxes);
    base_free(f.deformable_boxes);
    base_free(f.set.heads);
    base_free(f.set.next);
    return result;
}

void sim_initial_particles_free(sim_initial_particles *particles)
{
    BASE_ARRAY_FREE(&particles->x);
    BASE_ARRAY_FREE(&particles->v);
    BASE_ARRAY_FREE(&particles->fixed);
}
