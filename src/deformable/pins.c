/* Pins of vertices: to the world, to solids that move them, or to bodies. */
#include "deformable_internal.h"

/* constraint iterations per substep, times the mass ratio of fluid and deformable; measured */
#define LIGHT_ITERATIONS 3.0
#define WARN_STRETCH 0.02 /* strain under its own weight above which to warn */

static bool is_inside(const scene_region *region, vec3 p)
{
    vec3 offset = vec3_sub(p, region->centre);
    if (region->reach == SCENE_REACH_SPHERE)
        return vec3_dot(offset, offset) <= region->radius * region->radius;
    return region->reach == SCENE_REACH_BOX && p.x >= region->min.x && p.x <= region->max.x &&
           p.y >= region->min.y && p.y <= region->max.y && p.z >= region->min.z &&
           p.z <= region->max.z;
}

typedef struct pin_builder {
    deformable_builder *b;
    const scene_pin *pin;
    const struct solid_pose *poses;
    uint32_t held;
} pin_builder;

/* Pins a vertex to a solid. The space of the item is that of shaders/lib/boundary/boundary.glsl. */
static bool pin_to_solid(const pin_builder *h, uint32_t vertex)
{
    const vec4 *x = &h->poses[h->pin->solid].position, *q = &h->poses[h->pin->solid].rotation;
    vec3 p = vec3_sub(deformable_initial_position(h->b->set, vertex), vec3_make(x->x, x->y, x->z));
    p = quat_rotate(quat_conjugate((quat){q->x, q->y, q->z, q->w}), p);
    const struct deformable_pin pin = {
        .position = {p.x, p.y, p.z, 0.0f}, .vertex = vertex, .item = h->pin->solid};
    return BASE_ARRAY_PUSH(&h->b->set->pins, pin);
}

/* Attaches a vertex to a body. The vertex keeps its mass. The space of a body is world space at the
 * start. */
static void attach_to_body(const pin_builder *h, uint32_t vertex)
{
    deformable_set *set = h->b->set;
    vec3 p = deformable_initial_position(set, vertex);
    set->attachments.items[vertex] = (struct deformable_attachment){p.x, p.y, p.z, h->pin->body};
    set->info[h->b->index].pinned++;
}

static bool is_pinned(const deformable_set *set, uint32_t vertex)
{
    bool attached =
        set->attachments.count && set->attachments.items[vertex].body != DEFORMABLE_NONE;
    return attached || set->initial_states.items[vertex].position.w == 0.0f;
}

/* Pins a vertex. If several pins hold a vertex, the first counts. */
static bool pin_vertex(pin_builder *h, uint32_t vertex)
{
    struct deformable_state *state = &h->b->set->initial_states.items[vertex];
    h->held++;
    if (is_pinned(h->b->set, vertex)) return true;
    if (h->pin->body != SCENE_TO_WORLD) {
        attach_to_body(h, vertex);
        return true;
    }
    state->position.w = 0.0f;
    state->velocity = (vec4){0.0f, 0.0f, 0.0f, 0.0f};
    h->b->set->info[h->b->index].pinned++;
    return h->pin->solid == SCENE_TO_WORLD || pin_to_solid(h, vertex);
}

static weir_result pin_listed(pin_builder *h)
{
    const deformable_builder *b = h->b;
    int64_t count = b->set->info[b->index].vertex_count;
    for (uint32_t i = 0; i < h->pin->vertex_count; i++) {
        int64_t number = h->pin->vertices[i];
        if (number < -count || number >= count)
            return deformable_scene_fault(b, h->pin->line, h->pin->column,
                                          "has no vertex %lld to pin: it has %lld vertices, "
                                          "numbered 0 to %lld (-1 is the last)",
                                          (long long)number, (long long)count,
                                          (long long)count - 1);
        if (!pin_vertex(h, b->first + (uint32_t)(number < 0 ? number + count : number)))
            return WEIR_ERROR_MEMORY;
    }
    return WEIR_OK;
}

static weir_result pin_inside(pin_builder *h)
{
    const deformable_builder *b = h->b;
    uint32_t end = b->first + b->set->info[b->index].vertex_count, listed = h->held;
    if (h->pin->inside.reach == SCENE_REACH_ALL) return WEIR_OK;
    for (uint32_t i = b->first; i < end; i++)
        if (is_inside(&h->pin->inside, deformable_initial_position(b->set, i)) && !pin_vertex(h, i))
            return WEIR_ERROR_MEMORY;
    if (h->held > listed) return WEIR_OK;
    return deformable_scene_fault(
        b, h->pin->line, h->pin->column,
        "has no vertex in the region of this pin: move or widen the region; the first vertex is at "
        "(%g, %g, %g), the last at (%g, %g, %g)",
        (double)deformable_initial_position(b->set, b->first).x,
        (double)deformable_initial_position(b->set, b->first).y,
        (double)deformable_initial_position(b->set, b->first).z,
        (double)deformable_initial_position(b->set, end - 1).x,
        (double)deformable_initial_position(b->set, end - 1).y,
        (double)deformable_initial_position(b->set, end - 1).z);
}

