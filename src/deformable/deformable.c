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
        return base_fail(log, WEIR_ERROR_MEMORY, "no memory for cloths and ropes");
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

/* A buffer's number of elements and contents; `bytes` NULL: none yet. */
typedef struct buffer_content {
    const char *name;
    uint32_t stride;
    uint64_t count;
    const void *bytes;
} buffer_content;

static weir_result create_buffer(gpu_device *device, buffer_content content, gpu_buffer **buffer)
{
    const gpu_buffer_def def = {
        .name = content.name, .stride = content.stride, .count = content.count ? content.count : 1};
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device, &def, buffer));
    if (!content.bytes || content.count == 0) return WEIR_OK;
    return gpu_buffer_upload(device, *buffer, 0, content.bytes, content.count * content.stride);
}

#define CONTENT(name, array)                                      \
    (buffer_content)                                              \
    {                                                             \
        name, sizeof *(array).items, (array).count, (array).items \
    }

static weir_result create_facets(gpu_device *device, deformable_set *set)
{
    const uvec4 *n = &set->facet_bins.count;
    uint64_t cells = (uint64_t)n->x * n->y * n->z,
             words = DEFORMABLE_IMPULSE_WORDS * set->masses.count;
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, CONTENT("deformable_facets", set->facets), &set->facet_buffer));
    WEIR_RETURN_IF_ERROR(create_buffer(device,
                                       CONTENT("facet_drag_coefficients", set->drag_coefficients),
                                       &set->drag_coefficient_buffer));
    WEIR_RETURN_IF_ERROR(create_buffer(device, (buffer_content){"facet_bin_heads", 4, cells, NULL},
                                       &set->facet_bin_heads));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, (buffer_content){"facet_bin_links", 4, set->facets.count, NULL},
                      &set->facet_bin_links));
    WEIR_RETURN_IF_ERROR(create_buffer(
        device, (buffer_content){"facet_bins", sizeof set->facet_bins, 1, &set->facet_bins},
        &set->facet_bin_buffer));
    return create_buffer(device, (buffer_content){"deformable_impulse_sums", 4, words, NULL},
                         &set->impulse_sums);
}

/* Creates what vertices need to collide with bodies, and what tearing needs. */
static weir_result create_attachments(gpu_device *device, deformable_set *set)
{
    WEIR_RETURN_IF_ERROR(create_buffer(device, CONTENT("facet_tear_flags", set->facet_tear_flags),
                                       &set->facet_tear_flag_buffer));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, CONTENT("bend_tears", set->bend_tears), &set->bend_tear_buffer));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, CONTENT("attachments", set->attachments), &set->attachment_buffer));
    return create_buffer(device,
                         (buffer_content){"contact_bodies", 4, set->attachments.count, NULL},
                         &set->contact_bodies);
}

static weir_result create_clusters(gpu_device *device, deformable_set *set)
{
    uint64_t clusters = set->clusters.count;
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, CONTENT("clusters", set->clusters), &set->cluster_buffer));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, CONTENT("cluster_members", set->members), &set->member_buffer));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, CONTENT("memberships", set->memberships), &set->membership_buffer));
    WEIR_RETURN_IF_ERROR(create_buffer(device,
                                       CONTENT("membership_offsets", set->membership_offsets),
                                       &set->membership_offset_buffer));
    WEIR_RETURN_IF_ERROR(create_buffer(device, CONTENT("cluster_masses", set->cluster_masses),
                                       &set->cluster_mass_buffer));
    return create_buffer(
        device,
        (buffer_content){"cluster_transforms", sizeof(struct deformable_transform), clusters, NULL},
        &set->cluster_transforms);
}

