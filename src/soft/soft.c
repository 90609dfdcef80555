/* A set's life, and what is asked of it. */
#include "soft_internal.h"

const char *soft_kind(const scene_soft *soft)
{
    static const char *const kinds[] = {"cloth", "rope", "soft body"};
    return kinds[soft->kind];
}

weir_result soft_fault(const soft_builder *b, int line, int column, const char *format, ...)
{
    char text[400];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    return base_fail(b->log, WEIR_SCENE, "%s:%d:%d: %s '%s' %s", b->set->scene->source, line,
                     column, soft_kind(b->soft), b->soft->name, text);
}

static weir_result build_one(soft_builder *b, const solid_set *solids)
{
    WEIR_NEED(soft_build_shape(b, solids));
    WEIR_NEED(soft_build_bonds(b));
    WEIR_NEED(soft_build_pins(b, solids));
    soft_warn(b);
    return WEIR_OK;
}

static weir_result build(soft_set *set, const weir_log *log, const solid_set *solids)
{
    set->count = scene_soft_count(set->scene);
    set->makes = base_alloc(set->count, sizeof *set->makes);
    set->figures = base_alloc(set->count, sizeof *set->figures);
    if (!set->makes || !set->figures)
        return base_fail(log, WEIR_MEMORY, "no memory for cloths and ropes");
    for (uint32_t i = 0; i < set->count; i++) {
        soft_builder b = {.set = set, .log = log, .soft = scene_soft_at(set->scene, i), .index = i};
        weir_result result = build_one(&b, solids);
        soft_free_lattice(&b);
        WEIR_NEED(result);
    }
    WEIR_NEED(soft_settle_clusters(set, log));
    WEIR_NEED(soft_build_tears(set, log));
    WEIR_NEED(soft_build_facets(set, log));
    WEIR_NEED(soft_build_contacts(set, log));
    soft_warn_of_gaps(set, log);
    WEIR_NEED(soft_check_overlaps(set, log, solids));
    WEIR_NEED(soft_colour(set, log));
    return soft_put_flags(set, log);
}

static void free_built(soft_set *set)
{
    base_free(set->makes);
    base_free(set->figures);
    BASE_ARRAY_FREE(&set->starts);
    BASE_ARRAY_FREE(&set->masses);
    BASE_ARRAY_FREE(&set->owners);
    BASE_ARRAY_FREE(&set->triangles);
    BASE_ARRAY_FREE(&set->pins);
    BASE_ARRAY_FREE(&set->ties);
    BASE_ARRAY_FREE(&set->bonds);
    BASE_ARRAY_FREE(&set->facets);
    BASE_ARRAY_FREE(&set->skins);
    BASE_ARRAY_FREE(&set->seams);
    BASE_ARRAY_FREE(&set->frays);
    BASE_ARRAY_FREE(&set->rests);
    BASE_ARRAY_FREE(&set->shares);
    BASE_ARRAY_FREE(&set->share_firsts);
    BASE_ARRAY_FREE(&set->skin_triangles);
    BASE_ARRAY_FREE(&set->firsts);
    BASE_ARRAY_FREE(&set->entries);
    BASE_ARRAY_FREE(&set->clusters);
    BASE_ARRAY_FREE(&set->members);
    BASE_ARRAY_FREE(&set->parts);
    BASE_ARRAY_FREE(&set->part_firsts);
    BASE_ARRAY_FREE(&set->weights);
    BASE_ARRAY_FREE(&set->links);
}

/* ---- on the device -------------------------------------------------------------------------- */

/* A buffer of `count` elements, and its contents; NULL: none yet. */
typedef struct soft_content {
    const char *name;
    uint32_t stride;
    uint64_t count;
    const void *bytes;
} soft_content;

static weir_result make(gpu_device *device, soft_content content, gpu_buffer **buffer)
{
    const gpu_buffer_def def = {
        .name = content.name, .stride = content.stride, .count = content.count ? content.count : 1};
    WEIR_NEED(gpu_buffer_create(device, &def, buffer));
    if (!content.bytes || content.count == 0) return WEIR_OK;
    return gpu_buffer_upload(device, *buffer, 0, content.bytes, content.count * content.stride);
}

#define CONTENT(name, array)                                      \
    (soft_content)                                                \
    {                                                             \
        name, sizeof *(array).items, (array).count, (array).items \
    }

