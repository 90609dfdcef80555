/* For test_frames_vtk.py, which reads io's files with other programs' readers.

   write_frames FOLDER         writes one known cloud to FOLDER/cloud.* in all formats
   write_frames --mesh FOLDER  writes an octahedron to FOLDER/surface.* in all formats
   write_frames IN FORMAT OUT  reads a particle file and writes it in another format */
#include "io.h"

#include <stdlib.h>

#define COUNT 1000u
#define ALL_FIELDS ((1u << WEIR_FIELD_COUNT) - 1)

static void print(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    fprintf(stderr, "%s\n", text);
}

static const weir_log to_stderr = {print, NULL, WEIR_LOG_WARNING};

/* The script uses the same formulas; every number is exact in a float. */
static void fill(io_particles *cloud)
{
    for (uint32_t i = 0; i < cloud->count; i++) {
        float t = (float)i;
        cloud->position[i] = vec3_make(t / 8, (float)(i % 7) / 4, -t / 16);
        cloud->velocity[i] = vec3_make(t, -t / 2, 0.25f);
        cloud->id[i] = 1000000 + i;
        cloud->fluid[i] = i % 2;
        cloud->density[i] = 1000 + t / 4;
    }
}

static weir_result write_as(const io_particles *cloud, const char *path,
                            weir_particle_format format)
{
    io_particles_write_def def = {path, format, ALL_FIELDS, 0.125f};
    return io_particles_write(&to_stderr, cloud, &def);
}

static weir_result write_all(const char *folder)
{
    static vec3 position[COUNT], velocity[COUNT];
    static uint32_t id[COUNT], fluid[COUNT];
    static float density[COUNT];
    static const char *const names[] = {"cloud.vtk"};
    static const double times[] = {0.375};
    io_particles cloud = {.count = COUNT,
                          .position = position,
                          .velocity = velocity,
                          .id = id,
                          .fluid = fluid,
                          .density = density,
                          .time_s = times[0]};
    weir_result result = WEIR_OK;
    fill(&cloud);
    for (weir_particle_format format = 0; result == WEIR_OK && format < WEIR_PARTICLE_FORMAT_COUNT;
         format++) {
        char *path = base_format("%s/cloud.%s", folder, io_format_extension(format));
        result = path ? write_as(&cloud, path, format) : WEIR_ERROR_MEMORY;
        base_free(path);
    }
    char *path = base_path_join(folder, "cloud.vtk.series");
    if (result == WEIR_OK && path) result = io_series_write(&to_stderr, path, names, times, 1);
    base_free(path);
    return result;
}

static weir_result convert(const char *from, const char *format, const char *to)
{
    io_particles cloud;
    weir_result result = io_particles_read(&to_stderr, from, &cloud);
    for (weir_particle_format f = 0; result == WEIR_OK && f < WEIR_PARTICLE_FORMAT_COUNT; f++)
        if (strcmp(io_format_extension(f), format) == 0) result = write_as(&cloud, to, f);
    io_particles_free(&cloud);
    return result;
}

static weir_result write_meshes(const char *folder)
{
    static const vec3 position[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                    {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    static const uint32_t index[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                     2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    vec3 velocity[6];
    float density[6];
    for (uint32_t i = 0; i < 6; i++) {
        velocity[i] = vec3_make(0, (float)i, -0.5f);
        density[i] = 1000 + (float)i;
    }
    const io_mesh_view view = {.vertex_count = 6,
                               .triangle_count = 8,
                               .position = position,
                               .normal = position,
                               .velocity = velocity,
                               .index = index,
                               .channel_count = 1,
                               .channels = {{"density", 1, density}}};
    weir_result result = WEIR_OK;
    for (weir_mesh_format f = 0; result == WEIR_OK && f < WEIR_MESH_FORMAT_COUNT; f++) {
        char *path = base_format("%s/surface.%s", folder, io_mesh_format_extension(f));
        const io_mesh_write_def def = {.path = path, .format = f, .scale = 1, .time_s = 0.375};
        result = path ? io_mesh_write(&to_stderr, &view, &def) : WEIR_ERROR_MEMORY;
        base_free(path);
    }
    return result;
}

int main(int count, char **arguments)
{
    if (count == 2) return write_all(arguments[1]) != WEIR_OK;
    if (count == 3 && strcmp(arguments[1], "--mesh") == 0)
        return write_meshes(arguments[2]) != WEIR_OK;
    if (count == 4) return convert(arguments[1], arguments[2], arguments[3]) != WEIR_OK;
    fprintf(stderr,
            "write_frames FOLDER | write_frames --mesh FOLDER | write_frames IN FORMAT OUT\n");
    return 2;
}