static weir_result create_contacts(gpu_device *device, deformable_set *set)
{
    uint64_t meeting = set->rest_positions.count;
    WEIR_RETURN_IF_ERROR(create_buffer(
        device, (buffer_content){"vertex_hash_heads", 4, set->vertex_hash.buckets, NULL},
        &set->vertex_hash_heads));
    WEIR_RETURN_IF_ERROR(create_buffer(
        device, (buffer_content){"vertex_hash_links", 16, meeting, NULL}, &set->vertex_hash_links));
    WEIR_RETURN_IF_ERROR(create_buffer(device, CONTENT("rest_positions", set->rest_positions),
                                       &set->rest_position_buffer));
    WEIR_RETURN_IF_ERROR(create_buffer(
        device,
        (buffer_content){"contact_candidates", 4, DEFORMABLE_CANDIDATE_WORDS * meeting, NULL},
        &set->contact_candidates));
    WEIR_RETURN_IF_ERROR(create_buffer(device,
                                       (buffer_content){"vertex_contact_counts", 4, meeting, NULL},
                                       &set->vertex_contact_counts));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, (buffer_content){"vertex_contact_impulses", 16, meeting, NULL},
                      &set->vertex_contact_impulses));
    return create_buffer(
        device, (buffer_content){"vertex_hash", sizeof set->vertex_hash, 1, &set->vertex_hash},
        &set->vertex_hash_buffer);
}

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
        base_log(gpu_device_log(device), WEIR_LOG_ERROR, "no memory for %s", what);
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
    weir_result result = gpu_buffer_upload(device, set->constraint_buffer, 0, constraints, size);
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
    weir_result result = gpu_buffer_upload(device, set->cluster_buffer, 0, clusters, size);
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
    uint64_t vertices = set->masses.count, constraints = set->constraints.count;
    struct {
        uint32_t first, count;
    } colours[DEFORMABLE_MAX_COLOURS];
    for (uint32_t c = 0; c < DEFORMABLE_MAX_COLOURS; c++) {
        colours[c].first = set->colours[c];
        colours[c].count = set->colours[c + 1] - set->colours[c];
    }
    WEIR_RETURN_IF_ERROR(create_buffer(
        device,
        (buffer_content){"deformables", sizeof *set->properties, set->count, set->properties},
        &set->properties_buffer));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, CONTENT("deformable_states", set->initial_states), &set->states));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, (buffer_content){"deformable_displacements", 16, vertices, NULL},
                      &set->displacements));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, CONTENT("vertex_owners", set->owners), &set->owner_buffer));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, CONTENT("deformable_pins", set->pins), &set->pin_buffer));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, CONTENT("constraints", set->constraints), &set->constraint_buffer));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, (buffer_content){"constraint_multipliers", 16, constraints, NULL},
                      &set->multipliers));
    WEIR_RETURN_IF_ERROR(create_buffer(
        device, (buffer_content){"constraint_colours", 8, DEFORMABLE_MAX_COLOURS, colours},
        &set->colour_buffer));
    WEIR_RETURN_IF_ERROR(
        create_buffer(device, (buffer_content){"constraint_impulses", 16, constraints, NULL},
                      &set->constraint_impulses));
    WEIR_RETURN_IF_ERROR(create_buffer(device,
                                       CONTENT("constraint_offsets", set->constraint_offsets),
                                       &set->constraint_offset_buffer));
    WEIR_RETURN_IF_ERROR(create_buffer(device,
                                       CONTENT("constraint_entries", set->constraint_entries),
                                       &set->constraint_entry_buffer));
    WEIR_RETURN_IF_ERROR(create_attachments(device, set));
    WEIR_RETURN_IF_ERROR(create_contacts(device, set));
    WEIR_RETURN_IF_ERROR(create_clusters(device, set));
    return create_facets(device, set);
}

static weir_result create_pipelines(gpu_device *device, const solid_set *solids,
                                    deformable_set *set)
{
    const uint32_t constants[] = {[SOLID_CONSTANT_NESTING] = solid_set_nesting(solids),
                                  [SOLID_CONSTANT_MISSING_KINDS] = solid_set_missing_kinds(solids)};
    gpu_pipeline_def def = {.constants = constants, .constant_count = BASE_COUNT(constants)};
    for (int i = 0; i < DEFORMABLE_SHADERS; i++) {
        def.shader = &deformable_shaders[i];
        WEIR_RETURN_IF_ERROR(gpu_pipeline_create(device, &def, &set->pipelines[i]));
    }
    return WEIR_OK;
}

weir_result deformable_set_create(gpu_device *device, const scene_data *scene,
                                  const solid_set *solids, deformable_set **out)
{
    const weir_log *log = gpu_device_log(device);
    weir_result result;
    deformable_set *set = *out = base_alloc(1, sizeof *set);
    if (!set) return base_fail(log, WEIR_ERROR_MEMORY, "no memory for cloths and ropes");
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
    gpu_buffer **all[] = {&set->properties_buffer,
                          &set->states,
                          &set->displacements,
                          &set->owner_buffer,
                          &set->pin_buffer,
                          &set->constraint_buffer,
                          &set->multipliers,
                          &set->colour_buffer,
                          &set->constraint_impulses,
                          &set->constraint_offset_buffer,
                          &set->constraint_entry_buffer,
                          &set->facet_buffer,
                          &set->facet_bin_heads,
                          &set->facet_bin_links,
                          &set->facet_bin_buffer,
                          &set->impulse_sums,
                          &set->attachment_buffer,
                          &set->drag_coefficient_buffer,
                          &set->facet_tear_flag_buffer,
                          &set->bend_tear_buffer,
                          &set->contact_bodies,
                          &set->vertex_hash_heads,
                          &set->vertex_hash_links,
                          &set->rest_position_buffer,
                          &set->contact_candidates,
                          &set->vertex_contact_counts,
                          &set->vertex_contact_impulses,
                          &set->vertex_hash_buffer,
                          &set->cluster_buffer,
                          &set->member_buffer,
                          &set->membership_buffer,
                          &set->membership_offset_buffer,
                          &set->cluster_mass_buffer,
                          &set->cluster_transforms};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(device, all[i]);
    for (int i = 0; i < DEFORMABLE_SHADERS; i++)
        gpu_pipeline_destroy(device, &set->pipelines[i]);
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

gpu_buffer *deformable_set_states(const deformable_set *set)
{
    return set->states;
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

deformable_facet_buffers deformable_set_facet_buffers(const deformable_set *set)
{
    return (deformable_facet_buffers){set->states,          set->displacements,
                                      set->facet_buffer,    set->facet_bin_heads,
                                      set->facet_bin_links, set->facet_bin_buffer,
                                      set->impulse_sums,    set->drag_coefficient_buffer};
}

bool deformable_set_has_drag(const deformable_set *set)
{
    return set->drag_coefficients.count > 0;
}

float deformable_set_mass(const deformable_set *set, uint32_t vertex)
{
    return set->masses.items[vertex];
}