static bool append_attachments(const deformable_builder *b)
{
    const struct deformable_attachment none = {.body = DEFORMABLE_NONE};
    bool ok = true;
    for (size_t i = b->first; i < b->set->initial_states.count && b->set->scene->body_count && ok;
         i++)
        ok = BASE_ARRAY_PUSH(&b->set->attachments, none);
    return ok;
}

weir_result deformable_build_pins(deformable_builder *b, const solid_set *solids)
{
    weir_result result = WEIR_OK;
    struct solid_pose *poses = base_alloc(solid_item_count(solids), sizeof *poses);
    if (!poses) return base_fail(b->log, WEIR_ERROR_MEMORY, "not enough memory for pins");
    solid_poses_at(solids, 0.0, 0.0, poses);
    if (!append_attachments(b))
        result = base_fail(b->log, WEIR_ERROR_MEMORY, "not enough memory for pins");
    for (uint32_t i = 0; i < b->deformable->pin_count && result == WEIR_OK; i++) {
        pin_builder h = {.b = b, .pin = &b->deformable->pins[i], .poses = poses};
        result = pin_listed(&h);
        if (result == WEIR_OK) result = pin_inside(&h);
        if (result == WEIR_ERROR_MEMORY)
            base_log(b->log, WEIR_LOG_ERROR, "not enough memory for pins");
    }
    base_free(poses);
    return result;
}

/* ---- warnings: stretch under its own weight -------------------------------------------------- */

/* Returns the number of vertices in the longest chain, and its length. */
static void longest_chain(const deformable_builder *b, double *count, double *length_m)
{
    const scene_deformable *s = b->deformable;
    const deformable_info *f = &b->set->info[b->index];
    vec3 low = deformable_initial_position(b->set, b->first), high = low;
    for (uint32_t i = 1; i < f->vertex_count; i++) {
        low = vec3_min(low, deformable_initial_position(b->set, b->first + i));
        high = vec3_max(high, deformable_initial_position(b->set, b->first + i));
    }
    *length_m = (double)vec3_length(vec3_sub(high, low));
    if (s->kind == SCENE_DEFORMABLE_ROPE)
        *count = f->vertex_count;
    else if (s->path)
        *count = sqrt((double)f->vertex_count);
    else
        *count = *length_m / (double)s->spacing_m;
}

/* Writes "set X to N, or ", advice that has the effect of `times` as many constraint iterations per
 * second; empty if N is out of range. */
static void iteration_advice(const deformable_builder *b, double times, char to[64])
{
    const scene_solver *solver = &b->set->scene->solver;
    const double iterations = ceil((double)solver->deformable_iterations * times);
    const double substeps = ceil((double)solver->substeps * sqrt(times));
    to[0] = '\0';
    if (iterations <= SCENE_MAX_DEFORMABLE_ITERATIONS)
        snprintf(to, 64, "set solver.deformable_iterations to %.0f, or ", iterations);
    else if (substeps <= SCENE_MAX_SUBSTEPS)
        snprintf(to, 64, "set solver.substeps to %.0f, or ", substeps);
}

/* Warns of deformables that are too light. Particles press on a cloth as if they lay side by side
 * on it, and a cloth that is much lighter than they are gives way, unless it has enough constraint
 * iterations. */
static void warn_light(const deformable_builder *b)
{
    const scene_data *scene = b->set->scene;
    const scene_solver *solver = &scene->solver;
    bool rope = b->deformable->kind == SCENE_DEFORMABLE_ROPE;
    if (b->deformable->kind == SCENE_DEFORMABLE_SOFT_BODY)
        return; /* the fluid that its volume displaces bears it */
    double heaviest = 0.0, d = (double)scene->spacing;
    for (uint32_t i = 0; i < scene->fluid_count; i++)
        heaviest = fmax(heaviest, (double)scene->fluids[i].density);
    double layer = heaviest * d * (rope ? d : 1.0), has = (double)b->deformable->density;
    double iterations = (double)solver->iterations * solver->deformable_iterations;
    if (LIGHT_ITERATIONS * layer / has <= iterations) return;
    const double more = ceil(LIGHT_ITERATIONS * layer / has / solver->iterations);
    char or_sweeps[64] = "";
    if (more <= SCENE_MAX_DEFORMABLE_ITERATIONS)
        snprintf(or_sweeps, sizeof or_sweeps, ", or set solver.deformable_iterations to %.0f",
                 more);
    base_log(b->log, WEIR_LOG_WARNING,
             "%s:%d:%d: '%s' has %g %s, but one layer of fluid particles has %.3g: it will stretch "
             "and leak under fluid; use %.2g%s",
             scene->source, b->deformable->line, b->deformable->column, b->deformable->name, has,
             rope ? "kg/m" : "kg/m2", layer, LIGHT_ITERATIONS * layer / iterations, or_sweeps);
}

