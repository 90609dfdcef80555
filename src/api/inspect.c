/* Figures of particle files and triangle meshes. */
#include "api_internal.h"
#include "io.h"

#include <stdlib.h>

#define PLY_HEADER_MAX 8192u
#define FILE_MAX ((size_t)1 << 40)

/* ---- what a file is ------------------------------------------------------------------------- */

static bool ply_has_faces(const char *path)
{
    static const char mark[] = "element face ";
    base_blob blob = {0};
    if (base_file_read(NULL, path, FILE_MAX, &blob) != WEIR_OK) return false;
    size_t size = blob.size < PLY_HEADER_MAX ? blob.size : PLY_HEADER_MAX;
    size_t length = sizeof mark - 1;
    bool faces = false;
    for (size_t i = 0; !faces && i + length < size; ++i)
        faces = memcmp(blob.bytes + i, mark, length) == 0 && blob.bytes[i + length] != '0';
    base_blob_free(&blob);
    return faces;
}

weir_file_kind weir_file_detect(const char *path)
{
    static const struct {
        const char *extension;
        weir_file_kind kind;
    } kinds[] = {
        {"json", WEIR_FILE_SCENE},    {"vtk", WEIR_FILE_PARTICLES}, {"bgeo", WEIR_FILE_PARTICLES},
        {"xyz", WEIR_FILE_PARTICLES}, {"ply", WEIR_FILE_PARTICLES}, {"obj", WEIR_FILE_MESH},
        {"stl", WEIR_FILE_MESH},      {"npy", WEIR_FILE_PARTICLES}, {"vtu", WEIR_FILE_PARTICLES},
        {"vtp", WEIR_FILE_PARTICLES}, {"raw", WEIR_FILE_PARTICLES}, {"f32", WEIR_FILE_PARTICLES},
    };
    if (!path || !base_path_is_file(path)) return WEIR_FILE_UNKNOWN;
    char lower[8] = {0};
    const char *extension = base_path_extension(path);
    for (size_t i = 0; i + 1 < sizeof lower && extension[i]; ++i) {
        char c = extension[i];
        lower[i] = (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
    for (size_t i = 0; i < BASE_COUNT(kinds); ++i) {
        if (strcmp(lower, kinds[i].extension) != 0) continue;
        return strcmp(lower, "ply") == 0 && ply_has_faces(path) ? WEIR_FILE_MESH : kinds[i].kind;
    }
    return WEIR_FILE_UNKNOWN;
}

/* ---- particles ------------------------------------------------------------------------------ */

static void measure_box(const vec3 *points, uint32_t count, float min[3], float max[3])
{
    if (count == 0) return;
    vec3 low = points[0], high = points[0];
    for (uint32_t i = 1; i < count; ++i) {
        low = vec3_min(low, points[i]);
        high = vec3_max(high, points[i]);
    }
    memcpy(min, &low, sizeof low);
    memcpy(max, &high, sizeof high);
}

static void measure_speeds(const io_particles *particles, weir_particles_info *info)
{
    if (!particles->velocity || particles->count == 0) return;
    double sum = 0;
    info->speed_min = INFINITY;
    for (uint32_t i = 0; i < particles->count; ++i) {
        float speed = vec3_length(particles->velocity[i]);
        info->speed_min = fminf(info->speed_min, speed);
        info->speed_max = fmaxf(info->speed_max, speed);
        sum += (double)speed;
    }
    info->speed_mean = (float)(sum / particles->count);
}

weir_result weir_particles_inspect(const weir_log *log, const char *path, weir_particles_info *info)
{
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE(log, info, "`info` must not be NULL");
    io_particles particles = {0};
    weir_result result = io_particles_read(log, path, &particles);
    if (result != WEIR_OK) return result;
    const void *const arrays[WEIR_FIELD_COUNT] = {
        [WEIR_FIELD_POSITION] = particles.position,
        [WEIR_FIELD_VELOCITY] = particles.velocity,
        [WEIR_FIELD_ID] = particles.id,
        [WEIR_FIELD_FLUID] = particles.fluid,
        [WEIR_FIELD_DENSITY] = particles.density,
    };
    *info = (weir_particles_info){.count = particles.count};
    for (uint32_t i = 0; i < WEIR_FIELD_COUNT; ++i)
        info->fields |= arrays[i] ? 1u << i : 0;
    measure_box(particles.position, particles.count, info->min, info->max);
    measure_speeds(&particles, info);
    io_particles_free(&particles);
    return WEIR_OK;
}

/* ---- meshes --------------------------------------------------------------------------------- */

/* The lower vertex in the high half, then the higher one; the last bit is set when the triangle
 * runs from the higher to the lower. 2^31 vertices at most fit. */
static uint64_t edge_key(uint32_t a, uint32_t b)
{
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    return low << 32 | high << 1 | (a > b);
}

static int compare_keys(const void *a, const void *b)
{
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

static void count_edges(const uint64_t *keys, size_t count, weir_mesh_info *info)
{
    for (size_t first = 0, next; first < count; first = next) {
        uint32_t reversed = 0;
        for (next = first; next < count && keys[next] >> 1 == keys[first] >> 1; ++next)
            reversed += keys[next] & 1;
        size_t uses = next - first;
        info->boundary_edges += uses == 1;
        info->nonmanifold_edges += uses > 2;
        info->flipped_edges += uses == 2 && reversed != 1;
    }
}

static bool is_degenerate(const io_mesh *mesh, const uint32_t corners[3])
{
    vec3 a = mesh->vertices[corners[0]];
    vec3 ab = vec3_sub(mesh->vertices[corners[1]], a);
    vec3 ac = vec3_sub(mesh->vertices[corners[2]], a);
    return vec3_length(vec3_cross(ab, ac)) == 0.0f;
}

/* Triangles that use a vertex twice have no edges to speak of. */
static weir_result measure_edges(const weir_log *log, const io_mesh *mesh, weir_mesh_info *info)
{
    size_t count = 0;
    uint64_t *keys = base_alloc(mesh->triangle_count, 3 * sizeof *keys);
    if (!keys || mesh->vertex_count > INT32_MAX) {
        base_free(keys);
        return base_fail(log, WEIR_MEMORY, "no memory for the edges of %u triangles",
                         mesh->triangle_count);
    }
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        const uint32_t *c = mesh->indices + 3 * (size_t)i;
        info->degenerate_triangles += is_degenerate(mesh, c);
        if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
        for (uint32_t k = 0; k < 3; ++k)
            keys[count++] = edge_key(c[k], c[(k + 1) % 3]);
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    count_edges(keys, count, info);
    base_free(keys);
    return WEIR_OK;
}

weir_result weir_mesh_inspect(const weir_log *log, const char *path, weir_mesh_info *info)
{
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE(log, info, "`info` must not be NULL");
    io_mesh mesh = {0};
    weir_result result = io_mesh_read(log, path, &mesh);
    if (result != WEIR_OK) return result;
    weir_mesh_info found = {.vertices = mesh.vertex_count, .triangles = mesh.triangle_count};
    measure_box(mesh.vertices, mesh.vertex_count, found.min, found.max);
    result = measure_edges(log, &mesh, &found);
    io_mesh_free(&mesh);
    if (result == WEIR_OK) *info = found;
    return result;
}
