/* Cloths, ropes and soft bodies that start in something: what is deep in it is refused, what only
 * touches it with its thickness is warned of. Both would be pushed out at once, and fly away. */
#include "soft_internal.h"

#define DEEP 0.1f /* spacings that are let pass, as of bodies: src/body/check.c */
#define NEAR 0.8f /* of the radius: what is as near leaves slowly */

/* What vertices keep out of: a side of the domain, a solid, a body or a soft body. */
typedef struct thing {
    const char *kind, *name;
    uint32_t shape;                /* or which side */
    const struct solid_pose *pose; /* NULL: a side */
    vec3 low, high;                /* m: the box about the shape, in its own space */
    bool body;
} thing;

/* Vertices in a thing. */
typedef struct finding {
    thing in;
    uint32_t near, deep; /* how many lie too near to it, or deep in it */
    uint32_t vertex;     /* the deepest, from the first of the set on */
    float distance;      /* m, of that */
} finding;

typedef struct overlap {
    soft_builder b;
    const solid_set *solids;
    const soft_figures *figures;
    vec3 middle;
    float reach; /* m: no vertex is farther from the middle */
    float gap;   /* m: a vertex that is nearer overlaps */
    finding worst;
} overlap;

static const scene_soft *body_at(const scene_data *scene, uint32_t index)
{
    const scene_soft *s = scene_soft_at(scene, index);
    return s->kind == SCENE_SOFT_BODY ? s : NULL;
}

static bool outside_box(const thing *t, vec3 p, float gap)
{
    vec3 out = vec3_max(vec3_sub(t->low, p), vec3_sub(p, t->high));
    return out.x > gap || out.y > gap || out.z > gap;
}

static vec3 in_space_of(const thing *t, vec3 p)
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

/* Infinite where it is more than the gap. */
static float distance_to(const overlap *o, const thing *t, vec3 p)
{
    if (!t->pose) return side_distance(&o->b.set->scene->domain, t->shape, p);
    p = in_space_of(t, p);
    return outside_box(t, p, o->gap) ? INFINITY : solid_shape_distance(o->solids, t->shape, p);
}

/* What the world or a solid holds is not pushed, and what hangs on a body meets none. */
static bool passes(const soft_set *set, const thing *t, uint32_t vertex)
{
    bool tied = set->ties.count && set->ties.items[vertex].body != SOFT_NONE;
    return set->starts.items[vertex].position.w == 0.0f || (tied && t->body);
}

/* Only those on the surface count as near: those within are as near as the body is large. */
static finding look(const overlap *o, const thing *t)
{
    finding found = {.in = *t, .distance = INFINITY};
    const soft_set *set = o->b.set;
    const float deep = -DEEP * set->scene->spacing;
    const uint32_t first = o->figures->first_vertex;
    if (t->pose && outside_box(t, in_space_of(t, o->middle), o->reach + o->gap)) return found;
    for (uint32_t i = 0; i < o->figures->vertex_count; i++) {
        if (passes(set, t, first + i)) continue;
        float distance = distance_to(o, t, soft_place(set, first + i));
        found.near += i < o->figures->surface_count && distance < o->gap;
        found.deep += distance < deep;
        if (distance >= found.distance) continue;
        found.distance = distance;
        found.vertex = first + i;
    }
    return found;
}

static void warn(const overlap *o, const finding *f, const char *fate)
{
    static const char *const where[] = {"vertices are nearer to it than half its thickness",
                                        "vertices are nearer to it than half its diameter",
                                        "outer vertices lie within it"};
    const scene_soft *s = o->b.soft;
    double depth = (double)(o->b.set->makes[o->b.index].radius - f->distance);
    if (f->near == 0) return;
    base_log(o->b.log, WEIR_LOG_WARNING,
             "%s:%d:%d: %s '%s' overlaps %s '%s' at the start by %.3g m: %u of its %u %s, and %s; "
             "move it away by as much, or %s",
             o->b.set->scene->source, s->line, s->column, soft_kind(s), s->name, f->in.kind,
             f->in.name, depth, f->near, o->figures->surface_count, where[s->kind], fate,
             s->kind == SCENE_SOFT_BODY ? "make it smaller" : "pin them");
}

static void meet(overlap *o, const thing *t)
{
    finding found = look(o, t);
    if (found.deep == 0)
        warn(o, &found, "would be pushed out at once");
    else if (found.distance < o->worst.distance)
        o->worst = found;
}

