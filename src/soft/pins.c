/* What holds vertices: the world, solids that they move with, or bodies that they hang on. */
#include "soft_internal.h"

#define LIGHT_SWEEPS 3.0    /* sweeps of a substep for each time that fluid is heavier; measured */
#define STRETCH_WARNED 0.02 /* of the length, by its own weight */

static bool is_inside(const scene_region *region, vec3 p)
{
    vec3 offset = vec3_sub(p, region->centre);
    if (region->reach == SCENE_REACH_SPHERE)
        return vec3_dot(offset, offset) <= region->radius * region->radius;
    return region->reach == SCENE_REACH_BOX && p.x >= region->min.x && p.x <= region->max.x &&
           p.y >= region->min.y && p.y <= region->max.y && p.z >= region->min.z &&
           p.z <= region->max.z;
}

typedef struct holder {
    soft_builder *b;
    const scene_pin *pin;
    const struct solid_pose *poses;
    uint32_t held;
} holder;

/* The item's space is that of shaders/lib/boundary/boundary.glsl. */
static bool hold_by_solid(const holder *h, uint32_t vertex)
{
    const vec4 *x = &h->poses[h->pin->solid].position, *q = &h->poses[h->pin->solid].rotation;
    vec3 p = vec3_sub(soft_place(h->b->set, vertex), vec3_make(x->x, x->y, x->z));
    p = quat_rotate(quat_conjugate((quat){q->x, q->y, q->z, q->w}), p);
    const struct soft_pin pin = {
        .place = {p.x, p.y, p.z, 0.0f}, .vertex = vertex, .item = h->pin->solid};
    return BASE_PUSH(&h->b->set->pins, pin);
}

/* The vertex keeps its mass. A body's space is the world's at the start. */
static void hang_on_body(const holder *h, uint32_t vertex)
{
    soft_set *set = h->b->set;
    vec3 p = soft_place(set, vertex);
    set->ties.items[vertex] = (struct soft_tie){p.x, p.y, p.z, h->pin->body};
    set->figures[h->b->index].pinned++;
}

static bool is_held(const soft_set *set, uint32_t vertex)
{
    bool tied = set->ties.count && set->ties.items[vertex].body != SOFT_NONE;
    return tied || set->starts.items[vertex].position.w == 0.0f;
}

/* What is held already stays with the pin that came first. */
static bool hold(holder *h, uint32_t vertex)
{
    struct soft_state *state = &h->b->set->starts.items[vertex];
    h->held++;
    if (is_held(h->b->set, vertex)) return true;
    if (h->pin->body != SCENE_TO_WORLD) {
        hang_on_body(h, vertex);
        return true;
    }
    state->position.w = 0.0f;
    state->velocity = (vec4){0.0f, 0.0f, 0.0f, 0.0f};
    h->b->set->figures[h->b->index].pinned++;
    return h->pin->solid == SCENE_TO_WORLD || hold_by_solid(h, vertex);
}

static weir_result hold_listed(holder *h)
{
    const soft_builder *b = h->b;
    int64_t count = b->set->figures[b->index].vertex_count;
    for (uint32_t i = 0; i < h->pin->vertex_count; i++) {
        int64_t number = h->pin->vertices[i];
        if (number < -count || number >= count)
            return soft_fault(b, h->pin->line, h->pin->column,
                              "has no vertex %lld to pin: it has %lld, numbers 0 to %lld, or -1 "
                              "for the last",
                              (long long)number, (long long)count, (long long)count - 1);
        if (!hold(h, b->first + (uint32_t)(number < 0 ? number + count : number)))
            return WEIR_MEMORY;
    }
    return WEIR_OK;
}

static weir_result hold_inside(holder *h)
{
    const soft_builder *b = h->b;
    uint32_t end = b->first + b->set->figures[b->index].vertex_count, listed = h->held;
    if (h->pin->inside.reach == SCENE_REACH_ALL) return WEIR_OK;
    for (uint32_t i = b->first; i < end; i++)
        if (is_inside(&h->pin->inside, soft_place(b->set, i)) && !hold(h, i)) return WEIR_MEMORY;
    if (h->held > listed) return WEIR_OK;
    return soft_fault(b, h->pin->line, h->pin->column,
                      "has no vertex where this pin holds it: move or widen the region; its first "
                      "vertex is at (%g, %g, %g), its last at (%g, %g, %g)",
                      (double)soft_place(b->set, b->first).x,
                      (double)soft_place(b->set, b->first).y,
                      (double)soft_place(b->set, b->first).z, (double)soft_place(b->set, end - 1).x,
                      (double)soft_place(b->set, end - 1).y, (double)soft_place(b->set, end - 1).z);
}

