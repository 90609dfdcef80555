/* Solids that move farther in a substep than particles see: those leave fluid behind them. And
 * bodies that start so fast that they pass what is thin. */
#include "sim_internal.h"

#define MOST_STEPS 200000u /* of all moving solids together, that are looked at */
#define BODY_FAR 2.0       /* spacings in a substep: a wall as thick still holds a body */
#define POINTS 14          /* of a solid's box: its corners and the middles of its faces */

/* A solid whose moves are measured. */
typedef struct mover {
    const solid_set *solids;
    const scene_solid *solid;
    vec3 points[POINTS]; /* at rest */
} mover;

/* Moments, `dt_s` apart. */
typedef struct moments {
    double from_s, dt_s;
    uint32_t count; /* of the steps between them */
} moments;

/* What has no end is cut off at the domain. */
static mover mover_of(const scene_data *scene, const solid_set *solids, const scene_solid *solid)
{
    const vec3 *ends[2] = {&scene->domain.min, &scene->domain.max};
    mover made = {.solids = solids, .solid = solid};
    vec3 box[2];
    solid_shape_bounds(solids, solid->shape, &box[0], &box[1]);
    for (int side = 0; side < 2; side++)
        box[side] = (vec3){isfinite(box[side].x) ? box[side].x : ends[side]->x,
                           isfinite(box[side].y) ? box[side].y : ends[side]->y,
                           isfinite(box[side].z) ? box[side].z : ends[side]->z};
    vec3 middle = vec3_scale(vec3_add(box[0], box[1]), 0.5f);
    for (int corner = 0; corner < 8; corner++)
        made.points[corner] = (vec3){box[corner & 1].x, box[corner >> 1 & 1].y, box[corner >> 2].z};
    for (int side = 0; side < 2; side++) {
        made.points[8 + side] = (vec3){box[side].x, middle.y, middle.z};
        made.points[10 + side] = (vec3){middle.x, box[side].y, middle.z};
        made.points[12 + side] = (vec3){middle.x, middle.y, box[side].z};
    }
    return made;
}

static vec3 place(const scene_pose *pose, vec3 point)
{
    return vec3_add(quat_rotate(pose->rotation, point), pose->position);
}

/* How far a point comes out of where the solid was, m: 0 for one that slides along its surface, as
 * those of a ball that spins. Points of its box that are beside the surface count from there. */
static double comes_out(const mover *m, const scene_pose *from, const scene_pose *to, vec3 point)
{
    vec3 moved = place(to, point);
    double move = (double)vec3_length(vec3_sub(moved, place(from, point)));
    vec3 back = quat_rotate(quat_conjugate(from->rotation), vec3_sub(moved, from->position));
    double out = (double)solid_shape_distance(m->solids, m->solid->shape, back) -
                 (double)solid_shape_distance(m->solids, m->solid->shape, point);
    return fmin(move, fmax(out, 0.0));
}

/* The largest of its moves from one moment to the next, m, and when that begins. */
static double largest_move(const mover *m, moments at, double *time_s)
{
    const scene_motion *motion = &m->solid->motion;
    double largest = 0.0;
    scene_pose pose = scene_motion_pose(motion, at.from_s);
    for (uint32_t k = 0; k < at.count; k++) {
        scene_pose next = scene_motion_pose(motion, at.from_s + (k + 1) * at.dt_s);
        for (int i = 0; i < POINTS; i++) {
            double move = comes_out(m, &pose, &next, m->points[i]);
            if (move > largest) largest = move, *time_s = at.from_s + k * at.dt_s;
        }
        pose = next;
    }
    return largest;
}

/* Into how many parts a substep is to be divided, so that no move is above `limit_m`: more than
 * move / limit where it moves in a part of the substep only. 0: into more than `most`. */
static uint32_t parts_for(const mover *m, double limit_m, moments substep, uint32_t most)
{
    double unused_s;
    for (uint32_t parts = 2; parts <= most; parts++) {
        moments at = {substep.from_s, substep.dt_s / parts, parts};
        if (largest_move(m, at, &unused_s) <= limit_m) return parts;
    }
    return 0;
}

static void tell(const weir_log *log, const scene_data *scene, const mover *m, double moved_m,
                 moments substep)
{
    const scene_solver *solver = &scene->solver;
    double d = (double)scene->spacing, limit = sim_speed_limit(solver);
    uint32_t each = solver->adaptive ? 1 : solver->substeps;
    uint32_t parts = parts_for(m, limit * d, substep, SCENE_MAX_SUBSTEPS / each);
    char *more = parts > 0
                     ? base_format(", or use %ssubsteps %u or more",
                                   solver->adaptive ? "adaptive false and " : "", each * parts)
                     : NULL;
    base_log(log, WEIR_LOG_WARNING,
             "%s: at %.3f s solid %s moves %.3g spacings in a substep, more than %g: it may pass "
             "fluid without pushing it; make it slower%s",
             scene->source, substep.from_s, m->solid->name, moved_m / d, limit, more ? more : "");
    base_free(more);
}

void sim_warn_fast_solids(const weir_log *log, const scene_data *scene, const solid_set *solids)
{
    /* With `adaptive` the fluid chooses the substeps, and at rest it takes one. */
    double dt_s =
        scene->solver.adaptive ? 1.0 / (double)scene->frame_rate : sim_longest_substep(scene);
    double limit_m = sim_speed_limit(&scene->solver) * (double)scene->spacing;
    uint32_t movers = 0;
    for (uint32_t i = 0; i < scene->solid_count; i++)
        movers += scene->solids[i].motion.kind != SCENE_MOTION_STATIC;
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        if (scene->solids[i].motion.kind == SCENE_MOTION_STATIC) continue;
        mover m = mover_of(scene, solids, &scene->solids[i]);
        moments all = {
            0.0, dt_s,
            (uint32_t)fmin(ceil((double)scene->duration / dt_s), (double)MOST_STEPS / movers)};
        moments fastest = {0.0, dt_s, 1};
        double moved_m = largest_move(&m, all, &fastest.from_s);
        if (moved_m > limit_m) tell(log, scene, &m, moved_m, fastest);
    }
}

void sim_warn_fast_bodies(const weir_log *log, const scene_data *scene)
{
    const scene_solver *solver = &scene->solver;
    double shortest_s = solver->adaptive ? 1.0 / ((double)scene->frame_rate * solver->substeps)
                                         : sim_longest_substep(scene);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const scene_body *body = &scene->bodies[i];
        double far = (double)vec3_length(body->velocity) * shortest_s / (double)scene->spacing;
        if (!(far > BODY_FAR)) continue;
        double parts = ceil(far / BODY_FAR) * solver->substeps;
        char *more = parts <= SCENE_MAX_SUBSTEPS
                         ? base_format(", or use substeps %.0f or more", parts)
                         : NULL;
        base_log(log, WEIR_LOG_WARNING,
                 "%s:%d:%d: body '%s' moves %.3g spacings in a substep, more than %g: it may pass "
                 "through what is thin; make it slower%s",
                 scene->source, body->line, body->column, body->name, far, BODY_FAR,
                 more ? more : "");
        base_free(more);
    }
}
