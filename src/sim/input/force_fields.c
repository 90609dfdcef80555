/* Samples fields of acceleration that no formula of the shaders gives: curves, shapes and the
 * velocities of files become lattices of nodes, between which the shaders interpolate. Noise has no
 * nodes. */
#include "io.h"
#include "sim_input.h"

/* A curve or a shape gets cells of at least one spacing, and about so many nodes at most. */
#define MAX_SAMPLED_NODES (1u << 18)
#define MAX_FILE_NODES (1u << 21)
#define MAX_NODES (4u << 20) /* of all fields: 128 MiB, which every device can bind */
#define CELLS_PER_RADIUS 8.0f
/* Segments of a curve between two of its points. */
#define SEGMENTS 8u

typedef struct box {
    vec3 min, max;
} box;

/* ---- lattices ------------------------------------------------------------------------------- */

static weir_result fail_memory(const sim_world *world)
{
    return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for force fields");
}

static bool is_planar(const sim_world *world)
{
    return world->scene->solver.dimensions == 2;
}

static uint32_t node_count(const sim_force_field *field)
{
    return field->nodes.x * field->nodes.y * field->nodes.z;
}

/* Places the first node at the lower corner of `over`, the last one at the upper corner. */
static void place_nodes(const sim_world *world, sim_force_field *field, box over)
{
    vec3 size = vec3_sub(over.max, over.min);
    field->origin =
        (vec4){over.min.x, over.min.y, is_planar(world) ? world->params.plane : over.min.z, 0.0f};
    field->nodes_per_metre =
        (vec4){(float)(field->nodes.x - 1) / size.x, (float)(field->nodes.y - 1) / size.y,
               is_planar(world) ? 0.0f : (float)(field->nodes.z - 1) / size.z, 0.0f};
}

/* Chooses cells of at least `least`, in m, so that the field has few enough nodes. */
static void choose_nodes(const sim_world *world, sim_force_field *field, box over, float least)
{
    vec3 size = vec3_sub(over.max, over.min);
    float cell = least;
    do {
        field->nodes.x = 2u + (uint32_t)(size.x / cell);
        field->nodes.y = 2u + (uint32_t)(size.y / cell);
        field->nodes.z = is_planar(world) ? 1u : 2u + (uint32_t)(size.z / cell);
        cell *= 1.05f;
    } while ((uint64_t)field->nodes.x * field->nodes.y * field->nodes.z > MAX_SAMPLED_NODES);
    place_nodes(world, field, over);
}

static vec3 node_position(const sim_force_field *field, uint32_t node)
{
    const uint32_t x = node % field->nodes.x, rest = node / field->nodes.x;
    const vec4 o = field->origin, n = field->nodes_per_metre;
    return vec3_make(o.x + (float)x / n.x, o.y + (float)(rest % field->nodes.y) / n.y,
                     n.z > 0.0f ? o.z + (float)(rest / field->nodes.y) / n.z : o.z);
}

/* Appends the nodes of a field, all 0; returns NULL if memory is short. */
static vec4 *append_nodes(sim_world *world, sim_force_field *field)
{
    const size_t first = world->force_field_nodes.count, count = 2 * (size_t)node_count(field);
    vec4 *nodes = base_alloc(first + count, sizeof *nodes);
    if (!nodes) return NULL;
    if (first) memcpy(nodes, world->force_field_nodes.items, first * sizeof *nodes);
    base_free(world->force_field_nodes.items);
    world->force_field_nodes.items = nodes;
    world->force_field_nodes.count = world->force_field_nodes.capacity = first + count;
    field->nodes.w = (uint32_t)(first / 2);
    return nodes + first;
}

