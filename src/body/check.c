/* Bodies that begin in walls or in each other would be shot out of them. */
#include "body_internal.h"

#define OVERLAP 0.1f  /* spacings that are let pass of a sample of the surface, */
#define MEETING 0.25f /* and between samples */

/* The bodies and, behind them, the solids. */
typedef struct check {
    const body_set *set;
    const solid_set *solids;
    const struct body_state *states;
    double time_s; /* of the solids */
    body_thing *things;
    uint32_t thing_count;
    body_meet_room *room;
} check;

/* The deepest overlap that has been found of a body. */
typedef struct overlap {
    float depth; /* m */
    const char *kind, *name;
} overlap;

static void note(overlap *worst, float depth, const char *kind, const char *name)
{
    if (depth > worst->depth) *worst = (overlap){depth, kind, name};
}

/* ---- things ---------------------------------------------------------------------------------- */

static float largest_of(vec3 a)
{
    return fmaxf(fabsf(a.x), fmaxf(fabsf(a.y), fabsf(a.z)));
}

/* Moves the box about a shape, and makes it hold the turned one. */
static void place_box(body_thing *thing)
{
    vec3 low = {INFINITY, INFINITY, INFINITY}, high = vec3_scale(low, -1.0f);
    if (!isfinite(largest_of(thing->low)) || !isfinite(largest_of(thing->high))) {
        thing->low = high, thing->high = low;
        return;
    }
    for (int k = 0; k < 8; k++) {
        const vec3 corner = {k & 1 ? thing->high.x : thing->low.x,
                             k & 2 ? thing->high.y : thing->low.y,
                             k & 4 ? thing->high.z : thing->low.z};
        vec3 p = vec3_add(thing->position, quat_rotate(thing->rotation, corner));
        low = vec3_min(low, p);
        high = vec3_max(high, p);
    }
    thing->low = low;
    thing->high = high;
}

/* The box in the shape's own axes; the world's unless the shape is a box. */
static void place_axes(const scene_data *scene, body_thing *thing)
{
    const scene_shape *s = &scene->shapes[thing->shape];
    const bool own = s->kind == SCENE_SHAPE_BOX && !(s->thickness > 0.0f);
    vec3 half = vec3_scale(vec3_sub(thing->high, thing->low), 0.5f);
    quat turn = quat_identity();
    if (own) half = vec3_scale(s->size, 0.5f * s->pose.scale), turn = s->pose.rotation;
    if (own && thing->turned) turn = quat_multiply(thing->rotation, turn);
    thing->middle = vec3_scale(vec3_add(thing->low, thing->high), 0.5f);
    thing->axes[0] = quat_rotate(turn, vec3_make(half.x, 0, 0));
    thing->axes[1] = quat_rotate(turn, vec3_make(0, half.y, 0));
    thing->axes[2] = quat_rotate(turn, vec3_make(0, 0, half.z));
}

static void place_thing(const check *c, body_thing *thing, vec3 position, quat rotation)
{
    thing->position = position;
    thing->rotation = rotation;
    thing->turned = largest_of(position) > 0.0f || fabsf(rotation.w) < 1.0f;
    solid_shape_bounds(c->solids, thing->shape, &thing->low, &thing->high);
    if (thing->turned) place_box(thing);
    place_axes(c->set->scene, thing);
}

static body_thing thing_of_body(const check *c, uint32_t index)
{
    const scene_body *body = &c->set->scene->bodies[index];
    const scene_pose pose = body_pose(c->set, index, &c->states[index]);
    body_thing thing = {
        .kind = "body", .name = body->name, .shape = body->shape, .group = body->group};
    place_thing(c, &thing, pose.position, pose.rotation);
    return thing;
}

static body_thing thing_of_solid(const check *c, uint32_t index, const struct solid_pose *pose)
{
    const scene_solid *solid = &c->set->scene->solids[index];
    const vec4 *x = &pose->position, *r = &pose->rotation;
    body_thing thing = {.kind = "solid", .name = solid->name, .shape = solid->shape};
    place_thing(c, &thing, vec3_make(x->x, x->y, x->z), (quat){r->x, r->y, r->z, r->w});
    return thing;
}

static weir_result list_things(check *c, const weir_log *log)
{
    const scene_data *scene = c->set->scene;
    struct solid_pose *poses = base_alloc(solid_item_count(c->solids), sizeof *poses);
    c->thing_count = scene->body_count + scene->solid_count;
    c->things = base_alloc(c->thing_count, sizeof *c->things);
    c->room = base_alloc(1, sizeof *c->room);
    const bool made = poses && c->things && c->room;
    if (made) solid_poses_at(c->solids, c->time_s, 0.0, poses);
    for (uint32_t i = 0; made && i < c->thing_count; i++) {
        const uint32_t solid = i - scene->body_count;
        c->things[i] =
            i < scene->body_count ? thing_of_body(c, i) : thing_of_solid(c, solid, &poses[solid]);
    }
    base_free(poses);
    return made ? WEIR_OK : base_fail(log, WEIR_MEMORY, "no memory for bodies");
}

