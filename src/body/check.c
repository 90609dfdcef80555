/* Bodies that overlap walls or each other at the start would be shot out of them. */
#include "body_internal.h"

#define OVERLAP 0.1f /* spacings that are let pass */

/* The deepest overlap that has been found of a body. */
typedef struct overlap {
    float depth; /* m */
    const char *kind, *name;
} overlap;

static void note(overlap *worst, float depth, const char *kind, const char *name)
{
    if (depth > worst->depth) *worst = (overlap){depth, kind, name};
}

static void meet_sides(const scene_domain *domain, vec3 p, overlap *worst)
{
    static const char *const names[6] = {"-x", "+x", "-y", "+y", "-z", "+z"};
    const float depths[6] = {domain->min.x - p.x, p.x - domain->max.x, domain->min.y - p.y,
                             p.y - domain->max.y, domain->min.z - p.z, p.z - domain->max.z};
    for (int side = 0; side < 6; side++)
        if (domain->sides[side] == SCENE_SIDE_CLOSED)
            note(worst, depths[side], "the domain's side", names[side]);
}

static void meet_solids(const scene_data *scene, const solid_set *solids,
                        const struct solid_pose *poses, vec3 p, overlap *worst)
{
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        const vec4 *x = &poses[i].position, *r = &poses[i].rotation;
        quat back = quat_conjugate((quat){r->x, r->y, r->z, r->w});
        vec3 local = quat_rotate(back, vec3_sub(p, vec3_make(x->x, x->y, x->z)));
        float distance = solid_shape_distance(solids, scene->solids[i].shape, local);
        note(worst, -distance, "solid", scene->solids[i].name);
    }
}

/* Of the spheres about the centres of mass; bodies of one group may overlap. */
static bool may_meet(const body_set *set, uint32_t a, uint32_t b)
{
    const struct body_make *one = &set->makes[a], *two = &set->makes[b];
    if (one->group != 0 && one->group == two->group) return false;
    vec3 d = vec3_sub(set->figures[a].centre, set->figures[b].centre);
    return vec3_length(d) < one->inertia.w + two->inertia.w;
}

static void meet_bodies(const body_set *set, const solid_set *solids, uint32_t body, vec3 p,
                        overlap *worst)
{
    for (uint32_t i = 0; i < set->count; i++)
        if (i != body && may_meet(set, i, body))
            note(worst, -solid_shape_distance(solids, set->scene->bodies[i].shape, p), "body",
                 set->scene->bodies[i].name);
}

static weir_result check_body(const body_set *set, const weir_log *log, const solid_set *solids,
                              const struct solid_pose *poses, uint32_t body)
{
    const scene_data *scene = set->scene;
    const scene_body *b = &scene->bodies[body];
    const struct body_make *make = &set->makes[body];
    overlap worst = {OVERLAP * scene->spacing, NULL, NULL};
    for (uint32_t i = 0; i < make->sample_count; i++) {
        const vec4 *q = &set->samples.items[make->first_sample + i].place;
        vec3 p = vec3_add(set->figures[body].centre, vec3_make(q->x, q->y, q->z));
        meet_sides(&scene->domain, p, &worst);
        meet_solids(scene, solids, poses, p, &worst);
        meet_bodies(set, solids, body, p, &worst);
    }
    if (!worst.kind) return WEIR_OK;
    return base_fail(log, WEIR_SCENE,
                     "%s:%d:%d: body '%s' is %.3g m deep in %s '%s' at the start: move it out by "
                     "as much",
                     scene->source, b->line, b->column, b->name, (double)worst.depth, worst.kind,
                     worst.name);
}

weir_result body_set_check(const body_set *set, const weir_log *log, const solid_set *solids)
{
    weir_result result = WEIR_OK;
    struct solid_pose *poses = base_alloc(solid_item_count(solids), sizeof *poses);
    if (!poses) return base_fail(log, WEIR_MEMORY, "no memory for bodies");
    solid_poses_at(solids, 0.0, 0.0, poses);
    for (uint32_t i = 0; i < set->count && result == WEIR_OK; i++)
        result = check_body(set, log, solids, poses, i);
    base_free(poses);
    return result;
}
