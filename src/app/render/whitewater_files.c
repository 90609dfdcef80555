/* Finds and reads the whitewater files that "weir run" or "weir whitewater" wrote for stored
 * frames. */
#include "whitewater_files.h"

weir_result whitewater_files_open(const weir_log *log, const char *folder, const char *run,
                                  whitewater_files *whitewater)
{
    *whitewater = (whitewater_files){.log = log, .folder = folder};
    char *own = !folder && run ? base_path_join(run, "whitewater") : NULL;
    const char *from = own && base_path_is_folder(own) ? own : folder;
    weir_result result = WEIR_OK;
    if (!folder && run && !own)
        result = base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a path");
    if (from) result = sequence_add(log, from, own != NULL, &whitewater->files);
    if (result == WEIR_OK) result = sequence_sort(log, &whitewater->files);
    base_free(own);
    return result;
}

void whitewater_files_close(whitewater_files *whitewater)
{
    sequence_free(&whitewater->files);
}

static const sequence_file *find_file(const whitewater_files *whitewater, uint32_t frame)
{
    for (size_t i = 0; i < whitewater->files.files.count; i++) {
        const sequence_file *file = &whitewater->files.files.items[i];
        if (file->numbered && file->frame == frame) return file;
    }
    return NULL;
}

weir_result whitewater_files_load_frame(whitewater_files *whitewater,
                                        const weir_output_def *written, uint32_t frame,
                                        weir_points *points, weir_mesh *mesh)
{
    weir_whitewater_particles particles;
    const sequence_file *file = find_file(whitewater, frame);
    if (whitewater->files.files.count == 0) return WEIR_OK;
    if (!file) {
        if (!whitewater->warned)
            base_log(whitewater->log, WEIR_LOG_WARNING,
                     "frame %u has no whitewater file next to %s: drawing it without whitewater",
                     frame, whitewater->files.files.items[0].path);
        whitewater->warned = true;
        return WEIR_OK;
    }
    WEIR_RETURN_IF_ERROR(weir_whitewater_load(whitewater->log, file->path, written, &particles));
    weir_result result = points ? weir_points_set_whitewater(points, &particles)
                                : weir_mesh_set_whitewater(mesh, &particles);
    weir_whitewater_particles_free(&particles);
    return result;
}
