/* What keeps particles away from a place at the start: closed sides of the domain, solids, bodies
 * and soft bodies. */
#include "sim_input.h"

#include "shared/solid.h"

#define GAP_ROUNDS 8        /* of moving a site away from all obstacles in turn */
#define GAP_TOLERANCE 1e-3f /* spacings by which a particle may miss the gap */
#define CONTACT_DEPTH 0.1f  /* spacings by which a particle in contact may lie in an obstacle */
#define SLOPE_STEP 0.05f    /* spacings: half the distance between two samples of a slope */

struct sim_fill_obstacles {
    const scene_data *scene;
    const solid_set *solids;
    struct solid_pose *poses; /* of all items at the start */
    vec3 *boxes; /* 2 per solid and body: corners of the bounding box in the item's space */
    vec3 *soft_body_boxes; /* 2 per soft body: corners of the bounding box in world space */
    float gap;             /* m: distance that particles keep from obstacles */
};

/* Returns the shape of an item. Solids come first, then bodies. */
static uint32_t item_shape(const scene_data *scene, uint32_t item)
{
    uint32_t solids = scene->solid_count;
    return item < solids ? scene->solids[item].shape : scene->bodies[item - solids].shape;
}

void sim_fill_obstacles_destroy(sim_fill_obstacles **pointer)
{
    sim_fill_obstacles *o = *pointer;
    if (!o) return;
    base_free(o->poses);
    base_free(o->boxes);
    base_free(o->soft_body_boxes);
    base_free(o);
    *pointer = NULL;
}

static void find_boxes(sim_fill_obstacles *o)
{
    for (uint32_t i = 0; i < solid_sink_first(o->solids); i++)
        solid_shape_bounds(o->solids, item_shape(o->scene, i), &o->boxes[2 * i],
                           &o->boxes[2 * i + 1]);
    for (uint32_t i = 0; i < o->scene->soft_body_count; i++)
        solid_shape_bounds(o->solids, o->scene->soft_bodies[i].shape, &o->soft_body_boxes[2 * i],
                           &o->soft_body_boxes[2 * i + 1]);
}

sim_fill_obstacles *sim_fill_obstacles_create(const scene_data *scene, const solid_set *solids)
{
    sim_fill_obstacles *o = base_alloc(1, sizeof *o);
    if (!o) return NULL;
    o->scene = scene;
    o->solids = solids;
    o->gap = (float)sim_boundary_gap(scene);
    o->poses = base_alloc(solid_item_count(solids), sizeof *o->poses);
    o->boxes = base_alloc(solid_sink_first(solids), 2 * sizeof *o->boxes);
    o->soft_body_boxes = base_alloc(scene->soft_body_count, 2 * sizeof *o->soft_body_boxes);
    if (!o->poses || !o->boxes || !o->soft_body_boxes) {
        sim_fill_obstacles_destroy(&o);
        return NULL;
    }
    solid_poses_at(solids, 0.0, 0.0, o->poses);
    find_boxes(o);
    return o;
}

void sim_fill_obstacles_set_time(sim_fill_obstacles *o, double time_s)
{
    solid_poses_at(o->solids, time_s, 0.0, o->poses);
}

void sim_fill_obstacles_set_body(sim_fill_obstacles *o, uint32_t body, const scene_pose *pose)
{
    struct solid_pose *to = &o->poses[solid_body_first(o->solids) + body];
    to->position.x = pose->position.x;
    to->position.y = pose->position.y;
    to->position.z = pose->position.z;
    to->rotation = (vec4){pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w};
}

static bool is_outside_box(const vec3 box[2], vec3 p, float gap)
{
    vec3 out = vec3_max(vec3_sub(box[0], p), vec3_sub(p, box[1]));
    return out.x > gap || out.y > gap || out.z > gap;
}

/* Obstacles are numbered: solids, then bodies, then soft bodies. */
static uint32_t obstacle_count(const sim_fill_obstacles *o)
{
    return solid_sink_first(o->solids) + o->scene->soft_body_count;
}

/* Returns the distance from p to an obstacle, or INFINITY if it is certainly more than `reach`. */
static float obstacle_distance(const sim_fill_obstacles *o, uint32_t index, vec3 p, float reach)
{
    uint32_t items = solid_sink_first(o->solids);
    if (index >= items) {
        uint32_t body = index - items;
        if (is_outside_box(&o->soft_body_boxes[2 * body], p, reach)) return INFINITY;
        return solid_shape_distance(o->solids, o->scene->soft_bodies[body].shape, p);
    }
    const struct solid_pose *pose = &o->poses[index];
    quat q = {pose->rotation.x, pose->rotation.y, pose->rotation.z, pose->rotation.w};
    vec3 at = {pose->position.x, pose->position.y, pose->position.z};
    vec3 local = quat_rotate(quat_conjugate(q), vec3_sub(p, at));
    if (is_outside_box(&o->boxes[2 * index], local, reach)) return INFINITY;
    return solid_shape_distance(o->solids, item_shape(o->scene, index), local);
}