/* as `factor` below, for soft bodies; measured with a hanging bar */
#define SOFT_BODY_STRETCH 0.27

/* Warns of soft bodies that are softer than the scene specifies: the stretch under its own weight
 * that the iterations leave exceeds the stretch that the stiffness allows. */
static void warn_stiff(const deformable_builder *b)
{
    const scene_solver *solver = &b->set->scene->solver;
    double gravity = (double)vec3_length(b->set->scene->gravity), count, length;
    double dt = 1.0 / ((double)b->set->scene->frame_rate * solver->substeps);
    double iterations = (double)solver->iterations * solver->deformable_iterations;
    double density = (double)b->deformable->density, stiffness = (double)b->deformable->stiffness;
    longest_chain(b, &count, &length);
    double own = density * gravity * length / (2.0 * stiffness);
    double left = SOFT_BODY_STRETCH * gravity * dt * dt * count * count / (length * iterations);
    if (left <= own) return;
    const double substeps = ceil(solver->substeps * sqrt(4.0 * left / own));
    char advice[64] = "use that value";
    if (substeps <= SCENE_MAX_SUBSTEPS)
        snprintf(advice, sizeof advice, "set solver.substeps to %.0f", substeps);
    base_log(b->log, WEIR_LOG_WARNING,
             "%s:%d:%d: soft body '%s' has a stiffness of %g Pa, but its iterations reach only "
             "about %.2g: %s, or make its spacing larger",
             b->set->scene->source, b->deformable->line, b->deformable->column, b->deformable->name,
             stiffness, stiffness * own / (own + left), advice);
}

/* Warns of stretch under the deformable's own weight alone. `stretch`: fraction of the length. */
static void warn_stretch(const deformable_builder *b, double stretch)
{
    const scene_deformable *s = b->deformable;
    const char *source = b->set->scene->source;
    char advice[64];
    if (s->tear_strain > 0.0f && stretch > 0.5 * (double)s->tear_strain) {
        iteration_advice(b, 2.0 * stretch / (double)s->tear_strain, advice);
        base_log(b->log, WEIR_LOG_WARNING,
                 "%s:%d:%d: '%s' tears at a strain of %g, but its own weight alone will stretch it "
                 "by about %.2g: %suse a larger tear_strain",
                 source, s->line, s->column, s->name, (double)s->tear_strain, stretch, advice);
    }
    if (!(stretch > WARN_STRETCH)) return;
    iteration_advice(b, stretch / WARN_STRETCH, advice);
    base_log(b->log, WEIR_LOG_WARNING,
             "%s:%d:%d: '%s' will stretch by about %.2g %% under its own weight alone: %suse fewer "
             "vertices, farther apart",
             source, s->line, s->column, s->name, 100.0 * stretch, advice);
}

/* Too few constraint iterations leave a long chain stretched; the factors were measured with
 * hanging sheets. With `pbd_stiffness` the stretch is wanted, and iterations do not change it. */
void deformable_warn_stretch(const deformable_builder *b)
{
    const scene_solver *solver = &b->set->scene->solver;
    warn_light(b);
    if (b->deformable->pbd_stiffness > 0.0f) return;
    if (b->deformable->kind == SCENE_DEFORMABLE_SOFT_BODY) {
        warn_stiff(b);
        return;
    }
    if (b->set->info[b->index].pinned == 0) return;
    double gravity = (double)vec3_length(b->set->scene->gravity), count, length;
    double dt = 1.0 / ((double)b->set->scene->frame_rate * solver->substeps);
    double iterations = (double)solver->iterations * solver->deformable_iterations;
    double factor = solver->deformable_solver == SCENE_DEFORMABLE_JACOBI ? 4.3 : 0.35;
    longest_chain(b, &count, &length);
    warn_stretch(b, factor * gravity * dt * dt * count * count / (length * iterations));
}
