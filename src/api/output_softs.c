/* Cloths, ropes and soft bodies of an output folder: a mesh of each in every frame. */
#include "output_internal.h"

#include "weir_soft.h"

/* By scene_soft_kind. */
static const char *const folders[] = {"cloth", "rope", "soft_body"};

const char *output_soft_folder(scene_soft_kind kind)
{
    return folders[kind];
}

weir_result output_open_softs(weir_output *output)
{
    const scene_data *scene = output->sim->scene->data;
    const uint32_t counts[] = {scene->cloth_count, scene->rope_count, scene->soft_body_count};
    for (size_t i = 0; i < BASE_COUNT(folders); i++) {
        if (counts[i] == 0) continue;
        char *path = base_path_join(output->folder, folders[i]);
        weir_result result =
            path ? base_folder_make(&output->def.log, path)
                 : base_fail(&output->def.log, WEIR_MEMORY, "no memory for a folder's name");
        base_free(path);
        if (result != WEIR_OK) return result;
    }
    return WEIR_OK;
}

static weir_result write_soft(const weir_output *output, const output_frame *frame, uint32_t index)
{
    const weir_output_def *def = &output->def;
    const scene_data *scene = output->sim->scene->data;
    const api_softs *s = &frame->softs;
    uint32_t first = s->first_vertex[index], triangle = s->first_triangle[index];
    weir_mesh_format format = def->mesh ? def->mesh_format : WEIR_MESH_OBJ;
    const io_mesh_view view = {.vertex_count = s->first_vertex[index + 1] - first,
                               .triangle_count = s->first_triangle[index + 1] - triangle,
                               .position = s->positions + first,
                               .normal = s->normals + first,
                               .velocity = s->velocities + first,
                               .index = s->indices + 3ull * triangle};
    unsigned long long number = def->start_frame + frame->stats.frame;
    char *path = base_format(
        "%s/%s/%s_%04llu.%s", output->folder, output_soft_folder(scene_soft_at(scene, index)->kind),
        scene_soft_at(scene, index)->name, number, io_mesh_format_extension(format));
    if (!path) return base_fail(&def->log, WEIR_MEMORY, "no memory for a file's name");
    const io_mesh_write_def write = {.path = path,
                                     .format = format,
                                     .turn = def->y_up ? WEIR_TURN_NONE : WEIR_TURN_Y_TO_Z,
                                     .scale = (float)def->scale,
                                     .time_s = frame->stats.time_s};
    weir_result result = io_mesh_write(&def->log, &view, &write);
    base_free(path);
    return result;
}

weir_result output_write_softs(const weir_output *output, const output_frame *frame)
{
    for (uint32_t i = 0; i < frame->softs.count; i++)
        WEIR_NEED(write_soft(output, frame, i));
    return WEIR_OK;
}
