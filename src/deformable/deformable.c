/* Creates, destroys and queries the deformables of a scene. */
#include "deformable_internal.h"

const char *deformable_kind_name(const scene_deformable *deformable)
{
    static const char *const kinds[] = {"cloth", "rope", "soft body"};
    return kinds[deformable->kind];
}

weir_result deformable_scene_fault(const deformable_builder *b, int line, int column,
                                   const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return base_fail(b->log, WEIR_ERROR_SCENE, "%s:%d:%d: %s '%s' %s", b->set->scene->source, line,
                     column, deformable_kind_name(b->deformable), b->deformable->name, text);
}

static weir_result build_deformable(deformable_builder *b, const solid_set *solids)
{
    WEIR_RETURN_IF_ERROR(deformable_build_shape(b, solids));
    WEIR_RETURN_IF_ERROR(deformable_build_constraints(b));
    WEIR_RETURN_IF_ERROR(deformable_build_pins(b, solids));
    deformable_warn_stretch(b);
    return WEIR_OK;
}

static weir_result build_set(deformable_set *set, const weir_log *log, const solid_set *solids)
{
    set->count = scene_deformable_count(set->scene);
    set->properties = base_alloc(set->count, sizeof *set->properties);
    set->info = base_alloc(set->count, sizeof *set->info);
    if (!set->properties || !set->info)
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for cloths and ropes");
    for (uint32_t i = 0; i < set->count; i++) {
        deformable_builder b = {
            .set = set, .log = log, .deformable = scene_deformable_at(set->scene, i), .index = i};
        weir_result result = build_deformable(&b, solids);
        soft_body_free_lattice(&b);
        WEIR_RETURN_IF_ERROR(result);
    }
    WEIR_RETURN_IF_ERROR(deformable_finish_clusters(set, log));
    WEIR_RETURN_IF_ERROR(deformable_build_tear_flags(set, log));
    WEIR_RETURN_IF_ERROR(deformable_build_facets(set, log));
    WEIR_RETURN_IF_ERROR(deformable_build_contacts(set, log));
    deformable_warn_gaps(set, log);
    WEIR_RETURN_IF_ERROR(deformable_check_overlaps(set, log, solids));
    WEIR_RETURN_IF_ERROR(deformable_colour_constraints(set, log));
    return deformable_append_tear_flags(set, log);
}

static void free_host_data(deformable_set *set)
{
    base_free(set->properties);
    base_free(set->info);
    BASE_ARRAY_FREE(&set->initial_states);
    BASE_ARRAY_FREE(&set->masses);
    BASE_ARRAY_FREE(&set->owners);
    BASE_ARRAY_FREE(&set->triangles);
    BASE_ARRAY_FREE(&set->pins);
    BASE_ARRAY_FREE(&set->attachments);
    BASE_ARRAY_FREE(&set->constraints);
    BASE_ARRAY_FREE(&set->facets);
    BASE_ARRAY_FREE(&set->drag_coefficients);
    BASE_ARRAY_FREE(&set->facet_tear_flags);
    BASE_ARRAY_FREE(&set->bend_tears);
    BASE_ARRAY_FREE(&set->rest_positions);
    BASE_ARRAY_FREE(&set->skin_weights);
    BASE_ARRAY_FREE(&set->skin_weight_offsets);
    BASE_ARRAY_FREE(&set->skin_triangles);
    BASE_ARRAY_FREE(&set->constraint_offsets);
    BASE_ARRAY_FREE(&set->constraint_entries);
    BASE_ARRAY_FREE(&set->clusters);
    BASE_ARRAY_FREE(&set->members);
    BASE_ARRAY_FREE(&set->memberships);
    BASE_ARRAY_FREE(&set->membership_offsets);
    BASE_ARRAY_FREE(&set->cluster_masses);
    BASE_ARRAY_FREE(&set->links);
}

/* ---- on the device -------------------------------------------------------------------------- */

/* Returns 1 - (1 - k)^(1/n): the stiffness that n iterations must have each so that together they
 * correct the fraction k of the error of a single constraint. */
static float stiffness_per_iteration(double stiffness, double iterations)
{
    return (float)-expm1(log1p(-stiffness) / iterations);
}

/* Copies values that are per substep, to be converted to values per iteration. Returns NULL, and
 * logs an error, if memory is short. */
