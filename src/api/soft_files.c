/* Cloths, ropes and soft bodies of stored frames: the files that output_softs.c writes, read again.
 */
#include "output_internal.h"

#include "weir_soft.h"

/* The file of one of them in a frame, in the format that is there; NULL: there is none, or no
 * memory. Release with base_free. */
static char *find_file(const weir_output_def *as, const scene_soft *soft, uint32_t frame)
{
    for (weir_mesh_format format = 0; format < WEIR_MESH_FORMAT_COUNT; format++) {
        char *path = base_format("%s/%s/%s_%04u.%s", as->folder, output_soft_folder(soft->kind),
                                 soft->name, frame, io_mesh_format_extension(format));
        if (!path || base_path_is_file(path)) return path;
        base_free(path);
    }
    return NULL;
}

static bool make_room(const io_mesh *meshes, uint32_t count, api_softs *softs)
{
    *softs = (api_softs){.count = count,
                         .first_vertex = base_alloc(count + 1ull, sizeof(uint32_t)),
                         .first_triangle = base_alloc(count + 1ull, sizeof(uint32_t))};
    if (!softs->first_vertex || !softs->first_triangle) return false;
    for (uint32_t i = 0; i < count; i++) {
        softs->first_vertex[i + 1] = softs->first_vertex[i] + meshes[i].vertex_count;
        softs->first_triangle[i + 1] = softs->first_triangle[i] + meshes[i].triangle_count;
    }
    softs->positions = base_alloc(softs->first_vertex[count] + 1ull, sizeof(vec3));
    softs->normals = base_alloc(softs->first_vertex[count] + 1ull, sizeof(vec3));
    softs->indices = base_alloc(3ull * softs->first_triangle[count] + 1ull, sizeof(uint32_t));
    return softs->positions && softs->normals && softs->indices;
}

static void put(const weir_output_def *as, const io_mesh *mesh, uint32_t i, api_softs *softs)
{
    vec3 *positions = softs->positions + softs->first_vertex[i];
    uint32_t *indices = softs->indices + 3ull * softs->first_triangle[i];
    for (uint32_t v = 0; v < mesh->vertex_count; v++)
        positions[v] = output_turn_back(as, mesh->vertices[v]);
    memcpy(indices, mesh->indices, 3ull * mesh->triangle_count * sizeof *indices);
    const api_soft_surface surface = {.positions = positions,
                                      .indices = indices,
                                      .vertex_count = mesh->vertex_count,
                                      .triangle_count = mesh->triangle_count};
    api_soft_normals(&surface, softs->normals + softs->first_vertex[i]);
}

static weir_result read_all(const weir_log *log, const scene_data *scene, const weir_output_def *as,
                            uint32_t frame, io_mesh *meshes)
{
    for (uint32_t i = 0; i < scene_soft_count(scene); i++) {
        const scene_soft *soft = scene_soft_at(scene, i);
        char *path = find_file(as, soft, frame);
        weir_result result =
            path ? io_mesh_read(log, path, &meshes[i])
                 : base_fail(log, WEIR_IO, "%s/%s/%s_%04u.obj: there is no such file", as->folder,
                             output_soft_folder(soft->kind), soft->name, frame);
        base_free(path);
        if (result != WEIR_OK) return result;
    }
    return WEIR_OK;
}

weir_result weir_points_load_softs(weir_points *points, const weir_scene *scene,
                                   const weir_output_def *as, uint32_t frame)
{
    WEIR_REQUIRE_GIVEN(NULL, points);
    const weir_log *log = api_log(points->device);
    weir_result result;
    api_softs made = {0};
    WEIR_REQUIRE_GIVEN(log, scene);
    WEIR_REQUIRE_DEF(log, as, API_OUTPUT_COOKIE, "output");
    WEIR_REQUIRE(log, as->folder && as->folder[0], "`as->folder` must name the run's folder");
    uint32_t count = scene_soft_count(scene->data);
    io_mesh *meshes = base_alloc(count, sizeof *meshes);
    if (!meshes) return base_fail(log, WEIR_MEMORY, "no memory for cloths and ropes");
    WEIR_TRY(read_all(log, scene->data, as, frame, meshes));
    if (!make_room(meshes, count, &made)) {
        result = base_fail(log, WEIR_MEMORY, "no memory for cloths and ropes");
        goto fail;
    }
    for (uint32_t i = 0; i < count; i++)
        put(as, &meshes[i], i, &made);
    api_softs_free(&points->softs);
    points->softs = made;
    made = (api_softs){0};
fail:
    api_softs_free(&made);
    for (uint32_t i = 0; i < count; i++)
        io_mesh_free(&meshes[i]);
    base_free(meshes);
    return result;
}

uint32_t weir_scene_soft_count(const weir_scene *scene)
{
    return scene ? scene_soft_count(scene->data) : 0;
}