/* ---- meetings -------------------------------------------------------------------------------- */

static vec3 sample_place(const check *c, uint32_t body, uint32_t index)
{
    const body_set *set = c->set;
    const vec4 *q = &set->samples.items[set->makes[body].first_sample + index].place;
    const vec3 p = vec3_add(set->figures[body].centre, vec3_make(q->x, q->y, q->z));
    const body_thing *thing = &c->things[body];
    return thing->turned ? vec3_add(thing->position, quat_rotate(thing->rotation, p)) : p;
}

static void meet_sides(const check *c, uint32_t body, overlap *worst)
{
    static const char *const names[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    const scene_domain *domain = &c->set->scene->domain;
    for (uint32_t i = 0; i < c->set->makes[body].sample_count; i++) {
        const vec3 p = sample_place(c, body, i);
        const float depths[6] = {domain->min.x - p.x, p.x - domain->max.x, domain->min.y - p.y,
                                 p.y - domain->max.y, domain->min.z - p.z, p.z - domain->max.z};
        for (int side = 0; side < 6; side++)
            if (domain->sides[side] == SCENE_SIDE_CLOSED)
                note(worst, depths[side], "the domain's side", names[side]);
    }
}

/* Bodies of one group may overlap. */
static bool may_meet(const check *c, const body_thing *a, const body_thing *b)
{
    if (a == b || (a->group != 0 && a->group == b->group)) return false;
    return !body_boxes_part(a, b, OVERLAP * c->set->scene->spacing);
}

static void meet_samples(const check *c, uint32_t body, const body_thing *thing, overlap *worst)
{
    for (uint32_t i = 0; i < c->set->makes[body].sample_count; i++) {
        const vec3 p = sample_place(c, body, i);
        note(worst, -body_thing_distance(c->solids, thing, p), thing->kind, thing->name);
    }
}

static void meet_insides(const check *c, uint32_t body, const body_thing *thing, overlap *worst)
{
    const body_thing *const pair[2] = {&c->things[body], thing};
    const float least = fmaxf(worst->depth, MEETING * c->set->scene->spacing);
    if (body_boxes_part(pair[0], pair[1], least)) return;
    const float depth = body_meet(c->solids, pair, c->room, least);
    if (depth > least) note(worst, depth, thing->kind, thing->name);
}

/* With `all` things, or with those behind it in the list, whose pairs with those before it are
 * known. */
static overlap find_worst(const check *c, uint32_t body, bool all)
{
    overlap worst = {OVERLAP * c->set->scene->spacing, NULL, NULL};
    meet_sides(c, body, &worst);
    for (uint32_t i = 0; i < c->thing_count; i++) {
        if (!may_meet(c, &c->things[body], &c->things[i])) continue;
        meet_samples(c, body, &c->things[i], &worst);
        if (all || i > body) meet_insides(c, body, &c->things[i], &worst);
    }
    return worst;
}

static void close_check(check *c)
{
    base_free(c->things);
    base_free(c->room);
}

static weir_result check_start(const check *c, const weir_log *log, uint32_t body)
{
    const scene_data *scene = c->set->scene;
    const scene_body *b = &scene->bodies[body];
    const overlap worst = find_worst(c, body, false);
    if (!worst.kind) return WEIR_OK;
    return base_fail(log, WEIR_SCENE,
                     "%s:%d:%d: body '%s' is %.3g m deep in %s '%s' at the start: move it by as "
                     "much at least, until they part",
                     scene->source, b->line, b->column, b->name, (double)worst.depth, worst.kind,
                     worst.name);
}

weir_result body_set_check(const body_set *set, const weir_log *log, const solid_set *solids)
{
    check c = {.set = set, .solids = solids, .states = set->starts};
    weir_result result = list_things(&c, log);
    for (uint32_t i = 0; i < set->count && result == WEIR_OK; i++)
        result = check_start(&c, log, i);
    close_check(&c);
    return result;
}

weir_result body_check_place(const body_set *set, const weir_log *log, const body_world *world,
                             uint32_t body)
{
    check c = {
        .set = set, .solids = world->solids, .states = world->states, .time_s = world->time_s};
    weir_result result = list_things(&c, log);
    if (result == WEIR_OK) {
        const overlap worst = find_worst(&c, body, true);
        if (worst.kind)
            result = base_fail(log, WEIR_ARGUMENT,
                               "body '%s' would be %.3g m deep in %s '%s': move it by as much at "
                               "least, until they part",
                               set->scene->bodies[body].name, (double)worst.depth, worst.kind,
                               worst.name);
    }
    close_check(&c);
    return result;
}
