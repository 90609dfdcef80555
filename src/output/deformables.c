/* Writes a mesh file of each deformable in every frame. */
#include "output_internal.h"

weir_result output_open_deformables(weir_output *output)
{
    const scene_data *scene = api_sim_scene_data(output->sim);
    const uint32_t counts[] = {[SCENE_DEFORMABLE_CLOTH] = scene->cloth_count,
                               [SCENE_DEFORMABLE_ROPE] = scene->rope_count,
                               [SCENE_DEFORMABLE_SOFT_BODY] = scene->soft_body_count};
    for (uint32_t kind = 0; kind < BASE_COUNT(counts); kind++) {
        if (counts[kind] == 0) continue;
        char *path =
            base_path_join(output->folder, scene_deformable_folder((scene_deformable_kind)kind));
        weir_result result = path ? base_folder_make(&output->def.log, path)
                                  : base_fail(&output->def.log, WEIR_ERROR_MEMORY,
                                              "not enough memory for a folder's name");
        base_free(path);
        if (result != WEIR_OK) return result;
    }
    return WEIR_OK;
}

static weir_result write_deformable(const weir_output *output, const output_frame *frame,
                                    uint32_t index)
{
    const weir_output_def *def = &output->def;
    const scene_data *scene = api_sim_scene_data(output->sim);
    const api_deformable_meshes *s = &frame->deformables;
    uint32_t first = s->first_vertex[index], triangle = s->first_triangle[index];
    weir_mesh_format format = def->mesh ? def->mesh_format : WEIR_MESH_FORMAT_OBJ;
    const io_mesh_view view = {.vertex_count = s->first_vertex[index + 1] - first,
                               .triangle_count = s->first_triangle[index + 1] - triangle,
                               .position = s->positions + first,
                               .normal = s->normals + first,
                               .velocity = s->velocities + first,
                               .index = s->indices + 3ull * triangle};
    unsigned long long number = def->start_frame + frame->stats.frame;
    char *path = base_format("%s/%s/%s_%04llu.%s", output->folder,
                             scene_deformable_folder(scene_deformable_at(scene, index)->kind),
                             scene_deformable_at(scene, index)->name, number,
                             io_mesh_format_extension(format));
    if (!path)
        return base_fail(&def->log, WEIR_ERROR_MEMORY, "not enough memory for a file's name");
    const io_mesh_write_def write = {.path = path,
                                     .format = format,
                                     .turn = def->y_up ? WEIR_AXIS_CONVERSION_NONE
                                                       : WEIR_AXIS_CONVERSION_Y_TO_Z,
                                     .scale = (float)def->scale,
                                     .time_s = frame->stats.time_s};
    weir_result result = io_mesh_write(&def->log, &view, &write);
    base_free(path);
    return result;
}

weir_result output_write_deformables(const weir_output *output, const output_frame *frame)
{
    for (uint32_t i = 0; i < frame->deformables.count; i++)
        WEIR_RETURN_IF_ERROR(write_deformable(output, frame, i));
    return WEIR_OK;
}
