/* Rejects bodies that start inside walls or other bodies, which contacts would eject violently. */
#include "body_internal.h"

/* spacings that a surface sample may lie inside another collider */
#define SAMPLE_TOLERANCE 0.1f
/* spacings that colliders may penetrate each other between samples */
#define DEPTH_TOLERANCE 0.25f

/* Checks overlaps of bodies. The colliders are the bodies, followed by the solids. */
typedef struct overlap_check {
    const body_set *set;
    const solid_set *solids;
    const struct body_state *states;
    double time_s; /* at which the solids are placed */
    body_collider *colliders;
    uint32_t collider_count;
    body_penetration_scratch *scratch;
} overlap_check;

/* The deepest overlap found for a body. */
typedef struct overlap {
    float depth; /* m */
    const char *kind, *name;
} overlap;

static void record_overlap(overlap *worst, float depth, const char *kind, const char *name)
{
    if (depth > worst->depth) *worst = (overlap){depth, kind, name};
}

/* ---- colliders ------------------------------------------------------------------------------ */

static float max_abs_component(vec3 a)
{
    return fmaxf(fabsf(a.x), fmaxf(fabsf(a.y), fabsf(a.z)));
}

/* Replaces the bounding box of a shape by that of the moved and turned shape. */
static void transform_box(body_collider *thing)
{
    vec3 low = {INFINITY, INFINITY, INFINITY}, high = vec3_scale(low, -1.0f);
    if (!isfinite(max_abs_component(thing->low)) || !isfinite(max_abs_component(thing->high))) {
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

/* Sets the second box of a collider: in the axes of a box shape, for other shapes in the world's
 * axes. */
static void set_box_axes(const scene_data *scene, body_collider *thing)
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

static void place_collider(const overlap_check *c, body_collider *thing, vec3 position,
                           quat rotation)
{
    thing->position = position;
    thing->rotation = rotation;
    thing->turned = max_abs_component(position) > 0.0f || fabsf(rotation.w) < 1.0f;
    solid_shape_bounds(c->solids, thing->shape, &thing->low, &thing->high);
    if (thing->turned) transform_box(thing);
    set_box_axes(c->set->scene, thing);
}

static body_collider collider_of_body(const overlap_check *c, uint32_t index)
{
    const scene_body *body = &c->set->scene->bodies[index];
    const scene_pose pose = body_pose(c->set, index, &c->states[index]);
    body_collider thing = {
        .kind = "body", .name = body->name, .shape = body->shape, .group = body->collision_group};
    place_collider(c, &thing, pose.position, pose.rotation);
    return thing;
}

static body_collider collider_of_solid(const overlap_check *c, uint32_t index,
                                       const struct solid_pose *pose)
{
    const scene_solid *solid = &c->set->scene->solids[index];
    const vec4 *x = &pose->position, *r = &pose->rotation;
    body_collider thing = {.kind = "solid", .name = solid->name, .shape = solid->shape};
    place_collider(c, &thing, vec3_make(x->x, x->y, x->z), (quat){r->x, r->y, r->z, r->w});
    return thing;
}

static weir_result list_colliders(overlap_check *c, const weir_log *log)
{
    const scene_data *scene = c->set->scene;
    struct solid_pose *poses = base_alloc(solid_item_count(c->solids), sizeof *poses);
    c->collider_count = scene->body_count + scene->solid_count;
    c->colliders = base_alloc(c->collider_count, sizeof *c->colliders);
    c->scratch = base_alloc(1, sizeof *c->scratch);
    const bool made = poses && c->colliders && c->scratch;
    if (made) solid_poses_at(c->solids, c->time_s, 0.0, poses);
    for (uint32_t i = 0; made && i < c->collider_count; i++) {
        const uint32_t solid = i - scene->body_count;
        c->colliders[i] = i < scene->body_count ? collider_of_body(c, i)
                                                : collider_of_solid(c, solid, &poses[solid]);
    }
    base_free(poses);
    return made ? WEIR_OK : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for bodies");
}

/* ---- overlaps ------------------------------------------------------------------------------- */

static vec3 sample_position(const overlap_check *c, uint32_t body, uint32_t index)
{
    const body_set *set = c->set;
    const vec4 *q = &set->samples.items[set->properties[body].first_sample + index].offset;
    const vec3 p = vec3_add(set->mass_properties[body].centre, vec3_make(q->x, q->y, q->z));
    const body_collider *thing = &c->colliders[body];
    return thing->turned ? vec3_add(thing->position, quat_rotate(thing->rotation, p)) : p;
}

static void test_sides(const overlap_check *c, uint32_t body, overlap *worst)
{
    static const char *const names[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    const scene_domain *domain = &c->set->scene->domain;
    for (uint32_t i = 0; i < c->set->properties[body].sample_count; i++) {
        const vec3 p = sample_position(c, body, i);
        const float depths[6] = {domain->min.x - p.x, p.x - domain->max.x, domain->min.y - p.y,
                                 p.y - domain->max.y, domain->min.z - p.z, p.z - domain->max.z};
        for (int side = 0; side < 6; side++)
            if (domain->sides[side] == SCENE_SIDE_CLOSED)
                record_overlap(worst, depths[side], "the domain's side", names[side]);
    }
}

/* Returns whether two colliders are to be tested: bodies of one group may overlap, and separated
 * boxes cannot. */
static bool can_overlap(const overlap_check *c, const body_collider *a, const body_collider *b)
{
    if (a == b || (a->group != 0 && a->group == b->group)) return false;
    return !body_boxes_separated(a, b, SAMPLE_TOLERANCE * c->set->scene->spacing);
}

static void test_samples(const overlap_check *c, uint32_t body, const body_collider *thing,
                         overlap *worst)
{
    for (uint32_t i = 0; i < c->set->properties[body].sample_count; i++) {
        const vec3 p = sample_position(c, body, i);
        record_overlap(worst, -body_collider_distance(c->solids, thing, p), thing->kind,
                       thing->name);
    }
}

static void test_penetration(const overlap_check *c, uint32_t body, const body_collider *thing,
                             overlap *worst)
{
    const body_collider *const pair[2] = {&c->colliders[body], thing};
    const float min_depth = fmaxf(worst->depth, DEPTH_TOLERANCE * c->set->scene->spacing);
    if (body_boxes_separated(pair[0], pair[1], min_depth)) return;
    const float depth = body_penetration_depth(c->solids, pair, c->scratch, min_depth);
    if (depth > min_depth) record_overlap(worst, depth, thing->kind, thing->name);
}

/* Finds the deepest overlap of a body: with all colliders or, if `all` is false, penetration only
 * with those later in the list, since the pairs with earlier ones have been tested. */
static overlap find_deepest_overlap(const overlap_check *c, uint32_t body, bool all)
{
    overlap worst = {SAMPLE_TOLERANCE * c->set->scene->spacing, NULL, NULL};
    test_sides(c, body, &worst);
    for (uint32_t i = 0; i < c->collider_count; i++) {
        if (!can_overlap(c, &c->colliders[body], &c->colliders[i])) continue;
        test_samples(c, body, &c->colliders[i], &worst);
        if (all || i > body) test_penetration(c, body, &c->colliders[i], &worst);
    }
    return worst;
}

static void free_check(overlap_check *c)
{
    base_free(c->colliders);
    base_free(c->scratch);
}

static weir_result check_initial_overlap(const overlap_check *c, const weir_log *log, uint32_t body)
{
    const scene_data *scene = c->set->scene;
    const scene_body *b = &scene->bodies[body];
    const overlap worst = find_deepest_overlap(c, body, false);
    if (!worst.kind) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_SCENE,
                     "%s:%d:%d: body '%s' penetrates %.3g m into %s '%s' at the start: move it "
                     "away by at least that much",
                     scene->source, b->line, b->column, b->name, (double)worst.depth, worst.kind,
                     worst.name);
}

weir_result body_set_check_overlaps(const body_set *set, const weir_log *log,
                                    const solid_set *solids)
{
    overlap_check c = {.set = set, .solids = solids, .states = set->initial_states};
    weir_result result = list_colliders(&c, log);
    for (uint32_t i = 0; i < set->count && result == WEIR_OK; i++)
        result = check_initial_overlap(&c, log, i);
    free_check(&c);
    return result;
}

weir_result body_check_pose(const body_set *set, const weir_log *log, const body_scene_state *world,
                            uint32_t body)
{
    overlap_check c = {
        .set = set, .solids = world->solids, .states = world->states, .time_s = world->time_s};
    weir_result result = list_colliders(&c, log);
    if (result == WEIR_OK) {
        const overlap worst = find_deepest_overlap(&c, body, true);
        if (worst.kind)
            result = base_fail(
                log, WEIR_ERROR_ARGUMENT,
                "body '%s' would penetrate %.3g m into %s '%s': move it away by at least that much",
                set->scene->bodies[body].name, (double)worst.depth, worst.kind, worst.name);
    }
    free_check(&c);
    return result;
}
