/* Determines which meshes a scene needs as distance volumes and on which grids, and fills the one
 * buffer that holds them all. */
#include "solid_internal.h"

#define MOMENT_GRID_CELLS 64.0f /* cells of a fine volume along the longest edge of its mesh */

typedef struct bake_job {
    gpu_device *device;
    const weir_log *log;
    const scene_data *scene;
    solid_mesh_sdfs *store;
    io_mesh *firsts; /* [mesh_count]: the first file of each mesh in use */
    solid_sdf_baker *baker;
} bake_job;

/* ---- files ---------------------------------------------------------------------------------- */

static char *frame_path(const bake_job *j, uint32_t index, uint32_t frame)
{
    const scene_mesh *mesh = &j->scene->meshes[index];
    return scene_mesh_file(mesh, mesh->first + frame);
}

static weir_result read_frame(const bake_job *j, uint32_t index, uint32_t frame, io_mesh *mesh)
{
    char *path = frame_path(j, index, frame);
    if (!path) return base_fail(j->log, WEIR_ERROR_MEMORY, "not enough memory for a file name");
    weir_result result = io_mesh_read_at(j->log, path, j->scene->meshes[index].origin, mesh);
    if (result == WEIR_OK && mesh->triangle_count == 0) {
        result =
            base_fail(j->log, WEIR_ERROR_SCENE,
                      "%s: has no triangles, expected a surface; export the mesh with faces", path);
        io_mesh_free(mesh);
    }
    base_free(path);
    return result;
}

static bool same_topology(const io_mesh *a, const io_mesh *b)
{
    return a->vertex_count == b->vertex_count && a->triangle_count == b->triangle_count &&
           memcmp(a->indices, b->indices, 3 * sizeof *a->indices * (size_t)a->triangle_count) == 0;
}

static weir_result fail_topology(const bake_job *j, uint32_t index, uint32_t frame,
                                 const io_mesh *mesh)
{
    char *first = frame_path(j, index, 0), *other = frame_path(j, index, frame);
    base_log(j->log, WEIR_LOG_ERROR,
             "%s: has %u vertices and %u triangles, not the topology of %s (%u and %u, in the same "
             "order); a sequence must keep one topology",
             other ? other : "", mesh->vertex_count, mesh->triangle_count, first ? first : "",
             j->firsts[index].vertex_count, j->firsts[index].triangle_count);
    base_free(first);
    base_free(other);
    return WEIR_ERROR_SCENE;
}

static void grow_box(const io_mesh *mesh, solid_mesh *out)
{
    for (size_t i = 0; i < 3 * (size_t)mesh->triangle_count; ++i) {
        vec3 v = mesh->vertices[mesh->indices[i]];
        out->min = vec3_min(out->min, v);
        out->max = vec3_max(out->max, v);
    }
}

static weir_result count_open_edges(bake_job *j, uint32_t index)
{
    solid_edges edges = {0};
    weir_result result = solid_find_open_edges(j->log, &j->firsts[index], &edges);
    j->store->meshes[index].open_edges = (uint32_t)edges.count;
    BASE_ARRAY_FREE(&edges);
    return result;
}

/* Reads every file of a mesh once, for its topology and the bounds of all files. Keeps the
 * first. */
static weir_result measure_mesh(bake_job *j, uint32_t index)
{
    const scene_mesh *mesh_source = &j->scene->meshes[index];
    solid_mesh *mesh = &j->store->meshes[index];
    mesh->frame_count = mesh_source->sequence ? mesh_source->last - mesh_source->first + 1 : 1;
    mesh->min = vec3_make(INFINITY, INFINITY, INFINITY);
    mesh->max = vec3_scale(mesh->min, -1);
    WEIR_RETURN_IF_ERROR(read_frame(j, index, 0, &j->firsts[index]));
    WEIR_RETURN_IF_ERROR(count_open_edges(j, index));
    grow_box(&j->firsts[index], mesh);
    if (mesh->needs_mass_properties)
        WEIR_RETURN_IF_ERROR(solid_mesh_moments(
            j->log, &j->firsts[index], (vec3[2]){mesh->min, mesh->max}, &mesh->mass_properties));
    for (uint32_t frame = 1; frame < mesh->frame_count; ++frame) {
        io_mesh next = {0};
        weir_result result = WEIR_OK;
        WEIR_RETURN_IF_ERROR(read_frame(j, index, frame, &next));
        grow_box(&next, mesh);
        if (!same_topology(&j->firsts[index], &next))
            result = fail_topology(j, index, frame, &next);
        io_mesh_free(&next);
        WEIR_RETURN_IF_ERROR(result);
    }
    return WEIR_OK;
}

/* ---- grids ---------------------------------------------------------------------------------- */

size_t solid_mesh_frame_words(const solid_mesh *mesh)
{
    return SOLID_VOLUME_HEADER + solid_grid_nodes(&mesh->grid);
}