static bool put_ties(const soft_builder *b)
{
    const struct soft_tie none = {.body = SOFT_NONE};
    bool ok = true;
    for (size_t i = b->first; i < b->set->starts.count && b->set->scene->body_count && ok; i++)
        ok = BASE_PUSH(&b->set->ties, none);
    return ok;
}

weir_result soft_build_pins(soft_builder *b, const solid_set *solids)
{
    weir_result result = WEIR_OK;
    struct solid_pose *poses = base_alloc(solid_item_count(solids), sizeof *poses);
    if (!poses) return base_fail(b->log, WEIR_MEMORY, "no memory for pins");
    solid_poses_at(solids, 0.0, 0.0, poses);
    if (!put_ties(b)) result = base_fail(b->log, WEIR_MEMORY, "no memory for pins");
    for (uint32_t i = 0; i < b->soft->pin_count && result == WEIR_OK; i++) {
        holder h = {.b = b, .pin = &b->soft->pins[i], .poses = poses};
        result = hold_listed(&h);
        if (result == WEIR_OK) result = hold_inside(&h);
        if (result == WEIR_MEMORY) base_log(b->log, WEIR_LOG_ERROR, "no memory for pins");
    }
    base_free(poses);
    return result;
}

/* ---- warnings: stretch by its own weight
 * -------------------------------------------------------------- */

/* The most vertices in a row, and their length. */
static void longest_row(const soft_builder *b, double *count, double *length_m)
{
    const scene_soft *s = b->soft;
    const soft_figures *f = &b->set->figures[b->index];
    vec3 low = soft_place(b->set, b->first), high = low;
    for (uint32_t i = 1; i < f->vertex_count; i++) {
        low = vec3_min(low, soft_place(b->set, b->first + i));
        high = vec3_max(high, soft_place(b->set, b->first + i));
    }
    *length_m = (double)vec3_length(vec3_sub(high, low));
    if (s->kind == SCENE_SOFT_ROPE)
        *count = f->vertex_count;
    else if (s->path)
        *count = sqrt((double)f->vertex_count);
    else
        *count = *length_m / (double)s->spacing_m;
}

/* "set X to N, or ", for what `times` as many sweeps of a second do; empty where N is beyond the
 * range. */
static void find_more(const soft_builder *b, double times, char to[64])
{
    const scene_solver *solver = &b->set->scene->solver;
    const double sweeps = ceil((double)solver->sweeps * times);
    const double substeps = ceil((double)solver->substeps * sqrt(times));
    to[0] = '\0';
    if (sweeps <= SCENE_MAX_SWEEPS)
        snprintf(to, 64, "set solver.sweeps to %.0f, or ", sweeps);
    else if (substeps <= SCENE_MAX_SUBSTEPS)
        snprintf(to, 64, "set solver.substeps to %.0f, or ", substeps);
}

/* Particles press a cloth as if they lay on it one beside the other: one that is much lighter than
 * they are yields where it should bear them, as far as the sweeps leave it. */
static void warn_light(const soft_builder *b)
{
    const scene_data *scene = b->set->scene;
    const scene_solver *solver = &scene->solver;
    bool rope = b->soft->kind == SCENE_SOFT_ROPE;
    if (b->soft->kind == SCENE_SOFT_BODY) return; /* its volume displaces what it bears */
    double heaviest = 0.0, d = (double)scene->spacing;
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        heaviest = fmax(heaviest, (double)scene->fluids[i].density);
    double layer = heaviest * d * (rope ? d : 1.0), has = (double)b->soft->density;
    double sweeps = (double)solver->iterations * solver->sweeps;
    if (LIGHT_SWEEPS * layer / has <= sweeps) return;
    const double more = ceil(LIGHT_SWEEPS * layer / has / solver->iterations);
    char or_sweeps[64] = "";
    if (more <= SCENE_MAX_SWEEPS)
        snprintf(or_sweeps, sizeof or_sweeps, ", or set solver.sweeps to %.0f", more);
    base_log(b->log, WEIR_LOG_WARNING,
             "%s:%d:%d: '%s' has %g %s, and a layer of the fluid's particles %.3g: it will stretch "
             "and leak where fluid lies on it; give it %.2g%s",
             scene->source, b->soft->line, b->soft->column, b->soft->name, has,
             rope ? "kg/m" : "kg/m2", layer, LIGHT_SWEEPS * layer / sweeps, or_sweeps);
}

