/* Public API that inspects particle files and mesh files. */
#include "api_internal.h"
#include "geometry.h"
#include "io.h"
#include "mesher.h"

/* ---- kinds of files ------------------------------------------------------------------------- */

weir_file_kind weir_file_detect(const char *path)
{
    uint32_t number;
    if (!path || !base_path_is_file(path)) return WEIR_FILE_UNKNOWN;
    if (api_has_extension(path, "json")) return WEIR_FILE_SCENE;
    if (api_has_extension(path, "gz")) return io_file_kind(path);
    if (api_format_from_extension(path, WEIR_ENUM_PARTICLE_FILE, &number))
        return io_mesh_file_has_faces(path) ? WEIR_FILE_MESH : WEIR_FILE_PARTICLES;
    if (api_format_from_extension(path, WEIR_ENUM_MESH_FILE, &number)) return WEIR_FILE_MESH;
    return io_file_kind(path);
}

/* ---- particles ------------------------------------------------------------------------------ */

static void measure_speeds(const io_particles *particles, weir_particles_info *info)
{
    if (!particles->velocity || particles->count == 0) return;
    double sum = 0;
    info->speed_min_m_s = INFINITY;
    for (uint32_t i = 0; i < particles->count; ++i) {
        float speed = vec3_length(particles->velocity[i]);
        info->speed_min_m_s = fminf(info->speed_min_m_s, speed);
        info->speed_max_m_s = fmaxf(info->speed_max_m_s, speed);
        sum += (double)speed;
    }
    info->speed_mean_m_s = (float)(sum / particles->count);
}

static uint32_t count_outliers(const io_particles *particles)
{
    vec3 low, high;
    uint32_t count = 0;
    if (particles->count == 0) return 0;
    points_bulk_box(particles->position, particles->count, &low, &high);
    for (uint32_t i = 0; i < particles->count; ++i) {
        vec3 p = particles->position[i], inside = vec3_min(vec3_max(p, low), high);
        count += p.x != inside.x || p.y != inside.y || p.z != inside.z;
    }
    return count;
}

weir_result weir_particles_inspect(const weir_log *log, const char *path, weir_particles_info *info)
{
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE_NOT_NULL(log, info);
    io_particles particles = {0};
    WEIR_RETURN_IF_ERROR(io_particles_read(log, path, &particles));
    const void *const arrays[WEIR_FIELD_COUNT] = {
        [WEIR_FIELD_POSITION] = particles.position,
        [WEIR_FIELD_VELOCITY] = particles.velocity,
        [WEIR_FIELD_ID] = particles.id,
        [WEIR_FIELD_FLUID] = particles.fluid,
        [WEIR_FIELD_DENSITY] = particles.density,
    };
    *info = (weir_particles_info){.count = particles.count, .skipped = particles.skipped};
    for (uint32_t i = 0; i < WEIR_FIELD_COUNT; ++i)
        info->fields |= arrays[i] ? 1u << i : 0;
    vec3 min, max;
    points_bounding_box(particles.position, particles.count, &min, &max);
    const float low[3] = {min.x, min.y, min.z}, high[3] = {max.x, max.y, max.z};
    for (int axis = 0; axis < 3 && particles.count; axis++) {
        info->min[axis] = particles.origin[axis] + (double)low[axis];
        info->max[axis] = particles.origin[axis] + (double)high[axis];
    }
    info->outliers = count_outliers(&particles);
    measure_speeds(&particles, info);
    info->spacing_m = 2 * particles.radius_m;
    info->spacing_estimated = !(particles.radius_m > 0);
    weir_result result = WEIR_OK;
    if (info->spacing_estimated)
        result =
            points_estimate_spacing(log, particles.position, particles.count, &info->spacing_m);
    io_particles_free(&particles);
    return result;
}

/* ---- meshes --------------------------------------------------------------------------------- */

static weir_result check_mesh(const weir_log *log, const io_mesh *mesh, weir_mesh_info *info)
{
    const mesher_surface surface = {
        .vertex_count = mesh->vertex_count,
        .triangle_count = mesh->triangle_count,
        .position = mesh->vertices,
        .index = mesh->indices,
    };
    return mesher_surface_check(log, &surface, info);
}

/* Measures an open mesh again with its split vertices merged, as solids merge them: many programs
 * write a vertex once for each of its normals or texture coordinates. */
static weir_result check_welded(const weir_log *log, const char *path, io_mesh *mesh,
                                weir_mesh_info *info)
{
    weir_mesh_info welded;
    const uint32_t count = mesh->vertex_count;
    WEIR_RETURN_IF_ERROR(io_mesh_weld(log, path, mesh));
    if (mesh->vertex_count == count) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(check_mesh(log, mesh, &welded));
    if (welded.boundary_edges >= info->boundary_edges) return WEIR_OK;
    base_log(log, WEIR_LOG_INFO,
             "%s: %u of its %u vertices have the position of another, and count "
             "as one with it",
             path, count - mesh->vertex_count, count);
    welded.vertices = info->vertices; /* as the file has them */
    welded.duplicate_vertices = info->duplicate_vertices;
    *info = welded;
    return WEIR_OK;
}

weir_result weir_mesh_inspect(const weir_log *log, const char *path, weir_mesh_info *info)
{
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE_NOT_NULL(log, info);
    io_mesh mesh = {0};
    WEIR_RETURN_IF_ERROR(io_mesh_read(log, path, &mesh));
    weir_result result = check_mesh(log, &mesh, info);
    if (result == WEIR_OK && info->boundary_edges) result = check_welded(log, path, &mesh, info);
    for (int axis = 0; axis < 3; axis++) {
        info->min[axis] += mesh.origin[axis];
        info->max[axis] += mesh.origin[axis];
    }
    io_mesh_free(&mesh);
    return result;
}