static weir_result create_facets(gpu_device *device, soft_set *set)
{
    const uvec4 *n = &set->cells.count;
    uint64_t cells = (uint64_t)n->x * n->y * n->z, words = SOFT_SUM_WORDS * set->masses.count;
    WEIR_NEED(make(device, CONTENT("soft_facets", set->facets), &set->facet_buffer));
    WEIR_NEED(make(device, CONTENT("soft_skins", set->skins), &set->skin_buffer));
    WEIR_NEED(make(device, (soft_content){"soft_heads", 4, cells, NULL}, &set->heads));
    WEIR_NEED(make(device, (soft_content){"soft_nexts", 4, set->facets.count, NULL}, &set->nexts));
    WEIR_NEED(make(device, (soft_content){"soft_cells", sizeof set->cells, 1, &set->cells},
                   &set->cell_buffer));
    return make(device, (soft_content){"soft_sums", 4, words, NULL}, &set->sums);
}

/* What vertices need to meet bodies, and what tears. */
static weir_result create_ties(gpu_device *device, soft_set *set)
{
    WEIR_NEED(make(device, CONTENT("soft_seams", set->seams), &set->seam_buffer));
    WEIR_NEED(make(device, CONTENT("soft_frays", set->frays), &set->fray_buffer));
    WEIR_NEED(make(device, CONTENT("soft_ties", set->ties), &set->tie_buffer));
    return make(device, (soft_content){"soft_meets", 4, set->ties.count, NULL}, &set->meets);
}

static weir_result create_clusters(gpu_device *device, soft_set *set)
{
    uint64_t clusters = set->clusters.count;
    WEIR_NEED(make(device, CONTENT("soft_clusters", set->clusters), &set->cluster_buffer));
    WEIR_NEED(make(device, CONTENT("soft_members", set->members), &set->member_buffer));
    WEIR_NEED(make(device, CONTENT("soft_parts", set->parts), &set->part_buffer));
    WEIR_NEED(make(device, CONTENT("soft_part_firsts", set->part_firsts), &set->part_first_buffer));
    WEIR_NEED(make(device, CONTENT("soft_weights", set->weights), &set->weight_buffer));
    return make(device, (soft_content){"soft_fits", sizeof(struct soft_fit), clusters, NULL},
                &set->fits);
}

static weir_result create_contacts(gpu_device *device, soft_set *set)
{
    uint64_t meeting = set->rests.count;
    WEIR_NEED(
        make(device, (soft_content){"soft_buckets", 4, set->crowd.buckets, NULL}, &set->buckets));
    WEIR_NEED(make(device, (soft_content){"soft_bins", 16, meeting, NULL}, &set->bins));
    WEIR_NEED(make(device, CONTENT("soft_rests", set->rests), &set->rest_buffer));
    WEIR_NEED(make(device, (soft_content){"soft_nears", 4, SOFT_NEAR_WORDS * meeting, NULL},
                   &set->nears));
    WEIR_NEED(make(device, (soft_content){"soft_bears", 4, meeting, NULL}, &set->bears));
    WEIR_NEED(make(device, (soft_content){"soft_shoves", 16, meeting, NULL}, &set->shoves));
    return make(device, (soft_content){"soft_crowd", sizeof set->crowd, 1, &set->crowd},
                &set->crowd_buffer);
}

/* The slides' 1 - (1 - k)^(1/n): what a sweep takes away so that n of them take k away, of a
 * constraint that is alone. */
static float share_of_sweep(double stiffness, double sweeps)
{
    return (float)-expm1(log1p(-stiffness) / sweeps);
}

/* Of what holds for a substep, to become what holds for a sweep; NULL, and said: no memory. */
static void *copy_of(gpu_device *device, const char *what, const void *items, size_t size)
{
    void *copy = base_alloc(1, size);
    if (copy)
        memcpy(copy, items, size);
    else
        base_log(gpu_device_log(device), WEIR_LOG_ERROR, "no memory for %s", what);
    return copy;
}

static weir_result follow_bonds(gpu_device *device, soft_set *set, double sweeps)
{
    bool any = false;
    for (size_t i = 0; i < set->bonds.count && !any; i++)
        any = set->bonds.items[i].compliance < 0.0f;
    if (!any) return WEIR_OK;
    const size_t size = set->bonds.count * sizeof *set->bonds.items;
    struct soft_bond *bonds =
        copy_of(device, "the edges of cloths, ropes and soft bodies", set->bonds.items, size);
    if (!bonds) return WEIR_MEMORY;
    for (size_t i = 0; i < set->bonds.count; i++)
        if (bonds[i].compliance < 0.0f)
            bonds[i].compliance = -share_of_sweep(-(double)bonds[i].compliance, sweeps);
    weir_result result = gpu_buffer_upload(device, set->bond_buffer, 0, bonds, size);
    base_free(bonds);
    return result;
}