/* Returns the number of nodes along an axis; as a double, so that absurd sizes do not overflow. */
static double axis_nodes(float min, float max, double cell)
{
    return ceil(((double)max - (double)min) / cell) + 1 + 2 * SOLID_SDF_MARGIN_CELLS;
}

/* Returns the words that all volumes take with cells of `cell_m` in world space. */
static double count_words(const bake_job *j, float cell_m)
{
    double words = 0;
    for (uint32_t i = 0; i < j->scene->mesh_count; ++i) {
        const solid_mesh *m = &j->store->meshes[i];
        if (m->scale <= 0) continue;
        const double own = (double)(cell_m * m->finer / m->scale);
        double nodes = axis_nodes(m->min.x, m->max.x, own) * axis_nodes(m->min.y, m->max.y, own) *
                       axis_nodes(m->min.z, m->max.z, own);
        words += m->frame_count * (nodes + SOLID_VOLUME_HEADER);
    }
    return words;
}

static weir_result check_size(const bake_job *j, float cell_m)
{
    double limit = (double)gpu_device_storage_range(j->device) / sizeof(uint32_t);
    limit = fmin(limit, (double)UINT32_MAX);
    double words = count_words(j, cell_m);
    if (words <= limit) return WEIR_OK;
    float fits = cell_m;
    while (count_words(j, fits) > limit && fits < 1e30f)
        fits *= 1.02f;
    return base_fail(j->log, WEIR_ERROR_MEMORY,
                     "%s: the distance volumes of its meshes, with cells of %g m, need %.0f MiB, "
                     "but this device binds at most %.0f MiB; cells of %.3g m would fit: check the "
                     "scale of the meshes (units are metres), or use a larger particle spacing, "
                     "smaller meshes or fewer files of a sequence",
                     j->scene->source, (double)cell_m, words * 4 / 1048576, limit * 4 / 1048576,
                     (double)fits *
                         1.006); /* so that rounding to three digits does not make it too small */
}

/* Returns a grid around a mesh, in mesh space. */
static struct solid_volume fit_grid(const solid_mesh *mesh, float cell)
{
    const float margin = cell * SOLID_SDF_MARGIN_CELLS;
    return (struct solid_volume){
        .origin_x = mesh->min.x - margin,
        .origin_y = mesh->min.y - margin,
        .origin_z = mesh->min.z - margin,
        .cell = cell,
        .nx = (uint32_t)axis_nodes(mesh->min.x, mesh->max.x, (double)cell),
        .ny = (uint32_t)axis_nodes(mesh->min.y, mesh->max.y, (double)cell),
        .nz = (uint32_t)axis_nodes(mesh->min.z, mesh->max.z, (double)cell),
    };
}

/* Plans the finer grid of a mesh. A volume is trilinear between nodes and so cuts off edges: an
 * eighth of a cube of four cells. Mass properties that are computed from distances therefore use
 * finer cells. */
static void plan_fine_grid(solid_mesh *mesh)
{
    const vec3 size = vec3_sub(mesh->max, mesh->min);
    const float cell = fmaxf(size.x, fmaxf(size.y, size.z)) / MOMENT_GRID_CELLS;
    const bool by_distances =
        mesh->in_set || (mesh->needs_mass_properties && !mesh->mass_properties.known);
    mesh->fine = by_distances && cell > 0.0f && cell < mesh->grid.cell;
    if (mesh->fine) mesh->fine_grid = fit_grid(mesh, cell);
}

/* ---- volumes -------------------------------------------------------------------------------- */

static weir_result bake_mesh(bake_job *j, const io_mesh *mesh, const struct solid_volume *grid,
                             float *distances)
{
    if (!j->baker) WEIR_RETURN_IF_ERROR(solid_sdf_baker_create(j->device, &j->baker));
    return solid_bake_sdf(j->device, j->baker, mesh, grid, distances);
}

/* One file of a mesh of the scene, loaded. */
typedef struct mesh_source {
    uint32_t index, frame;
    const io_mesh *mesh;
} mesh_source;

static void log_bake(const bake_job *j, const mesh_source *from, const struct solid_volume *grid,
                     double seconds)
{
    char *name = frame_path(j, from->index, from->frame);
    base_log(j->log, WEIR_LOG_INFO, "%s: %u triangles baked into %u x %u x %u nodes in %.1f s",
             name ? name : "", from->mesh->triangle_count, grid->nx, grid->ny, grid->nz, seconds);
    base_free(name);
}

/* Loads the distances of a file from the cache, or bakes them. */
static weir_result find_distances(bake_job *j, const mesh_source *from,
                                  const struct solid_volume *grid, float *distances)
{
    char *path = solid_cache_path(j->device, from->mesh, grid);
    weir_result result = WEIR_OK;
    if (!solid_cache_load(j->log, path, grid, distances)) {
        double start_s = base_time_s();
        WEIR_GOTO_IF_ERROR(bake_mesh(j, from->mesh, grid, distances));
        log_bake(j, from, grid, base_time_s() - start_s);
        solid_cache_store(j->log, path, grid, distances);
    }
fail:
    base_free(path);
    return result;
}

