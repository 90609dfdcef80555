/* Creates, destroys and queries the rigid bodies of a scene. */
#include "body_internal.h"

/* Divides the domain into cells; returns the number of words of all cells. */
static uint64_t divide_domain(const scene_data *scene, body_broad_phase *broad_phase)
{
    vec3 size = vec3_sub(scene->domain.max, scene->domain.min);
    const float extents[3] = {size.x, size.y, size.z};
    uint64_t words = broad_phase->words;
    for (int axis = 0; axis < 3; axis++) {
        broad_phase->count[axis] = (uint32_t)(extents[axis] / broad_phase->edge_m) + 1;
        words *= broad_phase->count[axis];
    }
    return words;
}

static body_broad_phase choose_broad_phase(const scene_data *scene)
{
    body_broad_phase broad_phase = {.words = 1 + (scene->body_count + BODY_BITS_PER_WORD - 1) /
                                                     BODY_BITS_PER_WORD,
                                    .edge_m = BODY_BROAD_PHASE_MIN_EDGE * scene->spacing};
    while (divide_domain(scene, &broad_phase) > BODY_BROAD_PHASE_MAX_WORDS)
        broad_phase.edge_m *= 1.25f;
    return broad_phase;
}

static weir_result create_buffers(gpu_device *device, body_set *set)
{
    enum { ONE = 1 };
    const uint64_t bodies = set->count, samples = set->samples.count;
    const gpu_buffer_row rows[BODY_BINDINGS] = {
#define BUFFER(name, type, count, contents) \
    [BODY_BIND_##name] = {#name, sizeof(type), count, contents},
#include "shared/body_buffers.def"
    };
    return gpu_buffers_create(device, rows, BODY_BINDINGS, set->buffers.all);
}

static weir_result create_pipelines(gpu_device *device, const solid_set *solids, body_set *set)
{
    const uint32_t constants[] = {[SOLID_CONSTANT_NESTING] = solid_set_nesting(solids),
                                  [SOLID_CONSTANT_MISSING_KINDS] = solid_set_missing_kinds(solids)};
    const gpu_pipeline_def def = {
        .shader = body_shaders, .constants = constants, .constant_count = BASE_COUNT(constants)};
    return gpu_pipelines_create(device, &def, BODY_SHADERS, set->pipelines);
}

void body_set_free(body_set *set)
{
    base_free(set->properties);
    base_free(set->initial_states);
    base_free(set->mass_properties);
    BASE_ARRAY_FREE(&set->samples);
}

weir_result body_set_create(gpu_device *device, const scene_data *scene, const solid_set *solids,
                            body_set **out)
{
    const weir_log *log = gpu_device_log(device);
    weir_result result;
    body_set *set = *out = base_alloc(1, sizeof *set);
    if (!set) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for bodies");
    set->scene = scene;
    set->count = scene->body_count;
    set->broad_phase = choose_broad_phase(scene);
    WEIR_GOTO_IF_ERROR(body_set_compute_properties(set, log, solids));
    WEIR_GOTO_IF_ERROR(body_set_check_overlaps(set, log, solids));
    WEIR_GOTO_IF_ERROR(create_buffers(device, set));
    WEIR_GOTO_IF_ERROR(create_pipelines(device, solids, set));
    return WEIR_OK;
fail:
    body_set_destroy(device, out);
    return result;
}

void body_set_destroy(gpu_device *device, body_set **pointer)
{
    body_set *set = *pointer;
    if (!set) return;
    gpu_buffers_destroy(device, set->buffers.all, BODY_BINDINGS);
    gpu_pipelines_destroy(device, set->pipelines, BODY_SHADERS);
    body_set_free(set);
    base_free(set);
    *pointer = NULL;
}

weir_result body_compute_mass_properties(const weir_log *log, const scene_data *scene,
                                         const solid_set *solids,
                                         body_mass_properties *mass_properties)
{
    body_set set = {.scene = scene, .count = scene->body_count};
    weir_result result = body_set_compute_properties(&set, log, solids);
    if (result == WEIR_OK) result = body_set_check_overlaps(&set, log, solids);
    if (result == WEIR_OK)
        memcpy(mass_properties, set.mass_properties, set.count * sizeof *mass_properties);
    body_set_free(&set);
    return result;
}

const body_mass_properties *body_set_mass_properties(const body_set *set)
{
    return set->mass_properties;
}
const struct body_state *body_set_initial_states(const body_set *set)
{
    return set->initial_states;
}
const body_buffers *body_set_buffers(const body_set *set)
{
    return &set->buffers;
}
body_broad_phase body_set_broad_phase(const body_set *set)
{
    return set->broad_phase;
}
static quat body_rotation(const struct body_state *state)
{
    const vec4 *q = &state->rotation;
    return (quat){q->x, q->y, q->z, q->w};
}

/* Returns the angular momentum in axes that turn with the body. */
static vec3 local_angular_momentum(const struct body_state *state)
{
    const vec4 *l = &state->angular_momentum;
    return quat_rotate(quat_conjugate(body_rotation(state)), vec3_make(l->x, l->y, l->z));
}

static vec3 local_angular_velocity(const body_set *set, uint32_t body,
                                   const struct body_state *state)
{
    const struct body_properties *m = &set->properties[body];
    const vec4 *i = &m->inertia, *p = &m->products;
    vec3 l = local_angular_momentum(state);
    return vec3_make(i->x * l.x + p->x * l.y + p->y * l.z, p->x * l.x + i->y * l.y + p->z * l.z,
                     p->y * l.x + p->z * l.y + i->z * l.z);
}

vec3 body_angular_velocity(const body_set *set, uint32_t body, const struct body_state *state)
{
    return quat_rotate(body_rotation(state), local_angular_velocity(set, body, state));
}

vec3 body_angular_momentum(const body_set *set, uint32_t body, quat rotation, vec3 turning)
{
    const struct body_properties *m = &set->properties[body];
    const vec4 *i = &m->inertia, *p = &m->products;
    const double inverse[6] = {(double)i->x, (double)i->y, (double)i->z,
                               (double)p->x, (double)p->y, (double)p->z};
    double inertia[6];
    body_invert_symmetric(inverse, inertia);
    vec3 w = quat_rotate(quat_conjugate(rotation), turning);
    const double x = (double)w.x, y = (double)w.y, z = (double)w.z;
    return quat_rotate(rotation,
                       vec3_make((float)(inertia[0] * x + inertia[3] * y + inertia[4] * z),
                                 (float)(inertia[3] * x + inertia[1] * y + inertia[5] * z),
                                 (float)(inertia[4] * x + inertia[5] * y + inertia[2] * z)));
}

float body_max_point_speed(const body_set *set, uint32_t body, const struct body_state *state)
{
    const vec4 *v = &state->velocity;
    float turning = vec3_length(local_angular_velocity(set, body, state));
    return vec3_length(vec3_make(v->x, v->y, v->z)) + turning * set->properties[body].inertia.w;
}

double body_kinetic_energy(const body_set *set, uint32_t body, const struct body_state *state)
{
    const struct body_properties *m = &set->properties[body];
    const vec4 *v = &state->velocity;
    vec3 spin = local_angular_momentum(state);
    double x = (double)spin.x, y = (double)spin.y, z = (double)spin.z;
    double turning = (double)m->inertia.x * x * x + (double)m->inertia.y * y * y +
                     (double)m->inertia.z * z * z +
                     2.0 * ((double)m->products.x * x * y + (double)m->products.y * x * z +
                            (double)m->products.z * y * z);
    double speed2 = (double)(v->x * v->x + v->y * v->y + v->z * v->z);
    return 0.5 * (set->mass_properties[body].mass_kg * speed2 + turning);
}

scene_pose body_pose_from_centre(const body_mass_properties *mass_properties, vec3 position,
                                 quat rotation)
{
    vec3 origin = vec3_sub(position, quat_rotate(rotation, mass_properties->centre));
    return (scene_pose){.position = origin, .rotation = rotation, .scale = 1.0f};
}

scene_pose body_pose(const body_set *set, uint32_t body, const struct body_state *state)
{
    const vec4 *x = &state->position;
    return body_pose_from_centre(&set->mass_properties[body], vec3_make(x->x, x->y, x->z),
                                 body_rotation(state));
}

void body_clear_cached_forces(const body_set *set, uint32_t body,
                              struct body_cached_force *cached_forces)
{
    for (size_t i = 0; i < set->samples.count; i++) {
        bool own = set->samples.items[i].body == body;
        if (own || cached_forces[i].force.w == (float)body + 1.0f)
            cached_forces[i].force = (vec4){0.0f, 0.0f, 0.0f, BODY_FORCE_NONE};
    }
}