static weir_result follow_clusters(gpu_device *device, soft_set *set, double sweeps)
{
    if (set->clusters.count == 0) return WEIR_OK;
    const size_t size = set->clusters.count * sizeof *set->clusters.items;
    struct soft_cluster *clusters =
        copy_of(device, "the clusters of soft bodies", set->clusters.items, size);
    if (!clusters) return WEIR_MEMORY;
    for (size_t i = 0; i < set->clusters.count; i++)
        clusters[i].share = share_of_sweep((double)clusters[i].share, sweeps);
    weir_result result = gpu_buffer_upload(device, set->cluster_buffer, 0, clusters, size);
    base_free(clusters);
    return result;
}

weir_result soft_set_follow(gpu_device *device, soft_set *set, const scene_data *scene)
{
    double sweeps = (double)scene->solver.iterations * set->sweeps;
    WEIR_NEED(follow_bonds(device, set, sweeps));
    return follow_clusters(device, set, sweeps);
}

static weir_result create_buffers(gpu_device *device, soft_set *set)
{
    uint64_t vertices = set->masses.count, bonds = set->bonds.count;
    struct {
        uint32_t first, count;
    } colours[SOFT_COLOURS];
    for (uint32_t c = 0; c < SOFT_COLOURS; c++) {
        colours[c].first = set->colours[c];
        colours[c].count = set->colours[c + 1] - set->colours[c];
    }
    WEIR_NEED(make(device, (soft_content){"softs", sizeof *set->makes, set->count, set->makes},
                   &set->soft_buffer));
    WEIR_NEED(make(device, CONTENT("soft_states", set->starts), &set->states));
    WEIR_NEED(make(device, (soft_content){"soft_moves", 16, vertices, NULL}, &set->moves));
    WEIR_NEED(make(device, CONTENT("soft_owners", set->owners), &set->owner_buffer));
    WEIR_NEED(make(device, CONTENT("soft_pins", set->pins), &set->pin_buffer));
    WEIR_NEED(make(device, CONTENT("soft_bonds", set->bonds), &set->bond_buffer));
    WEIR_NEED(make(device, (soft_content){"soft_lambdas", 16, bonds, NULL}, &set->lambdas));
    WEIR_NEED(make(device, (soft_content){"soft_colours", 8, SOFT_COLOURS, colours},
                   &set->colour_buffer));
    WEIR_NEED(make(device, (soft_content){"soft_pushes", 16, bonds, NULL}, &set->pushes));
    WEIR_NEED(make(device, CONTENT("soft_firsts", set->firsts), &set->first_buffer));
    WEIR_NEED(make(device, CONTENT("soft_entries", set->entries), &set->entry_buffer));
    WEIR_NEED(create_ties(device, set));
    WEIR_NEED(create_contacts(device, set));
    WEIR_NEED(create_clusters(device, set));
    return create_facets(device, set);
}

/* Other rooms' shaders are called as these: a pass is found by its name. */
static const char *const names[SOFT_SHADERS] = {[SOFT_CLEAR_CELLS] = "soft_clear_cells",
                                                [SOFT_DAMP] = "soft_damp",
                                                [SOFT_SETTLE] = "soft_settle",
                                                [SOFT_WEIGH] = "soft_weigh"};

static weir_result create_kernels(gpu_device *device, const solid_set *solids, soft_set *set)
{
    const uint32_t constants[] = {[SOLID_CONSTANT_NESTING] = solid_set_nesting(solids),
                                  [SOLID_CONSTANT_LACKS] = solid_set_lacks(solids)};
    gpu_kernel_def def = {.constants = constants, .constant_count = BASE_COUNT(constants)};
    for (int i = 0; i < SOFT_SHADERS; i++) {
        def.shader = &soft_shaders[i];
        def.name = names[i];
        WEIR_NEED(gpu_kernel_create(device, &def, &set->kernels[i]));
    }
    return WEIR_OK;
}

weir_result soft_set_create(gpu_device *device, const scene_data *scene, const solid_set *solids,
                            soft_set **out)
{
    const weir_log *log = gpu_device_log(device);
    weir_result result;
    soft_set *set = *out = base_alloc(1, sizeof *set);
    if (!set) return base_fail(log, WEIR_MEMORY, "no memory for cloths and ropes");
    set->scene = scene;
    set->sweeps = scene->solver.sweeps;
    set->jacobi = scene->solver.constraints == SCENE_JACOBI;
    WEIR_TRY(build(set, log, solids));
    WEIR_TRY(create_buffers(device, set));
    WEIR_TRY(soft_set_follow(device, set, scene));
    WEIR_TRY(create_kernels(device, solids, set));
    set->scene = NULL;
    return WEIR_OK;
fail:
    soft_set_destroy(device, out);
    return result;
}

