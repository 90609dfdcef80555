/* A set's life, and what is asked of it. */
#include "body_internal.h"

static weir_result make(gpu_device *device, const char *name, uint32_t stride, uint64_t count,
                        gpu_buffer **buffer)
{
    const gpu_buffer_def def = {.name = name, .stride = stride, .count = count};
    return gpu_buffer_create(device, &def, buffer);
}

/* Divides the domain into cells; returns the words of all. */
static uint64_t divide(const scene_data *scene, body_cells *cells)
{
    vec3 size = vec3_sub(scene->domain.max, scene->domain.min);
    const float extents[3] = {size.x, size.y, size.z};
    uint64_t words = cells->words;
    for (int axis = 0; axis < 3; axis++) {
        cells->count[axis] = (uint32_t)(extents[axis] / cells->edge_m) + 1;
        words *= cells->count[axis];
    }
    return words;
}

static body_cells choose_cells(const scene_data *scene)
{
    body_cells cells = {.words = 1 + (scene->body_count + BODY_GROUP - 1) / BODY_GROUP,
                        .edge_m = BODY_CELL_EDGE * scene->spacing};
    while (divide(scene, &cells) > BODY_CELL_WORDS)
        cells.edge_m *= 1.25f;
    return cells;
}

static weir_result create_buffers(gpu_device *device, body_set *set)
{
    uint64_t n = set->count, samples = set->samples.count;
    WEIR_NEED(make(device, "bodies", sizeof *set->makes, n, &set->bodies));
    WEIR_NEED(make(device, "body_states", sizeof *set->starts, n, &set->states));
    WEIR_NEED(make(device, "body_iterates", sizeof *set->starts, n, &set->iterates));
    WEIR_NEED(make(device, "body_sums", 4, n * BODY_SUM_WORDS, &set->sums));
    WEIR_NEED(make(device, "body_cells", 4, divide(set->scene, &set->cells), &set->cell_words));
    WEIR_NEED(make(device, "body_spheres", sizeof(vec4), n, &set->spheres));
    WEIR_NEED(make(device, "samples", sizeof(struct body_sample), samples, &set->sample_buffer));
    WEIR_NEED(make(device, "near", 4, n * BODY_NEAR_WORDS, &set->near));
    WEIR_NEED(make(device, "sifted", sizeof(uvec4), samples, &set->sifted));
    WEIR_NEED(make(device, "queues", sizeof(struct body_queue), BODY_QUEUES, &set->queues));
    WEIR_NEED(make(device, "body_pushes", sizeof(struct body_push), n, &set->pushes));
    WEIR_NEED(make(device, "hand", sizeof(struct body_hand), 1, &set->hand));
    WEIR_NEED(make(device, "holds", sizeof(struct body_hold), samples, &set->holds));
    WEIR_NEED(make(device, "contacts", sizeof(struct body_contact), samples, &set->contacts));
    WEIR_NEED(gpu_buffer_upload(device, set->bodies, 0, set->makes, n * sizeof *set->makes));
    WEIR_NEED(gpu_buffer_upload(device, set->states, 0, set->starts, n * sizeof *set->starts));
    WEIR_NEED(gpu_buffer_upload(device, set->iterates, 0, set->starts, n * sizeof *set->starts));
    return gpu_buffer_upload(device, set->sample_buffer, 0, set->samples.items,
                             samples * sizeof(struct body_sample));
}

static weir_result create_kernels(gpu_device *device, const solid_set *solids, body_set *set)
{
    const uint32_t constants[] = {[SOLID_CONSTANT_NESTING] = solid_set_nesting(solids),
                                  [SOLID_CONSTANT_LACKS] = solid_set_lacks(solids)};
    gpu_kernel_def def = {.constants = constants, .constant_count = BASE_COUNT(constants)};
    for (int i = 0; i < BODY_SHADERS; i++) {
        def.shader = &body_shaders[i];
        WEIR_NEED(gpu_kernel_create(device, &def, &set->kernels[i]));
    }
    return WEIR_OK;
}

void body_set_free(body_set *set)
{
    base_free(set->makes);
    base_free(set->starts);
    base_free(set->figures);
    BASE_ARRAY_FREE(&set->samples);
}

weir_result body_set_create(gpu_device *device, const scene_data *scene, const solid_set *solids,
                            body_set **out)
{
    const weir_log *log = gpu_device_log(device);
    weir_result result;
    body_set *set = *out = base_alloc(1, sizeof *set);
    if (!set) return base_fail(log, WEIR_MEMORY, "no memory for bodies");
    set->scene = scene;
    set->count = scene->body_count;
    set->cells = choose_cells(scene);
    WEIR_TRY(body_set_measure(set, log, solids));
    WEIR_TRY(body_set_check(set, log, solids));
    WEIR_TRY(create_buffers(device, set));
    WEIR_TRY(create_kernels(device, solids, set));
    return WEIR_OK;
fail:
    body_set_destroy(device, out);
    return result;
}

void body_set_destroy(gpu_device *device, body_set **pointer)
{
    body_set *set = *pointer;
    if (!set) return;
    gpu_buffer **all[] = {&set->bodies,     &set->states,  &set->iterates,      &set->sums,
                          &set->contacts,   &set->holds,   &set->sample_buffer, &set->near,
                          &set->cell_words, &set->spheres, &set->sifted,        &set->queues,
                          &set->hand,       &set->pushes};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(device, all[i]);
    for (int i = 0; i < BODY_SHADERS; i++)
        gpu_kernel_destroy(device, &set->kernels[i]);
    body_set_free(set);
    base_free(set);
    *pointer = NULL;
}

