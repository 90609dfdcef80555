/* Penetration depth of two shapes.
 *
 * About a point inside both shapes, each shape contains a ball whose radius is the depth of the
 * point in it. A displacement that separates the shapes must separate these balls, so it is at
 * least as long as the sum of both depths. The search maximizes this sum over cells that are
 * subdivided, all of one size at a time. Since a distance changes by no more than the
 * displacement, a cell is dropped if its centre lies too far outside one shape, or if no point
 * in it can have a larger sum than the best one found. */
#include "body_internal.h"

#define MAX_SUBDIVISIONS 24 /* of the cells */
/* of the step, initially the size of a cell, when a shape thinner than a cell is searched for */
#define CLIMB_HALVINGS 6
#define RELATIVE_TOLERANCE 0.05f /* fraction of the sum that the search may miss */

typedef struct penetration_search {
    const solid_set *solids;
    const body_collider *things[2];
    body_penetration_scratch *room;
    vec3 *cells, *next; /* centres */
    uint32_t count, next_count;
    vec3 half;          /* half edges of a cell */
    float best;         /* largest sum of depths found, m */
    vec3 best_position; /* where it is */
} penetration_search;

static float projected_extent(const body_collider *thing, vec3 way)
{
    return fabsf(vec3_dot(thing->axes[0], way)) + fabsf(vec3_dot(thing->axes[1], way)) +
           fabsf(vec3_dot(thing->axes[2], way));
}

/* Returns whether the boxes are separated along an axis up to `gap`. Infinite boxes never are. */
static bool separated_along(const body_collider *a, const body_collider *b, vec3 axis, float gap)
{
    const vec3 way = vec3_scale(axis, 1.0f / vec3_length(axis));
    const float apart = fabsf(vec3_dot(vec3_sub(b->middle, a->middle), way));
    return projected_extent(a, way) + projected_extent(b, way) - apart <= gap;
}

bool body_boxes_separated(const body_collider *a, const body_collider *b, float gap)
{
    const vec3 up = vec3_sub(a->high, b->low), down = vec3_sub(b->high, a->low);
    const vec3 way = vec3_min(up, down);
    bool part = !(way.x > gap && way.y > gap && way.z > gap);
    for (int k = 0; k < 3 && !part; k++)
        part = separated_along(a, b, a->axes[k], gap) || separated_along(a, b, b->axes[k], gap);
    return part;
}

float body_collider_distance(const solid_set *solids, const body_collider *thing, vec3 p)
{
    if (thing->turned)
        p = quat_rotate(quat_conjugate(thing->rotation), vec3_sub(p, thing->position));
    return solid_shape_distance(solids, thing->shape, p);
}

/* Returns the depth of a point in each collider, m. */
static vec2 depths_at(const penetration_search *s, vec3 p)
{
    return (vec2){-body_collider_distance(s->solids, s->things[0], p),
                  -body_collider_distance(s->solids, s->things[1], p)};
}

static float smaller_depth(const void *of, vec3 p)
{
    const vec2 depths = depths_at(of, p);
    return fminf(depths.x, depths.y);
}

/* Returns the sum of both depths at a point inside both colliders; elsewhere the negative distance
 * from being inside both. */
static float summed_depth(vec2 depths)
{
    const float min = fminf(depths.x, depths.y);
    return min > 0.0f ? depths.x + depths.y : min;
}

static float summed_depth_at(const void *of, vec3 p)
{
    return summed_depth(depths_at(of, p));
}

static void record_best(penetration_search *s, vec3 p, vec2 depths)
{
    const float here = summed_depth(depths);
    if (here > s->best) s->best = here, s->best_position = p;
}

/* Evaluates the cells' centres. A shape thinner than a cell is searched for from the centre that is
 * the least outside. */
static void evaluate_cells(penetration_search *s)
{
    const body_scalar_field field = {smaller_depth, s};
    vec3 from = s->cells[0];
    float max = -INFINITY;
    for (uint32_t i = 0; i < s->count; i++) {
        const vec2 depths = s->room->depths[i] = depths_at(s, s->cells[i]);
        const float here = fminf(depths.x, depths.y);
        if (here > max) max = here, from = s->cells[i];
        record_best(s, s->cells[i], depths);
    }
    if (max > 0.0f) return;
    body_maximize_field(&field, fmaxf(s->half.x, fmaxf(s->half.y, s->half.z)), CLIMB_HALVINGS,
                        &from);
    record_best(s, from, depths_at(s, from));
}

static bool may_improve(const penetration_search *s, vec2 depths, float reach)
{
    const float more = (1.0f + RELATIVE_TOLERANCE) * s->best;
    return depths.x > -reach && depths.y > -reach && depths.x + depths.y + 2.0f * reach > more;
}

/* Halves the cells along their long edges. Returns false if there are too many. */
static bool subdivide_cells(penetration_search *s)
{
    const float reach = vec3_length(s->half);
    const float edge = 0.6f * fmaxf(s->half.x, fmaxf(s->half.y, s->half.z));
    const int parts[3] = {s->half.x > edge ? 2 : 1, s->half.y > edge ? 2 : 1,
                          s->half.z > edge ? 2 : 1};
    const uint32_t each = (uint32_t)(parts[0] * parts[1] * parts[2]);
    const vec3 half = {s->half.x / (float)parts[0], s->half.y / (float)parts[1],
                       s->half.z / (float)parts[2]};
    s->next_count = 0;
    for (uint32_t i = 0; i < s->count; i++) {
        if (!may_improve(s, s->room->depths[i], reach)) continue;
        if (s->next_count + each > BODY_PENETRATION_MAX_CELLS) return false;
        for (int k = 0; k < (int)each; k++) {
            const int x = k % parts[0], y = k / parts[0] % parts[1], z = k / parts[0] / parts[1];
            const vec3 off = {half.x * (float)(2 * x + 1 - parts[0]),
                              half.y * (float)(2 * y + 1 - parts[1]),
                              half.z * (float)(2 * z + 1 - parts[2])};
            s->next[s->next_count++] = vec3_add(s->cells[i], off);
        }
    }
    vec3 *cells = s->cells;
    s->cells = s->next;
    s->next = cells;
    s->count = s->next_count;
    s->half = half;
    return true;
}

float body_penetration_depth(const solid_set *solids, const body_collider *const things[2],
                             body_penetration_scratch *scratch, float min_depth)
{
    const body_collider *a = things[0], *b = things[1];
    const vec3 low = vec3_max(a->low, b->low), high = vec3_min(a->high, b->high);
    penetration_search s = {.solids = solids,
                            .things = {a, b},
                            .room = scratch,
                            .cells = scratch->cells[0],
                            .next = scratch->cells[1],
                            .count = 1,
                            .half = vec3_scale(vec3_sub(high, low), 0.5f),
                            .best = min_depth};
    s.cells[0] = vec3_scale(vec3_add(low, high), 0.5f);
    const float step = fmaxf(s.half.x, fmaxf(s.half.y, s.half.z));
    bool fits = true;
    for (int size = 0; size < MAX_SUBDIVISIONS && s.count > 0 && fits; size++) {
        evaluate_cells(&s);
        fits = subdivide_cells(&s);
    }
    if (!(s.best > min_depth)) return min_depth;
    return body_maximize_field(&(body_scalar_field){summed_depth_at, &s}, RELATIVE_TOLERANCE * step,
                               2 * CLIMB_HALVINGS, &s.best_position);
}