/* Returns the part of the domain in which a field acts. */
static box find_reach(const sim_world *world, const scene_force *force)
{
    const scene_domain *domain = &world->scene->domain;
    const scene_region *in = &force->inside;
    const vec3 around = vec3_make(in->radius, in->radius, in->radius);
    box reach = {domain->min, domain->max};
    box region = {in->min, in->max};
    if (in->reach == SCENE_REACH_SPHERE)
        region = (box){vec3_sub(in->centre, around), vec3_add(in->centre, around)};
    if (in->reach == SCENE_REACH_ALL) return reach;
    return (box){vec3_max(reach.min, region.min), vec3_min(reach.max, region.max)};
}

static bool is_empty(const sim_world *world, const box *b)
{
    return !(b->min.x < b->max.x && b->min.y < b->max.y &&
             (b->min.z < b->max.z || is_planar(world)));
}

/* Switches off a field that has no nodes: no position is in its region. */
static void disable(const sim_world *world, const scene_force *force, sim_force_field *field)
{
    field->low = (vec4){INFINITY, INFINITY, INFINITY, 0.0f};
    field->high = field->low;
    base_log(world->log, WEIR_LOG_WARNING,
             "%s:%d:%d: this force acts nowhere in the domain: move it or the domain",
             world->scene->source, force->line, force->column);
}

/* ---- curves --------------------------------------------------------------------------------- */

/* A curve as segments, in groups of SEGMENTS that fit into spheres. */
typedef struct curve {
    vec3 *points; /* [segment_count + 1] */
    uint32_t group_count;
    vec4 *spheres; /* [group_count]: centre, radius */
    const sim_force_field *field;
    vec4 *nodes;
    float radius;
} curve;

/* Returns the point of the curve a fraction t after point `i`: a Catmull-Rom spline. The ends of an
 * open curve are continued straight. */
static vec3 spline_point(const scene_force *force, uint32_t i, float t)
{
    const uint32_t n = force->point_count;
    const vec3 *p = force->points;
    vec3 b = p[i], c = p[(i + 1) % n];
    vec3 a = i > 0 || force->closed ? p[(i + n - 1) % n] : vec3_sub(vec3_scale(b, 2.0f), c);
    vec3 d = i + 2 < n || force->closed ? p[(i + 2) % n] : vec3_sub(vec3_scale(c, 2.0f), b);
    float t2 = t * t, t3 = t2 * t;
    vec3 sum = vec3_scale(a, -t3 + 2.0f * t2 - t);
    sum = vec3_add(sum, vec3_scale(b, 3.0f * t3 - 5.0f * t2 + 2.0f));
    sum = vec3_add(sum, vec3_scale(c, -3.0f * t3 + 4.0f * t2 + t));
    return vec3_scale(vec3_add(sum, vec3_scale(d, t3 - t2)), 0.5f);
}

static void bound_group(curve *line, uint32_t group)
{
    const vec3 *p = line->points + (size_t)group * SEGMENTS;
    vec3 centre = vec3_scale(vec3_add(p[0], p[SEGMENTS]), 0.5f);
    float radius = 0.0f;
    for (uint32_t i = 0; i <= SEGMENTS; i++)
        radius = fmaxf(radius, vec3_length(vec3_sub(p[i], centre)));
    line->spheres[group] = (vec4){centre.x, centre.y, centre.z, radius};
}

static bool make_curve(const scene_force *force, curve *line)
{
    line->group_count = force->closed ? force->point_count : force->point_count - 1;
    line->points = base_alloc((size_t)line->group_count * SEGMENTS + 1, sizeof *line->points);
    line->spheres = base_alloc(line->group_count, sizeof *line->spheres);
    if (!line->points || !line->spheres) return false;
    for (uint32_t i = 0; i < line->group_count; i++)
        for (uint32_t k = 0; k < SEGMENTS; k++)
            line->points[i * SEGMENTS + k] = spline_point(force, i, (float)k / SEGMENTS);
    line->points[line->group_count * SEGMENTS] =
        force->points[line->group_count % force->point_count];
    for (uint32_t i = 0; i < line->group_count; i++)
        bound_group(line, i);
    return true;
}