void soft_set_destroy(gpu_device *device, soft_set **pointer)
{
    soft_set *set = *pointer;
    if (!set) return;
    gpu_buffer **all[] = {
        &set->soft_buffer,    &set->states,        &set->moves,        &set->owner_buffer,
        &set->pin_buffer,     &set->bond_buffer,   &set->lambdas,      &set->colour_buffer,
        &set->pushes,         &set->first_buffer,  &set->entry_buffer, &set->facet_buffer,
        &set->heads,          &set->nexts,         &set->cell_buffer,  &set->sums,
        &set->tie_buffer,     &set->skin_buffer,   &set->seam_buffer,  &set->fray_buffer,
        &set->meets,          &set->buckets,       &set->bins,         &set->rest_buffer,
        &set->nears,          &set->bears,         &set->shoves,       &set->crowd_buffer,
        &set->cluster_buffer, &set->member_buffer, &set->part_buffer,  &set->part_first_buffer,
        &set->weight_buffer,  &set->fits};
    for (size_t i = 0; i < BASE_COUNT(all); i++)
        gpu_buffer_destroy(device, all[i]);
    for (int i = 0; i < SOFT_SHADERS; i++)
        gpu_kernel_destroy(device, &set->kernels[i]);
    free_built(set);
    base_free(set);
    *pointer = NULL;
}

weir_result soft_measure(const weir_log *log, const scene_data *scene, const solid_set *solids,
                         soft_figures *figures)
{
    soft_set set = {.scene = scene};
    weir_result result = build(&set, log, solids);
    if (result == WEIR_OK) memcpy(figures, set.figures, set.count * sizeof *figures);
    free_built(&set);
    return result;
}

/* ---- what is asked of it -------------------------------------------------------------------- */

const soft_figures *soft_set_figures(const soft_set *set)
{
    return set->figures;
}

uint32_t soft_set_facets(const soft_set *set)
{
    return (uint32_t)set->facets.count;
}

uint32_t soft_set_count(const soft_set *set)
{
    return (uint32_t)set->masses.count;
}

const struct soft_state *soft_set_starts(const soft_set *set)
{
    return set->starts.items;
}

gpu_buffer *soft_set_states(const soft_set *set)
{
    return set->states;
}

uint64_t soft_set_bytes(const soft_set *set)
{
    return set->starts.count * sizeof *set->starts.items;
}

/* The flags lie behind the vertices, and count floats from these on. */
static bool is_torn(const struct soft_state *states, uint32_t flag)
{
    float torn = 0.0f;
    if (flag != SOFT_NONE) memcpy(&torn, (const float *)states + flag, sizeof torn);
    return torn != 0.0f;
}

uint32_t soft_set_torn(const soft_set *set, const struct soft_state *states, uint32_t soft)
{
    const soft_figures *f = &set->figures[soft];
    uint32_t count = 0;
    for (size_t i = 0; i < set->bonds.count && set->makes[soft].tear > 0.0f; i++) {
        const struct soft_bond *b = &set->bonds.items[i];
        bool own = b->vertices.x - f->first_vertex < f->vertex_count;
        count += own && b->kind == SOFT_STRETCH && is_torn(states, b->flag);
    }
    return count;
}

/* Has the facet lost no edge? */
static bool is_whole(const soft_set *set, const struct soft_state *states, uint32_t facet)
{
    if (set->seams.count == 0) return true;
    const uvec4 *s = &set->seams.items[facet];
    return !is_torn(states, s->x) && !is_torn(states, s->y) && !is_torn(states, s->z);
}

uint32_t soft_set_whole(const soft_set *set, const struct soft_state *states, uint32_t soft,
                        uint32_t *to)
{
    const soft_figures *f = &set->figures[soft];
    uint32_t count = 0, edges = f->triangle_count ? 0 : f->vertex_count - 1;
    for (uint32_t i = 0; i < f->triangle_count; i++)
        if (is_whole(set, states, f->first_facet + i))
            memcpy(&to[3 * (size_t)count++],
                   &set->triangles.items[3 * (size_t)(f->first_triangle + i)], 3 * sizeof *to);
    for (uint32_t i = 0; i < edges; i++) {
        if (!is_whole(set, states, f->first_facet + i)) continue;
        to[2 * count] = i;
        to[2 * count++ + 1] = i + 1;
    }
    return count;
}

soft_fronts soft_set_fronts(const soft_set *set)
{
    return (soft_fronts){set->states, set->moves,       set->facet_buffer, set->heads,
                         set->nexts,  set->cell_buffer, set->sums,         set->skin_buffer};
}

bool soft_set_drags(const soft_set *set)
{
    return set->skins.count > 0;
}

float soft_set_mass(const soft_set *set, uint32_t vertex)
{
    return set->masses.items[vertex];
}