static void *copy_items(gpu_device *device, const char *what, const void *items, size_t size)
{
    void *copy = base_alloc(1, size);
    if (copy)
        memcpy(copy, items, size);
    else
        base_log(gpu_device_log(device), WEIR_LOG_ERROR, "not enough memory for %s", what);
    return copy;
}

static weir_result update_constraints(gpu_device *device, deformable_set *set, double iterations)
{
    bool any = false;
    for (size_t i = 0; i < set->constraints.count && !any; i++)
        any = set->constraints.items[i].compliance < 0.0f;
    if (!any) return WEIR_OK;
    const size_t size = set->constraints.count * sizeof *set->constraints.items;
    struct deformable_constraint *constraints = copy_items(
        device, "the edges of cloths, ropes and soft bodies", set->constraints.items, size);
    if (!constraints) return WEIR_ERROR_MEMORY;
    for (size_t i = 0; i < set->constraints.count; i++)
        if (constraints[i].compliance < 0.0f)
            constraints[i].compliance =
                -stiffness_per_iteration(-(double)constraints[i].compliance, iterations);
    weir_result result = gpu_buffer_upload(device, set->buffers.constraints, 0, constraints, size);
    base_free(constraints);
    return result;
}

static weir_result update_clusters(gpu_device *device, deformable_set *set, double iterations)
{
    if (set->clusters.count == 0) return WEIR_OK;
    const size_t size = set->clusters.count * sizeof *set->clusters.items;
    struct deformable_cluster *clusters =
        copy_items(device, "the clusters of soft bodies", set->clusters.items, size);
    if (!clusters) return WEIR_ERROR_MEMORY;
    for (size_t i = 0; i < set->clusters.count; i++)
        clusters[i].stiffness = stiffness_per_iteration((double)clusters[i].stiffness, iterations);
    weir_result result = gpu_buffer_upload(device, set->buffers.clusters, 0, clusters, size);
    base_free(clusters);
    return result;
}

weir_result deformable_set_update_iterations(gpu_device *device, deformable_set *set,
                                             const scene_data *scene)
{
    double iterations = (double)scene->solver.iterations * set->iterations;
    WEIR_RETURN_IF_ERROR(update_constraints(device, set, iterations));
    return update_clusters(device, set, iterations);
}

