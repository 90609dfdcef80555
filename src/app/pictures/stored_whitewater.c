/* Spray, foam and bubbles of stored frames: what "weir run" or "weir foam" wrote for them. */
#include "stored_whitewater.h"

weir_result stored_whitewater_open(const weir_log *log, const char *folder, const char *run,
                                   stored_whitewater *whitewater)
{
    *whitewater = (stored_whitewater){.log = log, .folder = folder};
    char *own = !folder && run ? base_path_join(run, "foam") : NULL;
    const char *from = own && base_path_is_folder(own) ? own : folder;
    weir_result result = WEIR_OK;
    if (!folder && run && !own) result = base_fail(log, WEIR_MEMORY, "no memory for a path");
    if (from) result = sequence_add(log, from, own != NULL, &whitewater->files);
    if (result == WEIR_OK) result = sequence_sort(log, &whitewater->files);
    base_free(own);
    return result;
}

void stored_whitewater_close(stored_whitewater *whitewater)
{
    sequence_free(&whitewater->files);
}

static const sequence_file *find_file(const stored_whitewater *whitewater, uint32_t frame)
{
    for (size_t i = 0; i < whitewater->files.files.count; i++) {
        const sequence_file *file = &whitewater->files.files.items[i];
        if (file->numbered && file->frame == frame) return file;
    }
    return NULL;
}

weir_result stored_whitewater_add(stored_whitewater *whitewater, const weir_output_def *written,
                                  uint32_t frame, weir_points *points)
{
    weir_foam_particles particles;
    const sequence_file *file = find_file(whitewater, frame);
    if (whitewater->files.files.count == 0) return WEIR_OK;
    if (!file) {
        if (!whitewater->warned)
            base_log(whitewater->log, WEIR_LOG_WARNING,
                     "frame %u has no file of whitewater beside %s: it is drawn without", frame,
                     whitewater->files.files.items[0].path);
        whitewater->warned = true;
        return WEIR_OK;
    }
    WEIR_NEED(weir_foam_load(whitewater->log, file->path, written, &particles));
    weir_result result = weir_points_set_whitewater(points, &particles);
    weir_foam_particles_free(&particles);
    return result;
}