weir_result body_measure(const weir_log *log, const scene_data *scene, const solid_set *solids,
                         body_figures *figures)
{
    body_set set = {.scene = scene, .count = scene->body_count};
    weir_result result = body_set_measure(&set, log, solids);
    if (result == WEIR_OK) result = body_set_check(&set, log, solids);
    if (result == WEIR_OK) memcpy(figures, set.figures, set.count * sizeof *figures);
    body_set_free(&set);
    return result;
}

const body_figures *body_set_figures(const body_set *set)
{
    return set->figures;
}
const struct body_state *body_set_starts(const body_set *set)
{
    return set->starts;
}
gpu_buffer *body_set_makes(const body_set *set)
{
    return set->bodies;
}
gpu_buffer *body_set_states(const body_set *set)
{
    return set->states;
}
gpu_buffer *body_set_iterates(const body_set *set)
{
    return set->iterates;
}
gpu_buffer *body_set_sums(const body_set *set)
{
    return set->sums;
}

gpu_buffer *body_set_holds(const body_set *set)
{
    return set->holds;
}
body_cells body_set_cells(const body_set *set)
{
    return set->cells;
}
gpu_buffer *body_set_cell_words(const body_set *set)
{
    return set->cell_words;
}
gpu_buffer *body_set_spheres(const body_set *set)
{
    return set->spheres;
}
gpu_buffer *body_set_queues(const body_set *set)
{
    return set->queues;
}
gpu_buffer *body_set_hand(const body_set *set)
{
    return set->hand;
}
gpu_buffer *body_set_pushes(const body_set *set)
{
    return set->pushes;
}
uint64_t body_set_hold_bytes(const body_set *set)
{
    return set->samples.count * sizeof(struct body_hold);
}

static quat rotation_of(const struct body_state *state)
{
    const vec4 *q = &state->rotation;
    return (quat){q->x, q->y, q->z, q->w};
}

/* In axes that turn with the body. */
static vec3 spin_in_body(const struct body_state *state)
{
    const vec4 *l = &state->spin;
    return quat_rotate(quat_conjugate(rotation_of(state)), vec3_make(l->x, l->y, l->z));
}

static vec3 turning_in_body(const body_set *set, uint32_t body, const struct body_state *state)
{
    const struct body_make *m = &set->makes[body];
    const vec4 *i = &m->inertia, *p = &m->products;
    vec3 l = spin_in_body(state);
    return vec3_make(i->x * l.x + p->x * l.y + p->y * l.z, p->x * l.x + i->y * l.y + p->z * l.z,
                     p->y * l.x + p->z * l.y + i->z * l.z);
}

vec3 body_turning(const body_set *set, uint32_t body, const struct body_state *state)
{
    return quat_rotate(rotation_of(state), turning_in_body(set, body, state));
}

vec3 body_spin(const body_set *set, uint32_t body, quat rotation, vec3 turning)
{
    const struct body_make *m = &set->makes[body];
    const vec4 *i = &m->inertia, *p = &m->products;
    const double inverse[6] = {(double)i->x, (double)i->y, (double)i->z,
                               (double)p->x, (double)p->y, (double)p->z};
    double inertia[6];
    body_invert(inverse, inertia);
    vec3 w = quat_rotate(quat_conjugate(rotation), turning);
    const double x = (double)w.x, y = (double)w.y, z = (double)w.z;
    return quat_rotate(rotation,
                       vec3_make((float)(inertia[0] * x + inertia[3] * y + inertia[4] * z),
                                 (float)(inertia[3] * x + inertia[1] * y + inertia[5] * z),
                                 (float)(inertia[4] * x + inertia[5] * y + inertia[2] * z)));
}

float body_fastest_point(const body_set *set, uint32_t body, const struct body_state *state)
{
    const vec4 *v = &state->velocity;
    float turning = vec3_length(turning_in_body(set, body, state));
    return vec3_length(vec3_make(v->x, v->y, v->z)) + turning * set->makes[body].inertia.w;
}

double body_kinetic(const body_set *set, uint32_t body, const struct body_state *state)
{
    const struct body_make *m = &set->makes[body];
    const vec4 *v = &state->velocity;
    vec3 spin = spin_in_body(state);
    double x = (double)spin.x, y = (double)spin.y, z = (double)spin.z;
    double turning = (double)m->inertia.x * x * x + (double)m->inertia.y * y * y +
                     (double)m->inertia.z * z * z +
                     2.0 * ((double)m->products.x * x * y + (double)m->products.y * x * z +
                            (double)m->products.z * y * z);
    double speed2 = (double)(v->x * v->x + v->y * v->y + v->z * v->z);
    return 0.5 * (set->figures[body].mass_kg * speed2 + turning);
}

scene_pose body_place(const body_figures *figures, vec3 position, quat rotation)
{
    vec3 origin = vec3_sub(position, quat_rotate(rotation, figures->centre));
    return (scene_pose){.position = origin, .rotation = rotation, .scale = 1.0f};
}

scene_pose body_pose(const body_set *set, uint32_t body, const struct body_state *state)
{
    const vec4 *x = &state->position;
    return body_place(&set->figures[body], vec3_make(x->x, x->y, x->z), rotation_of(state));
}

void body_forget_holds(const body_set *set, uint32_t body, struct body_hold *holds)
{
    for (size_t i = 0; i < set->samples.count; i++) {
        bool own = set->samples.items[i].body == body;
        if (own || holds[i].force.w == (float)body + 1.0f)
            holds[i].force = (vec4){0.0f, 0.0f, 0.0f, BODY_HOLD_NONE};
    }
}