/* Returns whether p is nearer to a closed side of the domain than `gap`. */
static bool is_near_domain_side(const scene_domain *domain, vec3 p, float gap)
{
    const float distances[6] = {p.x - domain->min.x, domain->max.x - p.x, p.y - domain->min.y,
                                domain->max.y - p.y, p.z - domain->min.z, domain->max.z - p.z};
    for (int side = 0; side < 6; side++)
        if (domain->sides[side] == SCENE_SIDE_CLOSED && distances[side] < gap) return true;
    return false;
}

/* A boundary takes precedence over a body, because a body does not displace what a boundary keeps
 * away. */
static sim_obstacle find_within(const sim_fill_obstacles *o, vec3 p, float gap)
{
    uint32_t i = 0, end = obstacle_count(o);
    if (is_near_domain_side(&o->scene->domain, p, gap)) return SIM_OBSTACLE_BOUNDARY;
    while (i < end && !(obstacle_distance(o, i, p, gap) < gap))
        i++;
    if (i == end) return SIM_OBSTACLE_NONE;
    return i < o->scene->solid_count ? SIM_OBSTACLE_BOUNDARY : SIM_OBSTACLE_BODY;
}

sim_obstacle sim_fill_obstacle_near(const sim_fill_obstacles *o, vec3 p)
{
    return find_within(o, p, o->gap - GAP_TOLERANCE * o->scene->spacing);
}

sim_obstacle sim_fill_obstacle_around(const sim_fill_obstacles *o, vec3 p)
{
    return find_within(o, p, -CONTACT_DEPTH * o->scene->spacing);
}

/* A lattice often has sites exactly on the faces of a box. Shifting all sites slightly lets those
 * on one face count as outside and those on the opposite face as inside, so that the box displaces
 * its volume. The components differ, so that no face of another common angle contains the shift. */
sim_obstacle sim_fill_obstacle_at(const sim_fill_obstacles *o, vec3 p)
{
    static const vec3 shift = {0.01f, 0.007f, 0.003f}; /* spacings */
    return find_within(o, vec3_add(p, vec3_scale(shift, o->scene->spacing)), 0.0f);
}

static vec3 clamp_to_domain(const sim_fill_obstacles *o, vec3 p)
{
    const scene_domain *domain = &o->scene->domain;
    const scene_side *sides = domain->sides;
    float *at[3] = {&p.x, &p.y, &p.z};
    const float low[3] = {domain->min.x, domain->min.y, domain->min.z},
                high[3] = {domain->max.x, domain->max.y, domain->max.z};
    for (int axis = 0; axis < 3; axis++) {
        if (sides[2 * axis] == SCENE_SIDE_CLOSED) *at[axis] = fmaxf(*at[axis], low[axis] + o->gap);
        if (sides[2 * axis + 1] == SCENE_SIDE_CLOSED)
            *at[axis] = fminf(*at[axis], high[axis] - o->gap);
    }
    return p;
}

/* Returns the direction in which the distance to an obstacle grows fastest. In two dimensions it is
 * in the plane. */
static vec3 find_normal(const sim_fill_obstacles *o, uint32_t index, vec3 p)
{
    float step = SLOPE_STEP * o->scene->spacing;
    vec3 slope = {0, 0, 0};
    float *along[3] = {&slope.x, &slope.y, &slope.z};
    for (uint32_t axis = 0; axis < o->scene->solver.dimensions; axis++) {
        vec3 e = {axis == 0 ? step : 0.0f, axis == 1 ? step : 0.0f, axis == 2 ? step : 0.0f};
        *along[axis] = obstacle_distance(o, index, vec3_add(p, e), INFINITY) -
                       obstacle_distance(o, index, vec3_sub(p, e), INFINITY);
    }
    float length = vec3_length(slope);
    return length > 0.0f ? vec3_scale(slope, 1.0f / length) : slope;
}

bool sim_fill_move_to_gap(const sim_fill_obstacles *o, vec3 *p)
{
    vec3 at = *p;
    for (int round = 0; round < GAP_ROUNDS && sim_fill_obstacle_near(o, at); round++) {
        at = clamp_to_domain(o, at);
        for (uint32_t i = 0; i < obstacle_count(o); i++) {
            float lack = o->gap - obstacle_distance(o, i, at, o->gap);
            if (lack > 0.0f) at = vec3_add(at, vec3_scale(find_normal(o, i, at), lack));
        }
    }
    if (sim_fill_obstacle_near(o, at)) return false;
    *p = at;
    return true;
}