#define BODY_STRETCH 0.27 /* as `factor` below, of soft bodies: measured, of a bar that hangs */

/* What sweeps leave of stretch under its own weight adds to what the stiffness allows: where it is
 * more, the body is softer than the scene says. */
static void warn_stiff(const soft_builder *b)
{
    const scene_solver *solver = &b->set->scene->solver;
    double gravity = (double)vec3_length(b->set->scene->gravity), count, length;
    double dt = 1.0 / ((double)b->set->scene->frame_rate * solver->substeps);
    double sweeps = (double)solver->iterations * solver->sweeps;
    double density = (double)b->soft->density, stiffness = (double)b->soft->stiffness;
    longest_row(b, &count, &length);
    double own = density * gravity * length / (2.0 * stiffness);
    double left = BODY_STRETCH * gravity * dt * dt * count * count / (length * sweeps);
    if (left <= own) return;
    const double substeps = ceil(solver->substeps * sqrt(4.0 * left / own));
    char advice[64] = "give it that";
    if (substeps <= SCENE_MAX_SUBSTEPS)
        snprintf(advice, sizeof advice, "set solver.substeps to %.0f", substeps);
    base_log(b->log, WEIR_LOG_WARNING,
             "%s:%d:%d: soft body '%s' has a stiffness of %g Pa, and its sweeps reach about %.2g: "
             "%s, or its spacing larger",
             b->set->scene->source, b->soft->line, b->soft->column, b->soft->name, stiffness,
             stiffness * own / (own + left), advice);
}

/* By its own weight alone; `stretch` of the length. */
static void warn_long(const soft_builder *b, double stretch)
{
    const scene_soft *s = b->soft;
    const char *source = b->set->scene->source;
    char advice[64];
    if (s->tear > 0.0f && stretch > 0.5 * (double)s->tear) {
        find_more(b, 2.0 * stretch / (double)s->tear, advice);
        base_log(
            b->log, WEIR_LOG_WARNING,
            "%s:%d:%d: '%s' tears at a strain of %g, and will stretch by about %.2g by its own "
            "weight alone: %slet it tear later",
            source, s->line, s->column, s->name, (double)s->tear, stretch, advice);
    }
    if (!(stretch > STRETCH_WARNED)) return;
    find_more(b, stretch / STRETCH_WARNED, advice);
    base_log(b->log, WEIR_LOG_WARNING,
             "%s:%d:%d: '%s' will stretch by about %.2g %% by its own weight alone: %sset "
             "its vertices farther apart",
             source, s->line, s->column, s->name, 100.0 * stretch, advice);
}

/* Sweeps that are too few for a long chain leave it stretched: measured, of sheets that hang. With
 * `pbd_stiffness` it is as soft as it is to be, and no sweeps change it. */
void soft_warn(const soft_builder *b)
{
    const scene_solver *solver = &b->set->scene->solver;
    warn_light(b);
    if (b->soft->pbd_stiffness > 0.0f) return;
    if (b->soft->kind == SCENE_SOFT_BODY) {
        warn_stiff(b);
        return;
    }
    if (b->set->figures[b->index].pinned == 0) return;
    double gravity = (double)vec3_length(b->set->scene->gravity), count, length;
    double dt = 1.0 / ((double)b->set->scene->frame_rate * solver->substeps);
    double sweeps = (double)solver->iterations * solver->sweeps;
    double factor = solver->constraints == SCENE_JACOBI ? 4.3 : 0.35;
    longest_row(b, &count, &length);
    warn_long(b, factor * gravity * dt * dt * count * count / (length * sweeps));
}