static weir_result fill_frame(bake_job *j, const mesh_source *from)
{
    const solid_mesh *m = &j->store->meshes[from->index];
    uint32_t *words = j->store->words + m->first_word + from->frame * solid_mesh_frame_words(m);
    float *distances = (float *)(void *)(words + SOLID_VOLUME_HEADER);
    memcpy(words, &m->grid, sizeof m->grid);
    return find_distances(j, from, &m->grid, distances);
}

/* Fills the volume from which mass properties are computed. */
static weir_result fill_fine_sdf(bake_job *j, const mesh_source *from)
{
    const solid_mesh *m = &j->store->meshes[from->index];
    uint32_t *words = j->store->words + m->fine_word;
    memcpy(words, &m->fine_grid, sizeof m->fine_grid);
    return find_distances(j, from, &m->fine_grid, (float *)(void *)(words + SOLID_VOLUME_HEADER));
}

static weir_result fill_mesh(bake_job *j, uint32_t index)
{
    const mesh_source first = {index, 0, &j->firsts[index]};
    WEIR_RETURN_IF_ERROR(fill_frame(j, &first));
    if (j->store->meshes[index].fine) WEIR_RETURN_IF_ERROR(fill_fine_sdf(j, &first));
    for (uint32_t frame = 1; frame < j->store->meshes[index].frame_count; ++frame) {
        io_mesh mesh = {0};
        WEIR_RETURN_IF_ERROR(read_frame(j, index, frame, &mesh));
        weir_result result = fill_frame(j, &(mesh_source){index, frame, &mesh});
        io_mesh_free(&mesh);
        WEIR_RETURN_IF_ERROR(result);
    }
    return WEIR_OK;
}

static weir_result warn_file_sizes(const bake_job *j)
{
    const uint32_t count = j->scene->mesh_count;
    vec3 *boxes = base_alloc(count, 2 * sizeof *boxes);
    if (!boxes) return base_fail(j->log, WEIR_ERROR_MEMORY, "not enough memory for meshes");
    for (uint32_t i = 0; i < count; ++i) {
        boxes[2 * i] = j->store->meshes[i].min;
        boxes[2 * i + 1] = j->store->meshes[i].max;
    }
    solid_warn_file_sizes(j->log, j->scene, boxes);
    base_free(boxes);
    return WEIR_OK;
}

static weir_result fill_all(bake_job *j, float cell_m)
{
    solid_mesh_sdfs *store = j->store;
    const uint32_t count = j->scene->mesh_count;
    for (uint32_t i = 0; i < count; ++i)
        if (store->meshes[i].scale > 0) WEIR_RETURN_IF_ERROR(measure_mesh(j, i));
    WEIR_RETURN_IF_ERROR(warn_file_sizes(j));
    WEIR_RETURN_IF_ERROR(check_size(j, cell_m));
    for (uint32_t i = 0; i < count; ++i) {
        solid_mesh *m = &store->meshes[i];
        if (m->scale <= 0) continue;
        m->grid = fit_grid(m, cell_m * m->finer / m->scale);
        m->grid.shell = j->scene->meshes[i].shell;
        m->first_word = (uint32_t)store->word_count;
        store->word_count += m->frame_count * solid_mesh_frame_words(m);
    }
    size_t words = store->word_count;
    for (uint32_t i = 0; i < count; ++i) {
        solid_mesh *m = &store->meshes[i];
        plan_fine_grid(m);
        m->fine_word = (uint32_t)words;
        if (m->fine) words += SOLID_VOLUME_HEADER + solid_grid_nodes(&m->fine_grid);
    }
    store->words = words <= UINT32_MAX ? base_alloc(words, sizeof *store->words) : NULL;
    if (!store->words)
        return base_fail(j->log, WEIR_ERROR_MEMORY,
                         "not enough memory for %zu words of distance volumes", words);
    for (uint32_t i = 0; i < count; ++i)
        if (store->meshes[i].scale > 0) WEIR_RETURN_IF_ERROR(fill_mesh(j, i));
    return WEIR_OK;
}

weir_result solid_mesh_sdfs_build(gpu_device *device, const scene_data *scene, float cell_m,
                                  solid_mesh_sdfs *store)
{
    bake_job j = {.device = device, .log = gpu_device_log(device), .scene = scene, .store = store};
    j.firsts = base_alloc(scene->mesh_count, sizeof *j.firsts);
    if (!j.firsts) return base_fail(j.log, WEIR_ERROR_MEMORY, "not enough memory for meshes");
    weir_result result = fill_all(&j, cell_m);
    for (uint32_t i = 0; i < scene->mesh_count; ++i)
        io_mesh_free(&j.firsts[i]);
    base_free(j.firsts);
    solid_sdf_baker_destroy(device, &j.baker);
    return result;
}

void solid_mesh_sdfs_free(solid_mesh_sdfs *store)
{
    base_free(store->meshes);
    base_free(store->words);
    *store = (solid_mesh_sdfs){0};
}
