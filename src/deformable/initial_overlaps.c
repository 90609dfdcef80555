/* Checks deformables that start inside something. Vertices deep inside are an error; contact within
 * the deformable's thickness is a warning. Both would be pushed out at once and fly away. */
#include "deformable_internal.h"

/* spacings that are tolerated, as for bodies: src/body/initial_overlaps.c */
#define DEPTH_TOLERANCE 0.1f
#define MIN_GAP 0.8f /* of the radius: vertices at this distance are pushed out slowly */

/* Obstacle of vertices: a side of the domain, a solid, a body or a soft body. */
typedef struct obstacle {
    const char *kind, *name;
    uint32_t shape;                /* or number of the side */
    const struct solid_pose *pose; /* NULL: a side */
    vec3 low, high;                /* m: bounding box of the shape, in its own space */
    bool body;
} obstacle;

/* Vertices that overlap an obstacle. */
typedef struct overlap_result {
    obstacle in;
    uint32_t near, deep; /* numbers of vertices that are too near to it, and deep in it */
    uint32_t vertex;     /* the deepest, numbered from the first of the set */
    float distance;      /* m, of that vertex */
} overlap_result;

typedef struct overlap_check {
    deformable_builder b;
    const solid_set *solids;
    const deformable_info *info;
    vec3 middle;
    float reach; /* m: maximum distance of a vertex from the middle */
    float gap;   /* m: a vertex that is nearer to an obstacle overlaps it */
    overlap_result worst;
} overlap_check;

static const scene_deformable *soft_body_at(const scene_data *scene, uint32_t index)
{
    const scene_deformable *s = scene_deformable_at(scene, index);
    return s->kind == SCENE_DEFORMABLE_SOFT_BODY ? s : NULL;
}

static bool outside_box(const obstacle *t, vec3 p, float gap)
{
    vec3 out = vec3_max(vec3_sub(t->low, p), vec3_sub(p, t->high));
    return out.x > gap || out.y > gap || out.z > gap;
}

static vec3 to_obstacle_space(const obstacle *t, vec3 p)
{
    const vec4 *x = &t->pose->position, *r = &t->pose->rotation;
    quat back = quat_conjugate((quat){r->x, r->y, r->z, r->w});
    return quat_rotate(back, vec3_sub(p, vec3_make(x->x, x->y, x->z)));
}

static float side_distance(const scene_domain *d, uint32_t side, vec3 p)
{
    const float off[6] = {p.x - d->min.x, d->max.x - p.x, p.y - d->min.y,
                          d->max.y - p.y, p.z - d->min.z, d->max.z - p.z};
    return off[side];
}

/* Returns the distance of a point from an obstacle, m; INFINITY if its bounding box is farther away
 * than the gap. */
static float obstacle_distance(const overlap_check *o, const obstacle *t, vec3 p)
{
    if (!t->pose) return side_distance(&o->b.set->scene->domain, t->shape, p);
    p = to_obstacle_space(t, p);
    return outside_box(t, p, o->gap) ? INFINITY : solid_shape_distance(o->solids, t->shape, p);
}

/* Returns whether a vertex ignores an obstacle: pinned vertices are not pushed, and vertices
 * attached to a body collide with no body. */
static bool ignores_obstacle(const deformable_set *set, const obstacle *t, uint32_t vertex)
{
    bool attached =
        set->attachments.count && set->attachments.items[vertex].body != DEFORMABLE_NONE;
    return set->initial_states.items[vertex].position.w == 0.0f || (attached && t->body);
}

/* Counts the vertices that overlap an obstacle. Only vertices on the surface count as near:
 * the distance of inner ones depends on the size of the body. */
static overlap_result count_overlaps(const overlap_check *o, const obstacle *t)
{
    overlap_result found = {.in = *t, .distance = INFINITY};
    const deformable_set *set = o->b.set;
    const float deep = -DEPTH_TOLERANCE * set->scene->spacing;
    const uint32_t first = o->info->first_vertex;
    if (t->pose && outside_box(t, to_obstacle_space(t, o->middle), o->reach + o->gap)) return found;
    for (uint32_t i = 0; i < o->info->vertex_count; i++) {
        if (ignores_obstacle(set, t, first + i)) continue;
        float distance = obstacle_distance(o, t, deformable_initial_position(set, first + i));
        found.near += i < o->info->surface_count && distance < o->gap;
        found.deep += distance < deep;
        if (distance >= found.distance) continue;
        found.distance = distance;
        found.vertex = first + i;
    }
    return found;
}

static void warn_overlap(const overlap_check *o, const overlap_result *f, const char *fate)
{
    static const char *const where[] = {"vertices are closer to it than half its thickness",
                                        "vertices are closer to it than half its diameter",
                                        "outer vertices are inside it"};
    const scene_deformable *s = o->b.deformable;
    double depth = (double)(o->b.set->properties[o->b.index].radius - f->distance);
    if (f->near == 0) return;
    base_log(o->b.log, WEIR_LOG_WARNING,
             "%s:%d:%d: %s '%s' overlaps %s '%s' at the start by %.3g m: %u of its %u %s, and %s; "
             "move it away by that much, or %s",
             o->b.set->scene->source, s->line, s->column, deformable_kind_name(s), s->name,
             f->in.kind, f->in.name, depth, f->near, o->info->surface_count, where[s->kind], fate,
             s->kind == SCENE_DEFORMABLE_SOFT_BODY ? "make it smaller" : "pin them");
}