/* The nearest point of a curve. */
typedef struct nearest {
    float distance; /* m; INFINITY: beyond the radius */
    vec3 way;       /* m, to the point */
    vec3 tangent;   /* unit vector */
} nearest;

static void update_nearest(nearest *best, vec3 p, vec3 a, vec3 b)
{
    vec3 along = vec3_sub(b, a);
    float square = vec3_dot(along, along);
    float t = square > 0.0f ? vec3_dot(vec3_sub(p, a), along) / square : 0.0f;
    vec3 way = vec3_sub(vec3_add(a, vec3_scale(along, fminf(fmaxf(t, 0.0f), 1.0f))), p);
    float distance = vec3_length(way);
    if (!(distance < best->distance) || square == 0.0f) return;
    *best = (nearest){distance, way, vec3_scale(along, 1.0f / sqrtf(square))};
}

static nearest find_nearest(const curve *line, vec3 p)
{
    /* Nodes beyond the radius interpolate with those within. */
    nearest best = {.distance = 2.0f * line->radius};
    for (uint32_t group = 0; group < line->group_count; group++) {
        const vec4 s = line->spheres[group];
        const vec3 *points = line->points + (size_t)group * SEGMENTS;
        float away = vec3_length(vec3_sub(p, vec3_make(s.x, s.y, s.z))) - s.w;
        for (uint32_t i = 0; i < SEGMENTS && away < best.distance; i++)
            update_nearest(&best, p, points[i], points[i + 1]);
    }
    return best;
}

/* The weight falls from 1 at the curve to 0 at the radius, with the slope 0 at both. */
static void sample_curve(void *user, size_t first, size_t end)
{
    const curve *line = user;
    for (size_t i = first; i < end; i++) {
        nearest n = find_nearest(line, node_position(line->field, (uint32_t)i));
        float q = fminf(n.distance / line->radius, 1.0f), weight = (1.0f - q * q) * (1.0f - q * q);
        line->nodes[2 * i] = (vec4){n.way.x, n.way.y, n.way.z, weight};
        line->nodes[2 * i + 1] = (vec4){n.tangent.x, n.tangent.y, n.tangent.z, 0.0f};
    }
}

static weir_result create_curve(sim_world *world, const scene_force *force, sim_force_field *field)
{
    curve line = {.field = field, .radius = force->radius};
    const vec3 around = vec3_make(force->radius, force->radius, force->radius);
    box reach = find_reach(world, force),
        over = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    weir_result result = make_curve(force, &line) ? WEIR_OK : fail_memory(world);
    for (uint32_t i = 0; result == WEIR_OK && i <= line.group_count * SEGMENTS; i++) {
        over.min = vec3_min(over.min, vec3_sub(line.points[i], around));
        over.max = vec3_max(over.max, vec3_add(line.points[i], around));
    }
    over = (box){vec3_max(over.min, reach.min), vec3_min(over.max, reach.max)};
    if (force->inside.reach != SCENE_REACH_SPHERE) {
        field->low = (vec4){over.min.x, over.min.y, over.min.z, 0.0f};
        field->high = (vec4){over.max.x, over.max.y, over.max.z, 0.0f};
    }
    if (result == WEIR_OK && is_empty(world, &over)) {
        disable(world, force, field);
    } else if (result == WEIR_OK) {
        choose_nodes(world, field, over,
                     fmaxf(world->scene->spacing, force->radius / CELLS_PER_RADIUS));
        line.nodes = append_nodes(world, field);
        if (line.nodes)
            base_parallel_for(node_count(field), 1024, sample_curve, &line);
        else
            result = fail_memory(world);
    }
    base_free(line.points);
    base_free(line.spheres);
    return result;
}

/* ---- shapes --------------------------------------------------------------------------------- */

typedef struct target {
    const solid_set *solids;
    const scene_force *force;
    const sim_force_field *field;
    vec4 *nodes;
    bool planar;
    float step; /* m: of the differences of distances */
} target;