static void meet_sides(overlap *o)
{
    static const char *const names[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    for (uint32_t side = 0; side < 6; side++)
        if (o->b.set->scene->domain.sides[side] == SCENE_SIDE_CLOSED)
            meet(o, &(thing){.kind = "the domain's side", .name = names[side], .shape = side});
}

static thing thing_of(const overlap *o, uint32_t shape, const struct solid_pose *pose)
{
    thing t = {.shape = shape, .pose = pose};
    solid_shape_bounds(o->solids, shape, &t.low, &t.high);
    return t;
}

static void meet_all(overlap *o, const struct solid_pose *poses)
{
    const scene_data *scene = o->b.set->scene;
    const struct solid_pose here = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    meet_sides(o);
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        thing t = thing_of(o, scene->solids[i].shape, &poses[i]);
        t.kind = "solid", t.name = scene->solids[i].name;
        meet(o, &t);
    }
    for (uint32_t i = 0; i < scene->body_count; i++) {
        thing t = thing_of(o, scene->bodies[i].shape, &here);
        t.kind = "body", t.name = scene->bodies[i].name, t.body = true;
        meet(o, &t);
    }
    for (uint32_t i = 0; i < o->b.set->count && body_at(scene, o->b.index); i++) {
        const scene_soft *other = i == o->b.index ? NULL : body_at(scene, i);
        if (!other) continue;
        thing t = thing_of(o, other->shape, &here);
        t.kind = "soft body", t.name = other->name;
        finding found = look(o, &t);
        warn(o, &found, "stay so, because what is near at the start is not pushed apart");
    }
}

static weir_result refuse(const overlap *o)
{
    const finding *f = &o->worst;
    const scene_soft *s = o->b.soft;
    const bool side = !f->in.pose;
    const uint32_t vertex = f->vertex - o->figures->first_vertex;
    const char *deep = side ? "beyond" : "deep in";
    vec3 p = soft_place(o->b.set, f->vertex);
    char advice[128];
    if (side)
        snprintf(advice, sizeof advice, "move it in by %.3g m, make it smaller, or that side open",
                 (double)(o->b.set->makes[o->b.index].radius - f->distance));
    else
        snprintf(advice, sizeof advice, "move it out, or pin these vertices to the %s", f->in.kind);
    return soft_fault(&o->b, s->line, s->column,
                      "starts %s %s '%s': %u of its %u vertices are more than %.3g m %s it, and "
                      "vertex %u at (%.4g, %.4g, %.4g) is %.3g m %s it: %s",
                      side ? "beyond" : "in", f->in.kind, f->in.name, f->deep,
                      o->figures->vertex_count, (double)(DEEP * o->b.set->scene->spacing), deep,
                      vertex, (double)p.x, (double)p.y, (double)p.z, -(double)f->distance, deep,
                      advice);
}

static overlap overlap_of(soft_set *set, const weir_log *log, const solid_set *solids,
                          uint32_t index)
{
    overlap o = {.b = {.set = set, .log = log, .index = index}, .solids = solids};
    o.worst.distance = INFINITY;
    o.b.soft = scene_soft_at(set->scene, index);
    o.figures = &set->figures[index];
    o.gap = NEAR * set->makes[index].radius;
    vec3 low = soft_place(set, o.figures->first_vertex), high = low;
    for (uint32_t i = 1; i < o.figures->vertex_count; i++) {
        low = vec3_min(low, soft_place(set, o.figures->first_vertex + i));
        high = vec3_max(high, soft_place(set, o.figures->first_vertex + i));
    }
    o.middle = vec3_scale(vec3_add(low, high), 0.5f);
    o.reach = 0.5f * vec3_length(vec3_sub(high, low));
    return o;
}

weir_result soft_check_overlaps(soft_set *set, const weir_log *log, const solid_set *solids)
{
    weir_result result = WEIR_OK;
    struct solid_pose *poses = base_alloc(solid_item_count(solids), sizeof *poses);
    if (!poses) return base_fail(log, WEIR_MEMORY, "no memory to look at cloths and ropes");
    solid_poses_at(solids, 0.0, 0.0, poses);
    for (uint32_t i = 0; i < set->count && result == WEIR_OK; i++) {
        overlap o = overlap_of(set, log, solids, i);
        meet_all(&o, poses);
        if (o.worst.deep > 0) result = refuse(&o);
    }
    base_free(poses);
    return result;
}
