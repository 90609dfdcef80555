/* Reads the meshes of deformables that src/output/deformables.c writes. */
#include "api_internal.h"
#include "io.h"

#include "weir/deformables.h"

/* Returns the path of a deformable's file for a frame, in any mesh format. Returns NULL when there
 * is no file, or when memory runs out. Free with base_free. */
static char *find_frame_file(const weir_output_def *as, const scene_deformable *soft,
                             uint32_t frame)
{
    for (weir_mesh_format format = 0; format < WEIR_MESH_FORMAT_COUNT; format++) {
        char *path =
            base_format("%s/%s/%s_%04u.%s", as->folder, scene_deformable_folder(soft->kind),
                        soft->name, frame, io_mesh_format_extension(format));
        if (!path || base_path_is_file(path)) return path;
        base_free(path);
    }
    return NULL;
}

static bool allocate_meshes(const io_mesh *meshes, uint32_t count,
                            api_deformable_meshes *deformables)
{
    *deformables =
        (api_deformable_meshes){.count = count,
                                .first_vertex = base_alloc(count + 1ull, sizeof(uint32_t)),
                                .first_triangle = base_alloc(count + 1ull, sizeof(uint32_t))};
    if (!deformables->first_vertex || !deformables->first_triangle) return false;
    for (uint32_t i = 0; i < count; i++) {
        deformables->first_vertex[i + 1] = deformables->first_vertex[i] + meshes[i].vertex_count;
        deformables->first_triangle[i + 1] =
            deformables->first_triangle[i] + meshes[i].triangle_count;
    }
    deformables->positions = base_alloc(deformables->first_vertex[count] + 1ull, sizeof(vec3));
    deformables->normals = base_alloc(deformables->first_vertex[count] + 1ull, sizeof(vec3));
    deformables->indices =
        base_alloc(3ull * deformables->first_triangle[count] + 1ull, sizeof(uint32_t));
    return deformables->positions && deformables->normals && deformables->indices;
}

static void copy_mesh(const weir_output_def *as, const io_mesh *mesh, uint32_t i,
                      api_deformable_meshes *deformables)
{
    vec3 *positions = deformables->positions + deformables->first_vertex[i];
    uint32_t *indices = deformables->indices + 3ull * deformables->first_triangle[i];
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        positions[v] = io_vector_from_file_axes(mesh->vertices[v], api_file_axes(as));
    memcpy(indices, mesh->indices, 3ull * mesh->triangle_count * sizeof *indices);
    const api_deformable_surface surface = {.positions = positions,
                                            .indices = indices,
                                            .vertex_count = mesh->vertex_count,
                                            .triangle_count = mesh->triangle_count};
    api_deformable_normals(&surface, deformables->normals + deformables->first_vertex[i]);
}

static weir_result read_meshes(const weir_log *log, const scene_data *scene,
                               const weir_output_def *as, uint32_t frame, io_mesh *meshes)
{
    static const double zero[3] = {0, 0, 0};
    for (uint32_t i = 0; i < scene_deformable_count(scene); i++) {
        const scene_deformable *soft = scene_deformable_at(scene, i);
        char *path = find_frame_file(as, soft, frame);
        weir_result result =
            path ? io_mesh_read_at(log, path, zero, &meshes[i])
                 : base_fail(log, WEIR_ERROR_IO, "%s/%s/%s_%04u.obj: no such file", as->folder,
                             scene_deformable_folder(soft->kind), soft->name, frame);
        base_free(path);
        if (result != WEIR_OK) return result;
    }
    return WEIR_OK;
}

weir_result weir_points_load_deformables(weir_points *points, const weir_scene *scene,
                                         const weir_output_def *as, uint32_t frame)
{
    WEIR_REQUIRE_NOT_NULL(NULL, points);
    const weir_log *log = api_log(points->device);
    weir_result result;
    api_deformable_meshes made = {0};
    WEIR_REQUIRE_NOT_NULL(log, scene);
    WEIR_REQUIRE_DEF(log, as, API_OUTPUT_COOKIE, "output");
    WEIR_REQUIRE(log, as->folder && as->folder[0], "`as->folder` must name the run's folder");
    uint32_t count = scene_deformable_count(scene->data);
    io_mesh *meshes = base_alloc(count, sizeof *meshes);
    if (!meshes) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for cloths and ropes");
    WEIR_GOTO_IF_ERROR(read_meshes(log, scene->data, as, frame, meshes));
    if (!allocate_meshes(meshes, count, &made)) {
        result = base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for cloths and ropes");
        goto fail;
    }
    for (uint32_t i = 0; i < count; i++)
        copy_mesh(as, &meshes[i], i, &made);
    api_deformable_meshes_free(&points->deformables);
    points->deformables = made;
    made = (api_deformable_meshes){0};
fail:
    api_deformable_meshes_free(&made);
    for (uint32_t i = 0; i < count; i++)
        io_mesh_free(&meshes[i]);
    base_free(meshes);
    return result;
}

uint32_t weir_scene_deformable_count(const weir_scene *scene)
{
    return scene ? scene_deformable_count(scene->data) : 0;
}