static float distance_near(const target *to, vec3 p, int axis, float step)
{
    (&p.x)[axis] += step;
    return solid_shape_distance(to->solids, to->force->shape, p);
}

/* Returns the gradient of the distance as a unit vector; 0 where it has none. */
static vec3 outward_at(const target *to, vec3 p)
{
    vec3 out = {0};
    for (int axis = 0; axis < (to->planar ? 2 : 3); axis++)
        (&out.x)[axis] =
            distance_near(to, p, axis, to->step) - distance_near(to, p, axis, -to->step);
    float length = vec3_length(out);
    return length > 0.0f ? vec3_scale(out, 1.0f / length) : out;
}

static void sample_shape(void *user, size_t first, size_t end)
{
    const target *to = user;
    const float radius = to->force->radius > 0.0f ? to->force->radius : INFINITY;
    for (size_t i = first; i < end; i++) {
        vec3 p = node_position(to->field, (uint32_t)i);
        float distance = solid_shape_distance(to->solids, to->force->shape, p);
        vec3 pull = vec3_scale(outward_at(to, p), -fminf(fmaxf(distance, 0.0f), radius));
        to->nodes[2 * i] = (vec4){pull.x, pull.y, pull.z, 1.0f};
    }
}

static weir_result create_target(sim_world *world, const scene_force *force, sim_force_field *field)
{
    box reach = find_reach(world, force);
    if (is_empty(world, &reach)) {
        disable(world, force, field);
        return WEIR_OK;
    }
    choose_nodes(world, field, reach, world->scene->spacing);
    target to = {.solids = world->solids,
                 .force = force,
                 .field = field,
                 .nodes = append_nodes(world, field),
                 .planar = is_planar(world),
                 .step = 0.5f / field->nodes_per_metre.x};
    if (!to.nodes) return fail_memory(world);
    base_parallel_for(node_count(field), 1024, sample_shape, &to);
    return WEIR_OK;
}

/* ---- velocity fields of files -----------------------------------------------------------------
 */

static weir_result create_velocities(sim_world *world, const scene_force *force,
                                     sim_force_field *field)
{
    io_vector_grid grid;
    const io_vector_grid_def def = {force->path, is_planar(world) ? 2u : 3u, MAX_FILE_NODES};
    WEIR_RETURN_IF_ERROR(io_vector_grid_read(world->log, &def, &grid));
    field->nodes = (uvec4){grid.nodes[0], grid.nodes[1], grid.nodes[2], 0};
    place_nodes(world, field, (box){force->inside.min, force->inside.max});
    vec4 *nodes = append_nodes(world, field);
    for (uint32_t i = 0; nodes && i < node_count(field); i++) {
        nodes[2 * i].w = 1.0f;
        nodes[2 * i + 1] = (vec4){grid.vectors[i].x, grid.vectors[i].y, grid.vectors[i].z, 0.0f};
    }
    base_free(grid.vectors);
    return nodes ? WEIR_OK : fail_memory(world);
}

/* ---- fields --------------------------------------------------------------------------------- */

static uint32_t kind_of(const scene_force *force)
{
    switch (force->kind) {
    case SCENE_FORCE_CURVE: return SIM_FIELD_CURVE;
    case SCENE_FORCE_VELOCITY_FIELD: return SIM_FIELD_VELOCITY;
    case SCENE_FORCE_SHAPE: return SIM_FIELD_SHAPE;
    default: return SIM_FIELD_NOISE;
    }
}

/* Sets the region of a field: the whole space, a box or a sphere. In planar flow it has no limits
 * along z. */
