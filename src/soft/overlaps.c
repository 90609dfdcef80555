/* Soft bodies that stand in something at the start: it would push them out at once. */
#include "soft_internal.h"

static const scene_soft *body_at(const scene_data *scene, uint32_t index)
{
    const scene_soft *s = scene_soft_at(scene, index);
    return s->kind == SCENE_SOFT_BODY ? s : NULL;
}

typedef struct overlap {
    const soft_set *set;
    const solid_set *solids;
    const soft_figures *figures;
    const scene_soft *soft;
    const char *fate;
    float gap; /* m: how deep a vertex may be */
} overlap;

/* Vertices on the surface that lie inside a shape, which has the pose of a solid. */
static uint32_t count_inside(const overlap *o, uint32_t shape, const struct solid_pose *pose)
{
    uint32_t count = 0, end = o->figures->first_vertex + o->figures->surface_count;
    const quat q = {pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w};
    const vec3 at = {pose->position.x, pose->position.y, pose->position.z};
    for (uint32_t i = o->figures->first_vertex; i < end; i++) {
        vec3 p = quat_rotate(quat_conjugate(q), vec3_sub(soft_place(o->set, i), at));
        count += solid_shape_distance(o->solids, shape, p) < o->gap;
    }
    return count;
}

static void tell(const weir_log *log, const overlap *o, const char *what, uint32_t inside)
{
    const scene_soft *s = o->soft;
    if (inside == 0) return;
    base_log(log, WEIR_LOG_WARNING,
             "%s:%d:%d: soft body '%s' overlaps %s at the start: %u of its %u outer vertices lie "
             "within it, and %s; move it, or make it smaller",
             o->set->scene->source, s->line, s->column, s->name, what, inside,
             o->figures->surface_count, o->fate);
}

static void tell_named(const weir_log *log, const overlap *o, uint32_t inside, const char *kind,
                       const char *name)
{
    char what[128];
    snprintf(what, sizeof what, "%s '%s'", kind, name);
    tell(log, o, what, inside);
}

static uint32_t count_outside(const overlap *o)
{
    const scene_domain *d = &o->set->scene->domain;
    uint32_t count = 0, end = o->figures->first_vertex + o->figures->surface_count;
    for (uint32_t i = o->figures->first_vertex; i < end; i++) {
        vec3 p = soft_place(o->set, i);
        const float off[6] = {p.x - d->min.x, d->max.x - p.x, p.y - d->min.y,
                              d->max.y - p.y, p.z - d->min.z, d->max.z - p.z};
        bool out = false;
        for (int side = 0; side < 6; side++)
            out |= d->sides[side] == SCENE_SIDE_CLOSED && off[side] < o->gap;
        count += out;
    }
    return count;
}

static void tell_all(const weir_log *log, overlap *o, uint32_t index,
                     const struct solid_pose *poses)
{
    const scene_data *scene = o->set->scene;
    const struct solid_pose here = {.rotation = {0.0f, 0.0f, 0.0f, 1.0f}};
    o->soft = body_at(scene, index);
    o->fate = "would be pushed out at once";
    o->gap = 0.9f * o->set->makes[index].radius; /* of the inset: touching is no overlap */
    tell(log, o, "the sides of the domain", count_outside(o));
    for (uint32_t i = 0; i < scene->solid_count; i++)
        tell_named(log, o, count_inside(o, scene->solids[i].shape, &poses[i]), "solid",
                   scene->solids[i].name);
    for (uint32_t i = 0; i < scene->body_count; i++)
        tell_named(log, o, count_inside(o, scene->bodies[i].shape, &here), "body",
                   scene->bodies[i].name);
    o->fate = "stay so, because what is near at the start is not pushed apart";
    for (uint32_t i = 0; i < o->set->count; i++) {
        const scene_soft *other = i == index ? NULL : body_at(scene, i);
        if (other)
            tell_named(log, o, count_inside(o, other->shape, &here), "soft body", other->name);
    }
}

weir_result soft_warn_of_overlaps(const soft_set *set, const weir_log *log, const solid_set *solids)
{
    if (set->scene->soft_body_count == 0) return WEIR_OK;
    struct solid_pose *poses = base_alloc(solid_item_count(solids), sizeof *poses);
    if (!poses) return base_fail(log, WEIR_MEMORY, "no memory to look at soft bodies");
    solid_poses_at(solids, 0.0, 0.0, poses);
    for (uint32_t i = 0; i < set->count; i++) {
        overlap o = {.set = set, .solids = solids, .figures = &set->figures[i]};
        if (body_at(set->scene, i)) tell_all(log, &o, i, poses);
    }
    base_free(poses);
    return WEIR_OK;
}
