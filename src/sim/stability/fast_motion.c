/* Warns of fast motion: of solids that move farther in a substep than particles can see, and so
 * leave fluid behind them, and of bodies that start so fast that they pass through thin objects. */
#include "sim_stability.h"

#define MAX_STEPS 200000u /* substeps examined, of all moving solids together */
/* spacings per substep: a wall of this thickness still stops a body */
#define BODY_DISPLACEMENT_LIMIT 2.0
#define SAMPLE_POINTS 14 /* of a solid's bounding box: its corners and the centres of its faces */

/* A solid whose displacements are measured. */
typedef struct moving_solid {
    const solid_set *solids;
    const scene_solid *solid;
    vec3 points[SAMPLE_POINTS]; /* in the space of the shape */
} moving_solid;

/* Times that are `dt_s` apart. */
typedef struct time_steps {
    double from_s, dt_s;
    uint32_t count; /* number of steps between them */
} time_steps;

/* Samples the bounding box of a solid, cut off at the domain where it is infinite. */
static moving_solid make_moving_solid(const scene_data *scene, const solid_set *solids,
                                      const scene_solid *solid)
{
    const vec3 *ends[2] = {&scene->domain.min, &scene->domain.max};
    moving_solid made = {.solids = solids, .solid = solid};
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

static vec3 transform_point(const scene_pose *pose, vec3 point)
{
    return vec3_add(quat_rotate(pose->rotation, point), pose->position);
}

/* Returns how far a point comes out of where the solid was, m. 0 for a point that slides along the
 * surface, as on a ball that spins. The displacement of a point of the box that is off the surface
 * counts from its own distance to the surface. */
static double outward_displacement(const moving_solid *m, const scene_pose *from,
                                   const scene_pose *to, vec3 point)
{
    vec3 moved = transform_point(to, point);
    double move = (double)vec3_length(vec3_sub(moved, transform_point(from, point)));
    vec3 back = quat_rotate(quat_conjugate(from->rotation), vec3_sub(moved, from->position));
    double out = (double)solid_shape_distance(m->solids, m->solid->shape, back) -
                 (double)solid_shape_distance(m->solids, m->solid->shape, point);
    return fmin(move, fmax(out, 0.0));
}

/* Returns the largest displacement in a step, m, and the time at which that step begins. */
static double find_largest_displacement(const moving_solid *m, time_steps at, double *time_s)
{
    const scene_motion *motion = &m->solid->motion;
    double largest = 0.0;
    scene_pose pose = scene_motion_pose(motion, at.from_s);
    for (uint32_t k = 0; k < at.count; k++) {
        scene_pose next = scene_motion_pose(motion, at.from_s + (k + 1) * at.dt_s);
        for (int i = 0; i < SAMPLE_POINTS; i++) {
            double move = outward_displacement(m, &pose, &next, m->points[i]);
            if (move > largest) largest = move, *time_s = at.from_s + k * at.dt_s;
        }
        pose = next;
    }
    return largest;
}

/* Returns into how many parts a substep must be divided so that no displacement is above `limit_m`;
 * 0: into more than `limit`. The result exceeds the displacement over limit_m if the solid moves
 * only during a part of the substep. */
static uint32_t find_substep_divisor(const moving_solid *m, double limit_m, time_steps substep,
                                     uint32_t limit)
{
    double unused_s;
    for (uint32_t divisor = 2; divisor <= limit; divisor++) {
        time_steps at = {substep.from_s, substep.dt_s / divisor, divisor};
        if (find_largest_displacement(m, at, &unused_s) <= limit_m) return divisor;
    }
    return 0;
}

static void warn_fast_solid(const weir_log *log, const scene_data *scene, const moving_solid *m,
                            double moved_m, time_steps substep)
{
    const scene_solver *solver = &scene->solver;
    double d = (double)scene->spacing, limit = sim_cfl_limit(solver);
    uint32_t each = solver->adaptive ? 1 : solver->substeps;
    uint32_t divisor = find_substep_divisor(m, limit * d, substep, SCENE_MAX_SUBSTEPS / each);
    char *more = divisor > 0
                     ? base_format(", or use %ssubsteps %u or more",
                                   solver->adaptive ? "adaptive false and " : "", each * divisor)
                     : NULL;
    base_log(log, WEIR_LOG_WARNING,
             "%s: at %.3f s solid %s moves %.4g spacings per substep, more than %g: it may pass "
             "through fluid without pushing it; make it slower%s",
             scene->source, substep.from_s, m->solid->name, moved_m / d, limit, more ? more : "");
    base_free(more);
}

void sim_warn_fast_solids(const weir_log *log, const scene_data *scene, const solid_set *solids)
{
    /* With `adaptive` the fluid chooses the substeps; at rest it takes a single one. */
    double dt_s =
        scene->solver.adaptive ? 1.0 / (double)scene->frame_rate : sim_max_substep_s(scene);
    double limit_m = sim_cfl_limit(&scene->solver) * (double)scene->spacing;
    uint32_t moving_count = 0;
    for (uint32_t i = 0; i < scene->solid_count; i++)
        moving_count += scene->solids[i].motion.kind != SCENE_MOTION_STATIC;
    for (uint32_t i = 0; i < scene->solid_count; i++) {
        if (scene->solids[i].motion.kind == SCENE_MOTION_STATIC) continue;
        moving_solid m = make_moving_solid(scene, solids, &scene->solids[i]);
        time_steps all = {
            0.0, dt_s,
            (uint32_t)fmin(ceil((double)scene->duration / dt_s), (double)MAX_STEPS / moving_count)};
        time_steps fastest = {0.0, dt_s, 1};
        double moved_m = find_largest_displacement(&m, all, &fastest.from_s);
        if (moved_m > limit_m) warn_fast_solid(log, scene, &m, moved_m, fastest);
    }
}

void sim_warn_fast_bodies(const weir_log *log, const scene_data *scene)
{
    const scene_solver *solver = &scene->solver;
    double shortest_s = solver->adaptive ? 1.0 / ((double)scene->frame_rate * solver->substeps)
                                         : sim_max_substep_s(scene);
    for (uint32_t i = 0; i < scene->body_count; i++) {
        const scene_body *body = &scene->bodies[i];
        double displacement =
            (double)vec3_length(body->velocity) * shortest_s / (double)scene->spacing;
        if (!(displacement > BODY_DISPLACEMENT_LIMIT)) continue;
        double divisor = ceil(displacement / BODY_DISPLACEMENT_LIMIT) * solver->substeps;
        char *more = divisor <= SCENE_MAX_SUBSTEPS
                         ? base_format(", or use substeps %.0f or more", divisor)
                         : NULL;
        base_log(log, WEIR_LOG_WARNING,
                 "%s:%d:%d: body '%s' moves %.4g spacings per substep, more than %g: it may pass "
                 "through thin obstacles; make it slower%s",
                 scene->source, body->line, body->column, body->name, displacement,
                 BODY_DISPLACEMENT_LIMIT, more ? more : "");
        base_free(more);
    }
}