static void fill_region(const sim_world *world, const scene_force *force, sim_force_field *field)
{
    const scene_region *in = &force->inside;
    const float far = INFINITY;
    field->low = (vec4){-far, -far, -far, 0.0f};
    field->high = (vec4){far, far, far, 0.0f};
    if (in->reach == SCENE_REACH_SPHERE)
        field->low = (vec4){in->centre.x, in->centre.y, in->centre.z, in->radius};
    if (in->reach != SCENE_REACH_BOX) return;
    field->low = (vec4){in->min.x, in->min.y, is_planar(world) ? -far : in->min.z, 0.0f};
    field->high = (vec4){in->max.x, in->max.y, is_planar(world) ? far : in->max.z, 0.0f};
}

static void fill_live(const scene_force *force, sim_force_field *field)
{
    field->amplitude = force->amplitude;
    field->strength = force->strength;
    field->rate = force->rate;
    field->speed = force->kind == SCENE_FORCE_VELOCITY_FIELD ? 1.0f : force->speed;
    field->swirl = force->swirl;
}

static weir_result create_field(sim_world *world, const scene_force *force, sim_force_field *field)
{
    *field = (sim_force_field){
        .kind = kind_of(force),
        .octaves = force->octaves,
        .seed = force->seed,
        .drift = {force->velocity.x, force->velocity.y, force->velocity.z, force->evolution}};
    fill_region(world, force, field);
    fill_live(force, field);
    switch (force->kind) {
    case SCENE_FORCE_CURVE: return create_curve(world, force, field);
    case SCENE_FORCE_VELOCITY_FIELD: return create_velocities(world, force, field);
    case SCENE_FORCE_SHAPE: return create_target(world, force, field);
    default: field->shift.w = 1.0f / force->size; return WEIR_OK;
    }
}

weir_result sim_force_fields_create(sim_world *world)
{
    const scene_data *scene = world->scene;
    struct sim_force_fields *fields = &world->force_fields;
    for (uint32_t i = 0; i < scene->force_count; i++) {
        if (!scene_force_is_sampled(&scene->forces[i])) continue;
        WEIR_RETURN_IF_ERROR(create_field(world, &scene->forces[i], &fields->items[fields->count]));
        fields->count++;
    }
    if (world->force_field_nodes.count <= 2 * MAX_NODES) return WEIR_OK;
    return base_fail(world->log, WEIR_ERROR_SCENE,
                     "%s: the force fields have %zu nodes together, at most %u are allowed: use "
                     "coarser files",
                     scene->source, world->force_field_nodes.count / 2, MAX_NODES);
}

weir_result sim_force_fields_upload(sim_world *world)
{
    const size_t size = world->force_field_nodes.count * sizeof(vec4);
    if (size == 0) return WEIR_OK;
    weir_result result = gpu_buffer_upload(world->device, world->buffers.force_field_nodes, 0,
                                           world->force_field_nodes.items, size);
    base_free(world->force_field_nodes.items);
    world->force_field_nodes.items = NULL;
    world->force_field_nodes.capacity = 0;
    return result;
}

void sim_force_fields_fill(sim_world *world)
{
    const scene_data *scene = world->scene;
    uint32_t field = 0;
    for (uint32_t i = 0; i < scene->force_count; i++)
        if (scene_force_is_sampled(&scene->forces[i]))
            fill_live(&scene->forces[i], &world->force_fields.items[field++]);
}

/* How far noise has moved and turned is computed with 64 bits: a run may be long. */
void sim_force_fields_at(const sim_world *world, double time_s, struct sim_force_fields *out)
{
    static const float rates[4] = {SIM_NOISE_RATES};
    *out = world->force_fields;
    for (uint32_t i = 0; i < out->count; i++) {
        sim_force_field *field = &out->items[i];
        const float *drift = &field->drift.x;
        float *shift = &field->shift.x, *turns = &field->turns.x;
        for (int axis = 0; axis < 3; axis++)
            shift[axis] = (float)((double)drift[axis] * time_s);
        for (int set = 0; set < 4; set++)
            turns[set] = (float)fmod((double)rates[set] * (double)field->drift.w * time_s, 1.0);
    }
}
