/* Creates, destroys and queries the rigid bodies of a scene. */
#include "body_internal.h"

static weir_result create_buffer(gpu_device *device, const char *name, uint32_t stride,
                                 uint64_t count, gpu_buffer **buffer)
{
    const gpu_buffer_def def = {.name = name, .stride = stride, .count = count};
    return gpu_buffer_create(device, &def, buffer);
}

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
    uint64_t n = set->count, samples = set->samples.count;
    WEIR_RETURN_IF_ERROR(create_buffer(device, "bodies", sizeof *set->properties, n, &set->bodies));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "body_states", sizeof *set->initial_states, n, &set->states));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "body_iterated_states", sizeof *set->initial_states,
                                       n, &set->iterated_states));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "body_impulse_sums", 4, n * BODY_IMPULSE_WORDS, &set->impulse_sums));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "broad_phase_cells", 4,
                                       divide_domain(set->scene, &set->broad_phase),
                                       &set->broad_phase_cells));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "body_spheres", sizeof(vec4), n, &set->spheres));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "samples", sizeof(struct body_sample), samples, &set->sample_buffer));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "candidates", 4, n * BODY_CANDIDATE_WORDS, &set->candidates));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "selected_samples", sizeof(uvec4), samples, &set->selected_samples));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "queues", sizeof(struct body_queue), BODY_QUEUE_COUNT, &set->queues));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "body_fluid_impulses",
                                       sizeof(struct body_fluid_impulse), n, &set->fluid_impulses));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "mouse_joint", sizeof(struct body_mouse_joint), 1,
                                       &set->mouse_joint));
    WEIR_RETURN_IF_ERROR(create_buffer(device, "cached_forces", sizeof(struct body_cached_force),
                                       samples, &set->cached_forces));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, "contacts", sizeof(struct body_contact), samples, &set->contacts));
    WEIR_RETURN_IF_ERROR(
        gpu_buffer_upload(device, set->bodies, 0, set->properties, n * sizeof *set->properties));
    WEIR_RETURN_IF_ERROR(gpu_buffer_upload(device, set->states, 0, set->initial_states,
                                           n * sizeof *set->initial_states));
    WEIR_RETURN_IF_ERROR(gpu_buffer_upload(device, set->iterated_states, 0, set->initial_states,
                                           n * sizeof *set->initial_states));
    return gpu_buffer_upload(device, set->sample_buffer, 0, set->samples.items,
                             samples * sizeof(struct body_sample));
}

static weir_result create_pipelines(gpu_device *device, const solid_set *solids, body_set *set)
{
    const uint32_t constants[] = {[SOLID_CONSTANT_NESTING] = solid_set_nesting(solids),
                                  [SOLID_CONSTANT_MISSING_KINDS] = solid_set_missing_kinds(solids)};
    gpu_pipeline_def def = {.constants = constants, .constant_count = BASE_COUNT(constants)};
    for (int i = 0; i < BODY_SHADERS; i++) {
        def.shader = &body_shaders[i];
        WEIR_RETURN_IF_ERROR(gpu_pipeline_create(device, &def, &set->pipelines[i]));
    }
    return WEIR_OK;
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
    if (!set) return base_fail(log, WEIR_ERROR_MEMORY, "no memory for bodies");
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
    gpu_buffer **all[] = {&set->bodies,        &set->states,           &set->iterated_states,
                          &set->impulse_sums,  &set->contacts,         &set->cached_forces,
                          &set->sample_buffer, &set->candidates,       &set->broad_phase_cells,
                          &set->spheres,       &set->selected_samples, &set->queues,
                          &set->mouse_joint,   &set->fluid_impulses};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(device, all[i]);
    for (int i = 0; i < BODY_SHADERS; i++)
        gpu_pipeline_destroy(device, &set->pipelines[i]);
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
gpu_buffer *body_set_properties(const body_set *set)
{
    return set->bodies;
}
gpu_buffer *body_set_states(const body_set *set)
{
    return set->states;
}
gpu_buffer *body_set_iterated_states(const body_set *set)
{
    return set->iterated_states;
}
gpu_buffer *body_set_impulse_sums(const body_set *set)
{
    return set->impulse_sums;
}

gpu_buffer *body_set_cached_forces(const body_set *set)
{
    return set->cached_forces;
}
body_broad_phase body_set_broad_phase(const body_set *set)
{
    return set->broad_phase;
}
gpu_buffer *body_set_broad_phase_cells(const body_set *set)
{
    return set->broad_phase_cells;
}
gpu_buffer *body_set_spheres(const body_set *set)
{
    return set->spheres;
}
gpu_buffer *body_set_queues(const body_set *set)
{
    return set->queues;
}
gpu_buffer *body_set_mouse_joint(const body_set *set)
{
    return set->mouse_joint;
}
gpu_buffer *body_set_fluid_impulses(const body_set *set)
{
    return set->fluid_impulses;
}
uint64_t body_set_cached_force_bytes(const body_set *set)
{
    return set->samples.count * sizeof(struct body_cached_force);
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
