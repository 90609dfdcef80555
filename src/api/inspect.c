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
    if (api_format_from_extension(path, WEIR_ENUM_PARTICLE_FILE, &number))
        return io_mesh_file_has_faces(path) ? WEIR_FILE_MESH : WEIR_FILE_PARTICLES;
    if (api_format_from_extension(path, WEIR_ENUM_MESH_FILE, &number)) return WEIR_FILE_MESH;
    if (io_file_is_new_houdini(path)) return WEIR_FILE_PARTICLES; /* whose reader names it */
    return WEIR_FILE_UNKNOWN;
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
    *info = (weir_particles_info){.count = particles.count};
    for (uint32_t i = 0; i < WEIR_FIELD_COUNT; ++i)
        info->fields |= arrays[i] ? 1u << i : 0;
    vec3 min, max;
    points_bounding_box(particles.position, particles.count, &min, &max);
    if (particles.count) memcpy(info->min, &min, sizeof min);
    if (particles.count) memcpy(info->max, &max, sizeof max);
    measure_speeds(&particles, info);
    io_particles_free(&particles);
    return WEIR_OK;
}

/* ---- meshes --------------------------------------------------------------------------------- */

weir_result weir_mesh_inspect(const weir_log *log, const char *path, weir_mesh_info *info)
{
    WEIR_REQUIRE(log, path && path[0], "`path` must name a file");
    WEIR_REQUIRE_NOT_NULL(log, info);
    io_mesh mesh = {0};
    WEIR_RETURN_IF_ERROR(io_mesh_read(log, path, &mesh));
    const mesher_surface surface = {
        .vertex_count = mesh.vertex_count,
        .triangle_count = mesh.triangle_count,
        .position = mesh.vertices,
        .index = mesh.indices,
    };
    weir_result result = mesher_surface_check(log, &surface, info);
    io_mesh_free(&mesh);
    return result;
}