static weir_result create_buffers(gpu_device *device, deformable_set *set)
{
    enum { ONE = 1 };
    const uint64_t vertices = set->masses.count, colliding = set->rest_positions.count,
                   constraints = set->constraints.count, facets = set->facets.count,
                   clusters = set->clusters.count;
    const uvec4 bins = set->facet_bins.count;
    uvec2 colours[DEFORMABLE_MAX_COLOURS];
    for (uint32_t c = 0; c < DEFORMABLE_MAX_COLOURS; c++)
        colours[c] = (uvec2){set->colours[c], set->colours[c + 1] - set->colours[c]};
    const gpu_buffer_row rows[DEFORMABLE_BINDINGS] = {
#define BUFFER(name, type, count, contents) \
    [DEFORMABLE_BIND_##name] = {#name, sizeof(type), count, contents},
#include "shared/deformable_buffers.def"
    };
    return gpu_buffers_create(device, rows, DEFORMABLE_BINDINGS, set->buffers.all);
}

static weir_result create_pipelines(gpu_device *device, const solid_set *solids,
                                    deformable_set *set)
{
    const uint32_t constants[] = {[SOLID_CONSTANT_NESTING] = solid_set_nesting(solids),
                                  [SOLID_CONSTANT_MISSING_KINDS] = solid_set_missing_kinds(solids)};
    const gpu_pipeline_def def = {.shader = deformable_shaders,
                                  .constants = constants,
                                  .constant_count = BASE_COUNT(constants)};
    return gpu_pipelines_create(device, &def, DEFORMABLE_SHADERS, set->pipelines);
}

weir_result deformable_set_create(gpu_device *device, const scene_data *scene,
                                  const solid_set *solids, deformable_set **out)
{
    const weir_log *log = gpu_device_log(device);
    weir_result result;
    deformable_set *set = *out = base_alloc(1, sizeof *set);
    if (!set) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for cloths and ropes");
    set->scene = scene;
    set->iterations = scene->solver.deformable_iterations;
    set->jacobi = scene->solver.deformable_solver == SCENE_DEFORMABLE_JACOBI;
    WEIR_GOTO_IF_ERROR(build_set(set, log, solids));
    WEIR_GOTO_IF_ERROR(create_buffers(device, set));
    WEIR_GOTO_IF_ERROR(deformable_set_update_iterations(device, set, scene));
    WEIR_GOTO_IF_ERROR(create_pipelines(device, solids, set));
    set->scene = NULL;
    return WEIR_OK;
fail:
    deformable_set_destroy(device, out);
    return result;
}

void deformable_set_destroy(gpu_device *device, deformable_set **pointer)
{
    deformable_set *set = *pointer;
    if (!set) return;
    gpu_buffers_destroy(device, set->buffers.all, DEFORMABLE_BINDINGS);
    gpu_pipelines_destroy(device, set->pipelines, DEFORMABLE_SHADERS);
    free_host_data(set);
    base_free(set);
    *pointer = NULL;
}

weir_result deformable_compute_info(const weir_log *log, const scene_data *scene,
                                    const solid_set *solids, deformable_info *info)
{
    deformable_set set = {.scene = scene};
    weir_result result = build_set(&set, log, solids);
    if (result == WEIR_OK) memcpy(info, set.info, set.count * sizeof *info);
    free_host_data(&set);
    return result;
}

/* ---- queries -------------------------------------------------------------------------------- */

const deformable_info *deformable_set_info(const deformable_set *set)
{
    return set->info;
}

uint32_t deformable_set_facet_count(const deformable_set *set)
{
    return (uint32_t)set->facets.count;
}

uint32_t deformable_set_vertex_count(const deformable_set *set)
{
    return (uint32_t)set->masses.count;
}

const struct deformable_state *deformable_set_initial_states(const deformable_set *set)
{
    return set->initial_states.items;
}

const deformable_buffers *deformable_set_buffers(const deformable_set *set)
{
    return &set->buffers;
}

uint64_t deformable_set_bytes(const deformable_set *set)
{
    return set->initial_states.count * sizeof *set->initial_states.items;
}

/* Returns whether a flag is set. Flags are floats after the vertices' states; their indices count
 * floats from the first state. */
static bool is_torn(const struct deformable_state *states, uint32_t flag)
{
    float torn = 0.0f;
    if (flag != DEFORMABLE_NONE) memcpy(&torn, (const float *)states + flag, sizeof torn);
    return torn != 0.0f;
}

uint32_t deformable_set_torn_edges(const deformable_set *set, const struct deformable_state *states,
                                   uint32_t deformable)
{
    const deformable_info *f = &set->info[deformable];
    uint32_t count = 0;
    for (size_t i = 0; i < set->constraints.count && set->properties[deformable].tear > 0.0f; i++) {
        const struct deformable_constraint *b = &set->constraints.items[i];
        bool own = b->vertices.x - f->first_vertex < f->vertex_count;
        count += own && b->kind == DEFORMABLE_STRETCH && is_torn(states, b->tear_flag);
    }
    return count;
}

/* Returns whether the facet has lost no edge. */
static bool is_intact(const deformable_set *set, const struct deformable_state *states,
                      uint32_t facet)
{
    if (set->facet_tear_flags.count == 0) return true;
    const uvec4 *s = &set->facet_tear_flags.items[facet];
    return !is_torn(states, s->x) && !is_torn(states, s->y) && !is_torn(states, s->z);
}

uint32_t deformable_set_intact_elements(const deformable_set *set,
                                        const struct deformable_state *states, uint32_t deformable,
                                        uint32_t *to)
{
    const deformable_info *f = &set->info[deformable];
    uint32_t count = 0, edges = f->triangle_count ? 0 : f->vertex_count - 1;
    for (uint32_t i = 0; i < f->triangle_count; i++)
        if (is_intact(set, states, f->first_facet + i))
            memcpy(&to[3 * (size_t)count++],
                   &set->triangles.items[3 * (size_t)(f->first_triangle + i)], 3 * sizeof *to);
    for (uint32_t i = 0; i < edges; i++) {
        if (!is_intact(set, states, f->first_facet + i)) continue;
        to[2 * count] = i;
        to[2 * count++ + 1] = i + 1;
    }
    return count;
}

bool deformable_set_has_drag(const deformable_set *set)
{
    return set->drag_coefficients.count > 0;
}

float deformable_set_mass(const deformable_set *set, uint32_t vertex)
{
    return set->masses.items[vertex];
}