static void check_obstacle(overlap_check *o, const obstacle *t)
{
    overlap_result found = count_overlaps(o, t);
    if (found.deep == 0)
        warn_overlap(o, &found, "they would be pushed out at once");
    else if (found.distance < o->worst.distance)
        o->worst = found;
}

static void check_sides(overlap_check *o)
{
    static const char *const names[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    for (uint32_t side = 0; side < 6; side++)
        if (o->b.set->scene->domain.sides[side] == SCENE_SIDE_CLOSED)
            check_obstacle(
                o, &(obstacle){.kind = "the domain's side", .name = names[side], .shape = side});
}

static obstacle make_obstacle(const overlap_check *o, uint32_t shape, const struct solid_pose *pose)
{
    obstacle t = {.shape = shape, .pose = pose};
    solid_shape_bounds(o->solids, shape, &t.low, &t.high);
    return t;
}

static void check_obstacles(overlap_check *o, const struct solid_pose *poses)
{
    const scene_data *scene = o->b.set->scene;
    const struct solid_pose here = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    check_sides(o);
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        obstacle t = make_obstacle(o, scene->solids[i].shape, &poses[i]);
        t.kind = "solid", t.name = scene->solids[i].name;
        check_obstacle(o, &t);
    }
    for (uint32_t i = 0; i < scene->body_count; i++) {
        obstacle t = make_obstacle(o, scene->bodies[i].shape, &here);
        t.kind = "body", t.name = scene->bodies[i].name, t.body = true;
        check_obstacle(o, &t);
    }
    for (uint32_t i = 0; i < o->b.set->count && soft_body_at(scene, o->b.index); i++) {
        const scene_deformable *other = i == o->b.index ? NULL : soft_body_at(scene, i);
        if (!other) continue;
        obstacle t = make_obstacle(o, other->shape, &here);
        t.kind = "soft body", t.name = other->name;
        overlap_result found = count_overlaps(o, &t);
        warn_overlap(
            o, &found,
            "they stay inside, because vertices that overlap at the start are not pushed apart");
    }
}

static weir_result fail_overlap(const overlap_check *o)
{
    const overlap_result *f = &o->worst;
    const scene_deformable *s = o->b.deformable;
    const bool side = !f->in.pose;
    const uint32_t vertex = f->vertex - o->info->first_vertex;
    const char *deep = side ? "beyond" : "deep in";
    vec3 p = deformable_initial_position(o->b.set, f->vertex);
    char advice[128];
    if (side)
        snprintf(advice, sizeof advice,
                 "move it inside by %.3g m, make it smaller, or make that side open",
                 (double)(o->b.set->properties[o->b.index].radius - f->distance));
    else
        snprintf(advice, sizeof advice, "move it out, or pin these vertices to the %s", f->in.kind);
    return deformable_scene_fault(
        &o->b, s->line, s->column,
        "starts %s %s '%s': %u of its %u vertices are more than %.3g m %s it, and "
        "vertex %u at (%.4g, %.4g, %.4g) is %.3g m %s it: %s",
        side ? "beyond" : "in", f->in.kind, f->in.name, f->deep, o->info->vertex_count,
        (double)(DEPTH_TOLERANCE * o->b.set->scene->spacing), deep, vertex, (double)p.x,
        (double)p.y, (double)p.z, -(double)f->distance, deep, advice);
}

static overlap_check make_overlap_check(deformable_set *set, const weir_log *log,
                                        const solid_set *solids, uint32_t index)
{
    overlap_check o = {.b = {.set = set, .log = log, .index = index}, .solids = solids};
    o.worst.distance = INFINITY;
    o.b.deformable = scene_deformable_at(set->scene, index);
    o.info = &set->info[index];
    o.gap = MIN_GAP * set->properties[index].radius;
    vec3 low = deformable_initial_position(set, o.info->first_vertex), high = low;
    for (uint32_t i = 1; i < o.info->vertex_count; i++) {
        low = vec3_min(low, deformable_initial_position(set, o.info->first_vertex + i));
        high = vec3_max(high, deformable_initial_position(set, o.info->first_vertex + i));
    }
    o.middle = vec3_scale(vec3_add(low, high), 0.5f);
    o.reach = 0.5f * vec3_length(vec3_sub(high, low));
    return o;
}

weir_result deformable_check_overlaps(deformable_set *set, const weir_log *log,
                                      const solid_set *solids)
{
    weir_result result = WEIR_OK;
    struct solid_pose *poses = base_alloc(solid_item_count(solids), sizeof *poses);
    if (!poses)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory to examine cloths and ropes");
    solid_poses_at(solids, 0.0, 0.0, poses);
    for (uint32_t i = 0; i < set->count && result == WEIR_OK; i++) {
        overlap_check o = make_overlap_check(set, log, solids, i);
        check_obstacles(&o, poses);
        if (o.worst.deep > 0) result = fail_overlap(&o);
    }
    base_free(poses);
    return result;
}
